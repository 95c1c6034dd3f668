"""The results of random games."""

from __future__ import annotations

from typing import NamedTuple


class Playout(NamedTuple):
    """A game played at random.

    `decisions` is the number of decisions, `choices` the number of legal moves summed over all of them, `widest` the
    largest number at a single one; scores hold one number per criterion, higher is better. `teams` are the names of the
    teams of the seats in their order, None for a seat that plays alone; empty if there are no teams.
    """

    seed: int
    scores: dict[str, tuple[int, ...]]
    winners: tuple[str, ...]
    decisions: int
    choices: int
    widest: int
    teams: tuple[str | None, ...] = ()


class FinishedGame(NamedTuple):
    """A game that random play has brought to its end.

    There may be no winners. `scores` has one number per seat and criterion of `winner`, for a condition 1 or 0; `teams`
    has the team of each seat that is in one; `decisions` is how many decisions the game took.
    """

    seed: int
    winners: tuple[str, ...]
    scores: dict[str, tuple[int, ...]]
    decisions: int
    teams: dict[str, str]
