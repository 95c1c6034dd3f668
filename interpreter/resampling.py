"""Other states that a seat cannot tell from the real one: hidden pieces change places, chance to come is drawn anew."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from dsl.types import PieceType, Several, Type, bare
from interpreter.compile.layout import MOVES, POINT, RANDOM
from interpreter.compile.program import Program
from interpreter.masks import bits
from interpreter.runtime import Cells
from interpreter.sight import known_attributes, look, note_seen
from interpreter.state import State

TRIES = 4
"""How often to look for an exchange of pieces that the seat cannot notice."""

Exchange = Mapping[int, int]


def resampled(state: State, player: str, seed: int) -> State:
    """A copy in which all that `player` may not know is shuffled, consistent with all it may.

    Pieces change places with pieces that look the same to the player where they lie. What is noted about a piece, what
    lies on it and what refers to it stays where it is, and is then about the piece that came there. An exchange that
    lets the player see something else, because who sees a piece depends on what it is, is given up for a smaller one.

    A decision of the player's own stays pending. A secret question of somebody else is put anew: in the other state it
    may have nothing to ask for, and play goes on to the next decision.
    """
    other = state.copy()
    program, S = other.program, other.cells
    seat = state.game.seats.index(player)
    rng = random.Random(seed)
    groups = _alike(program, S, seat)
    seen = appearance(program, S, seat)
    for attempt in range(TRIES):
        exchange = _exchange(groups, rng, whole=attempt == 0)
        cells = exchanged(program, S, exchange)
        if appearance(program, cells, seat) == seen:
            S[:] = cells
            break
    S[RANDOM] = rng.getrandbits(64)
    S[MOVES] = None
    question = state.question
    if question is not None and question.secretly and question.player != player:
        program.run(S, other.journal, S[POINT])
    return other


def _alike(program: Program, S: Cells, seat: int) -> list[list[int]]:
    """The pieces that the seat does not see whole, in groups that look the same to it."""
    groups: dict[object, list[int]] = defaultdict(list)
    for piece, info in enumerate(program.layout.pieces):
        known = known_attributes(program, S, seat, piece)
        if len(known) < len(info.attributes):
            groups[look(program, piece, known)].append(piece)
    return list(groups.values())


def _exchange(groups: list[list[int]], rng: random.Random, whole: bool) -> dict[int, int]:
    """Which piece takes the place of which: every group shuffled, or two pieces of one of them swapped."""
    if whole:
        mixed = [(pieces, rng.sample(pieces, len(pieces))) for pieces in groups]
        return {piece: new for pieces, order in mixed for piece, new in zip(pieces, order, strict=True)}
    several = [pieces for pieces in groups if len(pieces) > 1]
    if not several:
        return {}
    one, two = rng.sample(rng.choice(several), 2)
    return {one: two, two: one}


def exchanged(program: Program, S: Cells, exchange: Exchange) -> Cells:
    """The cells with other pieces in the place of some, wherever these are spoken of."""
    layout = program.layout
    cells = list(S)

    def moved(index: tuple[Type, ...], slot: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(_renamed(type_, value, exchange) for type_, value in zip(index, slot, strict=True))

    new_place = {}
    of_slot = {(place.zone, place.index): place for place in layout.places[1:]}
    for place in layout.places[1:]:
        there = of_slot[place.zone, moved(program.model.zones[place.zone].index, place.index)]
        new_place[place.number] = there.number
        cells[there.mask] = _set(S[place.mask], exchange)
        if place.order:
            cells[there.order] = tuple(exchange.get(piece, piece) for piece in S[place.order])
    for piece in range(len(layout.pieces)):
        lies = S[layout.place_cells + piece]
        cells[layout.place_cells + exchange.get(piece, piece)] = new_place.get(lies, lies)
    for name, cell in layout.filled.items():
        if isinstance(program.model.zones[name].index[0], PieceType):
            cells[cell] = _set(S[cell], exchange)
    cell_of = {where: cell for cell, where in layout.notes_of_cell.items()}
    for cell, (name, slot) in layout.notes_of_cell.items():
        note = program.model.notes.get(name)
        if note is not None and note.type is not None:
            cells[cell_of[name, moved(note.index, slot)]] = _renamed(note.type, S[cell], exchange)
    for cell, type_ in layout.local_types.items():  # what a rule that waits remembers
        cells[cell] = _renamed(type_, S[cell], exchange)
    return cells


def _renamed(type_: Type, value: Any, exchange: Exchange) -> Any:
    """A value with other pieces in the place of some."""
    core = bare(type_)
    if value is None:
        return None
    if isinstance(core, PieceType):
        return exchange.get(value, value)
    if isinstance(core, Several) and isinstance(core.element, PieceType):
        return _set(value, exchange)
    return value


def _set(mask: int, exchange: Exchange) -> int:
    return sum(1 << exchange.get(piece, piece) for piece in bits(mask))


def appearance(program: Program, S: Cells, seat: int) -> list[object]:
    """All that a seat sees on the table, in an order that tells nothing: equal for states it cannot tell apart."""
    layout, found = program.layout, list[object]()
    for place in layout.places[1:]:
        if not any(isinstance(type_, PieceType) for type_ in program.model.zones[place.zone].index):
            found.append(_lying(program, S, seat, place.number, 0))
    for cell, (name, slot) in layout.notes_of_cell.items():
        note = program.model.notes.get(name)
        if note is not None and not any(isinstance(type_, PieceType) for type_ in note.index):
            found.append(
                note_seen(program, S, seat, name, slot) and (cell, _shown(program, S, seat, note.type, S[cell]))
            )
    return found


def _lying(program: Program, S: Cells, seat: int, number: int, depth: int) -> object:
    pieces = program.names["contents"](S, number)
    looks = [appearance_of(program, S, seat, piece, depth) for piece in pieces]
    return looks if program.layout.places[number].order else sorted(looks, key=repr)


def appearance_of(program: Program, S: Cells, seat: int, piece: int, depth: int = 0) -> object:
    """The parts of a piece that a seat sees, with what is noted about it and lies on it."""
    if depth > len(program.layout.pieces):
        return None  # pieces that lie on one another in a circle
    notes = [
        (name, _rest(program, S, seat, program.model.notes[name].index, slot, piece),
         _shown(program, S, seat, program.model.notes[name].type, S[cell]))
        for name, cell, slot in program.written_on[piece]
        if note_seen(program, S, seat, name, slot)
    ]  # fmt: skip
    lying = [
        (program.layout.places[number].zone, _lying(program, S, seat, number, depth + 1))
        for mask, number, plain in program.attached[piece]
        if S[mask] != plain
    ]
    known = known_attributes(program, S, seat, piece)
    return look(program, piece, known), sorted(notes, key=repr), sorted(lying, key=repr)


def _rest(program: Program, S: Cells, seat: int, types: tuple[Type, ...], slot: tuple[int, ...], piece: int) -> object:
    """The index of a note about a piece, without the piece."""
    return [
        _shown(program, S, seat, type_, value)
        for type_, value in zip(types, slot, strict=True)
        if value != piece or not isinstance(type_, PieceType)
    ]


def _shown(program: Program, S: Cells, seat: int, type_: Type | None, value: Any) -> object:
    """A value as a seat sees it: pieces by their looks."""
    core = bare(type_) if type_ is not None else None
    if value is not None and isinstance(core, PieceType):
        return look(program, value, known_attributes(program, S, seat, value))
    if value and isinstance(core, Several) and isinstance(core.element, PieceType):
        return sorted(look(program, piece, known_attributes(program, S, seat, piece)) for piece in bits(value))
    return value
