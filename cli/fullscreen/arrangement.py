"""The arrangement of panes that fits a screen, and the number of lines for the candidates of a question."""

from __future__ import annotations

from enum import Enum


class Arrangement(Enum):
    """Arrangement of panes on the screen; each value, after a hyphen, is a class in `fullscreen.tcss`."""

    NONE = "none"
    ONE = "one"
    SIDE = "side"
    BROAD = "broad"


LEAST = (60, 16)
"""Minimum columns and lines for playing in full screen."""
ROOM = {Arrangement.BROAD: (170, 36), Arrangement.SIDE: (110, 28)}
"""Columns and lines that each arrangement needs, largest first."""
FEWEST, SHARE = 6, 5
"""Candidates may take 6 lines, or a fifth of a taller screen, so that the board stays visible."""


def arranged(columns: int, lines: int) -> Arrangement:
    """Choose the arrangement for a screen."""
    if columns < LEAST[0] or lines < LEAST[1]:
        return Arrangement.NONE
    fitting = (each for each, (width, height) in ROOM.items() if columns >= width and lines >= height)
    return next(fitting, Arrangement.ONE)


def most_lines(lines: int) -> int:
    """The maximum number of lines for the candidates of a question, given the lines of the screen."""
    return max(FEWEST, lines // SHARE)
