"""The greedy bot: the move after which it would be furthest ahead, judged by the first number of `winner`.

Positions are evaluated on average over some worlds. Ties are broken by a few random games, and remaining ties at
random.
"""

from __future__ import annotations

from random import Random

from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.search_states import SearchState, search_state
from interpreter.arguments import Backend
from interpreter.errors import PlayError, SamplingError
from interpreter.opponents.budgets import Budget, Clock
from interpreter.opponents.evaluation import HORIZON, NEUTRAL, Scoring, scoring_of, values_after_one_move
from interpreter.opponents.situation import Situation, by_chance, checked_situation
from interpreter.play.game import State

WORLDS = 8
MOST_COMPARED = 16
"""At most this many equally good moves are compared by a random game in each world."""

SAME = 1e-9
"""Values that differ by no more are equal."""


@dataclass(frozen=True, slots=True)
class Greedy:
    """A bot that looks no further than its next position."""

    backend: Backend | None = None

    def choose(self, situation: Situation) -> int:
        """The index of a legal move."""
        if len(checked_situation(situation).legal_moves) == 1:
            return 0
        clock = Clock(Budget(iterations=1), situation.stop)
        try:
            states = situation.sampler.states(WORLDS, clock.is_up)
        except SamplingError:
            return by_chance(situation)
        scoring = scoring_of(states[0], self.backend, clock.is_up)
        worlds = [search_state(state, self.backend) for state in states]
        seat = worlds[0].seat
        values = values_after_one_move(worlds, seat, scoring, clock.is_up)
        best = max(values)
        alike = [number for number, value in enumerate(values) if value >= best - SAME]
        if len(alike) == 1 or clock.is_up():
            return alike[0]
        rng = Random(situation.seed)
        seed = rng.getrandbits(48)
        if len(alike) > MOST_COMPARED:
            alike = sorted(rng.sample(alike, MOST_COMPARED))
        sums = dict.fromkeys(alike, 0.0)
        for number, world in enumerate(worlds):
            if clock.is_up():
                break
            for move in alike:
                sums[move] += _played_on(world, move, seed + number, seat, scoring)
        most = max(sums.values())
        return rng.choice([move for move in alike if sums[move] >= most - SAME])


def _played_on(world: SearchState[State], move: int, seed: int, seat: int, scoring: Scoring) -> float:
    """The value of a random game after a move; all moves meet the same seeds."""
    try:
        world.push(move)
    except PlayError:
        return NEUTRAL
    try:
        return scoring.values(*world.rollout(seed, HORIZON))[seat]
    except PlayError:
        return NEUTRAL
    finally:
        world.pop()
