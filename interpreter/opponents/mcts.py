"""The bot `mcts`, and what its search finds out about the legal moves of a situation."""

from __future__ import annotations

from dataclasses import field

from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.figures import wilson_interval
from interpreter.arguments import Backend
from interpreter.errors import SamplingError
from interpreter.opponents.budgets import Budget, Clock
from interpreter.opponents.evaluation import scoring_of
from interpreter.opponents.holdings import holdings_of
from interpreter.opponents.information import can_be_proven
from interpreter.opponents.kept_trees import KeptTrees, kept_trees
from interpreter.opponents.lines import expected_line
from interpreter.opponents.move_keys import MoveKeys, has_masked_moves
from interpreter.opponents.one_ply import values_after_one_move
from interpreter.opponents.search import Kind, RootMove, Search
from interpreter.opponents.situation import Situation, by_chance
from interpreter.opponents.tree import Node, Trees
from interpreter.opponents.worlds import Worlds

DEFAULT = Budget(iterations=1000)

SHARE_OF_SPREAD, SHARE_OF_ORDER = 0.25, 0.25
"""The parts of the time left that may be spent on the spread of random games, and then on the order at the root."""

WORLDS_FOR_ORDER = 4

LINES = 5
"""The number of moves for which the expected line is worked out, which takes much longer than an iteration."""


@dataclass(frozen=True, slots=True)
class MoveAnalysis:
    """What a search found out about a legal move.

    `move` is its index among the legal moves, `visits` in how many iterations it was made. `win_share` is the seat's
    mean share of the win in them, `low` and `high` its interval of 95 %; `value` is what the search maximises, with the
    margin in it. `score` is the mean first criterion at the end, as the rules count it, None if there is none.
    `proven`: `value` and `win_share` are certain, as play was searched to its end. `line` is how play is expected to go
    on, with the move itself, in the words that the seat would read; only the best moves have one.
    """

    move: int
    visits: int
    value: float
    win_share: float
    low: float
    high: float
    score: float | None
    proven: bool
    line: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Analysis:
    """The result of a search of a situation: its legal moves, best first, and each seat's expectations.

    `win_shares` and `scores` are means over all iterations, `win_shares` without a guess if there were none.
    `best_shares` are the shares of the win after the best move.
    """

    seat: str
    moves: tuple[MoveAnalysis, ...]
    win_shares: dict[str, float]
    best_shares: dict[str, float]
    scores: dict[str, float] | None
    iterations: int
    seconds: float


def analyse(
    situation: Situation, budget: Budget = DEFAULT, backend: Backend | None = None, lines: bool = True,
    horizon: int | None = None, only: int | None = None, begun: float | None = None,
) -> Analysis:  # fmt: skip
    """Search a situation. With a budget of iterations the result, but for `seconds`, follows from the situation alone.

    `lines`: with the expected lines. With a `horizon` random games end after that many decisions. `only`: all
    iterations make the legal move with this index. A budget of time counts from `begun` on, by default from now on.
    Raises SamplingError if no state is found in time.
    """
    clock = Clock(budget, situation.stop, begun)
    worlds = Worlds.drawn(situation, budget, clock, backend)
    search = _searched(situation, budget, clock, worlds, horizon, only=only)
    return _analysis(situation, search, worlds if lines else None, clock)


@dataclass(slots=True)
class Mcts:
    """A bot that searches with a budget and makes the most visited move.

    With a time limit it keeps its trees where that is sound. With a number of iterations it does not, as its choice has
    to follow from the situation alone.
    """

    budget: Budget = DEFAULT
    backend: Backend | None = None
    horizon: int | None = None
    _kept: KeptTrees | None = field(default=None, init=False, repr=False, compare=False)

    def choose(self, situation: Situation) -> int:
        """The index of a legal move."""
        if len(situation.legal_moves) == 1:
            return 0
        kept, self._kept = self._kept, None  # a search that was abandoned may still be running in its thread
        budget = self.budget.part(situation.share)
        clock = Clock(budget, situation.stop, situation.asked)
        try:
            worlds = Worlds.drawn(situation, budget, clock, self.backend)
        except SamplingError:
            return by_chance(situation)
        trees = None if kept is None else kept.at(situation, worlds.states[0], clock.is_over)
        search = _searched(situation, budget, clock, worlds, self.horizon, trees)
        if clock.timed:
            self._kept = kept_trees(search.trees, situation, worlds.states)
        return _best_first(search)[0].number


