"""The bot `mcts`, and what its search finds out about the legal moves of a situation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from time import perf_counter

from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.figures import wilson_interval
from interpreter.analysis.search_states import search_state
from interpreter.arguments import Backend, instance_of
from interpreter.errors import PlayError, SamplingError
from interpreter.opponents.budgets import Budget, Clock
from interpreter.opponents.evaluation import scoring_of, values_after_one_move
from interpreter.opponents.information import is_known
from interpreter.opponents.search import RootMove, Search, holdings_of
from interpreter.opponents.situation import Situation, by_chance, checked_situation
from interpreter.play.game import State

DEFAULT = Budget(iterations=1000)

SHARE_OF_SPREAD, SHARE_OF_ORDER = 0.25, 0.25
"""The parts of the time left that may be spent on the spread of random games, and then on the order at the root."""

WORLDS_FOR_ORDER = 4

LINES = 5
"""The number of moves for which the expected line is worked out, which takes much longer than an iteration."""


MIN_WORLDS, MAX_WORLDS = 16, 512
ITERATIONS_OF_A_WORLD = 32
"""One more world is drawn for each of this many iterations, as drawing one takes as long as several of them."""

SHARE_OF_WORLDS = 0.25
"""The fraction of the time that may be spent on drawing worlds."""

SHARE_OF_FIRST_WORLDS = 0.35
"""The fraction of the time after which the search uses worlds that need not agree with everything observed."""

FIRST_WORLDS = 2
"""The number of worlds drawn to see how long that takes."""


@dataclass(frozen=True, slots=True)
class MoveAnalysis:
    """What a search found out about a legal move.

    `move` is its index among the legal moves, `visits` in how many iterations it was made. `win_share` is the seat's
    mean share of the win in them, `low` and `high` its interval of 95 %; `value` is what the search maximises, with the
    margin in it. `score` is the mean score at the end, as the rules count it, None if there is none.
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
    Raises SamplingError if no state is found in time, UsageError for wrong arguments.
    """
    clock = Clock(instance_of(budget, Budget, "a `Budget`"), checked_situation(situation).stop, begun)
    states = _drawn(situation, budget, clock)
    worlds = [search_state(state, backend) for state in states]
    scoring = scoring_of(states[0], backend, clock.part_of_rest(SHARE_OF_SPREAD))
    values = None
    if only is None and worlds[0].move_count > 1:
        enough = clock.part_of_rest(SHARE_OF_ORDER)
        values = values_after_one_move(worlds[:WORLDS_FOR_ORDER], worlds[0].seat, scoring, enough)
    search = Search(worlds, scoring, holdings_of(states), situation.seed, horizon, budget, values, only)
    search.run(clock, budget.iterations, situation.report)
    best_first = search.best_first()
    moves = tuple(
        _of_move(move, search.seat, scoring.sign, _line(search, move, states[0]) if lines and place < LINES else ())
        for place, move in enumerate(best_first)
    )
    shares, best_shares = (
        dict(zip(situation.seats, of_seats, strict=True)) for of_seats in (search.shares, best_first[0].shares)
    )
    means = search.scores
    scores = None if means is None else {
        seat: scoring.sign * mean for seat, mean in zip(situation.seats, means, strict=True)
    }  # fmt: skip
    return Analysis(situation.seat, moves, shares, best_shares, scores, search.iterations, clock.seconds)


@dataclass(slots=True)
class Mcts:
    """A bot that searches with a budget and makes the most visited move."""

    budget: Budget = DEFAULT
    backend: Backend | None = None
    horizon: int | None = None

    def choose(self, situation: Situation) -> int:
        """The index of a legal move."""
        if len(checked_situation(situation).legal_moves) == 1:
            return 0
        budget = self.budget.part(situation.share)
        try:
            analysis = analyse(situation, budget, self.backend, False, self.horizon, begun=situation.asked)
        except SamplingError:
            return by_chance(situation)
        return analysis.moves[0].move


def _of_move(move: RootMove, seat: int, sign: int, line: tuple[str, ...]) -> MoveAnalysis:
    score = None if move.score is None else sign * move.score
    share = move.shares[seat]
    low, high = (share, share) if move.proven else wilson_interval(share, move.visits)
    return MoveAnalysis(move.number, move.visits, move.value, share, low, high, score, move.proven, line)


def _line(search: Search, move: RootMove, world: State) -> tuple[str, ...]:
    """A move and its most frequent continuation in the first world, in the words that the deciding seat reads.

    The line ends where its next move fails, or where the seat would not learn of it.
    """
    if not move.visits:
        return ()
    game = world.copy()
    first, seat, words = game.ply, search.seat, game.game.words
    try:
        for number in search.line(move.number):
            game.push_number(number)
        history = game.history[first:]
    except PlayError:
        return ()
    name = game.game.seats[seat]
    noticed = [record for record in history if not record.unnoticed or record.player == name]
    return tuple(f"{words.name(record.player)}: {record.labels[seat]}" for record in noticed)


def _drawn(situation: Situation, budget: Budget, clock: Clock) -> Sequence[State]:
    """As many worlds as the budget can use, in the order in which they were drawn.

    A single one is enough if only future chance is unknown, which the search draws. Raises SamplingError if none is
    found in time.
    """
    draw = partial(
        situation.sampler.states,
        hurry=partial(clock.is_up, SHARE_OF_WORLDS),
        too_late=partial(clock.is_over, SHARE_OF_FIRST_WORLDS),
        timed=clock.timed,
    )
    if budget.iterations is not None and budget.iterations <= 1:
        return draw(1)
    before = perf_counter()
    first = draw(FIRST_WORLDS)
    if is_known(first[0].game):
        return first[:1]
    if budget.iterations is not None:
        count = max(1, min(budget.iterations, MAX_WORLDS, MIN_WORLDS + budget.iterations // ITERATIONS_OF_A_WORLD))
    else:
        pace = (perf_counter() - before) / FIRST_WORLDS
        count = min(MAX_WORLDS, int(SHARE_OF_WORLDS * clock.left() / max(pace, 1e-6)))
    return first if count <= FIRST_WORLDS else draw(count)
