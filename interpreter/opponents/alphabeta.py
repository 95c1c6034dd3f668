"""Alpha-beta search with iterative deepening, for two seats with perfect information and no chance in play.

The value of a position is from the point of view of the deciding seat. A win in n decisions is worth `WIN - n`, so that
the nearest win and the farthest loss are preferred; a game that nobody wins is worth 0. Where the search stops before
the end, the value is the seat's lead in the first criterion of `winner`.
"""

from __future__ import annotations

from random import Random
from typing import Generic

from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.search_states import Begun, SearchState, search_state
from interpreter.arguments import Backend
from interpreter.opponents.budgets import MOST_AHEAD, Budget, Clock
from interpreter.opponents.situation import Situation
from interpreter.runtime.cells import Move as Code
from interpreter.runtime.ranking import leaders, ranks_of

WIN = 1 << 40
"""The value of an immediate win."""
SURE = WIN - MOST_AHEAD
"""Values of at least this size, positive or negative, are those of decided games."""
BETWEEN_LOOKS = 32
"""Number of positions between two checks of the clock."""
MOST_KEPT = 300_000
"""Maximum number of positions in the transposition table."""

EXACT, AT_LEAST, AT_MOST = range(3)
"""Whether a stored value is exact or a bound."""


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
        return best_move(state, self.depth, clock, seed=situation.seed).move


def best_move(
    state: Begun, depth: int | None = None, clock: Clock | None = None, *, seed: int = 0, backend: Backend | None = None
) -> Found:
    """Search for the best move in a state that is not over, to the end of the game or to a depth.

    Ties are broken by the seed. When the time is up, the result is the best move found by then.
    """
    search = _Search(search_state(state, backend), clock or Clock(Budget(), lambda: False), Random(seed))
    return search.deepened(MOST_AHEAD if depth is None else min(MOST_AHEAD, depth))


class _Stopped(Exception):
    """Raised within a search that is to end."""


Kept = tuple[int, int, int, int | None]
"""An entry of the transposition table: the value, its kind, the depth of the search, and the best move."""


class _Search(Generic[Begun]):
    """One search from one position."""

    def __init__(self, state: SearchState[Begun], clock: Clock, random: Random) -> None:
        self.state, self.clock, self.random = state, clock, random
        self.conditions = state.game.program.conditions
        self.table: dict[int, Kept] = {}
        self.good: dict[tuple[str | None, Code], int] = {}
        self.looked = 0
        self.stopped = False
        self.cut = False
        """True once a line has been cut off at the depth limit: a deeper search may find something better."""

    def deepened(self, deepest: int) -> Found:
        """Iterative deepening, until the outcome is known or the search is stopped."""
        order = list(range(self.state.move_count))
        self.random.shuffle(order)
        best = Found(order[0], 0, 0, exact=False)
        for depth in range(1, deepest + 1):
            self.cut = False
            best = self._best(order, depth, best)
            if best.exact or self.stopped:
                break
            order.remove(best.move)
            order.insert(0, best.move)
        return best

    def _best(self, order: list[int], depth: int, before: Found) -> Found:
        """Search the moves, the best one of the previous search first; if stopped, return the best one so far."""
        best: Found | None = None
        try:
            for number in order:
                value = self._after(number, depth, 0, -WIN if best is None else best.value, WIN)
                if best is None or value > best.value:
                    best = Found(number, value, depth, exact=False)
        except _Stopped:
            self.stopped = True
            return best or before
        assert best is not None
        return Found(best.move, best.value, depth, exact=not self.cut or best.result != 0)

    def _after(self, number: int, depth: int, ply: int, low: int, high: int) -> int:
        """The value of a move for the seat that makes it."""
        state, mover = self.state, self.state.player
        state.push(number)
        if state.over:
            value = self._final(ply + 1) if mover == state.seats[0] else -self._final(ply + 1)
        elif state.player == mover:
            value = self._value(depth - 1, ply + 1, low, high)
        else:
            value = -self._value(depth - 1, ply + 1, -high, -low)
        state.pop()
        return value

    def _value(self, depth: int, ply: int, low: int, high: int) -> int:
        """The value of a position that is not over, within the window of two bounds."""
        state = self.state
        if depth <= 0 or ply >= MOST_AHEAD:
            self.cut = True
            return self._margin()
        self._look()
        key = state.key()
        kept = self.table.get(key)
        first = None
        if kept is not None:
            value, says, searched, first = kept
            value = value - ply if value >= SURE else value + ply if value <= -SURE else value
            if searched >= depth and (
                says == EXACT or (says == AT_LEAST and value >= high) or (says == AT_MOST and value <= low)
            ):
                self.cut = self.cut or searched < MOST_AHEAD
                return value
        return self._searched(key, first, depth, ply, low, high)

    def _searched(self, key: int, first: int | None, depth: int, ply: int, low: int, high: int) -> int:
        state, player = self.state, self.state.player
        codes = state.legal_moves
        order = sorted(range(len(codes)), key=lambda number: -self.good.get((player, codes[number]), 0))
        if first is not None:
            order.remove(first)
            order.insert(0, first)
        cut_before, self.cut = self.cut, False
        best, choice, bar = -WIN, order[0], low
        for number in order:
            value = self._after(number, depth, ply, bar, high)
            if value > best:
                best, choice = value, number
                bar = max(bar, best)
                if bar >= high:
                    known = (player, codes[number])
                    self.good[known] = self.good.get(known, 0) + depth * depth
                    break
        says = AT_LEAST if best >= high else AT_MOST if best <= low else EXACT
        if len(self.table) < MOST_KEPT or key in self.table:
            distant = best + ply if best >= SURE else best - ply if best <= -SURE else best
            self.table[key] = distant, says, depth if self.cut else MOST_AHEAD, choice
        self.cut = self.cut or cut_before
        return best

    def _look(self) -> None:
        """Check the clock from time to time. Raises `_Stopped`."""
        self.looked += 1
        if self.looked % BETWEEN_LOOKS == 0 and self.clock.is_up():
            raise _Stopped

    def _final(self, ply: int) -> int:
        """The value of a game that is over, for the first seat."""
        scores = self.state.scores()
        winners = () if scores is None else leaders(ranks_of(scores, self.conditions))
        return 0 if len(winners) != 1 else WIN - ply if winners[0] == 0 else ply - WIN

    def _margin(self) -> int:
        """The lead of the deciding seat in the first criterion."""
        scores = self.state.scores()
        if scores is None:
            return 0
        own = self.state.seats.index(self.state.player or self.state.seats[0])
        return max(1 - SURE, min(SURE - 1, scores[own][0] - scores[1 - own][0]))
