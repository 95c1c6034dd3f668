"""The bot `alphabeta`: alpha-beta search with iterative deepening, for two seats with perfect information.

The routine (`compiler/machine/routines/alpha_beta.py`) searches one depth and explains what values mean.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.search_states import Begun, search_state
from interpreter.analysis.searches import RunningSearch, search_from
from interpreter.arguments import Backend
from interpreter.compiler.machine.routines import alpha_beta as routine
from interpreter.compiler.machine.routines.alpha_beta import MAX_AHEAD, SURE
from interpreter.compiler.machine.searches import LOOKAHEAD
from interpreter.opponents.budgets import Budget, Clock
from interpreter.opponents.evaluation import place_of_score
from interpreter.opponents.situation import Considered, Situation

MAX_POSITIONS = 1 << 18
"""Maximum number of positions in the transposition table."""

MAX_STACKED_MOVES = 1 << 18
"""Maximum number of moves of all positions that are open at the same time."""

MAX_LISTED_MOVES = 1 << 13
"""Positions with more legal moves are not searched further."""

GOOD_ENTRIES = 1 << 16
MOVES_OF_FIRST_CALL, CALL_SECONDS = 64, 0.01
"""The number of moves of the first call, and the time of further ones: in between, the search looks at the clock."""


class _RuleFailedError(Exception):
    """A rule failed in the machine engine."""


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a search: the best move by its number, its value, and the depth of the search in decisions.

    `exact`: every line was searched to the end of the game, or refuted by a better one, so the value is the true one.
    """

    move: int
    value: int
    depth: int
    exact: bool

    @property
    def result(self) -> int:
        """1 if the deciding seat wins, -1 if it loses, 0 for a draw or if undecided."""
        return (self.value >= SURE) - (self.value <= -SURE)


class AlphaBeta:
    """A bot that uses alpha-beta search: to a fixed depth, for some seconds, or until the outcome is known."""

    def __init__(self, depth: int | None = None, seconds: float | None = None) -> None:
        self.depth, self.seconds = depth, seconds

    def choose(self, situation: Situation) -> int:
        """The index of the best move found."""
        clock = Clock(Budget(seconds=self.seconds).part(situation.share), situation.stop, situation.asked)
        if len(situation.legal_moves) == 1:
            return 0
        (state,) = situation.sampler.states(1)
        return best_move(state, self.depth, clock, seed=situation.seed, report=situation.report).move


def best_move(
    state: Begun, depth: int | None = None, clock: Clock | None = None, *, seed: int = 0,
    backend: Backend | None = None, report: Callable[[Considered], None] = lambda _: None,
) -> Found:  # fmt: skip
    """Search for the best move in a state that is not over, to the end of the game or to a depth.

    Ties are broken by the seed. When the time is up, the result is the best move found by then. Raises PlayError if a
    rule fails.
    """
    begun = search_state(state, backend)
    order = list(range(begun.move_count))
    Random(seed).shuffle(order)
    winner = state.program.model.winner
    assert winner is not None
    numbers = [0] * _NUMBERS
    numbers[routine.BEST] = order[0]
    numbers[routine.STACK_ROOM], numbers[routine.MOVE_ROOM] = MAX_STACKED_MOVES, MAX_LISTED_MOVES
    numbers[routine.TABLE_MASK], numbers[routine.GOOD_MASK] = 2 * MAX_POSITIONS - 1, GOOD_ENTRIES - 1
    numbers[routine.CRITERIA] = len(winner.criteria)
    numbers[routine.SCORE_PLACE] = place_of_score(state.program, together=False) or 0
    of_positions = ("first_hashes", "second_hashes", "values", "searched")
    lengths = {
        "numbers": _NUMBERS, "order": len(order), "own_keys": MAX_LISTED_MOVES, "public_keys": MAX_LISTED_MOVES,
        "stack": MAX_STACKED_MOVES, **dict.fromkeys(OF_OPEN_POSITIONS, MAX_AHEAD + 1),
        **dict.fromkeys(of_positions, 2 * MAX_POSITIONS),
        "good_keys": GOOD_ENTRIES, "good": GOOD_ENTRIES,
    }  # fmt: skip
    contents = {"Lookahead": {"numbers": numbers}}
    search = search_from(LOOKAHEAD, [begun], {"Lookahead": lengths}, contents, past=MAX_AHEAD + 1)
    deepest = MAX_AHEAD if depth is None else min(MAX_AHEAD, depth)
    try:
        return _deepened(search, order, deepest, clock or Clock(Budget(), lambda: False), report)
    except _RuleFailedError:  # Python says which
        return best_move(state, depth, clock, seed=seed, backend="python", report=report)


_NUMBERS = routine.SCORE_PLACE + 1
OF_OPEN_POSITIONS = (
    "depths", "lows", "highs", "bests", "choices", "tried", "counts", "bases", "open_first", "open_second",
    "cut_before", "signs",
)  # fmt: skip


def _deepened(
    search: RunningSearch, order: list[int], deepest: int, clock: Clock, report: Callable[[Considered], None]
) -> Found:
    """Iterative deepening, until the outcome is known or the time is up."""
    numbers = search.arrays["Lookahead"]["numbers"]
    best = Found(order[0], 0, 0, exact=False)
    for depth in range(1, deepest + 1):
        for place, number in enumerate(order):
            search.arrays["Lookahead"]["order"][place] = number
        if not _searched(search, depth, len(order), clock):
            return Found(numbers[routine.BEST], numbers[routine.BEST_VALUE], depth - 1, exact=False)
        was_cut = bool(numbers[routine.WAS_CUT])
        best = Found(numbers[routine.BEST], numbers[routine.BEST_VALUE], depth, exact=False)
        if not was_cut or best.result != 0:
            return Found(best.move, best.value, depth, exact=True)
        order.remove(best.move)
        order.insert(0, best.move)
        report(Considered(((best.move, None),), depth=depth))
    return best


def _searched(search: RunningSearch, depth: int, count: int, clock: Clock) -> bool:
    """Search one depth; false if the time was up before. One move ahead is always searched, whatever time it is."""
    numbers, limit = search.arrays["Lookahead"]["numbers"], MOVES_OF_FIRST_CALL
    search.call("ahead_begin", depth, count)
    while depth == 1 or not clock.is_up():
        seconds = clock.seconds
        complete = search.call("ahead_run", limit)
        if complete:
            return True
        if complete is None and numbers[routine.IS_UNSCORED]:
            raise search.fault or _RuleFailedError
        if complete is None:
            # A criterion may have no value before the end of the game: then nobody is ahead there.
            numbers[routine.IS_UNSCORED] = 1
            search.call("ahead_begin", depth, count)
        elif clock.seconds - seconds < CALL_SECONDS:
            limit *= 2
    return False
