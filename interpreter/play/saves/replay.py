"""Replaying decisions, perhaps under changed rules, up to the first that is no longer legal."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from dsl.lazy_dataclasses import dataclass
from dsl.text.visible import visible
from interpreter.errors import IllegalMoveError
from interpreter.play.game import Game, State
from interpreter.play.state import PlayState, push_in_words
from interpreter.runtime.chance import Chance
from interpreter.seat.explain.answer import Why


@dataclass(frozen=True)
class Divergence:
    """The first decision that cannot be replayed: its number from 1, the seat, the move, and the difference.

    `why` explains each requirement of the move, if it is that seat's decision. Seat and move are empty if those who are
    told may not know them.
    """

    number: int
    player: str
    move: str
    reason: str
    why: Why | None = None


def divergence_told(divergence: Divergence, state: PlayState, readers: Collection[str]) -> Divergence:
    """A divergence as some seats may be told of it together; without any, all is told.

    `state` is the game up to there. The move, which may be secret, and even that somebody was asked, only its own seat
    is told: others only after which decision that they all know of.
    """
    if not readers or {*readers, state.player or divergence.player} == {divergence.player}:
        return divergence
    known = sum(not record.unnoticed or {*readers} == {record.player} for record in state.history)
    reason = state.game.words.phrase("what was decided after move {number} is no longer legal", number=known)
    return Divergence(known + 1, "", "", reason)


def replay(
    game: Game, moves: Iterable[tuple[str, str]], seed: int, chance: Chance | None = None
) -> tuple[State, Divergence | None]:
    """Replay decisions, (seat, move) each, as far as they are legal. Raises PlayError if a rule fails."""
    state = State.begin(game, seed, chance)
    for number, (seat, notation) in enumerate(moves, start=1):
        player, move, words = visible(seat), visible(notation), game.words
        if state.player is None:
            reason = words.phrase(
                "the game now ends before move {number}, `{move}` by {seat}",
                number=number, move=move, seat=words.name(player),
            )  # fmt: skip
            return state, Divergence(number, player, move, reason)
        if state.player != seat:
            reason = words.phrase(
                "move {number} was `{move}` by {seat}, but now it is {decider}'s decision",
                number=number, move=move, seat=words.name(player), decider=words.name(state.player),
            )  # fmt: skip
            return state, Divergence(number, player, move, reason)
        try:
            push_in_words(state, notation)
        except IllegalMoveError:
            why = state.why(notation)
            reason = words.phrase(
                "move {number}, `{move}` by {seat}, is no longer legal: {reason}",
                number=number, move=move, seat=words.name(player), reason=why.reason,
            )  # fmt: skip
            return state, Divergence(number, player, move, reason, why)
    return state, None
