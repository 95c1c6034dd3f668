"""The tables of every state as lists of rows, from which the page builds tables; the board shows those drawn on it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from cli.html.pools import Pool, step
from cli.html.styles import StylePool
from cli.render.cells import Flow
from cli.render.palette import Palette
from cli.render.phases import head_words
from cli.render.pieces import entries
from cli.render.tables import is_line

if TYPE_CHECKING:
    from interpreter.seat.views.model import Cell, TableView, View

HEAD, TITLE, HEADINGS, ROW, SINGLE = range(5)
"""Kinds of rows: phase and turn; the title of a table; its headings; its cells; a table of one cell, with its title."""
Row = tuple[int, ...]
"""A kind of row, and the numbers of its texts."""


class Tables:
    """The tables in every state; each state is stored as its changes from the previous one."""

    def __init__(self, texts: StylePool, look: Palette) -> None:
        self.texts, self.look = texts, look
        self.rows: Pool[Row] = Pool()
        self.steps: list[list[int]] = []
        self._before: list[int] = []
        self._known: dict[Hashable, int] = {}

    def add(self, view: View) -> None:
        """Add the next state."""
        rows = [self.rows.number((HEAD, self.texts.line(Text(head_words(view, self.look.words)))))]
        for table in view.tables:
            if table.rows and not (table.board and view.board):
                rows += self._table(table, view.viewer)
        self.steps.append(step(self._before, rows))
        self._before = rows

    def _table(self, table: TableView, viewer: str | None) -> Iterator[int]:
        if is_line(table):
            title = self.texts.line(Text(f"{table.title}: {table.headings[0]}"))
            yield self.rows.number((SINGLE, title, self._cell(table.rows[0][0], viewer)))
            return
        yield self.rows.number((TITLE, self.texts.line(Text(table.title))))
        yield self.rows.number((HEADINGS, *(self.texts.line(Text(heading)) for heading in table.headings)))
        for row in table.rows:
            if row not in self._known:
                self._known[row] = self.rows.number((ROW, *(self._cell(cell, viewer) for cell in row)))
            yield self._known[row]

    def _cell(self, cell: Cell, viewer: str | None) -> int:
        return self.texts.line(Text(" ").join(Flow(entries(cell, self.look, viewer)).parts()))
