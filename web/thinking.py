"""What takes long: choices of bots and hints. A server runs these functions in processes of their own, a page here."""

from __future__ import annotations

from functools import lru_cache

from interpreter.errors import BotError
from interpreter.opponents.budgets import Budget
from interpreter.opponents.driver import Driver
from interpreter.opponents.hints import Adviser
from interpreter.opponents.specs import SpecProblem, spec_of, why_unfit
from interpreter.play.game import Game, State

Advice = tuple[tuple[int, float], ...]
"""The best legal moves by their numbers, each with the share of games that it wins, best first."""

HINT_BUDGET = Budget.of("1s")
MAX_HINT_MOVES = 5
"""Number of moves that a hint names."""

MAX_DRIVERS = 64
"""Number of bots that a process remembers, with what their seats have observed of their games."""


def choose(table: str, state: State, spec: str) -> str:
    """The move of the bot that has to decide, in notation. Raises BotError.

    `table` tells games apart: a bot observes one of them, so that its decisions cost only what is new.
    """
    seat = state.player
    assert seat is not None
    return _driver(table, seat, spec).play(state).notation


@lru_cache(maxsize=MAX_DRIVERS)
def _driver(table: str, seat: str, spec: str) -> Driver:
    read = spec_of(spec)
    if isinstance(read, SpecProblem):
        raise BotError(read.message)
    return Driver(read, seat)


def problem_of(spec: str, game: Game) -> str:
    """Why a bot cannot play a game; empty if it can."""
    read = spec_of(spec)
    return str(read.message) if isinstance(read, SpecProblem) else str(why_unfit(read, game) or "")


def advise(state: State, seat: str) -> Advice:
    """The best moves of the pending decision, found by a search from what the seat knows. Raises SamplingError."""
    from interpreter.opponents.mcts import analyse  # most pages ask for no hint, and searches take long to import

    situation = Adviser(seat).situation(state)
    analysis = analyse(situation, HINT_BUDGET, lines=False, begun=situation.asked)
    return tuple((judged.move, judged.win_share) for judged in analysis.moves[:MAX_HINT_MOVES])
