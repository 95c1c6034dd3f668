"""The arrangement of pieces as a seat sees it: what the table shows of a move but the log does not.

Examples are which of two equal cards in a row was taken, or which of them has a token on it. The appearance is all that
a seat sees on the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from dsl import ast
from dsl.symbols import DefineSymbol
from dsl.types import PieceType, Several, Type, bare
from interpreter.engine.program import Program, once_for_program
from interpreter.engine.sight import Look, known_attributes, look, note_seen
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import Cells, Change
from interpreter.runtime.layout import OUT


class Appearance(NamedTuple):
    """What a seat sees of a piece, of the notes about it, and of the pieces lying on it, by their zone."""

    look: Look
    notes: list[object]
    lying: list[object]


Shown = Look | Appearance | None
"""What a seat sees of a piece: its appearance if notes are about it or pieces lie on it, otherwise only its look."""

Arrangement = tuple[tuple[int, tuple[Shown, ...]], ...]
"""Places, each with what a seat sees of its pieces: in order, or sorted if they are unordered."""


def sight_can_change(program: Program) -> bool:
    """True if the visibility of a piece or note can change without a move."""
    model = program.model
    zones = [sight for zone in model.zones.values() for sight in zone.declaration.sights]
    notes = [sight for note in model.notes.values() for sight in note.declaration.sights]
    return any(program.reads(sight.viewers) for sight in (*zones, *notes))


POSITIONS = frozenset(["top", "bottom"])
"""Functions that depend on where pieces lie, and not on which they are."""

UNEXAMINED = (ast.Of, ast.Pattern, ast.Hypothesis, ast.Best, ast.Quantified, ast.Filter, ast.Builder, ast.Aggregate)
"""Expressions in `seen by` of which it is not examined what they read of pieces."""


@once_for_program
def attributes_that_sight_reads(program: Program) -> frozenset[str] | None:
    """The attributes of pieces on which it depends who sees a piece or note; None if it may depend on more.

    If two pieces that agree in them change places, together with all that refers to them, everybody sees of each what
    was seen of the other.
    """
    model = program.model
    sights = [
        *[sight for zone in model.zones.values() for sight in zone.declaration.sights],
        *[sight for note in model.notes.values() for sight in note.declaration.sights],
    ]
    waiting: list[ast.Node] = [sight.viewers for sight in sights]
    attributes, defines = set[str](), set[str]()
    while waiting:
        for node in waiting.pop().walk():
            symbol = model.refers.get(node.number)
            if isinstance(symbol, DefineSymbol) and symbol.name not in defines:
                defines.add(symbol.name)
                waiting.append(symbol.declaration)
            match node:
                case ast.Attribute():
                    attributes.add(node.name)
                case ast.Call(base=ast.Name(name=name)) if name in POSITIONS or isinstance(symbol, DefineSymbol):
                    pass
                case ast.Compare(operator="is" | "is not"):
                    pass
                case ast.Call() | ast.Compare():
                    return None
                case _ if isinstance(node, UNEXAMINED):
                    return None
                case _:
                    pass
    return frozenset(attributes)


def rearranged(program: Program, S: Cells, found: Iterable[Change]) -> set[int]:
    """The places in which changes may have rearranged pieces, or all places if visibility can change without a move.

    A piece on another piece counts as lying in the place of that piece.
    """
    layout = program.layout
    if sight_can_change(program):
        return {place.number for place in layout.places[1:] if _carrier(program, place.number) is None}
    of_mask: dict[int, int] = {place.mask: place.number for place in layout.places[1:]}
    places: set[int] = set()
    for cell, _, _ in found:
        if cell in layout.orders_of_cell:
            places.add(_lowest(program, S, layout.orders_of_cell[cell]))
        elif cell in of_mask and _carrier(program, of_mask[cell]) is not None:
            places.add(_lowest(program, S, of_mask[cell]))
        elif cell in layout.notes_of_cell:
            name, slot = layout.notes_of_cell[cell]
            note = program.model.notes.get(name)
            for type_, value in zip(note.index if note is not None else (), slot, strict=False):
                if isinstance(type_, PieceType):
                    places.add(_lowest(program, S, S[layout.place_cells + value]))
    return places - {OUT}


def _carrier(program: Program, number: int) -> int | None:
    """The piece on which the pieces of a place lie."""
    place = program.layout.places[number]
    index = program.model.zones[place.zone].index
    return next((value for type_, value in zip(index, place.index, strict=True) if isinstance(type_, PieceType)), None)


def _lowest(program: Program, S: Cells, number: int) -> int:
    """The outermost place that contains a place."""
    for _ in program.layout.pieces:
        carrier = None if number == OUT else _carrier(program, number)
        if carrier is None:
            return number
        number = S[program.layout.place_cells + carrier]
    return OUT  # pieces that lie on one another in a cycle


def arrangement(program: Program, S: Cells, seat: int, places: Sequence[int]) -> Arrangement:
    """What a seat sees of the pieces at some places."""
    return tuple([(number, _looks(program, S, seat, number)) for number in places])


def _looks(program: Program, S: Cells, seat: int, number: int) -> tuple[Shown, ...]:
    shown = shown_at(program, S, seat, number)
    return tuple(shown if program.layout.places[number].order else sorted(shown, key=repr))


def shown_at(program: Program, S: Cells, seat: int, number: int) -> list[Shown]:
    """What a seat sees of each of the pieces at a place, in the order of its contents."""
    known: dict[str, frozenset[str]] = {}
    by_piece = program.visibility_depends_on_piece(program.layout.places[number].zone)
    shown: list[Shown] = []
    for piece in program.contents(S, number):
        if _is_marked(program, S, piece):
            shown.append(appearance_of(program, S, seat, piece))
            continue
        type_ = program.layout.pieces[piece].type
        if by_piece or type_ not in known:
            known[type_] = known_attributes(program, S, seat, piece)
        shown.append(look(program, piece, known[type_]))
    return shown


def look_in(shown: Shown) -> Look | None:
    """The look of a piece."""
    return shown.look if isinstance(shown, Appearance) else shown


def _is_marked(program: Program, S: Cells, piece: int) -> bool:
    """True if pieces lie on a piece or there are notes about it."""
    if program.notes_about[piece]:
        return True
    attached = program.runtime.attached[piece]
    return bool(attached) and any(S[mask] != plain for mask, _, plain in attached)


def is_arranged(program: Program, S: Cells, seat: int, expected: Arrangement) -> bool:
    """True if a seat sees the pieces lie as expected."""
    return all(_looks(program, S, seat, number) == looks for number, looks in expected)


# ---------------------------------------------------------------- appearance


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
