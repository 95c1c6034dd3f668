"""Ratings of bots from their games against each other: a Bradley-Terry model, fitted by the library `choix`.

The strengths of two bots differ by the logarithm of the odds of one against the other. `choix` approximates their
posterior distribution by expectation propagation, from a wide prior, so that a bot that has won every game has a
rating and an interval, too. Ratings are on the scale of Elo: 400 points are odds of ten to one; their mean is 0.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from math import log, sqrt
from typing import Any

from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.figures import NORMAL_QUANTILE

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
