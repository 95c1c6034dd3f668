"""The holdings of the other seats in a world, as each seat sees its own, if there are few possibilities.

A player with a good card plays differently from one with a bad card. So a seat with few possible holdings has a tree
for each; with many, none of the trees would be visited often enough, and it has a single tree.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from interpreter.engine.program import Program
from interpreter.engine.sight import known_attributes, look, note_seen
from interpreter.play.game import State
from interpreter.runtime.cells import Cells, NoteCell
from interpreter.runtime.layout import ME

MOST_HOLDINGS = 12
"""Maximum number of possible holdings of a seat with a tree for each."""

Holdings = tuple[Hashable, ...]
"""The holding of each seat in a world; None for a seat with a single tree."""


def holdings_of(states: Sequence[State]) -> list[Holdings]:
    """The holdings in each world; always None for the deciding seat and for seats with too many possible holdings."""
    first = states[0]
    of_seats = [
        [None] * len(states) if seat == first.cells[ME] else _of_seat(states, seat)
        for seat in range(len(first.game.seats))
    ]
    return list(zip(*of_seats, strict=True))


def _of_seat(states: Sequence[State], seat: int) -> list[Hashable]:
    found: list[Hashable] = []
    for state in states:
        found.append(_held(state.program, state.cells, seat))
        if len(set(found)) > MOST_HOLDINGS:
            return [None] * len(states)
    return found if len(set(found)) > 1 else [None] * len(states)


def _held(program: Program, S: Cells, seat: int) -> Hashable:
    """What a seat sees of everything that is hidden from some seat."""
    layout, model = program.layout, program.model
    found: list[Hashable] = []
    for place in layout.places[1:]:
        if model.zones[place.zone].declaration.sights:
            pieces = program.contents(S, place.number)
            looks = [look(program, piece, known_attributes(program, S, seat, piece)) for piece in pieces]
            found.append(tuple(looks if place.order else sorted(looks)))
    for cell, (name, slot) in layout.notes_of_cell.items():
        note = model.notes.get(name)
        if note is not None and note.declaration.sights:
            found.append(S[NoteCell(cell)] if note_seen(program, S, seat, name, slot) else None)
    return tuple(found)
