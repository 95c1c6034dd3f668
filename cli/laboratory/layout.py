"""Bars, and tables that fit on the screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from cli.render.tables import plain_grid

BAR = 20
"""The width of a bar for 100 %, in characters."""

BLOCKS = " ▏▎▍▌▋▊▉█"

LEAST_WORDS = 24
"""The characters of the first column that must fit beside the figures; longer texts are wrapped."""


def bar(share: float, width: int = BAR) -> str:
    """A bar for a share, in eighths of a character; 100 % fills the width."""
    eighths = round(8 * width * min(1.0, max(0.0, share)))
    return (BLOCKS[8] * (eighths // 8) + BLOCKS[eighths % 8]).rstrip()


def table_of(headings: Sequence[str | Text], rows: Iterable[Sequence[str | Text]], bars: Sequence[str] = ()) -> Table:
    """A table of texts, which are wrapped if necessary, with figures and, if any are given, bars beside them."""
    table = plain_grid()
    table.add_column(headings[0])
    for heading in headings[1:]:
        table.add_column(heading, justify="right", no_wrap=True)
    if bars:
        table.add_column(no_wrap=True)
    for row, drawn in zip_longest(rows, bars):
        table.add_row(*row, *([drawn] if bars else []))
    return table


def first_fitting(console: Console, tables: Iterable[Table]) -> Table | None:
    """The first table that fits with a first column of `LEAST_WORDS`, otherwise the last; None if there are none."""
    table, unlimited = None, console.options.update(max_width=10_000)
    for table in tables:
        words = table.columns[0]
        words.max_width = LEAST_WORDS
        width = Measurement.get(console, unlimited, table).maximum
        words.max_width = None
        if width <= console.width:
            break
    return table
