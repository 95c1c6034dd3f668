"""Worlds: states drawn from what a seat knows, converted to search states and used in rotation."""

from __future__ import annotations

from functools import partial
from time import perf_counter
from typing import Self

from interpreter.analysis.search_states import SearchState, search_state
from interpreter.arguments import Backend
from interpreter.opponents.budgets import Budget, Clock
from interpreter.opponents.information import is_known
from interpreter.opponents.situation import Situation
from interpreter.play.game import State

FEWEST, MOST = 16, 512
ITERATIONS_OF_A_WORLD = 32
"""One more world is drawn for each of this many iterations, as drawing one takes as long as several of them."""

SHARE_OF_TIME = 0.25
"""The fraction of the time that may be spent on drawing worlds."""

SHARE_FOR_THE_FIRST = 0.35
"""The fraction of the time after which the search uses worlds that need not agree with everything observed."""

FIRST = 2
"""The number of worlds drawn to see how long that takes."""


class Worlds:
    """The states that a search was given, in the order in which they were drawn."""

    def __init__(self, states: list[State], backend: Backend | None) -> None:
        self.states = states
        self.searched: list[SearchState[State]] = []
        self.backend = backend

    @classmethod
    def drawn(cls, situation: Situation, budget: Budget, clock: Clock, backend: Backend | None) -> Self:
        """Draw as many worlds as the budget can use.

        A single one is enough if only future chance is unknown, which the search draws. Raises SamplingError if none is
        found in time.
        """
        draw = partial(
            situation.sampler.states,
            hurry=partial(clock.is_up, SHARE_OF_TIME),
            too_late=partial(clock.is_over, SHARE_FOR_THE_FIRST),
            timed=clock.timed,
        )
        if budget.iterations is not None and budget.iterations <= 1:
            return cls(list(draw(1)), backend)
        before = perf_counter()
        first = list(draw(FIRST))
        if is_known(first[0].game):
            return cls(first[:1], backend)
        if budget.iterations is not None:
            count = worlds_for(budget.iterations)
        else:
            pace = (perf_counter() - before) / FIRST
            count = min(MOST, int(SHARE_OF_TIME * clock.left() / max(pace, 1e-6)))
        return cls(first if count <= FIRST else list(draw(count)), backend)

    def __len__(self) -> int:
        return len(self.states)

    def __getitem__(self, number: int) -> SearchState[State]:
        """The world with a number, modulo their count."""
        place = number % len(self.states)
        while len(self.searched) <= place:
            self.searched.append(search_state(self.states[len(self.searched)], self.backend))
        return self.searched[place]


def worlds_for(iterations: int) -> int:
    """The number of worlds for a search with a number of iterations."""
    return max(1, min(iterations, MOST, FEWEST + iterations // ITERATIONS_OF_A_WORLD))
