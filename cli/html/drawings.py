"""The table in each state and the text of the rules, drawn by rich, as lines of runs of one style each."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.style import Style

from cli.html.pools import Pool, step
from cli.render.console import SafeConsole
from cli.render.palette import Palette
from cli.render.tables import draw_tables, is_line
from cli.viewer.contents import table
from cli.viewer.highlighting import highlighted

if TYPE_CHECKING:
    from dsl.text.span import Source
    from interpreter.views.model import TableView, View

Line = tuple[str | int, ...]
"""Alternating text and number of its style: text, style, text, style, …"""


class StylePool:
    """Lines of text and their styles, each stored once."""

    def __init__(self) -> None:
        self.styles: Pool[Style] = Pool()
        self.styles.number(Style.null())
        self.lines: Pool[Line] = Pool()

    def style(self, style: str) -> int:
        """The number of a style given by its rich definition."""
        return self.styles.number(Style.parse(style) if style else Style.null())

    def drawn(self, what: RenderableType, width: int) -> list[Line]:
        """Render to lines, without trailing blanks."""
        console = SafeConsole(width=width, color_system="truecolor", force_terminal=True, highlight=False, emoji=False)
        return [
            _trimmed([(part.text, self.styles.number(part.style or Style.null())) for part in line])
            for line in console.render_lines(what, console.options, pad=False)
        ]

    def source(self, source: Source) -> list[Line]:
        """The lines of a rules file, lightly highlighted."""
        count = len(source.line_starts) - source.text.endswith("\n")
        texts = [highlighted(source.line(number)) for number in range(1, count + 1)]
        return [line for text in texts for line in self.drawn(text, text.cell_len + 1)]


def _trimmed(runs: list[tuple[str, int]]) -> Line:
    """Merge neighbouring runs of the same style in one row."""
    line: list[str | int] = []
    for text, style in runs:
        if line and line[-1] == style:
            line[-2] = f"{line[-2]}{text}"
        elif text:
            line += [text, style]
    while line and not str(line[-2]).strip():
        del line[-2:]
    if line:
        line[-2] = str(line[-2]).rstrip()
    return tuple(line)


class Drawings:
    """The table in every state, drawn at one width; each state is stored as its changes from the previous one."""

    def __init__(self, inks: StylePool, look: Palette, width: int) -> None:
        self.inks, self.look, self.width = inks, look, width
        self.known: dict[Hashable, list[int]] = {}
        self.before: list[int] = []
        self.steps: list[list[int]] = []

    def add(self, view: View) -> None:
        """Draw the table of the next state."""
        head = (view.phase, tuple(view.rounds.items()), view.turn, view.over)
        lines = self._once(head, lambda: Group(*table(replace(view, tables=()), self.look, self.width)))[:-1]
        for tables in _chunks(view.tables):
            some = replace(view, tables=tables)
            extent = view.board.captions if view.board is not None and tables[0].board else ()
            lines += self._once((tables, extent), partial(draw_tables, some, self.look, self.width))
        self.steps.append(step(self.before, lines))
        self.before = lines

    def _once(self, about: Hashable, draw: Callable[[], RenderableType]) -> list[int]:
        """Draw a part of the picture unless it has been drawn before."""
        if about not in self.known:
            self.known[about] = [self.inks.lines.number(line) for line in self.inks.drawn(draw(), self.width)]
        return self.known[about]


def _chunks(tables: Sequence[TableView]) -> list[tuple[TableView, ...]]:
    """Group tables that are drawn together: those on the board, and consecutive lines; all others are on their own."""
    upon = tuple(one for one in tables if one.board)
    found: list[tuple[TableView, ...]] = []
    for one in tables:
        if one.board:
            found += [upon] if one is upon[0] else []
        elif one.rows:
            if found and is_line(one) and is_line(found[-1][-1]) and not found[-1][-1].board:
                found[-1] = (*found[-1], one)
            else:
                found.append((one,))
    return found
