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

import importlib
from collections import Counter
from collections.abc import Iterable, Mapping
from math import exp, log, sqrt
from typing import Any

from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.figures import NORMAL_QUANTILE

ERROR = 0.05
"""The probability with which an interval ever misses the true mean."""

DISTANCES = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4)
"""The distances of the bets from the mean that is tested, in both directions, as differences of log odds."""

STEPS = 30
"""The number of times the range of a bound is halved."""

MIN_DISTANCE = 1e-6
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
    inside, outside = min(max(mean, MIN_DISTANCE), 1 - MIN_DISTANCE), min(max(end, MIN_DISTANCE), 1 - MIN_DISTANCE)
    if not excluded(counts, outside):
        return end
    for _ in range(STEPS):
        middle = (inside + outside) / 2
        inside, outside = (inside, middle) if excluded(counts, middle) else (middle, outside)
    return outside


# ---- Ratings of bots from their games against each other: a Bradley-Terry model, fitted by the library `choix`
# The strengths of two bots differ by the logarithm of the odds of one against the other. `choix` approximates their
# posterior distribution by expectation propagation, from a wide prior, so that a bot that has won every game has a
# rating and an interval, too. Ratings are on the scale of Elo: 400 points are odds of ten to one; their mean is 0.


EXTRA = "pip install 'regelwerk[arena]'"
"""The command that installs the library."""

SCALE = 400 / log(10)
PRECISION = 0.1
"""The variance of the prior of a strength: a standard deviation of 3.2, or 550 points."""

MAX_WINS = 1000
"""Maximum number of wins passed to the library; larger numbers are scaled down, and the intervals narrowed
accordingly."""


@dataclass(frozen=True)
class Rating:
    """The rating of a bot with its 95 % interval."""

    rating: float
    low: float
    high: float


def ratings(bots: int, wins: Mapping[tuple[int, int], float]) -> list[Rating] | None:
    """The ratings of bots from their wins, by winner and loser, draws counted half to each; None without the library.

    Halves that do not add up to a win are dropped.
    """
    try:
        choix: Any = importlib.import_module("choix")
        chance: Any = importlib.import_module("numpy.random")
    except ImportError:
        return None
    part = min(1.0, MAX_WINS / max(1.0, sum(wins.values())))
    data = [pair for pair, number in wins.items() for _ in range(int(number * part + 1e-9))]
    random_state = chance.get_state()
    chance.seed(0)  # the library iterates over the games in random order until it converges
    try:
        means, covariance = choix.ep_pairwise(bots, data, PRECISION, model="logit")
    finally:
        chance.set_state(random_state)
    return [_rating(bot, means, covariance, part) for bot in range(bots)]


def _rating(bot: int, means: Any, covariance: Any, part: float) -> Rating:
    """The rating relative to the mean of all bots, as the games determine only differences."""
    bots = len(means)
    weights = [(1.0 if opponent == bot else 0.0) - 1 / bots for opponent in range(bots)]
    rating = sum(weight * float(mean) for weight, mean in zip(weights, means, strict=True))
    rows = [sum(weight * float(cell) for weight, cell in zip(weights, row, strict=True)) for row in covariance]
    variance = max(0.0, sum(weight * row for weight, row in zip(weights, rows, strict=True))) * part
    half = NORMAL_QUANTILE * sqrt(variance)
    return Rating(SCALE * rating, SCALE * (rating - half), SCALE * (rating + half))