def _searched(
    situation: Situation,
    budget: Budget,
    clock: Clock,
    worlds: Worlds,
    horizon: int | None,
    trees: Trees | None = None,
    only: int | None = None,
) -> Search:
    first = worlds[0]
    state = worlds.states[0]
    scoring = scoring_of(state, worlds.backend, clock.part_of_rest(SHARE_OF_SPREAD))
    trees = trees or Trees(MoveKeys(state.program), Node(), {})
    offer = trees.keys.offer(first)
    kind = Kind(has_masked_moves(state.program), can_be_proven(state.game))
    search = Search(trees, scoring, offer, kind, holdings_of(worlds.states), situation.seed, horizon)
    if only is not None:
        search.restrict_to(only)
    elif len(offer.own) > 1:
        some = [worlds[number] for number in range(min(WORLDS_FOR_ORDER, len(worlds)))]
        search.order_by(values_after_one_move(some, search.seat, scoring, clock.part_of_rest(SHARE_OF_ORDER)))
    most = budget.iterations
    while not clock.is_up() and (most is None or search.iterations < most) and not search.is_settled:
        search.iterate(worlds)
    return search


def _best_first(search: Search) -> list[RootMove]:
    """The moves of a search that has ended: certain wins first, certain losses last, and the most visited first."""
    rank = {number: place for place, (_, number) in enumerate(search.order)}
    return sorted(
        [move for move in search.moves if move.number in rank],
        key=lambda move: (
            -_certainty(move.node, search.seat),
            -move.node.visits,
            -_mean(move.node.total, move.node.visits),
            rank[move.number],
        ),
    )


def _analysis(situation: Situation, search: Search, worlds: Worlds | None, clock: Clock) -> Analysis:
    best_first = _best_first(search)
    sign = search.scoring.sign
    moves = tuple(
        _of_move(move, search.seat, sign, _line(search, move, worlds if place < LINES else None))
        for place, move in enumerate(best_first)
    )
    games, scored = search.iterations, search.scored
    shares = {seat: _mean(search.shares[number], games) for number, seat in enumerate(situation.seats)}
    scores = (
        {seat: sign * search.scores[number] / scored for number, seat in enumerate(situation.seats)} if scored else None
    )
    best = dict(zip(situation.seats, _shares_after(best_first[0]), strict=True))
    return Analysis(situation.seat, moves, shares, best, scores, games, clock.seconds)


def _shares_after(move: RootMove) -> list[float]:
    """The share of the win of every seat after a move."""
    proven, visits = move.node.proven, move.node.visits
    return [_mean(share, visits) for share in move.shares] if proven is None else list(proven.shares)


def _certainty(node: Node, seat: int) -> int:
    """1 for a certain win, -1 for a certain loss."""
    share = 0.5 if node.proven is None else node.proven.shares[seat]
    return 1 if share == 1.0 else -1 if share == 0.0 else 0


def _line(search: Search, move: RootMove, worlds: Worlds | None) -> tuple[str, ...]:
    return () if worlds is None or not move.node.visits else expected_line(search, move, worlds.states[0])


def _of_move(move: RootMove, seat: int, sign: int, line: tuple[str, ...]) -> MoveAnalysis:
    visits, proven = move.node.visits, move.node.proven
    score = sign * move.score / move.scored if move.scored else None
    if proven is not None:
        value, share = proven.values[seat], proven.shares[seat]
        return MoveAnalysis(move.number, visits, value, share, share, share, score, True, line)
    share = _mean(move.shares[seat], visits)
    low, high = wilson_interval(share, visits)
    return MoveAnalysis(move.number, visits, _mean(move.node.total, visits), share, low, high, score, False, line)


def _mean(total: float, count: int) -> float:
    return total / count if count else 0.5
