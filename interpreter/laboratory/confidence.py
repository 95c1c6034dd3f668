"""Anytime-valid confidence intervals for a mean of values from 0 to 1.

An ordinary 95 % interval is wrong in more than 5 % of cases if a series continues until the interval looks good. These
are confidence sequences by betting (Waudby-Smith and Ramdas 2024; the bets are those of a portfolio, Orabona and Jun
2021). To test whether the mean is m, a gambler starts with a capital of 1 and bets on each value at odds that are fair
if it is: a value x multiplies the capital by b x / m + (1 - b) (1 - x) / (1 - m), which is 1 on average. By Ville's
inequality the probability that the capital ever reaches 20 is at most 1 in 20; if it does, m is excluded for good. The
capital is spread over several b, some close to m and some far from it, because the strength of the bots is unknown.

The values need not be 0 or 1, nor independent: it is enough that, given all earlier values, the mean of the next one is
m. The price is an interval about 1.7 times as wide as one for a number of values fixed in advance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import exp, log

ERROR = 0.05
"""The probability with which an interval ever misses the true mean."""

DISTANCES = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4)
"""The distances of the bets from the mean that is tested, in both directions, as differences of log odds."""

STEPS = 30
"""The number of times the range of a bound is halved."""

NARROWEST = 1e-6
"""The smallest distance from 0 and 1 at which bounds are sought."""


def log_capital(values: Mapping[float, int], mean: float) -> float:
    """The logarithm of a gambler's capital after betting against a mean; `values` come with how often each occurred."""
    odds = log(mean / (1 - mean))
    gains = []
    for distance in DISTANCES:
        for target in (odds - distance, odds + distance):
            bet = 1 / (1 + exp(-target))
            up, down = bet / mean, (1 - bet) / (1 - mean)
            gains.append(sum(count * log(value * up + (1 - value) * down) for value, count in values.items()))
    most = max(gains)
    return most + log(sum(exp(gain - most) for gain in gains) / len(gains))


def excluded(values: Mapping[float, int], mean: float) -> bool:
    """True if these values exclude the mean."""
    return log_capital(values, mean) >= -log(ERROR)


def interval(values: Iterable[float]) -> tuple[float, float]:
    """The means that the values do not exclude; everything from 0 to 1 if there are no values."""
    counts = Counter(values)
    number = sum(counts.values())
    if not number:
        return 0.0, 1.0
    mean = sum(value * count for value, count in counts.items()) / number
    return _bound(counts, mean, 0.0), _bound(counts, mean, 1.0)


def _bound(counts: Mapping[float, int], mean: float, end: float) -> float:
    """The last mean that is not excluded on the way from the observed mean to an end."""
    inside, outside = min(max(mean, NARROWEST), 1 - NARROWEST), min(max(end, NARROWEST), 1 - NARROWEST)
    if not excluded(counts, outside):
        return end
    for _ in range(STEPS):
        middle = (inside + outside) / 2
        inside, outside = (inside, middle) if excluded(counts, middle) else (middle, outside)
    return outside


def decided_after(values: Sequence[float], mean: float) -> int | None:
    """The number of values after which the mean was excluded for the first time; None if it never was."""
    counts: Counter[float] = Counter()
    for number, value in enumerate(values, 1):
        counts[value] += 1
        if excluded(counts, mean):
            return number
    return None
