"""The tables of a position as a rulebook shows them: pieces as chips, equal ones counted, values in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from interpreter.authoring.rulebook.book import Cell, Chip, Grid
from interpreter.seat.views.colours import COLOURS, colours_of_seats
from interpreter.seat.views.model import Cell as ViewCell
from interpreter.seat.views.model import Hidden, Order, PieceView, Row, TableView, View, value_text
from interpreter.seat.views.piece_words import noted
from interpreter.wording.words import Words


def grids_of(view: View, words: Words, earlier: View | None = None) -> Iterator[Grid]:
    """The tables that are not drawn on a board; with `earlier` only rows that differ from those of that view."""
    earlier_tables = {table.title: table for table in earlier.tables} if earlier is not None else {}
    for table in view.tables:
        if table.board is not None and view.board is not None:
            continue
        earlier_table = earlier_tables.get(table.title)
        rows = table.rows if earlier_table is None else _changed(table, earlier_table)
        if rows:
            head, _, seat = table.title.rpartition(": ")
            title = words.name(seat) if head and seat in view.seats else table.title
            yield Grid(title, table.headings, tuple(tuple(cell_of(view, words, cell) for cell in row) for row in rows))


def _changed(table: TableView, earlier: TableView) -> tuple[Row, ...]:
    """The rows that differ; of two tables with the same number of rows, row by row."""
    if len(table.rows) == len(earlier.rows):
        pairs = zip(table.rows, earlier.rows, strict=True)
        return tuple(row for row, earlier_row in pairs if _tells(row, earlier_row))
    return tuple(row for row in table.rows if row not in earlier.rows)


def _tells(row: Row, earlier: Row) -> bool:
    """True if more than numbers has changed in a row, or pieces have come: how many are left explains nothing."""
    return any(_has_news(cell, earlier_cell) for cell, earlier_cell in zip(row, earlier, strict=True))


def _has_news(cell: ViewCell, earlier: ViewCell) -> bool:
    if cell == earlier:
        return False
    if cell.kind == "value":
        return not cell.text.isdecimal()
    if cell.kind == "pieces" and earlier.kind == "pieces":
        return not Counter(cell.pieces) <= Counter(earlier.pieces)
    return True


def cell_of(view: View, words: Words, cell: ViewCell) -> Cell:
    """The contents of a cell."""
    if cell.kind == "value":
        return (cell.text,) if cell.text else ()
    if cell.kind == "pieces":
        return tuple(chips_of(view, words, cell.pieces, cell.order))
    parts: list[str | Chip] = []
    for entry in cell.entries:
        note = entry.note.text
        if entry.item.kind == "value":
            parts.append(f"{entry.item.text}: {note}")
        else:
            parts += [*chips_of(view, words, entry.item.pieces, entry.item.order), f"= {note}"]
    return tuple(parts)


def chips_of(view: View, words: Words, pieces: Sequence[PieceView], order: Order) -> Iterator[Chip]:
    """Pieces as they lie; equal ones are counted, in a row and a stack only face-down ones beside each other."""
    if order == "heap":
        counts: dict[PieceView, int] = {}
        for piece in pieces:
            counts[piece] = counts.get(piece, 0) + 1
        yield from (chip_of(view, words, piece, count) for piece, count in counts.items())
        return
    for piece, alike in groupby(pieces):
        count = len(list(alike))
        yield from (chip_of(view, words, piece, number) for number in ((count,) if piece.hidden else (1,) * count))


def chip_of(view: View, words: Words, piece: PieceView, count: int = 1) -> Chip:
    """A piece with what lies on it."""
    upon = tuple(
        chip for pieces in piece.attached.values() for chip in chips_of(view, words, pieces, "heap")
    )  # fmt: skip
    notes = noted(piece, words)
    text = piece_text(view, words, piece, count)
    return Chip(f"{text} ({notes})" if notes else text, colour_of(view, piece), count, upon)


def piece_text(view: View, words: Words, piece: PieceView, count: int = 1) -> str:
    """A piece in words, as far as it is seen."""
    seen = {name: value_text(value) for name, value in piece.attributes.items() if not isinstance(value, Hidden)}
    seats = [name for name, value in piece.attributes.items() if value in view.seats]
    text = words.piece(piece.type, seen, seats, is_complete=not piece.hidden, number=count)
    return text if seen or not piece.hidden else words.phrase("face-down {piece}", piece=text)


def colour_of(view: View, piece: PieceView) -> str:
    """The colour of a piece: a word among its attributes, or that of its owner; empty if it has none."""
    values = [value for value in piece.attributes.values() if value in COLOURS]
    if values:
        return str(values[0])
    return colours_of_seats(view.seats)[piece.owner] if piece.owner else ""
