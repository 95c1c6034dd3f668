"""The standings of an arena: shares, ratings, scores."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.figures import Figure
from interpreter.laboratory.confidence import Rating, ratings
from interpreter.laboratory.pairings import Pairing, PlayedGames
from interpreter.laboratory.statistics import Criterion, scores_of
from interpreter.opponents.matches import Finished, Meeting


@dataclass(frozen=True)
class Standing:
    """A bot: its games that count, its mean share against the others, its rating, and each criterion of the outcome."""

    bot: int
    games: int
    share: float
    rating: Rating | None
    scores: tuple[Figure, ...]


@dataclass(frozen=True)
class Standings:
    """All bots, the best first, with the pairings from which their figures are computed.

    `same` is true for a pairing of several rotations that were identical, move by move: more would show nothing new.
    """

    bots: tuple[Standing, ...]
    pairings: tuple[Pairing, ...]
    same: tuple[bool, ...]

    def document(self, names: Sequence[str]) -> dict[str, Any]:
        """The figures as plain data."""
        return {
            "standings": [_standing(standing, names) for standing in self.bots],
            "pairings": [
                _pairing(pairing, same, names) for pairing, same in zip(self.pairings, self.same, strict=True)
            ],
        }


def standings(bots: int, pairings: Sequence[Pairing], results: PlayedGames, criteria: Sequence[Criterion]) -> Standings:
    """Compute the figures from the games that count."""
    counted = [dict(pairing.counted(results)) for pairing in pairings]
    rated = ratings(bots, _wins(pairings))
    evaluated = [
        _evaluate(
            bot, [pairing for pairing in pairings if bot in (pairing.first, pairing.second)], counted, rated, criteria
        )
        for bot in range(bots)
    ]
    best = sorted(
        evaluated, key=lambda standing: -(standing.share if standing.rating is None else standing.rating.rating)
    )
    return Standings(tuple(best), tuple(pairings), tuple(map(_all_identical, counted)))


def _wins(pairings: Sequence[Pairing]) -> dict[tuple[int, int], float]:
    """The wins of each bot against each other one; shared wins count fractionally."""
    wins: dict[tuple[int, int], float] = {}
    for pairing in pairings:
        weight = 1 if len(pairing.sides) == 1 else len(pairing.seatings)
        total = sum(pairing.values)
        wins[pairing.first, pairing.second] = weight * total
        wins[pairing.second, pairing.first] = weight * (len(pairing.values) - total)
    return wins


def _evaluate(
    bot: int, pairings: Sequence[Pairing], counted: Sequence[Mapping[Meeting, Finished]],
    rated: Sequence[Rating] | None, criteria: Sequence[Criterion],
) -> Standing:  # fmt: skip
    shares = [pairing.share if pairing.first == bot else 1 - pairing.share for pairing in pairings if pairing.values]
    own_results = {meeting: result for games in counted for meeting, result in games.items() if bot in meeting.seating}
    scores = tuple(
        scores_of(
            criterion,
            [
                result.scores[seat][number]
                for meeting, result in own_results.items()
                for seat, who in enumerate(meeting.seating)
                if who == bot
            ],
        )
        for number, criterion in enumerate(criteria)
    )
    share = sum(shares) / len(shares) if shares else 0.5
    return Standing(bot, len(own_results), share, rated[bot] if rated is not None else None, scores)


def _all_identical(results: Mapping[Meeting, Finished]) -> bool:
    """True if each seating has several games, and all games of a seating have the same moves."""
    digests: defaultdict[tuple[int, ...], Counter[str]] = defaultdict(Counter)
    for meeting, result in results.items():
        digests[meeting.seating][result.digest] += 1
    return bool(digests) and all(len(counts) == 1 and counts.total() > 1 for counts in digests.values())


def _standing(standing: Standing, names: Sequence[str]) -> dict[str, Any]:
    rating = standing.rating
    return {
        "bot": names[standing.bot],
        "games": standing.games,
        "share": standing.share,
        "rating": None if rating is None else {"rating": rating.rating, "low": rating.low, "high": rating.high},
        "scores": [_figure(figure) for figure in standing.scores] if standing.games else [],
    }


def _figure(figure: Figure) -> dict[str, float | None]:
    return {"mean": figure.mean, "low": figure.low, "high": figure.high}


def _pairing(pairing: Pairing, same: bool, names: Sequence[str]) -> dict[str, Any]:
    low, high = pairing.interval
    return {
        "bots": [names[pairing.first], names[pairing.second]],
        "games": pairing.games,
        "rotations": len(pairing.values),
        "share": pairing.share if pairing.values else None,
        "low": low,
        "high": high,
        "decided": pairing.decided,
        "complete": pairing.complete,
        "all_the_same": same,
    }
