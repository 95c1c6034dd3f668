"""The best rows that share no place."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.graphs.links import Links
from interpreter.graphs.ways import paths
from interpreter.graphs.worth import Worth


def best_rows(
    links: Links, places: int, edges: int, least: int, worth: Callable[[int], int] | Worth
) -> tuple[int, tuple[int, ...]]:
    """The highest total worth of rows that share no place, and such rows.

    A row is the set of places of a path in `places` over `edges` that has `least` places or more. `worth` gives its
    worth, from its set of places alone; rows that are worth nothing, or less, are never chosen. Of several best choices
    it is the first in order: rows in the order of their ascending lists of members, lists of rows likewise.
    """
    valued = [(row, worth(row)) for row in paths(links, places, edges, least)]
    rows = [(row, value) for row, value in valued if value > 0]
    known: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}

    def best(left: int) -> tuple[int, tuple[int, ...]]:
        if left not in known:
            low = left & -left
            total, chosen = best(left ^ low)
            for row, value in reversed(rows):
                if row & -row == low and row & left == row:
                    rest, others = best(left ^ row)
                    if value + rest >= total:
                        total, chosen = value + rest, (row, *others)
            known[left] = (total, chosen)
        return known[left]

    return best(places)
