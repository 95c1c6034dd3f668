"""What a seat sees and none of the others: its hand, its secret notes; to be kept in sight while it decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from dsl.text.arguments import split_arguments
from interpreter.seat.views.model import HIDDEN, Cell, PiecesCell, PieceView, ValueCell, View, value_text
from interpreter.wording.words import Words


def own_cells(view: View, others: Sequence[View], words: Words) -> Iterator[tuple[str, Cell]]:
    """What the viewer sees and none of the others, each with a heading; `others` are their views.

    Pieces are shown as in the table that shows them, under its heading. What lies on the board is seen there, and what
    is another's in the table that shows it: it must not look like the viewer's own.
    """
    cells = [
        (heading, cell)
        for table in view.tables
        if table.board is None
        for row in table.rows
        for heading, cell in zip(table.headings, row, strict=True)
        if heading
    ]
    pieces_in_table = [(titled_cell, _pieces_in(titled_cell[1])) for titled_cell in cells]
    upon = {place for table in view.tables if table.board is not None for place in table.board.places}
    for name, zone in view.zones.items():
        whose = _index(name)
        if whose & upon and view.viewer not in whose:
            continue
        if any(not piece.hidden for piece in zone.pieces) and all(opponent.zones[name] != zone for opponent in others):
            in_table = next((each for each, pieces in pieces_in_table if _same_pieces(pieces, zone.pieces)), None)
            if in_table is not None and view.viewer not in whose and not whose.isdisjoint(view.seats):
                continue
            yield in_table or (_heading(name, words), PiecesCell(zone.pieces, zone.order))
    for name, content in view.notes.items():
        if content and content != HIDDEN and all(opponent.notes[name] == HIDDEN for opponent in others):
            text, members = value_text(content), content if isinstance(content, tuple) else (content,)
            shown = ", ".join(words.name(value_text(member)) for member in members)
            yield _heading(name, words), ValueCell(text, shown)


def _pieces_in(cell: Cell) -> tuple[PieceView, ...]:
    if cell.kind == "pieces":
        return cell.pieces
    if cell.kind == "each":
        items = (entry.item for entry in cell.entries)
        return tuple(piece for item in items if item.kind == "pieces" for piece in item.pieces)
    return ()


def _same_pieces(some: tuple[PieceView, ...], others: tuple[PieceView, ...]) -> bool:
    """True for equal pieces in any order."""
    return len(some) == len(others) and (some == others or Counter(some) == Counter(others))


def _heading(name: str, words: Words) -> str:
    """A zone or note without its index, which is the viewer's own."""
    return words.heading(name.partition("[")[0])


@lru_cache(maxsize=4096)
def _index(name: str) -> frozenset[str]:
    """The values in the index of a zone."""
    return frozenset(split_arguments(name.partition("[")[2].removesuffix("]")))
