"""How pieces lie as a seat sees it: what the table shows of a move and the log does not.

Such as which of two equal cards of a row was taken, or on which of them a token lies.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dsl.types import PieceType
from interpreter.knowledge.appearance import appearance_of
from interpreter.layout.cells import OUT
from interpreter.program import Program
from interpreter.runtime.primitives import Cells
from interpreter.visibility.hidden_loops import Change
from interpreter.visibility.sight import known_attributes, look

Arrangement = tuple[tuple[int, object], ...]
"""Places, each with what a seat sees of the pieces there: in order, or sorted where they lie in none."""


def sight_can_change(program: Program) -> bool:
    """True if what is seen of a piece or note can change although it stays where it is."""
    model = program.model
    zones = [sight for zone in model.zones.values() for sight in zone.declaration.sights]
    notes = [sight for note in model.notes.values() for sight in note.declaration.sights]
    return any(program.reads(sight.viewers) for sight in (*zones, *notes))


def rearranged(program: Program, S: Cells, found: Iterable[Change]) -> set[int]:
    """The places in which changes may have rearranged pieces, or all if what is seen can change without a move.

    Pieces count as lying where those lie on which they lie.
    """
    layout = program.layout
    if sight_can_change(program):
        return {place.number for place in layout.places[1:] if _carrier(program, place.number) is None}
    of_mask = {place.mask: place.number for place in layout.places[1:]}
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
    """The place on which everything lies that carries a place."""
    for _ in program.layout.pieces:
        carrier = None if number == OUT else _carrier(program, number)
        if carrier is None:
            return number
        number = S[program.layout.place_cells + carrier]
    return OUT  # pieces that lie on one another in a cycle


def arrangement(program: Program, S: Cells, seat: int, places: Sequence[int]) -> Arrangement:
    """What a seat sees of the pieces at some places."""
    return tuple([(number, _looks(program, S, seat, number)) for number in places])


def _looks(program: Program, S: Cells, seat: int, number: int) -> tuple[object, ...]:
    known: dict[str, frozenset[str]] = {}
    by_piece = program.visibility_depends_on_piece(program.layout.places[number].zone)
    found: list[object] = []
    for piece in program.contents(S, number):
        if _is_marked(program, S, piece):
            found.append(appearance_of(program, S, seat, piece))
            continue
        type_ = program.layout.pieces[piece].type
        if by_piece or type_ not in known:
            known[type_] = known_attributes(program, S, seat, piece)
        found.append(look(program, piece, known[type_]))
    return tuple(found if program.layout.places[number].order else sorted(found, key=repr))


def _is_marked(program: Program, S: Cells, piece: int) -> bool:
    """True if pieces lie on a piece or there are notes about it."""
    if program.notes_about[piece]:
        return True
    attached = program.runtime.attached[piece]
    return bool(attached) and any(S[mask] != plain for mask, _, plain in attached)


def same_pieces_there(program: Program, one: Cells, other: Cells, places: Iterable[int]) -> bool:
    """True if the very same pieces lie at some places of two states, with nothing on them."""
    return all(
        program.contents(one, number) == program.contents(other, number)
        and not any(_is_marked(program, S, piece) for piece in program.contents(one, number) for S in (one, other))
        for number in places
    )
