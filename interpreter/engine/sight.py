"""Visibility of pieces and notes for a seat, and the order in which pieces are listed for it.

Pieces are numbered in declared order. A list in that order would reveal hidden pieces by their position among open
ones. So whatever lists pieces for a seat sorts them by `standing`: all that the seat can see of a piece, and nothing
else. Two pieces with the same standing look the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dsl.lazy_dataclasses import dataclass
from dsl.types import PieceType, Several, Type, bare
from interpreter.compiler.decisions import OVER_POINT
from interpreter.engine.program import Program, once_for_program
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import Cells, NoteCell, StoredValue, members_in, number_in
from interpreter.runtime.layout import MAX_FOLLOWED, ME, OUT, POINT

Standing = tuple["int | str | Standing", ...]
"""A sort key, in which places, notes and pieces nest as deeply as the types of the game."""

Look = tuple[int, bool, tuple[tuple[int, int], ...]]
"""The sort key of a piece by its known attributes: its type, whether some are unknown, and each as known and value."""


SPECTATOR = -1
"""The observer who sees what every seat sees, and nothing else."""


def _is_among(program: Program, seats: int, seat: int) -> bool:
    """True if a seat is one of these; a spectator is if all are."""
    everybody = (1 << len(program.layout.seats)) - 1
    return seats & everybody == everybody if seat == SPECTATOR else bool(seats >> seat & 1)


@dataclass(frozen=True)
class _SeenAlways:
    """What depends on no state.

    `attributes` are those that a seat sees of pieces of a type at a place: `place, type, seat`. `looks` are the sort
    keys of pieces by what is seen of them.
    """

    attributes: dict[tuple[int, str, int], frozenset[str]]
    looks: dict[tuple[int, frozenset[str]], Look]


@once_for_program
def _seen_always(program: Program) -> _SeenAlways:
    return _SeenAlways({}, {})


def forget_seen_always(program: Program) -> None:
    """Forget cached results that depend on no state: where they are counted, each game begins without them."""
    _seen_always(program).attributes.clear()


def sees(program: Program, state: Cells, seat: int | None, place: int, attribute: str, piece: int) -> bool:
    """True if a seat (None: who sees everything) sees an attribute of a piece that lies, or would lie, at a place."""
    if seat is None or state[POINT] == OVER_POINT or place == OUT:
        return True
    where = program.layout.places[place]
    return _is_among(program, program.seen_by(where.zone, attribute, state, where.index, piece), seat)


def note_seen(program: Program, state: Cells, seat: int | None, name: str, slot: tuple[int, ...]) -> bool:
    """True if a seat sees a note."""
    if seat is None or state[POINT] == OVER_POINT or name not in program.model.notes:
        return True
    return _is_among(program, program.note_seen_by(name, state, slot), seat)


def known_attributes(
    program: Program, state: Cells, seat: int | None, piece: int, place: int | None = None
) -> frozenset[str]:
    """The attributes of a piece that a seat sees, where it lies or at another place."""
    layout = program.layout
    number = state[layout.place_cells + piece] if place is None else place
    info = layout.pieces[piece]
    if seat is None or state[POINT] == OVER_POINT or number == OUT:
        return frozenset(info.attributes)
    key, always = (number, info.type, seat), _seen_always(program).attributes
    if key in always:
        return always[key]
    where = layout.places[number]
    attributes = frozenset(
        [
            name
            for name in info.attributes
            if _is_among(program, program.seen_by(where.zone, name, state, where.index, piece), seat)
        ]
    )
    # Elsewhere `seen by` may read the state.
    if where.zone in program.zones_of_fixed_visibility:
        always[key] = attributes
    return attributes


def fully_seen(program: Program, state: Cells, seat: int | None, piece: int) -> bool:
    """True if a seat sees every attribute of a piece where it lies."""
    return len(known_attributes(program, state, seat, piece)) == len(program.layout.pieces[piece].attributes)


def standing(program: Program, state: Cells, seat: int | None, piece: int) -> Standing:
    """Sort key of a piece: its type, what the seat sees of it, where it lies, the notes about it and the pieces on it.

    Pieces that are seen completely come first, in declared order.
    """
    noted = []
    for name, cell, slot in program.notes_about[piece]:
        if note_seen(program, state, seat, name, slot):
            content = value_standing(program, state, seat, _type(program, name), state[NoteCell(cell)])
            noted.append((name, _other_index(program, state, seat, name, slot, piece), content))
    places = program.layout.places
    attached = sorted(
        (places[number].zone, state[mask].bit_count()) for mask, number, _ in program.runtime.attached[piece]
    )
    return *_own_standing(program, state, seat, piece, 0), tuple(sorted(noted)), tuple(attached)


def _own_standing(program: Program, state: Cells, seat: int | None, piece: int, depth: int) -> Standing:
    layout = program.layout
    number = state[layout.place_cells + piece]
    order = layout.places[number].order
    return (
        *look(program, piece, known_attributes(program, state, seat, piece)),
        place_standing(program, state, seat, number, depth),
        _position_in_order(layout.places[number].shape, state[order], piece) if order else 0,
    )


def look(program: Program, piece: int, seen: frozenset[str]) -> Look:
    """Sort key of a piece by its known attributes only, regardless of where it lies."""
    looks = _seen_always(program).looks
    key = looks.get((piece, seen))
    if key is None:
        info = program.layout.pieces[piece]
        values = tuple(
            (1, -1 if value is None else int(value)) if name in seen else (0, 0)
            for name, value in info.attributes.items()
        )
        key = looks[piece, seen] = program.layout.piece_range[info.type][0], len(seen) < len(values), values
    return key


def _position_in_order(shape: str, order: Sequence[int], piece: int) -> int:
    """The position of a piece from the left or the top, 0 if it is only about to come there."""
    if piece not in order:
        return 0
    return len(order) - order.index(piece) if shape == "stack" else order.index(piece) + 1


def _type(program: Program, name: str) -> Type:
    type_ = program.model.notes[name].type
    assert type_ is not None
    return type_


def place_standing(program: Program, state: Cells, seat: int | None, number: int, depth: int = 0) -> Standing:
    """Sort key of a place: its zone and index, in which a piece counts by what the seat sees of it."""
    place = program.layout.places[number]
    if number == OUT:
        return (0, ())
    index = program.model.zones[place.zone].index
    slot = tuple(
        value_standing(program, state, seat, type_, value, depth)
        for type_, value in zip(index, place.index, strict=True)
    )
    return program.layout.first_place[place.zone], slot


def value_standing(
    program: Program, state: Cells, seat: int | None, type_: Type, value: StoredValue, depth: int = 0
) -> Standing:
    """Sort key of a value of any type: pieces and sets of pieces count by what the seat sees of them."""
    core = bare(type_)
    if value is None:
        return ()
    if isinstance(core, Several):
        if isinstance(core.element, PieceType | Several):
            members = members_in(value) if isinstance(core.element, Several) else bits(number_in(value))
            return tuple(
                sorted(value_standing(program, state, seat, core.element, member, depth) for member in members)
            )
        return tuple(bits(number_in(value)))
    if isinstance(core, PieceType):
        return _own_standing(program, state, seat, number_in(value), depth + 1) if depth < MAX_FOLLOWED else ()
    return (int(number_in(value)),)


def _other_index(
    program: Program, state: Cells, seat: int | None, name: str, slot: tuple[int, ...], piece: int
) -> Standing:
    """The index of a note about a piece, without that piece."""
    types = program.model.notes[name].index
    return tuple(
        value_standing(program, state, seat, type_, value)
        for type_, value in zip(types, slot, strict=True)
        if value != piece or not isinstance(type_, PieceType)
    )


def seen_when_acting(program: Program, state: Cells, mask: int) -> int:
    """Of a set of pieces, those of which the acting seat sees every attribute."""
    return sum(1 << piece for piece in bits(mask) if fully_seen(program, state, state[ME], piece))


def listed_when_acting(program: Program, state: Cells, mask: int) -> list[int]:
    """The pieces of a set in the order in which they are listed for the acting seat."""
    return in_order(program, state, state[ME], bits(mask))


def number_among_alike(program: Program, state: Cells, seat: int, piece: int) -> int:
    """The number, from 1, of a piece that is not completely seen, among those that look the same to a seat."""
    seen = known_attributes(program, state, seat, piece)
    type_ = program.layout.pieces[piece].type
    alike = [
        candidate
        for candidate in range(*program.layout.piece_range[type_])
        if look(program, candidate, known_attributes(program, state, seat, candidate)) == look(program, piece, seen)
    ]
    return in_order(program, state, seat, alike).index(piece) + 1


def in_order(program: Program, state: Cells, seat: int | None, pieces: Iterable[int]) -> list[int]:
    """Pieces in the order in which they are listed for a seat."""
    return sorted(pieces, key=lambda piece: standing(program, state, seat, piece))
