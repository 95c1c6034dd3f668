"""Distributions of values over games: counts or, where there are many different values, smoothed curves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import exp, floor, log10, pi, sqrt

from dsl.lazy_dataclasses import dataclass

FEW_VALUES, MOST_VALUES = 12, 40
"""The widest ranges of whole numbers in which each is counted: in any case, and if there are many games."""
SMOOTH_GAMES_PER_VALUE = 40
"""The number of games per value that makes counts look smooth."""
CURVE_POINTS = 96
"""The number of points of a smoothed curve."""
MOST_BARS = 30


@dataclass(frozen=True)
class Bar:
    """A bar of a histogram: the values from `first` to `last`, and how many games have one of them."""

    first: float
    last: float
    games: int


def is_counted(values: Sequence[float], games: int) -> bool:
    """True if the games with each value can be counted: they are whole numbers in a small range."""
    span = max(values) - min(values)
    few = span <= FEW_VALUES or (span <= MOST_VALUES and games >= SMOOTH_GAMES_PER_VALUE * span)
    return few and all(float(value).is_integer() for value in values)


def counts(values: Sequence[float], least: float, most: float) -> list[tuple[float, float]]:
    """The share of the games with each whole number from `least` to `most`."""
    frequencies = Counter(values)
    return [(value, frequencies[value] / len(values)) for value in range(int(least), int(most) + 1)]


def smoothed(values: Sequence[float], least: float, most: float) -> list[tuple[float, float]]:
    """A kernel density estimate from `least` to `most`, with normal kernels of Silverman's bandwidth."""
    frequencies = Counter(values)
    width = _bandwidth(sorted(values)) or (most - least) / CURVE_POINTS or 1.0
    scale = 1 / (len(values) * width * sqrt(2 * pi))
    points = [least + (most - least) * index / (CURVE_POINTS - 1) for index in range(CURVE_POINTS)]
    return [
        (at, scale * sum(count * exp(-0.5 * ((at - value) / width) ** 2) for value, count in frequencies.items()))
        for at in points
    ]


def _bandwidth(ordered: Sequence[float]) -> float:
    """The bandwidth of the kernels: Silverman's rule of thumb."""
    mean = sum(ordered) / len(ordered)
    deviation = sqrt(sum((value - mean) ** 2 for value in ordered) / len(ordered))
    spread = (quantile(ordered, 0.75) - quantile(ordered, 0.25)) / 1.34
    return float(0.9 * (min(deviation, spread) or deviation) * len(ordered) ** -0.2)


def quantile(ordered: Sequence[float], part: float) -> float:
    """The value below which a part of the ordered values lies, interpolated if it is between two of them."""
    place = part * (len(ordered) - 1)
    lower = floor(place)
    upper = min(lower + 1, len(ordered) - 1)
    return ordered[lower] + (ordered[upper] - ordered[lower]) * (place - lower)


def histogram(values: Sequence[float]) -> list[Bar]:
    """Bars of equal width that hold all values.

    The width is 1, 2 or 5 times a power of ten, and a whole number if all values are.
    """
    least, most = min(values), max(values)
    integral = all(float(value).is_integer() for value in values)
    width = nice((most - least) / MOST_BARS)
    width = max(1, width) if integral else width
    first = floor(least / width)
    games_by_bar = Counter(floor(value / width) - first for value in values)
    return [
        Bar((first + index) * width, (first + index + 1) * width - (1 if integral else 0), games_by_bar[index])
        for index in range(max(games_by_bar) + 1)
    ]


def nice(width: float) -> float:
    """The next number that is 1, 2 or 5 times a power of ten."""
    if width <= 0:
        return 1.0
    power = 10.0 ** floor(log10(width))
    return next(times * power for times in (1, 2, 5, 10) if times * power >= width * (1 - 1e-9))
