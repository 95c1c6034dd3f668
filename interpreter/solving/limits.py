"""Limits of solving: how many positions, and how long."""

from __future__ import annotations

from time import perf_counter

from dsl.lazy_dataclasses import dataclass
from dsl.text.nouns import counted
from interpreter.errors import RunError

CLOCK_INTERVAL = 1024
"""The number of positions after which the clock is read again."""


class TooLargeError(RunError):
    """A game is too large to be solved within the limits."""


@dataclass(frozen=True)
class Limits:
    """The greatest number of positions, or of histories for a game with hidden information.

    `end` is when to give up, in the seconds of `perf_counter`.
    """

    positions: int
    end: float

    def check(self, positions: int, noun: str = "position") -> None:
        """Raise TooLargeError if there are too many, or if the time is up. `noun` says what they are in the message."""
        if positions > self.positions:
            raise TooLargeError(f"there are more than {counted(self.positions, noun)}")
        if positions % CLOCK_INTERVAL == 0 and perf_counter() > self.end:
            raise TooLargeError(f"the time was up after {counted(positions, noun)}")

    @property
    def seconds_left(self) -> float:
        """How long may still be searched."""
        return max(0.0, self.end - perf_counter())
