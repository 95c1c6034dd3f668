"""Statistics over many games: means with 95% confidence intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.analysis.playouts import Playout

Z = 1.959963984540054
FEW = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776}


@dataclass(frozen=True)
class Figure:
    """A mean with the bounds of its 95% confidence interval, and the extremes; bounds are None where undefined."""

    mean: float
    low: float | None
    high: float | None
    least: float
    most: float


def figure(values: Iterable[float]) -> Figure:
    """Compute mean, interval and extremes; no interval for a single value."""
    counts = Counter(values)
    number = sum(counts.values())
    if not number:
        return Figure(0.0, None, None, 0.0, 0.0)
    mean = _mean(counts, number)
    if number == 1:
        return Figure(mean, None, None, mean, mean)
    variance = sum(count * (value - mean) ** 2 for value, count in counts.items()) / (number - 1)
    half = quantile(number - 1) * sqrt(variance / number)
    return Figure(mean, mean - half, mean + half, min(counts), max(counts))


def share(values: Iterable[float]) -> Figure:
    """Compute the mean of values from 0 to 1 with Wilson's score interval: it stays within 0 and 1 and is never empty.

    The interval is meant for values that are either 0 or 1; for values in between it is too wide, never too narrow.
    """
    counts = Counter(values)
    number = sum(counts.values())
    if not number:
        return Figure(0.0, None, None, 0.0, 0.0)
    mean = _mean(counts, number)
    divisor = 1 + Z**2 / number
    centre = (mean + Z**2 / (2 * number)) / divisor
    half = Z * sqrt(mean * (1 - mean) / number + Z**2 / (4 * number**2)) / divisor
    return Figure(mean, max(0.0, centre - half), min(1.0, centre + half), min(counts), max(counts))


def _mean(counts: Counter[float], number: int) -> float:
    return sum(value * count for value, count in counts.items()) / number


def quantile(freedom: int) -> float:
    """The 97.5% point of Student's distribution (Cornish-Fisher expansion; from a table for small samples)."""
    if freedom in FEW:
        return FEW[freedom]
    first = (Z**3 + Z) / 4
    second = (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96
    third = (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384
    return Z + first / freedom + second / freedom**2 + third / freedom**3


@dataclass(frozen=True)
class Criterion:
    """One criterion that decides the outcome: whether less of it is better, and whether it is a condition."""

    words: str
    lowest: bool = False
    condition: bool = False


@dataclass(frozen=True)
class SeatFigures:
    """One seat: its share of games won (a shared win counts fractionally), and each criterion of the outcome.

    Of a condition it is the share of games in which the seat meets it.
    """

    seat: str
    wins: Figure
    scores: tuple[Figure, ...]


@dataclass(frozen=True)
class Summary:
    """Summary of many games. `sizes`: the games' mean numbers of moves per decision; `widest`: the overall maximum.

    `shared` are the games with several winners, `nobody` is the share of those with none.
    """

    games: int
    length: Figure
    sizes: Figure
    widest: int
    seats: tuple[SeatFigures, ...]
    shared: int
    nobody: Figure

    def document(self) -> dict[str, Any]:
        """Convert to plain data, without figures if no game was finished."""
        return asdict(self) | ({} if self.games else {"length": None, "sizes": None, "seats": [], "nobody": None})


def summary(played: Sequence[Playout], seats: Sequence[str], criteria: Sequence[Criterion]) -> Summary:
    """Summarise the games that were played."""
    return Summary(
        games=len(played),
        length=figure(game.decisions for game in played),
        sizes=figure(game.choices / game.decisions for game in played if game.decisions),
        widest=max((game.widest for game in played), default=0),
        seats=tuple(_seat(seat, played, criteria) for seat in seats),
        shared=sum(1 for game in played if len(game.winners) > 1),
        nobody=share(0.0 if game.winners else 1.0 for game in played),
    )


def _seat(seat: str, played: Sequence[Playout], criteria: Sequence[Criterion]) -> SeatFigures:
    """Summarise one seat. Scores where less is better are negated in playouts; this restores their sign."""
    return SeatFigures(
        seat,
        share(1 / len(game.winners) if seat in game.winners else 0.0 for game in played),
        tuple(
            _scores(criterion, [game.scores[seat][index] for game in played])
            for index, criterion in enumerate(criteria)
        ),
    )


def _scores(criterion: Criterion, scores: Sequence[int]) -> Figure:
    return share(scores) if criterion.condition else figure(-score if criterion.lowest else score for score in scores)
