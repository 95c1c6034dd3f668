"""The arrangement of panes that fits on a screen, and how many lines the candidates of a question may take."""

from __future__ import annotations

from enum import Enum


class Arrangement(Enum):
    """Arrangement of panes on the screen; each name is a class in `fullscreen.tcss`."""

    NONE = "none"
    ONE = "one"
    SIDE = "side"
    BROAD = "broad"


LEAST = (60, 16)
"""Columns and lines below which play is not possible in full screen."""
ROOM = {Arrangement.BROAD: (170, 36), Arrangement.SIDE: (110, 28)}
"""Columns and lines an arrangement needs, the largest first."""
FEWEST, SHARE = 6, 5
"""The candidates may take this many lines, or a fifth of a higher screen, so that the board stays in sight."""


def arranged(columns: int, lines: int) -> Arrangement:
    """Choose the arrangement for a screen."""
    if columns < LEAST[0] or lines < LEAST[1]:
        return Arrangement.NONE
    fitting = (each for each, (width, height) in ROOM.items() if columns >= width and lines >= height)
    return next(fitting, Arrangement.ONE)


def most_lines(lines: int) -> int:
    """The most lines for the candidates of a question on a screen with this many."""
    return max(FEWEST, lines // SHARE)
