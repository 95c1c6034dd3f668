"""Ranks, places and winners of a game that is over, from the criteria of `winner` for every seat."""

from __future__ import annotations

from collections.abc import Sequence

Rank = tuple[int, ...]
"""The sort key of seats, the greater the better: whether the seat can win, then its criteria in order."""


def ranks_of(criteria: Sequence[Sequence[int]], conditions: Sequence[int]) -> list[Rank]:
    """The rank of every seat from its criteria; `conditions` are the numbers of those that are conditions.

    Only a seat that meets all conditions can win.
    """
    return [(all(values[number] for number in conditions), *values) for values in criteria]


def ranks_of_teams(ranks: Sequence[Rank], teams: Sequence[int | None]) -> list[Rank]:
    """The ranks where seats of a team are ranked as the best of them; a seat whose team is None plays alone."""
    best: dict[int, Rank] = {}
    for rank, team in zip(ranks, teams, strict=True):
        if team is not None:
            best[team] = max(rank, best.get(team, rank))
    return [rank if team is None else best[team] for rank, team in zip(ranks, teams, strict=True)]


def leaders(ranks: Sequence[Rank]) -> tuple[int, ...]:
    """The winners: the seats with the best rank, or none if that rank cannot win."""
    best = max(ranks)
    return tuple(seat for seat, rank in enumerate(ranks) if rank == best) if best[0] else ()


def places(ranks: Sequence[Rank]) -> tuple[int, ...]:
    """The place of every seat: one more than the number of seats ahead of it."""
    return tuple(1 + sum(rival > rank for rival in ranks) for rank in ranks)
