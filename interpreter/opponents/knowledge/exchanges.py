"""Exchanges of pieces: a state in which some pieces have changed places, with all references to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
    about = _about_pieces(program)
    cells = Cells(S)
    moving = as_set(exchange) | as_set(exchange.values())

    def moved(index: tuple[Type, ...], slot: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(with_exchanged(type_, value, exchange) for type_, value in zip(index, slot, strict=True))

    if about.indexed_places:
        places: Iterable[Place] = layout.places[1:]
    else:
        numbers = {S[layout.place_cells + piece] for piece in bits(moving)}
        places = [layout.places[number] for number in numbers if number != OUT]
    new_place = {}
    for place in places:
        index = about.indexed_places.get(place.number)
        target = place if index is None else about.place_of[place.zone, moved(index, place.index)]
        new_place[place.number] = target.number
        if target is not place or S[place.mask] & moving:
            cells[target.mask] = exchanged_set(S[place.mask], exchange)
            if place.order:
                cells[target.order] = tuple([exchange.get(piece, piece) for piece in S[place.order]])
    for piece in range(len(layout.pieces)) if about.indexed_places else bits(moving):
        lies = S[layout.place_cells + piece]
        cells[layout.place_cells + exchange.get(piece, piece)] = new_place.get(lies, lies)
    for cell in about.filled:
        cells[cell] = exchanged_set(number_in(S[cell]), exchange)
    for cell, index, slot, name, type_ in about.notes:
        cells[about.cell_of[name, moved(index, slot)]] = with_exchanged(type_, S[cell], exchange)
    for cell, type_ in about.locals.items():  # of suspended rules
        cells[cell] = with_exchanged(type_, S[cell], exchange)
    return cells


@dataclass(frozen=True)
class AboutPieces:
    """The cells of a program that an exchange of pieces may change, apart from those of contents.

    `indexed_places` are the places of zones with an index of pieces, with the types of the index; `filled` the cells
    with the slots of such zones that are filled; `notes` those notes that hold pieces or are about pieces; `locals` the
    locals of suspended rules that hold pieces.
    """

    indexed_places: Mapping[int, tuple[Type, ...]]
    place_of: Mapping[tuple[str, tuple[int, ...]], Place]
    filled: tuple[int, ...]
    notes: tuple[tuple[int, tuple[Type, ...], tuple[int, ...], str, Type], ...]
    cell_of: Mapping[tuple[str, tuple[int, ...]], int]
    locals: Mapping[int, Type]


@once_for_program
def _about_pieces(program: Program) -> AboutPieces:
    """See `AboutPieces`."""
    layout, zones = program.layout, program.model.zones
    indexed = {
        place.number: zones[place.zone].index for place in layout.places[1:] if _of_pieces(zones[place.zone].index)
    }  # fmt: skip
    notes = []
    for cell, (name, slot) in layout.notes_of_cell.items():
        note = program.model.notes.get(name)
        if note is not None and note.type is not None and _of_pieces((*note.index, note.type)):
            notes.append((cell, note.index, slot, name, note.type))
    return AboutPieces(
        indexed,
        {(place.zone, place.index): place for place in layout.places[1:]},
        tuple(cell for name, cell in layout.filled.items() if isinstance(zones[name].index[0], PieceType)),
        tuple(notes),
        {where: cell for cell, where in layout.notes_of_cell.items()},
        {cell: type_ for cell, type_ in layout.local_types.items() if _of_pieces((type_,))},
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
    moving = mask & as_set(exchange)
    return mask & ~moving | as_set([exchange[piece] for piece in bits(moving)])


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


def pieces_held(program: Program, S: Cells) -> int:
    """The pieces that are in notes, and in the locals of suspended rules, as a set."""
    about = _about_pieces(program)
    cells = {**about.locals, **{cell: type_ for cell, _, _, _, type_ in about.notes}}
    return pieces_in_values(cells.values(), [S[cell] for cell in cells])
