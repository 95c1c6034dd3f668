"""Situations of games for tests of bots: what a seat is given to decide, made from a state."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interpreter.opponents.knowledge.sampling import sampler_of
from interpreter.opponents.situation import Bot, Offer, Situation, States
from interpreter.play.game import State


def situation_of(
    state: State, seed: int = 0, stop: Callable[[], bool] = lambda: False, sampler: States | None = None
) -> Situation:
    """The situation of the seat that decides in a state."""
    seat = state.player
    assert seat is not None
    offers = tuple(Offer(move.notation, move.label, move.name, move.arguments) for move in state.legal_moves)
    drawn = sampler or sampler_of(state, seat, seed)
    return Situation(seat, state.game.seats, offers, state.view(seat), tuple(state.log(seat)), drawn, seed, stop)


def play_out(state: State, bots: dict[str, Bot], seed: int = 0) -> State:
    """Play a game to its end."""
    while state.player is not None:
        chosen = bots[state.player].choose(situation_of(state, seed + state.ply))
        state.push(state.legal_moves[chosen])
    return state


def choice_in(state: State, bot: Bot, seed: int = 0) -> str:
    """The notation of the move that a bot makes."""
    return state.legal_moves[bot.choose(situation_of(state, seed))].notation


def after(state: State, moves: Sequence[str]) -> State:
    """The state after some moves."""
    for move in moves:
        state.push(move)
    return state
