"""Statistics of random games, measured once per program and always with the same seeds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from statistics import fmean

from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.search_states import search_state
from interpreter.arguments import Backend
from interpreter.engine.program import Program, once_for_program
from interpreter.errors import PlayError
from interpreter.play.game import Game

STARTS, GAMES_OF_A_START = 16, 4
"""The number of setups from which random games are played, and of games from each."""

ENOUGH_DECISIONS, FEWEST = 2000, 16
"""Fewer games are enough if they have made this many decisions, but no fewer than this."""

HORIZON = 200
"""Number of decisions after which random games are cut off, unless another one is named."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Statistics of random games: mean, spread and greatest size of the margin.

    In a cooperative game the margin is the score itself. `stake` is the greatest score if the scores of all seats
    always add up to zero, and so are payments; otherwise 0.
    """

    mean: float
    deviation: float
    greatest: int
    stake: int


class RandomMargins:
    """The margins in random games of a program; more of them are played until there are enough."""

    def __init__(self) -> None:
        self._margins: list[int] = []
        self._stake, self._balanced = 0, True
        self._decisions = self._played = 0
        self.complete = False

    def play(
        self, game: Game, backend: Backend | None, criteria: int, margins_of: Callable[[Sequence[int]], list[int]],
        enough: Callable[[], bool],
    ) -> None:  # fmt: skip
        """Play the games that are missing; fewer if there is no time for more. Each seat has `criteria` criteria."""
        begun, search = -1, None
        while not self.complete and not enough():
            start = self._played // GAMES_OF_A_START
            try:
                if search is None or start != begun:
                    begun, search = start, search_state(game.start(start), backend)
                found = search.rollouts(1, self._played, HORIZON)
                self._decisions += found.decisions[0]
                if found.scored[0]:
                    self._margins += margins_of(found.scores)
                    self._weigh(found.scores[::criteria])
            except PlayError:
                search = None
            self._played += 1
            self.complete = self._played == STARTS * GAMES_OF_A_START or (
                self._played >= FEWEST and self._decisions > ENOUGH_DECISIONS
            )

    def _weigh(self, scores: Sequence[int]) -> None:
        """Record the scores of all seats in a game."""
        self._stake = max(self._stake, *map(abs, scores))
        self._balanced = self._balanced and sum(scores) == 0

    def spread(self) -> Spread:
        """The statistics."""
        margins = self._margins
        if not margins:
            return Spread(0.0, 1.0, 0, 0)
        mean = fmean(margins)
        deviation = sqrt(fmean((margin - mean) ** 2 for margin in margins))
        stake = self._stake if self._balanced else 0
        return Spread(mean, deviation or 1.0, max(map(abs, margins)), stake)


@once_for_program
def random_margins(program: Program) -> RandomMargins:
    """The margins that were measured so far for a program."""
    return RandomMargins()
