"""The cost of the decisions in a game: the move made compared with the best one found by a search.

A first pass judges every decision coarsely, by one short search. A second one judges those again that may have cost
something, the most doubtful ones first, as far as time allows. There the best move and the move made are evaluated by a
separate search each, with the same number of iterations, sampled states and chance, so that differences are due to the
moves (common random numbers). The search that finds the best move uses different states and another seed, to avoid
selection bias.

With a number of iterations and no limit of time, or in a game for which the time suffices, figures are always the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import hypot, inf
from statistics import fmean
from time import perf_counter

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

REVIEW = Budget(iterations=400, seconds=60.0)
"""The iterations of a search in the second pass, and the time for the whole game, unless others are named."""

COARSE_PART, COARSE_SHARE = 4, 0.5
"""A search of the first pass has a quarter of the iterations; the pass is to take no more than half of the time."""

COARSE_WORLDS = 8
"""The number of worlds in which a search of the first pass searches at most, as drawing them takes most of its time."""

SEARCHES = 3
"""The number of searches that judge a decision in the second pass."""

SMALL_COST = 0.02
"""Decisions that cannot have cost more are not judged again."""

MIN_SECONDS = 0.05
"""The shortest time for a search when time is scarce."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A decision with its cost, from one search or, if it is `refined`, three.

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
    refined: bool = False


class _SameStates:
    """Gives the same states every time, from the first one on, and at most `most` different ones."""

    def __init__(self, sampler: States, most: int | None = None) -> None:
        self._sampler, self._most = sampler, most
        self._drawn: list[State] = []

    def states(
        self, count: int, hurry: Callable[[], bool] = never, too_late: Callable[[], bool] = never, timed: bool = False
    ) -> list[State]:
        """Copies of the first states; as many as are missing are drawn."""
        count = count if self._most is None else min(count, self._most)
        missing = count - len(self._drawn)
        if missing > 0:
            self._drawn += self._sampler.states(missing, hurry, too_late, timed)
        return [state.copy() for state in self._drawn[:count]]


