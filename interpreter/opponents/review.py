"""What the decisions of a seat have cost: the move that was made compared with the best one that a search finds.

Both are judged by searches of their own, with as many iterations, the same sampled states and the same chance, so that
differences are due to the moves (common random numbers). The search that finds the best move has other states and
another seed, lest the luck that made it the best counts for it once more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import hypot

from interpreter.errors import SamplingError
from interpreter.game import State
from interpreter.knowledge.histories import never
from interpreter.opponents.budgets import Budget
from interpreter.opponents.hints import Adviser
from interpreter.opponents.mcts import MoveAnalysis, analyse
from interpreter.opponents.situation import Situation, States


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A decision with what it has cost.

    `number` counts the decisions that the seat knows of. `made` and `best` are the notations of moves, `made_label` and
    `best_label` the same in words. `cost` is the difference of their shares of the win, `low` and `high` its interval
    of 95 %: zero if the best move was made, None if no state was found that agrees with what the seat had observed.
    """

    number: int
    made: str
    made_label: str
    best: str
    best_label: str
    cost: float | None
    low: float
    high: float


class _SameStates:
    """Gives the same states every time, from the first one on."""

    def __init__(self, sampler: States) -> None:
        self._sampler = sampler
        self._drawn: list[State] = []

    def states(
        self, count: int, hurry: Callable[[], bool] = never, too_late: Callable[[], bool] = never, timed: bool = False
    ) -> list[State]:
        """Copies of the first states; as many as are missing are drawn."""
        missing = count - len(self._drawn)
        if missing > 0:
            self._drawn += self._sampler.states(missing, hurry, too_late, timed)
        return [state.copy() for state in self._drawn[:count]]


def decisions_of(state: State, seat: str) -> list[int]:
    """How many decisions had been made before each decision of a seat at which it had a choice."""
    plies = [ply for ply, record in enumerate(state.history) if record.player == seat]
    return [ply for ply in plies if _had_choice(state, ply)]


def _had_choice(state: State, ply: int) -> bool:
    legal = state.made[ply].legal
    return len(_back_at(state, ply).legal_moves if legal is None else legal) > 1


def _back_at(state: State, ply: int) -> State:
    """A copy of a game as it was after a number of decisions."""
    earlier = state.copy()
    while earlier.ply > ply:
        earlier.pop()
    return earlier


def review(state: State, seat: str, budget: Budget) -> Iterator[Reviewed]:
    """Review the decisions of a seat in their order. Each takes up to three searches with this budget."""
    adviser = Adviser(seat)
    known = [record.player == seat or not record.unnoticed for record in state.history]
    for ply in decisions_of(state, seat):
        made = state.history[ply].notation
        yield _reviewed(adviser.situation(_back_at(state, ply)), sum(known[: ply + 1]), made, budget)


def _reviewed(situation: Situation, number: int, notation: str, budget: Budget) -> Reviewed:
    moves = situation.legal_moves
    made = next(place for place, move in enumerate(moves) if move.notation == notation)
    try:
        best = analyse(situation, budget, lines=False).moves[0].move
        cost, low, high = (0.0, 0.0, 0.0) if best == made else _compared(situation, best, made, budget)
    except SamplingError:
        return Reviewed(number, notation, moves[made].label, notation, moves[made].label, None, 0.0, 0.0)
    return Reviewed(number, notation, moves[made].label, moves[best].notation, moves[best].label, cost, low, high)


def _compared(situation: Situation, best: int, made: int, budget: Budget) -> tuple[float, float, float]:
    """How much better one move is than another, with its interval."""
    other = replace(situation, seed=situation.seed ^ 1, sampler=_SameStates(situation.sampler))
    one, two = (analyse(other, budget, lines=False, only=move).moves[0] for move in (best, made))
    return difference(one, two)


def difference(one: MoveAnalysis, other: MoveAnalysis) -> tuple[float, float, float]:
    """The difference of two shares with its interval of 95 %, made from theirs (Newcombe 1998, method 10)."""
    found = one.win_share - other.win_share
    below = hypot(one.win_share - one.low, other.high - other.win_share)
    above = hypot(one.high - one.win_share, other.win_share - other.low)
    return found, max(-1.0, found - below), min(1.0, found + above)


def costliest(reviewed: Sequence[Reviewed]) -> list[Reviewed]:
    """The decisions that have cost something, the costliest first."""
    found = [(one.cost, one) for one in reviewed if one.cost is not None and one.cost > 0]
    return [one for _, one in sorted(found, key=lambda pair: (-pair[0], pair[1].number))]
