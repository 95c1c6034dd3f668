"""The arrangement of panes that fits a screen."""

from __future__ import annotations

from enum import Enum


class Arrangement(Enum):
    """Arrangement of panes on the screen; each value, after a hyphen, is a class in `viewer.tcss`."""

    NONE = "none"
    ONE = "one"
    TWO = "two"
    ALL = "all"
    BROAD = "broad"


MIN_SCREEN_SIZE = (50, 14)
"""Minimum columns and lines for a readable screen."""
SCREEN_SIZES = {Arrangement.BROAD: (160, 45), Arrangement.ALL: (100, 30)}
"""Columns and lines that each arrangement needs, largest first."""


def sharing(arrangement: Arrangement, count: int) -> range:
    """Those of `count` panes that share one place, so that only one of them is shown at a time."""
    first = {Arrangement.TWO: 1, Arrangement.ALL: 4, Arrangement.BROAD: 4}
    return range(first.get(arrangement, count), count)


def arranged(columns: int, lines: int, *, zoomed: bool) -> Arrangement:
    """Choose the arrangement for a screen; `zoomed` requests a single pane."""
    if columns < MIN_SCREEN_SIZE[0] or lines < MIN_SCREEN_SIZE[1]:
        return Arrangement.NONE
    if zoomed:
        return Arrangement.ONE
    fitting = (
        arrangement for arrangement, (width, height) in SCREEN_SIZES.items() if columns >= width and lines >= height
    )
    return next(fitting, Arrangement.TWO)
