"""The cost of a seat's decisions: the move made compared with the best one found by a search.

Each of the two is evaluated by a separate search, with the same number of iterations, sampled states and chance, so
that differences are due to the moves (common random numbers). The search that finds the best move uses different states
and another seed, to avoid selection bias.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from math import hypot

from dsl.lazy_dataclasses import dataclass
from interpreter.errors import SamplingError
from interpreter.opponents.budgets import Budget
from interpreter.opponents.evaluation import scoring_of
from interpreter.opponents.hints import Adviser
from interpreter.opponents.knowledge.histories import never
from interpreter.opponents.mcts import Analysis, MoveAnalysis, analyse
from interpreter.opponents.situation import Situation, States
from interpreter.play.game import State
from interpreter.play.state import back_to

REVIEW = Budget(iterations=400)
"""The budget of each search, unless another one is named: the same figures every time."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A decision with its cost.

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


@dataclass(frozen=True, slots=True)
class Judged:
    """Every seat's expected share before a decision, from what the deciding seat knew.

    `ply` is the number of earlier decisions. `win_shares` are the shares of the win after the best move, None if no
    state was found that agrees with what the seat had observed. `reviewed` is the cost of the decision, None if it has
    not been made yet.
    """

    ply: int
    seat: str
    win_shares: Mapping[str, float] | None
    reviewed: Reviewed | None


def decisions_of(state: State, seats: Collection[str]) -> list[int]:
    """The plies of the decisions at which some seats had a choice."""
    earlier, found = state.copy(), list[int]()
    while earlier.ply:
        earlier.pop()
        if has_choice(earlier, seats):
            found.append(earlier.ply)
    return found[::-1]


def has_choice(state: State, seats: Collection[str]) -> bool:
    """True if one of some seats is to decide, and has more than one legal move."""
    return state.player in seats and len(state.legal_moves) > 1


class Reviewer:
    """Judges decisions of a game, each from what the seat that decides knows; those of one seat in their order."""

    def __init__(self, state: State, budget: Budget, stop: Callable[[], bool] = lambda: False) -> None:
        self._state, self._budget, self._stop = state, budget, stop
        self._advisers = {seat: Adviser(seat) for seat in state.game.seats}

    def judge(self, ply: int) -> Judged:
        """Judge the decision with this number, made or pending, by up to three searches."""
        earlier, history = back_to(self._state, ply), self._state.history
        seat = earlier.player
        assert seat is not None
        situation = self._advisers[seat].situation(earlier, self._stop)
        try:
            found = analyse(situation, self._budget, lines=False)
        except SamplingError:
            found = None
        reviewed = None
        if ply < len(history):
            number = sum(1 for record in history[: ply + 1] if record.player == seat or not record.unnoticed)
            reviewed = self._reviewed(situation, number, history[ply].notation, found)
        return Judged(ply, seat, None if found is None else found.best_shares, reviewed)

    def _reviewed(self, situation: Situation, number: int, notation: str, found: Analysis | None) -> Reviewed:
        moves = situation.legal_moves
        made = next(place for place, move in enumerate(moves) if move.notation == notation)
        best, cost, low, high = made, None, 0.0, 0.0
        if found is not None:
            best = found.moves[0].move
            cost, low, high = (0.0, 0.0, 0.0) if best == made else _compared(situation, best, made, self._budget)
        return Reviewed(number, notation, moves[made].label, moves[best].notation, moves[best].label, cost, low, high)


def review(state: State, seat: str, budget: Budget) -> Iterator[Reviewed]:
    """Review the decisions of a seat in their order. Each takes up to three searches with this budget."""
    reviewer = Reviewer(state, budget)
    for ply in decisions_of(state, (seat,)):
        judged = reviewer.judge(ply)
        assert judged.reviewed is not None
        yield judged.reviewed


def final_shares(state: State) -> dict[str, float]:
    """Every seat's share of the win in a game that is over."""
    outcome, seats = state.outcome, state.game.seats
    assert outcome is not None
    winners = sum(1 << number for number, seat in enumerate(seats) if seat in outcome.winners)
    scoring = scoring_of(state, enough=lambda: True)  # no random games: only margins are measured by them
    return dict(zip(seats, scoring.shares(winners), strict=True))


def _compared(situation: Situation, best: int, made: int, budget: Budget) -> tuple[float, float, float]:
    """The advantage of one move over another, with its interval."""
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
    """The decisions with a cost, the costliest first."""
    found = [(one.cost, one) for one in reviewed if one.cost is not None and one.cost > 0]
    return [one for _, one in sorted(found, key=lambda pair: (-pair[0], pair[1].number))]
