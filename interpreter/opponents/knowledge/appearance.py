"""The appearance of a state to a seat: equal for states that it cannot distinguish by what is on the table."""

from __future__ import annotations

from typing import Any, NamedTuple

from dsl.types import PieceType, Several, Type, bare
from interpreter.engine.program import Program
from interpreter.engine.sight import Look, known_attributes, look, note_seen
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import Cells


class Appearance(NamedTuple):
    """What a seat sees of a piece, of the notes about it, and of the pieces lying on it, by their zone."""

    look: Look
    notes: list[object]
    lying: list[object]


def appearance(program: Program, S: Cells, seat: int) -> list[object]:
    """All that a seat sees on the table, in an order that reveals nothing: equal for states it cannot tell apart."""
    layout, found = program.layout, list[object]()
    for place, _ in program.places_about_no_piece:
        found.append(_pieces_at(program, S, seat, place.number, 0))
    for cell, (name, slot) in layout.notes_of_cell.items():
        note = program.model.notes.get(name)
        if note is not None and name not in program.notes_about_pieces:
            found.append(
                note_seen(program, S, seat, name, slot) and (cell, _shown(program, S, seat, note.type, S[cell]))
            )
    return found


def _pieces_at(program: Program, S: Cells, seat: int, number: int, depth: int) -> object:
    pieces = program.contents(S, number)
    looks = [appearance_of(program, S, seat, piece, depth) for piece in pieces]
    return looks if program.layout.places[number].order else sorted(looks, key=repr)


def appearance_of(program: Program, S: Cells, seat: int, piece: int, depth: int = 0) -> Appearance | None:
    """The appearance of a piece; None where pieces that lie on one another in a cycle would repeat themselves."""
    if depth > len(program.layout.pieces):
        return None
    notes = [
        (name, _other_index(program, S, seat, program.model.notes[name].index, slot, piece),
         _shown(program, S, seat, program.model.notes[name].type, S[cell]))
        for name, cell, slot in program.notes_about[piece]
        if note_seen(program, S, seat, name, slot)
    ]  # fmt: skip
    lying = [
        (program.layout.places[number].zone, _pieces_at(program, S, seat, number, depth + 1))
        for mask, number, plain in program.runtime.attached[piece]
        if S[mask] != plain
    ]
    known = known_attributes(program, S, seat, piece)
    return Appearance(look(program, piece, known), sorted(notes, key=repr), sorted(lying, key=repr))


def _other_index(
    program: Program, S: Cells, seat: int, types: tuple[Type, ...], slot: tuple[int, ...], piece: int
) -> object:
    """The index of a note about a piece, without the piece."""
    return [
        _shown(program, S, seat, type_, value)
        for type_, value in zip(types, slot, strict=True)
        if value != piece or not isinstance(type_, PieceType)
    ]


def _shown(program: Program, S: Cells, seat: int, type_: Type | None, value: Any) -> object:
    """A value as a seat sees it: pieces by their appearance."""
    core = bare(type_) if type_ is not None else None
    if value is not None and isinstance(core, PieceType):
        return look(program, value, known_attributes(program, S, seat, value))
    if value and isinstance(core, Several) and isinstance(core.element, PieceType):
        return sorted(look(program, piece, known_attributes(program, S, seat, piece)) for piece in bits(value))
    return value
