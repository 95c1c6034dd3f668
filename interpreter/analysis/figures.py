"""Means over many games, with 95% confidence intervals, and the extremes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from math import sqrt

from dsl.lazy_dataclasses import dataclass

NORMAL_QUANTILE = 1.959963984540054
"""The 97.5% point of the normal distribution."""
STUDENT_QUANTILES = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776}
"""The 97.5% points of Student's distributions with too few degrees of freedom for the expansion."""


@dataclass(frozen=True)
class Figure:
    """A mean with the bounds of its 95% confidence interval, and the extremes; bounds are None where undefined."""

    mean: float
    low: float | None
    high: float | None
    least: float
    most: float

    def __str__(self) -> str:
        interval = "" if self.low is None or self.high is None else f" ({self.low:.4g} to {self.high:.4g})"
        return f"{self.mean:.4g}{interval}"


def half_width(low: float | None, high: float | None) -> float:
    """Half the width of an interval of shares, or of their differences; 1 where it is not known at all."""
    return 1.0 if low is None or high is None else (high - low) / 2


def figure(values: Iterable[float]) -> Figure:
    """Compute mean, interval and extremes; no interval for a single value."""
    counts = Counter(values)
    number = sum(counts.values())
    if not number:
        return Figure(0.0, None, None, 0.0, 0.0)
    mean = mean_of(counts, number)
    if number == 1:
        return Figure(mean, None, None, mean, mean)
    variance = sum(count * (value - mean) ** 2 for value, count in counts.items()) / (number - 1)
    half = student_quantile(number - 1) * sqrt(variance / number)
    return Figure(mean, mean - half, mean + half, min(counts), max(counts))


def amount(values: Iterable[float]) -> Figure:
    """Compute mean, interval and extremes of values that cannot be negative, such as counts; no bound is negative.

    A score interval like Wilson's, for a variance in proportion to the mean, like that of the number of independent
    events; the factor is estimated from the values. If all are 0 it cannot be, and that of independent events is used.
    No interval for a single value.
    """
    normal = figure(values := list(values))
    if normal.low is None:
        return normal
    if not normal.most:
        return replace(normal, high=NORMAL_QUANTILE**2 / len(values))
    middle = (normal.mean - normal.low) ** 2 / (2 * normal.mean)
    half = sqrt(middle * (2 * normal.mean + middle))
    return replace(normal, low=max(0.0, normal.mean + middle - half), high=normal.mean + middle + half)


def within(values: Iterable[float]) -> Figure:
    """Compute mean, interval and extremes of values from 0 to 1 that need not be 0 or 1; bounds lie within these.

    A score interval like Wilson's, for a variance in proportion to that of shares with the same mean; the factor is
    estimated from the values. If all are 0 or all are 1 it cannot be, and its maximum is used. No interval for a single
    value.
    """
    normal = figure(values := list(values))
    if normal.low is None:
        return normal
    mean, most = normal.mean, normal.mean * (1 - normal.mean)
    spread = (mean - normal.low) ** 2 / most if most else NORMAL_QUANTILE**2 / len(values)
    low, high = _score_interval(mean, spread)
    return replace(normal, low=low, high=high)


def share(values: Iterable[float]) -> Figure:
    """Compute the mean of values from 0 to 1 with Wilson's score interval: it stays within 0 and 1 and is never empty.

    If some values lie in between, such as those of shared wins, the interval is narrower, as it would be for more
    values.
    """
    counts = Counter(values)
    number = sum(counts.values())
    if not number:
        return Figure(0.0, None, None, 0.0, 0.0)
    mean = mean_of(counts, number)
    low, high = wilson_interval(mean, number / _dispersion(counts, number))
    return Figure(mean, low, high, min(counts), max(counts))


def wilson_interval(mean: float, count: float) -> tuple[float, float]:
    """Wilson's 95% score interval for the mean of `count` values that are 0 or 1; everything if there are none.

    For values in between it is too wide, unless `count` is increased accordingly.
    """
    return _score_interval(mean, NORMAL_QUANTILE**2 / count) if count else (0.0, 1.0)


def _score_interval(mean: float, spread: float) -> tuple[float, float]:
    """The true means from which an observed one differs by at most the width of an interval around the true one.

    `spread` is the square of half that width, relative to the variance of values that are 0 or 1.
    """
    divisor = 1 + spread
    centre = (mean + spread / 2) / divisor
    half = sqrt(spread * (mean * (1 - mean) + spread / 4)) / divisor
    return max(0.0, min(mean, centre - half)), min(1.0, max(mean, centre + half))


def _dispersion(counts: Counter[float], number: int) -> float:
    """The variance of values from 0 to 1, relative to that of values that are all 0 or 1 and have the same mean.

    A value of 0 and a value of 1 are added, so that the result is positive even if all values are equal.
    """
    between = sum(count * value * (1 - value) for value, count in counts.items())
    mean = (mean_of(counts, number) * number + 1) / (number + 2)
    return 1 - between / ((number + 2) * mean * (1 - mean))


def mean_of(counts: Counter[float], number: int) -> float:
    """The mean of this number of values, at least one, by how often each occurred."""
    return sum(value * count for value, count in counts.items()) / number


def student_quantile(freedom: int) -> float:
    """The 97.5% point of Student's distribution (Cornish-Fisher expansion; from a table for small samples)."""
    if freedom in STUDENT_QUANTILES:
        return STUDENT_QUANTILES[freedom]
    z = NORMAL_QUANTILE
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3
