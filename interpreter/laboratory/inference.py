"""Inference from pairs of games about the mean difference: an interval, and a test of whether it is 0.

Both come from Student's distribution, so a difference is significant exactly if its interval does not contain 0. Shares
of games are adjusted as by Bonett and Price (2012): two pairs are added that differ as much as a pair can, in opposite
directions. Otherwise the interval would be too narrow if few pairs differ, and empty if none does. Values without
bounds cannot be adjusted like this; their interval would be meaningless while few pairs differ, so there is none.

The methods were chosen for their coverage in simulations (docs/laboratory.md). Fagerland, Lydersen and Laake (2014)
recommend the adjustment. The coverage of bootstrap intervals (BCa) is too low for fewer than 200 pairs.
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Any

from dsl.lazy_dataclasses import dataclass
from interpreter.errors import RunError

EXTRA = "pip install 'regelwerk[lab]'"
"""The command that installs the library."""

ERROR = 0.05
"""The probability that an interval misses the true mean, and that any of several tests errs."""

FEWEST = 10
"""The fewest pairs that must differ for an interval of values without bounds."""


@dataclass(frozen=True)
class MeanDifference:
    """The mean difference of pairs, and how many of them differ; without an interval and a test if too few do.

    `spread` is the standard deviation of the differences observed, `bounded` says that they lie between -1 and 1.
    """

    pairs: int
    differing: int
    mean: float
    low: float | None = None
    high: float | None = None
    p_value: float | None = None
    spread: float = 0.0
    bounded: bool = False

    def expected_half_width(self, pairs: int) -> float:
        """Half the width of the interval of this many pairs, at least two, if they differ as those observed do."""
        _, error = _centre_and_error(pairs, self.mean, self.spread, bounded=self.bounded)
        return _student_quantile(pairs) * error


def require_library() -> None:
    """Raise RunError, with the command that installs it, if the library is missing."""
    _library()


def _library() -> Any:
    try:
        return importlib.import_module("scipy.special")
    except ImportError:
        raise RunError(f"comparing needs the library scipy: {EXTRA}") from None


def mean_difference(differences: Iterable[float], *, bounded: bool) -> MeanDifference:
    """Estimate the mean of differences, at least one; `bounded` ones lie between -1 and 1 and are adjusted.

    A counter of differences works as well.
    """
    counts = Counter(differences)
    number = counts.total()
    differing = number - counts[0.0]
    mean = sum(count * value for value, count in counts.items()) / number
    if number < 2 or (differing < FEWEST and not bounded):
        return MeanDifference(number, differing, mean)
    spread = sqrt(sum(count * (value - mean) ** 2 for value, count in counts.items()) / number)
    centre, error = _centre_and_error(number, mean, spread, bounded=bounded)
    half = _student_quantile(number) * error
    low, high = centre - half, centre + half
    if bounded:
        low, high = max(-1.0, low), min(1.0, high)
    p_value = 2 * float(_library().stdtr(number - 1, -abs(centre) / error)) if error else 0.0
    return MeanDifference(number, differing, mean, low, high, p_value, spread, bounded)


def _centre_and_error(pairs: int, mean: float, spread: float, *, bounded: bool) -> tuple[float, float]:
    """The centre of the interval of a mean and its standard error; two pairs are added to bounded differences."""
    if not bounded:
        return mean, spread / sqrt(pairs - 1)
    size = pairs + 2
    centre = pairs * mean / size
    squares = pairs * (spread**2 + (mean - centre) ** 2) + (1 - centre) ** 2 + (1 + centre) ** 2
    return centre, sqrt(squares / size / size)  # adjusted shares are a whole distribution, not a sample from one


def _student_quantile(pairs: int) -> float:
    return float(_library().stdtrit(pairs - 1, 1 - ERROR / 2))


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Correct the p-values of several tests (Holm 1979), in the same order.

    If every test whose corrected p-value is at most `ERROR` is called significant, the probability that any of these
    verdicts is wrong is at most `ERROR`, however the tests depend on each other.
    """
    tested = sorted((value, place) for place, value in enumerate(p_values) if value is not None)
    corrected: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for rank, (value, place) in enumerate(tested):
        largest = max(largest, min(1.0, (len(tested) - rank) * value))
        corrected[place] = largest
    return corrected
