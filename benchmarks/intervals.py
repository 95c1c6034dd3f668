"""Coverage of 95 % intervals: Student's, the ones in use, and for differences the bootstrap.

    python -m benchmarks.intervals [REPETITIONS]

prints the tables of docs/laboratory.md. Values are drawn from distributions whose mean is known.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from interpreter.analysis.figures import Figure, amount, figure, within
from interpreter.laboratory.comparing import mean_difference

PAIRS = (50, 200, 1000)
MIN_FOR_BOOTSTRAP = 500
"""Beyond this number of pairs the bootstrap is slow and does not differ from the others."""

numpy: Any = import_module("numpy")
stats: Any = import_module("scipy.stats")

Draw = Callable[[Any, int], Any]


def shares(more: float, less: float) -> Draw:
    """Differences of wins: in some pairs B wins and A does not, in others the other way round."""
    return lambda random, pairs: random.choice([1.0, -1.0, 0.0], p=[more, less, 1 - more - less], size=pairs)


def lengths(random: Any, pairs: int) -> Any:
    """Differences of two memoryless (geometric) lengths."""
    return random.geometric(1 / 25, size=pairs) - random.geometric(1 / 20, size=pairs) * 1.0


def points(random: Any, pairs: int) -> Any:
    """Points from a skewed distribution: mostly few, occasionally very many."""
    return random.lognormal(0, 1, size=pairs)


CASES: tuple[tuple[str, Draw, float, bool], ...] = (
    ("win, 5 % each way", shares(0.05, 0.05), 0.0, True),
    ("win, 2 % and 1 %", shares(0.02, 0.01), 0.01, True),
    ("win, 30 % and 10 %", shares(0.3, 0.1), 0.2, True),
    ("win, 10 % one way", shares(0.1, 0.0), 0.1, True),
    ("length of a game", lengths, 5.0, False),
    ("points, very skewed", points, float(numpy.exp(0.5)), False),
)


SINGLE: tuple[tuple[str, Draw, float, Callable[[Any], Figure]], ...] = (
    ("amount, 0.05 on average", lambda random, number: random.poisson(0.05, number), 0.05, amount),
    ("amount, 1.2 on average", lambda random, number: random.poisson(1.2, number), 1.2, amount),
    ("amount, skewed", lambda random, number: random.exponential(20, number), 20.0, amount),
    ("amount, 16 ± 4", lambda random, number: random.gamma(16, 1, number), 16.0, amount),
    ("part, mostly 0", lambda random, number: random.random(number) * (random.random(number) < 0.2), 0.1, within),
    ("part, 77 % on average", lambda random, number: random.beta(5, 1.5, number), 5 / 6.5, within),
    ("part, 97 % on average", lambda random, number: random.beta(60, 2, number), 60 / 62, within),
)
"""Values of one set of rules: how they are drawn, their mean, and how the interval of that is made."""

NUMBERS = (5, 20, 200)


def used(values: Any, bounded: bool) -> tuple[float | None, float | None]:
    """The interval of `compare`."""
    found = mean_difference(values.tolist(), bounded=bounded)
    return found.low, found.high


def student(values: Any) -> tuple[float, float]:
    """Student's interval, which is empty if all values are the same."""
    half = stats.t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / len(values) ** 0.5
    return values.mean() - half, values.mean() + half


def bootstrap(values: Any, random: Any) -> tuple[float, float]:
    """The bias-corrected and accelerated interval (Efron 1987)."""
    if values.min() == values.max():
        return values[0], values[0]
    found = stats.bootstrap((values,), numpy.mean, n_resamples=999, method="BCa", random_state=random)
    return found.confidence_interval.low, found.confidence_interval.high


def coverage(draw: Draw, truth: float, bounded: bool, pairs: int, repetitions: int) -> list[float]:
    """How often each of the three covers the true value, in per cent."""
    random = numpy.random.default_rng(0)
    covered = [0, 0, 0]
    for _ in range(repetitions):
        values = draw(random, pairs)
        intervals = [student(values), used(values, bounded)]
        if pairs < MIN_FOR_BOOTSTRAP:
            intervals.append(bootstrap(values, random))
        for number, (low, high) in enumerate(intervals):
            covered[number] += low is None or high is None or low <= truth <= high
    return [100 * each / repetitions for each in covered]


def single_coverage(
    draw: Draw, truth: float, interval: Callable[[Any], Figure], number: int, repetitions: int
) -> list[float]:
    """How often Student's interval and the one that is used cover the truth, in per cent."""
    random = numpy.random.default_rng(0)
    covered = [0, 0]
    for _ in range(repetitions):
        values = draw(random, number).tolist()
        for place, found in enumerate((figure(values), interval(values))):
            assert found.low is not None
            assert found.high is not None
            covered[place] += found.low <= truth <= found.high
    return [100 * each / repetitions for each in covered]


def main() -> None:
    """Print the tables."""
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    print("| difference | pairs | Student's | used | BCa |\n|---|---|---|---|---|")
    for name, draw, truth, bounded in CASES:
        for pairs in PAIRS:
            rates = coverage(draw, truth, bounded, pairs, repetitions)
            cells = [f"{rate:.1f}" if rate else "" for rate in rates]
            print(f"| {name} | {pairs} | {' | '.join(cells)} |", flush=True)
    print("\n| values | games | Student's | used |\n|---|---|---|---|")
    for name, draw, truth, interval in SINGLE:
        for number in NUMBERS:
            single = single_coverage(draw, truth, interval, number, repetitions)
            print(f"| {name} | {number} | {' | '.join(f'{rate:.1f}' for rate in single)} |", flush=True)


if __name__ == "__main__":
    main()
