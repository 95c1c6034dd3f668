"""Budgets of a search: a number of iterations, which gives reproducible results, or a time."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Self

from dsl.lazy_dataclasses import dataclass
from interpreter.arguments import described
from interpreter.errors import UsageError
from interpreter.wording.phrases import Phrase

UNITS = {"ms": 0.001, "s": 1.0}
MOST_AHEAD = 256
"""Maximum depth of a search, in decisions."""
BETWEEN_QUESTIONS = 0.005
"""Seconds between two checks whether the move is wanted at once."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of a search: `iterations`, `seconds`, or both, whichever is reached first."""

    iterations: int | None = None
    seconds: float | None = None

    @classmethod
    def of(cls, text: str) -> Self:
        """Read `1000`, `200ms` or `1.5s`. Raises UsageError."""
        match = re.fullmatch(r"(\d{1,9}(?:\.\d{1,6})?)(ms|s)?", text, re.ASCII)
        if match is None or ("." in match[1] and not match[2]) or not float(match[1]):
            raise UsageError(
                Phrase(
                    "a budget is a number of iterations or a time, `1000` or `200ms`, not {text}", text=described(text)
                )
            )
        if not match[2]:
            return cls(iterations=int(match[1]))
        return cls(seconds=float(match[1]) * UNITS[match[2]])

    def part(self, share: float) -> Budget:
        """This share of the time; iterations are not divided, so that the choice does not depend on the share."""
        return self if self.seconds is None else Budget(self.iterations, self.seconds * share)

    def __str__(self) -> str:
        return f"{self.iterations}" if self.seconds is None else f"{round(self.seconds * 1000)}ms"


class Clock:
    """Decides when a search has to end: when its time is up, or when its move is requested.

    `begun` is the start of the time by `perf_counter`, by default now. `is_stopped`: the move was found to be
    wanted at once.
    """

    def __init__(self, budget: Budget, stop: Callable[[], bool], begun: float | None = None) -> None:
        self._stop, self.is_stopped = stop, False
        self._asked = perf_counter()
        self.begun = self._asked if begun is None else begun
        self._end = float("inf") if budget.seconds is None else self.begun + budget.seconds
        self.timed = budget.seconds is not None

    @property
    def seconds(self) -> float:
        """The elapsed time of the search."""
        return perf_counter() - self.begun

    def left(self) -> float:
        """The remaining seconds; infinite if iterations are counted."""
        return self._end - perf_counter()

    def is_up(self, share: float = 1.0) -> bool:
        """True if this share of the time is up, or the move is wanted at once."""
        now = perf_counter()
        if now - self._asked > BETWEEN_QUESTIONS:
            self._asked, self.is_stopped = now, self.is_stopped or self._stop()
        return self.is_stopped or self._is_past(share, now)

    def is_over(self, share: float = 1.0) -> bool:
        """True if this share of the time is up, even if the move is not wanted at once."""
        return self._is_past(share, perf_counter())

    def _is_past(self, share: float, now: float) -> bool:
        return self.timed and now > self.begun + share * (self._end - self.begun)

    def part_of_rest(self, share: float) -> Callable[[], bool]:
        """A predicate: this share of the remaining time is up, or the move is wanted at once."""
        gone = self.seconds / (self._end - self.begun)
        return partial(self.is_up, gone + share * (1.0 - gone))
