"""Limits of solving: how many positions, and how long."""

from __future__ import annotations

from time import perf_counter

from dsl.lazy_dataclasses import dataclass
from dsl.text.nouns import counted
from interpreter.errors import RunError

BETWEEN_LOOKS = 1024
"""The number of positions between two looks at the clock."""


class TooLargeError(RunError):
    """A game is too large to be solved within the limits."""


@dataclass(frozen=True)
class Limits:
    """At most this many positions, or histories of a game with hidden information, until a time of `perf_counter`."""

    positions: int
    end: float

    def check(self, positions: int, what: str = "position") -> None:
        """Raise TooLargeError if there are too many, or if the time is up, which is looked at now and then."""
        if positions > self.positions:
            raise TooLargeError(f"there are more than {counted(self.positions, what)}")
        if positions % BETWEEN_LOOKS == 0 and perf_counter() > self.end:
            raise TooLargeError(f"the time was up after {counted(positions, what)}")

    @property
    def left(self) -> float:
        """The seconds that are left."""
        return max(0.0, self.end - perf_counter())
