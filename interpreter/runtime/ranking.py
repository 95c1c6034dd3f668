"""Who is ahead when a game is over: what follows from the criteria of `winner`, evaluated for every seat."""

from __future__ import annotations

from collections.abc import Sequence

Rank = tuple[int, ...]
"""What seats are ordered by, the greater the better: whether the seat can win, then its criteria in order."""


def ranks_of(criteria: Sequence[Sequence[int]], conditions: Sequence[int]) -> list[Rank]:
    """The rank of every seat from its criteria; `conditions` are the numbers of those that are conditions.

    Only a seat that meets all conditions can win.
    """
    return [(all(found[number] for number in conditions), *found) for found in criteria]


def leaders(ranks: Sequence[Rank]) -> tuple[int, ...]:
    """The seats that win: those that nobody is ahead of, if they can win."""
    best = max(ranks)
    return tuple(seat for seat, rank in enumerate(ranks) if rank == best) if best[0] else ()


def places(ranks: Sequence[Rank]) -> tuple[int, ...]:
    """The place of every seat: one more than the number of seats ahead of it."""
    return tuple(1 + sum(other > rank for other in ranks) for rank in ranks)