@dataclass(frozen=True, slots=True)
class Judged:
    """Every seat's expected share before a decision, from what the deciding seat knew.

    `ply` is the number of earlier decisions. `win_shares` are the shares of the win after the best move, None if no
    state was found that agrees with what the seat had observed. `reviewed` is the cost of the decision, None if it has
    not been made yet. `doubt` is what it may have cost at most, 0 if it is not worth a closer look.
    """

    ply: int
    seat: str
    win_shares: Mapping[str, float] | None
    reviewed: Reviewed | None
    doubt: float = 0.0


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How well a seat has played: its decisions with a choice that were judged, and how many cost nothing.

    `kept` is the mean share of the win that it had left after a decision, of what the best moves were worth: 1 minus
    the mean cost.
    """

    seat: str
    decisions: int
    faultless: int
    kept: float


def decisions_of(state: State, seats: Collection[str]) -> list[int]:
    """The plies of the decisions at which some seats had a choice."""
    earlier, plies = state.copy(), list[int]()
    while earlier.ply:
        earlier.pop()
        if has_choice(earlier, seats):
            plies.append(earlier.ply)
    return plies[::-1]


def has_choice(state: State, seats: Collection[str]) -> bool:
    """True if one of some seats is to decide, and has more than one legal move."""
    return state.player in seats and len(state.legal_moves) > 1


class Reviewer:
    """Judges decisions of a game, each from what the seat that decides knows; those of one seat best in their order."""

    def __init__(self, state: State, budget: Budget, stop: Callable[[], bool] = never) -> None:
        self._state, self._budget, self._stop = state, budget, stop
        self._advisers = {seat: Adviser(seat) for seat in state.game.seats}

    def judge(self, ply: int, seconds: float | None = None) -> Judged:
        """Judge the decision with this number, made or pending, by a short search."""
        budget = Budget(max(1, (self._budget.iterations or 1) // COARSE_PART), seconds)
        situation, analysis = self._analysed(ply, budget, COARSE_WORLDS)
        if analysis is None or ply == len(self._state.history):
            return self._judged(ply, situation, analysis)
        played, best = self._played(ply, situation), analysis.moves[0]
        by_number = {move.move: move for move in analysis.moves}
        if not by_number[played].visits and not by_number[played].proven:
            by_number[played] = analyse(situation, budget, lines=False, only=played).moves[0]
        rivals = [move for number, move in by_number.items() if number != played and (move.visits or move.proven)]
        doubt = max([difference(move, by_number[played])[2] for move in rivals], default=0.0)
        return replace(self._judged(ply, situation, analysis, difference(best, by_number[played])), doubt=doubt)

    def refine(self, ply: int, seconds: float | None = None) -> Judged:
        """Judge a decision that was made by up to three searches; `seconds` limits each."""
        budget = Budget(self._budget.iterations, seconds)
        situation, analysis = self._analysed(ply, budget)
        if analysis is None:
            return self._judged(ply, situation, None)
        cost, moves = (0.0, 0.0, 0.0), (analysis.moves[0].move, self._played(ply, situation))
        if moves[0] != moves[1]:
            compared = replace(situation, seed=situation.seed ^ 1, sampler=_SameStates(situation.sampler))
            cost = difference(*[analyse(compared, budget, lines=False, only=move).moves[0] for move in moves])
        return self._judged(ply, situation, analysis, cost, refined=True)

    def _analysed(self, ply: int, budget: Budget, worlds: int | None = None) -> tuple[Situation, Analysis | None]:
        """A search of a decision, from at most this many worlds if they are few, and what it was given."""
        earlier = back_to(self._state, ply)
        assert earlier.player is not None
        situation = self._advisers[earlier.player].situation(earlier, self._stop)
        if worlds is not None:
            situation = replace(situation, sampler=_SameStates(situation.sampler, worlds))
        try:
            return situation, analyse(situation, budget, lines=False)
        except SamplingError:
            return situation, None

    def _played(self, ply: int, situation: Situation) -> int:
        """The move that was made, by its index."""
        notation = self._state.history[ply].notation
        return next(number for number, move in enumerate(situation.legal_moves) if move.notation == notation)

    def _judged(
        self, ply: int, situation: Situation, analysis: Analysis | None,
        cost: tuple[float | None, float, float] = (None, 0.0, 0.0), *, refined: bool = False,
    ) -> Judged:  # fmt: skip
        """The judgement of a decision with its cost, with none if it has not been made."""
        history, moves, reviewed = self._state.history, situation.legal_moves, None
        if ply < len(history):
            number = sum(1 for record in history[: ply + 1] if record.player == situation.seat or not record.unnoticed)
            played = self._played(ply, situation)
            best = played if analysis is None else analysis.moves[0].move
            cost = (0.0, 0.0, 0.0) if analysis is not None and best == played else cost
            texts = (moves[played].notation, moves[played].label, moves[best].notation, moves[best].label)
            reviewed = Reviewed(number, *texts, *cost, refined)
        return Judged(ply, situation.seat, None if analysis is None else analysis.best_shares, reviewed)


class Review:
    """The judgements of the decisions of some seats so far, by their plies: first coarse ones, then better ones.

    `total` is the number of decisions to judge, None until it is known. Without a number of seconds in `budget`, the
    review takes as long as it takes. Another thread may read it meanwhile.
    """

    def __init__(
        self, state: State, seats: Collection[str], budget: Budget = REVIEW, stop: Callable[[], bool] = never
    ) -> None:
        self._state, self._seats, self._seconds, self._stop = state, seats, budget.seconds or inf, stop
        self._reviewer = Reviewer(state, Budget(iterations=budget.iterations or REVIEW.iterations), stop)
        self._begun = perf_counter()
        self._refined_since, self._refined, self._is_scarce = 0.0, 0, False
        self.judged: dict[int, Judged] = {}
        self.total: int | None = None

    def run(self, *, pending: bool = False) -> Iterator[Judged]:
        """Judge one decision after the other, until time is up or nobody waits any more; with `pending` also that."""
        plies = decisions_of(self._state, self._seats)
        if pending and has_choice(self._state, self._seats):
            plies.append(self._state.ply)
        self.total = len(plies)
        for ply in plies:
            judged = self._reviewer.judge(ply, self._coarse_seconds())
            if self._stop():
                return
            self.judged[ply] = judged
            yield judged
        self._refined_since = perf_counter()
        while (plies := self._worth_refining()) and self._left():
            for ply in plies:
                judged = self._reviewer.refine(
                    ply, max(MIN_SECONDS, self._left() / SEARCHES) if self._is_scarce else None
                )
                if self._stop():
                    return
                self.judged[ply] = judged
                self._refined += 1
                yield judged
                if not self._left():
                    break

    @property
    def is_coarse(self) -> bool:
        """True during the first pass."""
        return self.total is None or len(self.judged) < self.total

    @property
    def seconds_left(self) -> float | None:
        """An estimate of the time until it is done; None if it is not known yet."""
        if self.total is None or not self.judged:
            return None
        doubtful = sum(1 for judged in list(self.judged.values()) if judged.doubt > SMALL_COST)
        pace = (perf_counter() - self._begun) / len(self.judged)
        coarse = pace * (self.total - len(self.judged))
        if self._refined:
            pace_of_refining = (perf_counter() - self._refined_since) / self._refined
        else:
            pace_of_refining = SEARCHES * COARSE_PART * pace
            doubtful = doubtful * self.total // len(self.judged)
        return max(coarse, min(coarse + pace_of_refining * doubtful, self._left()))

    def _left(self) -> float:
        return max(0.0, self._begun + self._seconds - perf_counter())

    def _coarse_seconds(self) -> float | None:
        """The time for the next decision of the first pass; None if all are quick enough without a limit."""
        elapsed, judged, total = perf_counter() - self._begun, len(self.judged), self.total or 0
        left = COARSE_SHARE * self._seconds - elapsed
        if not judged or elapsed / judged * (total - judged) < left:
            return None
        self._is_scarce = True
        return max(MIN_SECONDS, left / (total - judged))

    def _worth_refining(self) -> list[int]:
        """The plies of the decisions to judge again next: the most doubtful ones, as many as there is time for.

        The later ones come first, as histories that a sampler knows up to some ply also serve for earlier ones.
        """
        doubtful = sorted(self.judged.values(), key=lambda judged: (-judged.doubt, judged.ply))
        plies = [judged.ply for judged in doubtful if judged.doubt > SMALL_COST]
        pace = SEARCHES * COARSE_PART * (self._refined_since - self._begun) / max(1, len(self.judged))
        return sorted(plies[: 1 + int(min(len(plies), self._left() / max(pace, 1e-6)))], reverse=True)


def final_shares(state: State) -> dict[str, float]:
    """Every seat's share of the win in a game that is over."""
    outcome, seats = state.outcome, state.game.seats
    assert outcome is not None
    winners = sum(1 << number for number, seat in enumerate(seats) if seat in outcome.winners)
    scoring = scoring_of(state, enough=lambda: True)  # no random games: only margins are measured by them
    return dict(zip(seats, scoring.shares(winners), strict=True))


