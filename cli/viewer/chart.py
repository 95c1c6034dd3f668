"""A chart of the expected shares of the win over a game: a row of bars for each seat, and the current position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.style import Style
from rich.text import Text

from cli.render.hints import percent

if TYPE_CHECKING:
    from cli.render.palette import Palette
    from cli.viewer.analysis import Expectations

HERE = "#3a3f58"
"""The background of the current position, the same as that of the current line in other panes."""
EIGHTHS = " ▁▂▃▄▅▆▇█"
MAX_BAR_WIDTH, MAX_ROW_HEIGHT = 3, 6
"""Maximum width of a bar in columns, and maximum height of a row in lines."""
MAX_NAME_WIDTH, FIGURE_WIDTH = 14, 6
"""Maximum columns for the name of a seat, and columns for the figure beside its row."""


def chart(shares: Expectations, now: int, look: Palette, width: int, lines: int) -> Iterator[Text]:
    """A row for each seat, as tall as `lines` allow for all rows, and below them a mark at the current position."""
    names = {seat: Text(look.words.name(seat), style=look.style(seat)) for seat in shares}
    for name in names.values():
        name.truncate(MAX_NAME_WIDTH, overflow="ellipsis")
    margin = max(name.cell_len for name in names.values()) + 2
    room = max(1, width - margin - FIGURE_WIDTH)
    count = len(next(iter(shares.values())))
    columns = list(_columns(count, room))
    current = next(number for number, (first, last) in enumerate(columns) if first <= now <= last)
    height = max(1, min(MAX_ROW_HEIGHT, (lines - 1) // len(shares)))
    for seat, seat_shares in shares.items():
        bars = [_last_known(seat_shares[first : last + 1]) for first, last in columns]
        style = Style.parse(look.style(seat))
        for line in range(height - 1, -1, -1):
            row = Text(" ", no_wrap=True)
            row.append_text(names[seat] if line == 0 else Text())
            row.pad_right(margin - row.cell_len)
            for number, share in enumerate(bars):
                row.append(_cell(share, line, height), style if number != current else style + Style(bgcolor=HERE))
            if line == 0:
                share = seat_shares[now]
                row.append(f"{'' if share is None else percent(share):>{FIGURE_WIDTH}}", "bold")
            yield row
    yield Text(" " * (margin + current) + "▲", style="bold bright_yellow", no_wrap=True)


def _columns(count: int, room: int) -> Iterator[tuple[int, int]]:
    """The first and last position that each column shows: bars of several columns, or columns of several positions."""
    broad = min(MAX_BAR_WIDTH, room // count)
    if broad:
        yield from ((place // broad, place // broad) for place in range(count * broad))
    else:
        yield from ((place * count // room, (place + 1) * count // room - 1) for place in range(room))


def _last_known(shares: Sequence[float | None]) -> float | None:
    return next((share for share in reversed(shares) if share is not None), None)


def _cell(share: float | None, line: int, height: int) -> str:
    """The part of a bar in one line.

    A share of 0 is a line at the bottom, to distinguish it from an unknown one; one of 1 does not touch the row above.
    """
    if share is None:
        return " "
    eighths = 1 + round(share * (8 * height - 2))
    return EIGHTHS[max(0, min(8, eighths - 8 * line))]
