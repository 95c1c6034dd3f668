"""Exchanges of pieces: a state in which some pieces have changed places, with all references to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from dsl.lazy_dataclasses import dataclass
from dsl.types import PieceType, Several, Type, bare
from interpreter.engine.program import Program, once_for_program
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import Cells, number_in
from interpreter.runtime.layout import OUT, Place
from interpreter.runtime.primitives import as_set

Exchange = Mapping[int, int]
"""For each exchanged piece, the one that takes its place."""


def exchanged(program: Program, S: Cells, exchange: Exchange) -> Cells:
    """Copy the cells, replacing all references to pieces."""
    if not exchange:
        return Cells(S)
    layout = program.layout
    about = about_pieces(program)
    cells = Cells(S)
    moving_set = as_set(exchange)
    moving = bits(moving_set)

    def moved(index: tuple[Type, ...], slot: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(with_exchanged(type_, value, exchange) for type_, value in zip(index, slot, strict=True))

    pieces_by_place: dict[int, int] = {}
    for piece in moving:
        lies = S[layout.place_cells + piece]
        pieces_by_place[lies] = pieces_by_place.get(lies, 0) | 1 << exchange[piece]
    attached = program.runtime.attached
    if about.indexed_places and any(S[mask] for piece in moving for mask, _, _ in attached[piece]):
        for number in [number for piece in moving for _, number, _ in attached[piece]]:
            pieces_by_place.setdefault(number, 0)
    placed, new_places = moving, dict[int, int]()
    pieces_by_place.pop(OUT, None)
    for place, pieces in [(layout.places[number], pieces) for number, pieces in pieces_by_place.items()]:
        index = about.indexed_places.get(place.number)
        target = place if index is None else about.place_of[place.zone, moved(index, place.index)]
        if target is not place:
            new_places[place.number] = target.number
            placed = [*placed, *bits(number_in(S[place.mask]))]
        cells[target.mask] = number_in(S[place.mask]) & ~moving_set | pieces
        if place.order:
            cells[target.order] = tuple([exchange.get(piece, piece) for piece in S[place.order]])
    for piece in placed:
        lies = S[layout.place_cells + piece]
        cells[layout.place_cells + exchange.get(piece, piece)] = new_places.get(lies, lies)
    for cell in about.filled:
        cells[cell] = exchanged_set(number_in(S[cell]), exchange)
    for piece in moving:
        for cell, other in zip(about.notes_of_one[piece], about.notes_of_one[exchange[piece]], strict=True):
            cells[other] = S[cell]
    notes = {note.cell: note for piece in moving for note in about.notes[piece]}
    for note in (*about.notes_with_pieces, *notes.values()):
        target_cell = about.cell_of[note.name, moved(note.index, note.slot)] if note.is_about_pieces else note.cell
        cells[target_cell] = with_exchanged(note.type, S[note.cell], exchange)
    for cell, type_ in about.locals.items():  # of suspended rules
        cells[cell] = with_exchanged(type_, S[cell], exchange)
    return cells


@dataclass(frozen=True)
class AboutNote:
    """The cell of a note that holds pieces or is about pieces, with its index and its type."""

    cell: int
    name: str
    index: tuple[Type, ...]
    slot: tuple[int, ...]
    type: Type
    is_about_pieces: bool


@dataclass(frozen=True)
class AboutPieces:
    """The cells of a program that an exchange of pieces may change, apart from those of contents.

    `indexed_places` are the places of zones with an index of pieces, with the types of the index; `filled` the cells
    with the slots of such zones that are filled; `notes` by piece those about it, apart from `notes_with_pieces`, which
    may hold any piece, and `notes_of_one`, the cells of those about it alone, in the same order for all pieces of a
    type; `locals` the locals of suspended rules that hold pieces. `holding` are the types of all cells that hold
    pieces, `piece_of_cell` tells which piece a note is about, or what lies on it.
    """

    indexed_places: Mapping[int, tuple[Type, ...]]
    place_of: Mapping[tuple[str, tuple[int, ...]], Place]
    filled: tuple[int, ...]
    notes: Mapping[int, list[AboutNote]]
    notes_of_one: Sequence[list[int]]
    notes_with_pieces: tuple[AboutNote, ...]
    cell_of: Mapping[tuple[str, tuple[int, ...]], int]
    locals: Mapping[int, Type]
    holding: Mapping[int, Type]
    piece_of_cell: Mapping[int, int]

    @cached_property
    def noted(self) -> frozenset[int]:
        """The cells that hold pieces or are about one."""
        return frozenset(self.holding) | frozenset(self.piece_of_cell)


@once_for_program
def about_pieces(program: Program) -> AboutPieces:
    """See `AboutPieces`."""
    layout, zones = program.layout, program.model.zones
    indexed = {
        place.number: zones[place.zone].index for place in layout.places[1:] if _of_pieces(zones[place.zone].index)
    }  # fmt: skip
    notes: dict[int, list[AboutNote]] = {piece: [] for piece in range(len(layout.pieces))}
    notes_of_one: list[list[int]] = [[] for _ in layout.pieces]
    with_pieces = []
    for cell, (name, slot) in layout.notes_of_cell.items():
        symbol = program.model.notes.get(name)
        if symbol is not None and symbol.type is not None and _of_pieces((*symbol.index, symbol.type)):
            note = AboutNote(cell, name, symbol.index, slot, symbol.type, _of_pieces(symbol.index))
            if _of_pieces((symbol.type,)):
                with_pieces.append(note)
            elif len(symbol.index) == 1 and isinstance(bare(symbol.index[0]), PieceType):
                notes_of_one[slot[0]].append(cell)
            else:
                for piece in bits(pieces_in_values(symbol.index, slot)):
                    notes[piece].append(note)
    locals_ = {cell: type_ for cell, type_ in layout.local_types.items() if _of_pieces((type_,))}
    cells_of_attached: dict[int, int] = {
        int(cell): piece
        for piece, attached in enumerate(program.runtime.attached)
        for _, number, _ in attached
        for cell in (layout.places[number].mask, layout.places[number].order)
        if cell
    }
    cells_of_notes = {cell: piece for piece, about in enumerate(program.notes_about) for _, cell, _ in about}
    return AboutPieces(
        indexed,
        {(place.zone, place.index): place for place in layout.places[1:]},
        tuple(cell for name, cell in layout.filled.items() if isinstance(zones[name].index[0], PieceType)),
        notes,
        notes_of_one,
        tuple(with_pieces),
        {where: cell for cell, where in layout.notes_of_cell.items()},
        locals_,
        {**locals_, **{note.cell: note.type for note in with_pieces}},
        {**cells_of_attached, **cells_of_notes},
    )


def _of_pieces(types: Sequence[Type]) -> bool:
    """True if one of the types is of pieces, or of sets of them."""
    cores = [bare(type_) for type_ in types]
    return any(
        isinstance(core, PieceType) or (isinstance(core, Several) and isinstance(core.element, PieceType))
        for core in cores
    )


def with_exchanged(type_: Type, value: Any, exchange: Exchange) -> Any:
    """Replace the pieces in a value."""
    core = bare(type_)
    if value is None:
        return None
    if isinstance(core, PieceType):
        return exchange.get(value, value)
    if isinstance(core, Several) and isinstance(core.element, PieceType):
        return exchanged_set(value, exchange)
    return value


def exchanged_set(mask: int, exchange: Exchange) -> int:
    """A set of pieces with some of them exchanged."""
    moving = [piece for piece in exchange if mask >> piece & 1]
    return mask & ~as_set(moving) | as_set([exchange[piece] for piece in moving]) if moving else mask


def pieces_in_values(types: Iterable[Type], values: Iterable[Any]) -> int:
    """The pieces in some values, as a set."""
    found = 0
    for type_, value in zip(types, values, strict=True):
        core = bare(type_)
        if value is not None and isinstance(core, PieceType):
            found |= 1 << number_in(value)
        elif value and isinstance(core, Several) and isinstance(core.element, PieceType):
            found |= number_in(value)
    return found