def difference(better: MoveAnalysis, worse: MoveAnalysis) -> tuple[float, float, float]:
    """The difference of two shares with its interval of 95 %, made from theirs (Newcombe 1998, method 10)."""
    lost = better.win_share - worse.win_share
    below = hypot(better.win_share - better.low, worse.high - worse.win_share)
    above = hypot(better.high - better.win_share, worse.win_share - worse.low)
    return lost, max(-1.0, lost - below), min(1.0, lost + above)


def costliest(reviewed: Sequence[Reviewed]) -> list[Reviewed]:
    """The decisions with a cost, the costliest first."""
    costly = [(decision.cost, decision) for decision in reviewed if decision.cost is not None and decision.cost > 0]
    return [decision for _, decision in sorted(costly, key=lambda pair: (-pair[0], pair[1].number))]


def accuracies(judged: Iterable[Judged]) -> list[Accuracy]:
    """The accuracy of each seat whose decisions were judged, in the order of the first of them."""
    costs: dict[str, list[float]] = {}
    for judgement in judged:
        if judgement.reviewed is not None and judgement.reviewed.cost is not None:
            costs.setdefault(judgement.seat, []).append(max(0.0, judgement.reviewed.cost))
    return [
        Accuracy(seat, len(of_seat), sum(1 for cost in of_seat if not cost), 1.0 - fmean(of_seat))
        for seat, of_seat in costs.items()
    ]
