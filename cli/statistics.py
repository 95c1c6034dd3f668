"""Statistics over many games: means with 95% confidence intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from math import sqrt
from typing import TYPE_CHECKING, Any

from dsl.lazy_dataclasses import dataclass
from dsl.types import Number, bare
from interpreter.seat.explain.outcome import criterion_words

if TYPE_CHECKING:
    from interpreter import Game
    from interpreter.analysis.results import Playout

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


def half_width(low: float | None, high: float | None) -> float:
    """Half the width of an interval of shares, or of their differences; 1 where it is not known at all."""
    return 1.0 if low is None or high is None else (high - low) / 2


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
        return replace(normal, high=Z**2 / len(values))
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
    spread = (mean - normal.low) ** 2 / most if most else Z**2 / len(values)  # of Wilson's interval: Z² by the number
    divisor = 1 + spread
    centre, half = (mean + spread / 2) / divisor, sqrt(spread * (most + spread / 4)) / divisor
    return replace(normal, low=max(0.0, min(mean, centre - half)), high=min(1.0, max(mean, centre + half)))


def share(values: Iterable[float]) -> Figure:
    """Compute the mean of values from 0 to 1 with Wilson's score interval: it stays within 0 and 1 and is never empty.

    If some values lie in between, such as those of shared wins, the interval is narrower, as it would be for more
    values.
    """
    counts = Counter(values)
    number = sum(counts.values())
    if not number:
        return Figure(0.0, None, None, 0.0, 0.0)
    mean = _mean(counts, number)
    size = number / _dispersion(counts, number)
    divisor = 1 + Z**2 / size
    centre = (mean + Z**2 / (2 * size)) / divisor
    half = Z * sqrt(mean * (1 - mean) / size + Z**2 / (4 * size**2)) / divisor
    low, high = max(0.0, min(mean, centre - half)), min(1.0, max(mean, centre + half))
    return Figure(mean, low, high, min(counts), max(counts))


def _dispersion(counts: Counter[float], number: int) -> float:
    """The variance of values from 0 to 1, relative to that of values that are all 0 or 1 and have the same mean.

    A value of 0 and a value of 1 are added, so that the result is positive even if all values are equal.
    """
    between = sum(count * value * (1 - value) for value, count in counts.items())
    mean = (_mean(counts, number) * number + 1) / (number + 2)
    return 1 - between / ((number + 2) * mean * (1 - mean))


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
    """One criterion that decides the outcome: whether less of it is better, and whether it is a condition.

    An `amount` cannot be negative, as its type says.
    """

    words: str
    lowest: bool = False
    condition: bool = False
    amount: bool = False


def criteria_of(game: Game, *, plain: bool) -> list[Criterion]:
    """The criteria of a game, as the rules write them if `plain`, otherwise in words for people."""
    winner = game.rules.model.winner
    types = game.rules.model.types
    return [
        Criterion(
            criterion.text if plain else criterion_words(game.program, criterion),
            criterion.direction == "lowest",
            criterion.is_condition,
            isinstance(type_ := bare(types[criterion.value.number]), Number) and type_.low >= 0,
        )
        for criterion in (winner.criteria if winner is not None else ())
    ]


NOTHING: dict[str, Any] = {"length": None, "sizes": None, "seats": [], "teams": [], "nobody": None}
"""The figures if no game was finished."""

TOGETHER = "everyone"
"""The team of all seats if they can only win together."""


@dataclass(frozen=True)
class SeatFigures:
    """One seat: its share of games won (a shared win counts fractionally), and each criterion of the outcome.

    Partners win together: only seats of other teams share a win. The figure of a condition is the share of games in
    which the seat meets it.
    """

    seat: str
    wins: Figure
    scores: tuple[Figure, ...]


@dataclass(frozen=True)
class TeamFigures:
    """One team: its share of games won (a win shared with others counts fractionally)."""

    team: str
    wins: Figure


@dataclass(frozen=True)
class Summary:
    """Summary of many games. `sizes`: the games' mean numbers of moves per decision; `widest`: the overall maximum.

    `shared` is the number of games with several winners that are not partners, `nobody` the share of those with none.
    """

    games: int
    length: Figure
    sizes: Figure
    widest: int
    seats: tuple[SeatFigures, ...]
    teams: tuple[TeamFigures, ...]
    shared: int
    nobody: Figure

    def document(self) -> dict[str, Any]:
        """Convert to plain data, without figures if no game was finished."""
        return asdict(self) | ({} if self.games else NOTHING)


def summary(
    played: Sequence[Playout], seats: Sequence[str], criteria: Sequence[Criterion], together: bool = False
) -> Summary:
    """Summarise the games that were played.

    `together`: all seats are one team, whether they win or lose, and have the figures of one seat.
    """
    sides = [sides_of(game, seats, together) for game in played]
    won = [won_by(game, sides_of_game) for game, sides_of_game in zip(played, sides, strict=True)]
    teams = dict.fromkeys(team for game in played for team in game.teams if team is not None)
    figured = [(seats[0], TOGETHER)] if together else [(seat, seat) for seat in seats]
    return Summary(
        games=len(played),
        length=amount(game.decisions for game in played),
        sizes=amount(game.choices / game.decisions for game in played if game.decisions),
        widest=max((game.widest for game in played), default=0),
        seats=tuple(_seat(seat, name, played, criteria, sides, won) for seat, name in figured),
        teams=tuple(_team(team, won) for team in ([TOGETHER] if together else teams)),
        shared=sum(1 for parts in won if len(parts) > 1),
        nobody=share(0.0 if game.winners else 1.0 for game in played),
    )


def even_share(played: Sequence[Playout], seats: Sequence[str]) -> float:
    """The share of the games that a seat wins if all teams, and all seats without a team, win equally often.

    At least one game is required.
    """
    return _mean(Counter(1 / len(set(sides_of(game, seats).values())) for game in played), len(played))


Side = tuple[str, bool]
"""A team, or a seat that plays alone: its name, and whether it is a team."""


def sides_of(game: Playout, seats: Sequence[str], together: bool = False) -> dict[str, Side]:
    """The side of each seat."""
    if together:
        return dict.fromkeys(seats, (TOGETHER, True))
    teams = game.teams or [None] * len(seats)
    return {seat: (seat if team is None else team, team is not None) for seat, team in zip(seats, teams, strict=True)}


def won_by(game: Playout, sides: dict[str, Side]) -> dict[Side, float]:
    """The part of the win that each winning side has."""
    winning = dict.fromkeys(sides[seat] for seat in game.winners)
    return dict.fromkeys(winning, 1 / len(winning)) if winning else {}


def _team(team: str, won: Sequence[dict[Side, float]]) -> TeamFigures:
    return TeamFigures(team, share(parts.get((team, True), 0.0) for parts in won))


def _seat(
    seat: str, name: str, played: Sequence[Playout], criteria: Sequence[Criterion],
    sides: Sequence[dict[str, Side]], won: Sequence[dict[Side, float]],
) -> SeatFigures:  # fmt: skip
    """Summarise one seat, under a name."""
    return SeatFigures(
        name,
        share(parts.get(sides_of_game[seat], 0.0) for parts, sides_of_game in zip(won, sides, strict=True)),
        tuple(
            scores_of(criterion, [game.scores[seat][index] for game in played])
            for index, criterion in enumerate(criteria)
        ),
    )


def scores_of(criterion: Criterion, scores: Sequence[int]) -> Figure:
    """Summarise scores of playouts; where less is better these are negated, and their sign is restored here."""
    if criterion.condition:
        return share(scores)
    return (amount if criterion.amount else figure)(-score if criterion.lowest else score for score in scores)
