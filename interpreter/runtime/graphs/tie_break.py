"""Tie-breaking: the first in order of all best choices of rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_

from interpreter.runtime.bitset import bits
from interpreter.runtime.graphs.adjacency import connected_part
from interpreter.runtime.graphs.backtrack import Backtracking
from interpreter.runtime.graphs.frontier import Frontier
from interpreter.runtime.graphs.paths import may_be_path

TRIES = 500  # attempts to find a path through certain places, before searching best choices with such a row


def first_choice(frontier: Frontier, neighbours: Sequence[int]) -> tuple[int, tuple[int, ...]]:
    """The worth of the best rows, and the first in order of all best choices, its rows in order.

    Row by row, and in each row place by place, the earliest option that a best choice allows is settled. A choice
    already found bounds the next row or place, so that only what comes before it must be tried.
    """
    layers = frontier.layers()
    total = (frontier.kinds.total - layers[-1][0]) // frontier.kinds.scale
    if not total:
        return 0, ()
    backtracking = Backtracking(frontier, layers)
    settled: list[int] = []
    choice = backtracking.choice([]) or []
    while len(settled) < len(choice):
        choice = _with_next(backtracking, neighbours, settled, choice)
        settled.append(choice[len(settled)])
    return total, tuple(settled)


def _with_next(
    backtracking: Backtracking, neighbours: Sequence[int], settled: list[int], choice: list[int]
) -> list[int]:
    """Find a best choice with the settled rows and with the earliest possible row after them.

    `choice` is a best choice with the settled rows. These are its first rows: if another came before one of them, it
    would have been found when that was settled.
    """
    occupied = sum(settled)
    free = backtracking.used & ~occupied
    # INVARIANT: the next row of `choice` begins with `prefix`, and no best choice with the settled rows has a next row
    # that comes before all rows beginning so. A row comes before those that it is a prefix of, so `prefix` itself is
    # tried first as a whole row.
    prefix = 0
    while prefix != choice[len(settled)]:
        if _affordable(backtracking, neighbours, [*settled, prefix]) and may_be_path(neighbours, prefix, TRIES):
            shorter = backtracking.choice([*settled, prefix])
            if shorter:
                return shorter
        following = _lowest(choice[len(settled)] ^ prefix)
        outside = occupied | ((1 << prefix.bit_length()) - 1) & ~prefix
        sooner = free & ~outside & ~prefix & (following - 1)
        if prefix:
            sooner &= connected_part(neighbours, _lowest(prefix), ~outside)
        while sooner:
            earlier = backtracking.choice(settled, prefix, outside, sooner)
            if not earlier:
                break
            choice = earlier
            following = _lowest(choice[len(settled)] ^ prefix)
            sooner &= following - 1
        prefix |= following
    return choice


def _affordable(backtracking: Backtracking, neighbours: Sequence[int], rows: list[int]) -> bool:
    """True unless bounds on what the other places can add rule out a best choice with these rows."""
    kinds = backtracking.frontier.kinds
    if rows[-1].bit_count() < kinds.least or kinds.worth(rows[-1]) <= 0:
        return False
    most = kinds.scale * sum(map(kinds.worth, rows))
    remaining = kinds.places & ~sum(rows)
    while remaining:
        part = connected_part(neighbours, remaining & -remaining, remaining)
        remaining ^= part
        if part.bit_count() >= kinds.least:
            places = bits(part)
            flags = reduce(or_, [kinds.guesses.flags[place] for place in places])
            most += sum([kinds.most_with(place, flags) for place in places])
    return most >= kinds.total - backtracking.loss


def _lowest(places: int) -> int:
    return places & -places
