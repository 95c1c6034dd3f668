"""States drawn at random from all those that a seat cannot tell apart from the real one."""

from __future__ import annotations

from typing import Generic

from interpreter.analysis.resampling import Sampled, resampled


class Sampler(Generic[Sampled]):
    """Draws states that agree with everything one seat has observed.

    What is drawn follows from the seed and from the observations alone.
    """

    def __init__(self, state: Sampled, player: str, seed: int) -> None:
        self._state, self._player, self._seed = state, player, seed

    def states(self, count: int) -> list[Sampled]:
        """Draw states with the same decision pending, the same legal moves in words, and a new future of chance."""
        return [resampled(self._state, self._player, self._seed + number) for number in range(count)]
