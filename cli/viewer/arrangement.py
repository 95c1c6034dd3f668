"""Which panes a screen has room for."""

from __future__ import annotations

from enum import Enum


class Arrangement(Enum):
    """How panes stand on the screen; the name of the class that `viewer.tcss` knows."""

    NONE = "none"
    ONE = "one"
    TWO = "two"
    ALL = "all"
    BROAD = "broad"


LEAST = (50, 14)
"""Columns and lines below which nothing can be read."""
ROOM = {Arrangement.BROAD: (160, 45), Arrangement.ALL: (100, 30)}
"""What an arrangement needs, the largest first."""


def arranged(columns: int, lines: int, *, zoomed: bool) -> Arrangement:
    """The arrangement for a screen; `zoomed` wants one pane alone."""
    if columns < LEAST[0] or lines < LEAST[1]:
        return Arrangement.NONE
    if zoomed:
        return Arrangement.ONE
    fitting = (each for each, (width, height) in ROOM.items() if columns >= width and lines >= height)
    return next(fitting, Arrangement.TWO)
