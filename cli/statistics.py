"""Figures over many games: means with 95% confidence intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.playouts import Played

Z = 1.959963984540054
FEW = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776}


@dataclass(frozen=True)
class Figure:
    """A mean with half the width of its 95% confidence interval, and the extremes."""

    mean: float
    half: float | None
    least: float
    most: float


def figure(values: Iterable[float]) -> Figure:
    """Mean, interval and extremes; no interval for a single value."""
    counts = Counter(values)
    number = sum(counts.values())
    if not number:
        return Figure(0.0, None, 0.0, 0.0)
    mean = sum(value * count for value, count in counts.items()) / number
    half = None
    if number > 1:
        variance = sum(count * (value - mean) ** 2 for value, count in counts.items()) / (number - 1)
        half = quantile(number - 1) * sqrt(variance / number)
    return Figure(mean, half, min(counts), max(counts))


def quantile(freedom: int) -> float:
    """The 97.5% point of Student's distribution (Cornish and Fisher's expansion; by table for few values)."""
    if freedom in FEW:
        return FEW[freedom]
    first = (Z**3 + Z) / 4
    second = (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96
    third = (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384
    return Z + first / freedom + second / freedom**2 + third / freedom**3


@dataclass(frozen=True)
class SeatFigures:
    """One seat: share of the games won (a shared win counts in parts), and each criterion of the result."""

    seat: str
    wins: Figure
    scores: tuple[Figure, ...]


@dataclass(frozen=True)
class Summary:
    """What many games came to."""

    games: int
    length: Figure
    seats: tuple[SeatFigures, ...]
    sizes: Figure
    forced: float
    shared: int

    def document(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


def summary(played: Sequence[Played], seats: Sequence[str]) -> Summary:
    """The figures of games that were played."""
    sizes: Counter[int] = Counter()
    for game in played:
        sizes.update(game.sizes)
    return Summary(
        games=len(played),
        length=figure(game.decisions for game in played),
        seats=tuple(_seat(seat, played) for seat in seats),
        sizes=figure(sizes.elements()),
        forced=sizes[1] / max(1, sum(sizes.values())),
        shared=sum(1 for game in played if len(game.winners) > 1),
    )


def _seat(seat: str, played: Sequence[Played]) -> SeatFigures:
    scores: Sequence[Mapping[str, Sequence[float]]] = [game.scores for game in played]
    criteria = range(len(scores[0][seat]) if scores else 0)
    return SeatFigures(
        seat,
        figure(1 / len(game.winners) if seat in game.winners else 0.0 for game in played),
        tuple(figure(one[seat][criterion] for one in scores) for criterion in criteria),
    )
