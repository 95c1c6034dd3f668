"""Statistics over many games: who wins, with which scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from dsl.lazy_dataclasses import dataclass
from dsl.types import Number, bare
from interpreter.analysis.figures import Figure, amount, figure, mean_of, share
from interpreter.seat.explain.outcome import criterion_words

if TYPE_CHECKING:
    from interpreter.analysis.results import Playout
    from interpreter.play.game import Game


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
    return mean_of(Counter(1 / len(set(sides_of(game, seats).values())) for game in played), len(played))


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
