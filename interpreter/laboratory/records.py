"""Records of games: the result of each, and how it went. Plain data, the same for every backend and any process."""

from __future__ import annotations

from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.failed_games import Failed

PARTS = 20
"""The equal parts into which the decisions of a game are divided, so that long and short games can be compared."""


@dataclass(frozen=True, slots=True)
class Points:
    """The points that one rule gave one seat in a game, with the reason it states in `because`."""

    node: int
    seat: int
    times: int
    amount: int


@dataclass(frozen=True, slots=True)
class Picks:
    """How often pieces of a kind were offered in the decisions of a game, and how often they were chosen.

    `kind` describes what can be seen of such a piece. A decision offers a kind if one of its legal moves has such a
    piece among its arguments; it counts once, however many of these moves there are.
    """

    kind: str
    offered: int
    chosen: int


@dataclass(frozen=True, slots=True)
class Course:
    """How a game went, found by playing it again.

    `forced` is the number of decisions with a single legal move. `branching` has the mean number of legal moves in each
    of the `PARTS` parts of the game. `scores` and `shares` have a value for each seat at `PARTS + 1` moments, from the
    first decision to the end: the first criterion of `winner` as if the game ended there, empty if that is a condition
    or has no value at one of these moments; and the expected share of the win if everyone continues at random.
    `repeats` is how often the most frequent position occurred. `branches` are the numbers of the branches of the rules
    that were taken, in the numbering of the coverage report.
    """

    forced: int
    branching: tuple[float, ...]
    scores: tuple[tuple[int, ...], ...]
    shares: tuple[tuple[float, ...], ...]
    repeats: int
    branches: tuple[int, ...]
    points: tuple[Points, ...]
    picks: tuple[Picks, ...]


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game that is over.

    `number` is its place in the run, from 0; its seed is that of the run plus the number. `winners` are numbers of
    seats. `scores` has one number for each seat and criterion, higher is better. `teams` are the names of the teams of
    the seats, None for a seat that plays alone; empty if there are no teams. `choices` is the number of legal moves
    summed over all decisions, `widest` the largest at a single one. Of some games of a run the `course` is known.
    """

    number: int
    winners: tuple[int, ...]
    scores: tuple[tuple[int, ...], ...]
    teams: tuple[str | None, ...]
    decisions: int
    choices: int
    widest: int
    course: Course | None = None


@dataclass(frozen=True, slots=True)
class FailedRecord:
    """A game that ended in an error; `moves` are the notations of its first moves, empty if all moved at random."""

    number: int
    failed: Failed
    moves: tuple[str, ...] = ()


Record = GameRecord | FailedRecord
"""What is known of a game of a run."""
