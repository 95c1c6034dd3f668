"""Drawing states of a seat's information set from the present view alone, with new future chance.

Earlier observations are ignored: a card that was shown and then taken into a hand may be replaced by another one. Tests
of secrets need this, because nothing that a state shows, asks or does may depend on a piece that the seat does not see
now, whether or not the seat could infer it. Nor need the state be reachable by the rules. Hidden notes and secret
choices of others are kept unless they concern pieces; to vary them, draw whole histories (`opponents/knowledge`).
"""

from __future__ import annotations

import random
from typing import TypeVar

from interpreter.engine.program import Program
from interpreter.engine.sight import known_attributes
from interpreter.opponents.knowledge.arrangement import appearance
from interpreter.opponents.knowledge.exchanges import Exchange, exchanged
from interpreter.opponents.knowledge.slots import Slots
from interpreter.play.game import State
from interpreter.runtime.cells import Cells
from interpreter.runtime.layout import MOVES, POINT, RANDOM

TRIES = 4
"""Number of attempts to find an exchange of pieces that the seat cannot notice."""

SWAPS = 4
"""Number of swaps to try for each hidden piece, enough to leave little of the original order."""

Sampled = TypeVar("Sampled", bound=State)
"""The class of a state and of those made from it."""


def resampled(state: Sampled, player: str, seed: int) -> Sampled:
    """Copy a state and shuffle everything `player` may not know, consistently with what it may.

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
    hidden, seen = _not_fully_seen(program, S, seat), appearance(program, S, seat)
    for attempt in range(TRIES):
        slots = Slots.with_seen(program, tuple(hidden), hidden)
        slots.walk(rng, SWAPS * len(slots.swappable), most=None if attempt == 0 else 1)
        cells = exchanged(program, S, slots.exchange)
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
    hidden = _not_fully_seen(state.program, state.cells, state.game.seats.index(player))
    slots = Slots.with_seen(state.program, tuple(hidden), hidden)
    slots.walk(random.Random(seed), SWAPS * len(slots.swappable))
    return slots.exchange


def _not_fully_seen(program: Program, S: Cells, seat: int) -> dict[int, frozenset[str]]:
    """The pieces that the seat does not see completely, each with the attributes that it does see."""
    known = {piece: known_attributes(program, S, seat, piece) for piece in range(len(program.layout.pieces))}
    pieces = program.layout.pieces
    return {piece: names for piece, names in known.items() if len(names) < len(pieces[piece].attributes)}
