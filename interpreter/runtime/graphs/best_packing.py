"""Best packings: rows of the highest total worth that share no place."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interpreter.runtime.bitset import bits
from interpreter.runtime.graphs.adjacency import Adjacency, connected_part, forget_oldest
from interpreter.runtime.graphs.flag_enumeration import guesses_for
from interpreter.runtime.graphs.frontier import Frontier
from interpreter.runtime.graphs.objective import Objective
from interpreter.runtime.graphs.partial_rows import Kinds
from interpreter.runtime.graphs.paths import TooManyPaths, path_sets
from interpreter.runtime.graphs.set_packing import best_choice
from interpreter.runtime.graphs.tie_break import first_choice

# Listing takes time proportional to the number of paths, the frontier search to the number of its states. On square
# grids with values from 0 to 3 (one core): 162 rows of a 3 by 3 grid, 2 against 18 ms; 25,815 of a 5 by 4 grid, 2.1
# against 0.09 s; 255,744 of a 5 by 5 grid, 7.3 s for listing alone against 0.25 s.
MAX_LISTED_FIRST = 400  # up to this many path beginnings, listing is quicker than the frontier search
MAX_LISTED = 2_000_000  # maximum number of path beginnings listed if the worth is not described by an `Objective`
REMEMBERED = 512  # components whose best rows are cached

Best = tuple[int, tuple[int, ...]]


def best_rows(links: Adjacency, places: int, edges: int, least: int, worth: Callable[[int], int] | Objective) -> Best:
    """Find the highest total worth of rows that share no place, and such rows.

    A row is the set of places of a path in `places` over `edges` with at least `least` places (1 or more). `worth`
    computes its worth from its set of places alone; rows with a worth of 0 or less are never chosen. Ties are broken by
    order: rows in the order of their ascending lists of members, lists of rows likewise.

    The result is exact. An `Objective` is optimised edge by edge where there are many paths (`frontier.py`); the time
    grows with the width of the graph, not with the number of paths. With any other function, and with an `Objective` of
    several sums that is not affine in them, all paths are listed; raises TooManyPaths when they have more than two
    million beginnings.
    """
    least = max(least, 1)
    neighbours = links.neighbours(places, edges)
    total, rows = _best(links, neighbours, places, least, worth)
    return total, tuple(sorted(rows, key=bits))


def _best(
    links: Adjacency, neighbours: Sequence[int], places: int, least: int, worth: Callable[[int], int] | Objective
) -> Best:
    """Solve each component separately; the rows are in no order.

    Ties can be broken in each component separately: as all rows are worth something, no best choice is a prefix of
    another, and where two lists differ first does not depend on what both have.
    """
    total = 0
    rows: tuple[int, ...] = ()
    remaining = places
    while remaining:
        part = connected_part(neighbours, remaining & -remaining, remaining)
        remaining ^= part
        if part.bit_count() >= least:
            more, others = _of_component(links, neighbours, part, least, worth)
            total += more
            rows += others
    return total, rows


def _of_component(
    links: Adjacency, neighbours: Sequence[int], part: int, least: int, worth: Callable[[int], int] | Objective
) -> Best:
    """Find the best rows of one component; all paths are listed if they are few or the worth is not described."""
    if not isinstance(worth, Objective):
        return _listed(neighbours, part, least, worth, MAX_LISTED)
    try:
        return _listed(neighbours, part, least, worth, MAX_LISTED_FIRST)
    except TooManyPaths:
        guesses = guesses_for(worth, part, least)
    if guesses is None:
        return _listed(neighbours, part, least, worth, MAX_LISTED)
    places = bits(part)
    added = tuple([sums[place] for sums in worth.sums for place in places])
    key = (part, tuple([neighbours[place] for place in places]), least, added, *guesses.key)
    best = links.best_rows.get(key)
    if best is None:
        best = first_choice(Frontier(neighbours, part, Kinds(worth, guesses, least)), neighbours)
        if len(links.best_rows) >= REMEMBERED:
            forget_oldest(links.best_rows)
        links.best_rows[key] = best
    return best


def _listed(neighbours: Sequence[int], part: int, least: int, worth: Callable[[int], int], cap: int) -> Best:
    """Find the best rows by listing all paths."""
    valued = [(row, worth(row)) for row in path_sets(neighbours, part, least, cap)]
    rows = sorted([(row, value) for row, value in valued if value > 0], key=lambda pair: bits(pair[0]))
    return best_choice(neighbours, part, rows)
