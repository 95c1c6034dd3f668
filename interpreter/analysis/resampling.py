"""Resampling: other states of a seat's information set, with hidden pieces exchanged and future chance drawn anew."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from dsl.types import PieceType, Several, Type, bare
from interpreter.bitset import bits
from interpreter.game import State
from interpreter.layout.cells import MOVES, POINT, RANDOM, Place
from interpreter.program import Program
from interpreter.runtime.primitives import Cells, as_set
from interpreter.visibility.sight import known_attributes, look, note_seen

TRIES = 4
"""Number of attempts to find an exchange of pieces that the seat cannot notice."""

SWAPS = 4
"""Number of swaps to try for each hidden piece, enough that hardly anything of the original order is left."""

Exchange = Mapping[int, int]

Sampled = TypeVar("Sampled", bound=State)
"""The class of a state and of those made from it."""


def resampled(state: Sampled, player: str, seed: int) -> Sampled:
    """Copy a state and shuffle all that `player` may not know, consistently with all it may.

    Pieces are exchanged with pieces that would look the same to the player there, so a card of a face-down deck may
    replace one whose color shows if it has that color. Notes about a piece, pieces lying on it and references to it
    stay where they are and then concern the piece that came there. If an exchange would let the player see a
    difference, because who sees a piece depends on what it is, a smaller one is tried instead.

    A decision of the player's own stays pending. A secret question to another seat is asked again: in the other state
    there may be nothing to ask, and play continues to the next decision.
    """
    state.render_history()
    other = state.copy()
    program, S = other.program, other.cells
    seat = state.game.seats.index(player)
    rng = random.Random(seed)
    slots = _not_fully_seen(program, S, seat)
    seen = appearance(program, S, seat)
    for attempt in range(TRIES):
        exchange = _exchange(program, slots, rng, most=SWAPS * len(slots) if attempt == 0 else 1)
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


def exchange_for(state: State, player: str, seed: int) -> Exchange:
    """Choose an exchange of pieces that look the same to `player` where they lie."""
    slots = _not_fully_seen(state.program, state.cells, state.game.seats.index(player))
    return _exchange(state.program, slots, random.Random(seed), SWAPS * len(slots))


def _not_fully_seen(program: Program, S: Cells, seat: int) -> dict[int, frozenset[str]]:
    """Find the pieces that the seat does not see completely, each with the attributes that it does see."""
    known = {piece: known_attributes(program, S, seat, piece) for piece in range(len(program.layout.pieces))}
    pieces = program.layout.pieces
    return {piece: names for piece, names in known.items() if len(names) < len(pieces[piece].attributes)}


def _exchange(program: Program, slots: Mapping[int, frozenset[str]], rng: random.Random, most: int) -> dict[int, int]:
    """Exchange pieces by up to `most` random swaps that preserve how both places look.

    A random walk of swaps can reach most assignments; drawing one directly would mean drawing a random perfect
    matching.
    """
    by_type: dict[str, list[int]] = defaultdict(list)
    for piece in slots:
        by_type[program.layout.pieces[piece].type].append(piece)
    exchange = {piece: piece for piece in slots}

    def fits(piece: int, slot: int) -> bool:
        return look(program, piece, slots[slot]) == look(program, slot, slots[slot])

    swappable = [piece for pieces in by_type.values() if len(pieces) > 1 for piece in pieces]
    swaps = 0
    for _ in range(SWAPS * len(swappable)):
        one = rng.choice(swappable)
        two = rng.choice(by_type[program.layout.pieces[one].type])
        if one != two and fits(exchange[one], two) and fits(exchange[two], one):
            exchange[one], exchange[two] = exchange[two], exchange[one]
            swaps += 1
        if swaps == most:
            break
    return exchange


def exchanged(program: Program, S: Cells, exchange: Exchange) -> Cells:
    """Copy the cells, replacing pieces wherever these are referred to."""
    layout = program.layout
    about = _about_pieces(program)
    cells = list(S)
    moving = as_set(exchange) | as_set(exchange.values())

    def moved(index: tuple[Type, ...], slot: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(with_exchanged(type_, value, exchange) for type_, value in zip(index, slot, strict=True))

    new_place = {}
    for place in layout.places[1:]:
        index = about.indexed_places.get(place.number)
        target = place if index is None else about.place_of[place.zone, moved(index, place.index)]
        new_place[place.number] = target.number
        if target is not place or S[place.mask] & moving:
            cells[target.mask] = _set(S[place.mask], exchange)
            if place.order:
                cells[target.order] = tuple([exchange.get(piece, piece) for piece in S[place.order]])
    for piece in range(len(layout.pieces)) if about.indexed_places else bits(moving):
        lies = S[layout.place_cells + piece]
        cells[layout.place_cells + exchange.get(piece, piece)] = new_place.get(lies, lies)
    for cell in about.filled:
        cells[cell] = _set(S[cell], exchange)
    for cell, index, slot, name, type_ in about.notes:
        cells[about.cell_of[name, moved(index, slot)]] = with_exchanged(type_, S[cell], exchange)
    for cell, type_ in layout.local_types.items():  # the locals of suspended rules
        cells[cell] = with_exchanged(type_, S[cell], exchange)
    return cells


@dataclass(frozen=True)
class AboutPieces:
    """The cells of a program that an exchange of pieces may change, apart from those of contents.

    `indexed_places` are the places of zones with an index of pieces, with the types of the index; `filled` the cells
    with the slots of such zones that are filled; `notes` those notes that hold pieces or are about pieces.
    """

    indexed_places: Mapping[int, tuple[Type, ...]]
    place_of: Mapping[tuple[str, tuple[int, ...]], Place]
    filled: tuple[int, ...]
    notes: tuple[tuple[int, tuple[Type, ...], tuple[int, ...], str, Type], ...]
    cell_of: Mapping[tuple[str, tuple[int, ...]], int]


def _about_pieces(program: Program) -> AboutPieces:
    """See `AboutPieces`; computed once for a program."""
    key = ("cells about pieces",)
    if key not in program.shown:
        layout, zones = program.layout, program.model.zones
        indexed = {
            place.number: zones[place.zone].index for place in layout.places[1:] if _of_pieces(zones[place.zone].index)
        }  # fmt: skip
        notes = []
        for cell, (name, slot) in layout.notes_of_cell.items():
            note = program.model.notes.get(name)
            if note is not None and note.type is not None and _of_pieces((*note.index, note.type)):
                notes.append((cell, note.index, slot, name, note.type))
        program.shown[key] = AboutPieces(
            indexed,
            {(place.zone, place.index): place for place in layout.places[1:]},
            tuple(cell for name, cell in layout.filled.items() if isinstance(zones[name].index[0], PieceType)),
            tuple(notes),
            {where: cell for cell, where in layout.notes_of_cell.items()},
        )
    found: AboutPieces = program.shown[key]
    return found


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
        return _set(value, exchange)
    return value


def _set(mask: int, exchange: Exchange) -> int:
    return sum(1 << exchange.get(piece, piece) for piece in bits(mask))


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


def appearance_of(program: Program, S: Cells, seat: int, piece: int, depth: int = 0) -> object:
    """The visible parts of a piece, with the notes about it and the pieces lying on it."""
    if depth > len(program.layout.pieces):
        return None  # pieces that lie on one another in a cycle
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
    return look(program, piece, known), sorted(notes, key=repr), sorted(lying, key=repr)


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
