"""Drawing the tables of a view. Their contents are defined by the rules file; this module only lays them out."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cli.render.board import draw_board
from cli.render.palette import Palette
from cli.render.pieces import Flow, Hanging, entries
from dsl.lazy_dataclasses import dataclass
from dsl.text.addressing import for_others
from dsl.text.cells import cell_width, padded
from interpreter.seat.views.piece_words import is_empty

if TYPE_CHECKING:
    from interpreter.seat.views.model import Cell, Row, TableView, View

BoardForm = Literal["picture", "words", "none"]
NARROW = 60
GRID_INDENT, GRID_GAP = 2, 2


def draw_tables(
    view: View, look: Palette, width: int, named_places: Collection[str] = (), *, board: BoardForm = "picture"
) -> Group:
    """Draw all non-empty tables of a view, one below the other.

    Those drawn on the board are shown as one picture in place of the first of them, with the names of the places in
    `named_places`; in words, for who does not see pictures; or omitted.
    """
    drawing = Drawing(look, width, view.viewer, has_grids=board != "words")
    parts: list[RenderableType] = []
    before_is_line = True
    upon = on_board(view)
    for table in view.tables:
        if view.board and table.board:
            if board == "words":
                parts += [*([Text()] if parts else []), *_in_words(table, view, look)]
                before_is_line = False
            elif board == "picture" and table is upon[0]:
                parts += [Text()] if parts else []
                picture = draw_board(view.board, upon, look, width, named_places=named_places)
                parts += [Text(f" {view.board.name}", style="bold"), picture]
                before_is_line = False
        elif table.rows:
            parts += [Text()] if parts and not (before_is_line and is_line(table)) else []
            parts += drawing.draw(table)
            before_is_line = is_line(table)
    return Group(*parts, Text())


def _in_words(table: TableView, view: View, look: Palette) -> Iterator[RenderableType]:
    """A table on the board as lines: what lies there or is said of places, and then which places these are."""
    from interpreter.authoring.rulebook.table_view import chips_of

    assert table.board is not None
    in_full = replace(look, letters={seat: look.words.name(seat) for seat in view.seats})
    places_by_words: dict[str, list[str]] = {}
    for place, row in zip(table.board.places, table.rows, strict=True):
        for heading, cell in zip(table.headings, row, strict=True):
            if not is_empty(cell):
                if cell.kind == "pieces":
                    words = ", ".join(map(str, chips_of(view, look.words, cell.pieces, cell.order)))
                else:
                    words = ", ".join(text.plain for text in entries(cell, in_full, view.viewer))
                said = heading if cell.kind == "value" and cell.value is True else f"{heading}: {words}"
                places_by_words.setdefault(said, []).append(look.words.name(place))
    yield Text(f" {table.title}", style="bold")
    for words, places in places_by_words.items():
        yield Hanging(Text(f"  {words}: "), Text(", ".join(places)))
    if not places_by_words:
        yield Text(f"  {look.words.phrase('nothing')}")


def columns_needed(view: View, look: Palette) -> int:
    """The columns in which all tables that are not on the board can be drawn as grids."""
    drawing = Drawing(look, 0, view.viewer)
    return max((drawing.needed(table) for table in view.tables if not table.board), default=0)


def on_board(view: View) -> list[TableView]:
    """The tables that are drawn on the board."""
    return [table for table in view.tables if table.board]


def legend(seats: Sequence[str], look: Palette) -> Text:
    """The letter of each seat: `r red  g green`."""
    return Text("  ").join(legend_parts(seats, look))


def legend_parts(seats: Sequence[str], look: Palette) -> list[Text]:
    """The letters with their seats, one text each."""
    return [
        Text.assemble((look.letter(seat), f"bold {look.style(seat)}"), (f" {look.words.name(seat)}", look.style(seat)))
        for seat in seats
    ]


def is_line(table: TableView) -> bool:
    """True if a table consists of a single cell."""
    return len(table.rows) == 1 and len(table.headings) == 1


def plain_grid() -> Table:
    """A table without borders, its headings dim."""
    return Table(box=None, show_edge=False, pad_edge=False, padding=(0, GRID_GAP, 0, 0), header_style="dim")


@dataclass(frozen=True)
class Drawing:
    """Drawing of tables for one seat, in given colours and width."""

    look: Palette
    width: int
    viewer: str | None
    has_grids: bool = True

    def draw(self, table: TableView) -> Iterator[RenderableType]:
        """A table with its title: a line if it has one cell, a grid if there is room, else one block per row."""
        title, headings, rows = self._named(table)
        if is_line(table):
            yield from self._lines([f"{title}: {headings[0]}"], rows[0], 1)
        else:
            yield Text(f" {title}", style="bold")
            yield from [self._grid(headings, rows)] if self._fits(headings, rows) else self._blocks(headings, rows)

    def _named(self, table: TableView) -> tuple[str, Sequence[str], Sequence[Row]]:
        """The title, headings and rows of a table; for observers one that addresses a seat names it instead."""
        head, _, seat = table.title.rpartition(": ")
        if self.viewer is not None or seat not in self.look.letters:
            return table.title, table.headings, table.rows
        title = for_others(head, seat)
        headings = [for_others(heading, seat) for heading in table.headings]
        return (title if title != head else table.title), headings, table.rows

    def _flow(self, cell: Cell) -> Flow:
        return Flow(entries(cell, self.look, self.viewer))

    def _fits(self, headings: Sequence[str], rows: Sequence[Row]) -> bool:
        """True if a grid is readable: if no word has to be broken, and on a narrow screen no cell folded."""
        least, most = self._breadths(headings, rows)
        return self.has_grids and (most <= self.width or (self.width >= NARROW and least <= self.width))

    def _breadths(self, headings: Sequence[str], rows: Sequence[Row]) -> tuple[int, int]:
        """The columns of a grid: with as many folds as are possible without breaking a word, and without any."""
        breadths = list(self._columns(headings, rows))
        around = GRID_INDENT + GRID_GAP * (len(breadths) - 1)
        return around + sum(least for least, _ in breadths), around + sum(most for _, most in breadths)

    def _columns(self, headings: Sequence[str], rows: Sequence[Row]) -> Iterator[tuple[int, int]]:
        """The least and the whole breadth of each column."""
        for heading, column in zip(headings, zip(*rows, strict=True), strict=True):
            flows = [self._flow(cell) for cell in column]
            word = max(map(cell_width, heading.split()), default=0)
            yield (
                max(word, *(flow.longest for flow in flows)),
                max(cell_width(heading), *(flow.breadth for flow in flows)),
            )

    def _widths(self, breadths: Sequence[tuple[int, int]]) -> list[int]:
        """The columns of each column of a grid: the widest are folded first, none so far that a word would break."""
        # Left to itself, rich narrows columns without regard to their least width, and cuts off the last one instead.
        widths = [most for _, most in breadths]
        room = self.width - GRID_INDENT - GRID_GAP * (len(breadths) - 1)
        while sum(widths) > room:
            foldable = [number for number, (least, _) in enumerate(breadths) if widths[number] > least]
            if not foldable:
                break
            widths[max(foldable, key=widths.__getitem__)] -= 1
        return widths

    def needed(self, table: TableView) -> int:
        """The columns that a table needs to be drawn as a grid."""
        _, headings, rows = self._named(table)
        return 0 if is_line(table) or not rows else self._breadths(headings, rows)[0]

    def _grid(self, headings: Sequence[str], rows: Sequence[Row]) -> RenderableType:
        grid = plain_grid()
        for heading, width in zip(headings, self._widths([*self._columns(headings, rows)]), strict=True):
            grid.add_column(heading, overflow="fold", width=width)
        for row in rows:
            grid.add_row(*map(self._flow, row))
        return Padding(grid, (0, 0, 0, GRID_INDENT))

    def _blocks(self, headings: Sequence[str], rows: Sequence[Row]) -> Iterator[RenderableType]:
        for row in rows:
            first = Text(f"  {headings[0]} ", style="bold").append_text(Text(", ").join(self._flow(row[0]).texts))
            yield from Flow([first]).lines(self.width)
            yield from self._lines(headings[1:], row[1:], 3)

    def _lines(self, headings: Sequence[str], row: Row, indent: int) -> Iterator[RenderableType]:
        """One line per column: `Hand: ace, 3 king`."""
        margin = max((cell_width(heading) for heading in headings), default=0) + 2
        for heading, cell in zip(headings, row, strict=True):
            for index, line in enumerate(self._flow(cell).lines(max(8, self.width - indent - margin))):
                said = f"{heading}: " if index == 0 and heading else ""
                head = Text(padded(said, margin), style="dim")
                yield Text(" " * indent).append_text(head).append_text(line)
