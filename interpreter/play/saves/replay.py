"""Replaying decisions, perhaps under changed rules, up to the first that is no longer legal."""

from __future__ import annotations

from collections.abc import Iterable

from dsl.lazy_dataclasses import dataclass
from dsl.text.visible import visible
from interpreter.errors import IllegalMoveError
from interpreter.play.game import Game, State
from interpreter.play.state import push_in_words
from interpreter.runtime.chance import Chance
from interpreter.seat.explain.answer import Why


@dataclass(frozen=True)
class Divergence:
    """The first decision that cannot be replayed: its number from 1, the seat, the move, and the difference.

    `why` explains each requirement of the move, if it is that seat's decision.
    """

    number: int
    player: str
    move: str
    reason: str
    why: Why | None = None


def replay(
    game: Game,
    moves: Iterable[tuple[str, str]],
    seed: int,
    chance: Chance | None = None,
    traced: bool = False,
) -> tuple[State, Divergence | None]:
    """Replay decisions, (seat, move) each, as far as they are legal. Raises PlayError if a rule fails."""
    state = State.begin(game, seed, chance, traced)
    for number, (seat, notation) in enumerate(moves, start=1):
        player, move = visible(seat), visible(notation)
        if state.player is None:
            reason = f"the game now ends before move {number}, `{move}` by {player}"
            return state, Divergence(number, player, move, reason)
        if state.player != seat:
            reason = f"move {number} was `{move}` by {player}, but now it is {state.player}'s decision"
            return state, Divergence(number, player, move, reason)
        try:
            push_in_words(state, notation)
        except IllegalMoveError:
            why = state.why(notation)
            reason = f"move {number}, `{move}` by {player}, is no longer legal: {why.reason}"
            return state, Divergence(number, player, move, reason, why)
    return state, None
