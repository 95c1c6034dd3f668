"""Best packings: rows of the highest total worth that share no place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from math import lcm
from operator import or_

from interpreter.runtime.bitset import bits
from interpreter.runtime.graphs.adjacency import Adjacency, connected_part, forget_oldest
from interpreter.runtime.graphs.backtrack import Backtracking
from interpreter.runtime.graphs.flag_enumeration import guesses_for
from interpreter.runtime.graphs.frontier import Frontier
from interpreter.runtime.graphs.objective import Objective
from interpreter.runtime.graphs.partial_rows import Kinds
from interpreter.runtime.graphs.paths import TooManyPaths, may_be_path, path_sets
from interpreter.runtime.graphs.vertex_order import narrow_order

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


# ---- Tie-breaking: the first in order of all best choices of rows


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


# ------------------------------------------------------------ best packing of listed rows that share no place


MANY_ROWS = 1000  # from this many rows on, an order that keeps few places open pays off

Ranked = tuple[int, tuple[int, ...]]  # total worth, and the numbers of the rows, ascending


def best_choice(neighbours: Sequence[int], places: int, rows: Sequence[tuple[int, int]]) -> tuple[int, tuple[int, ...]]:
    """Find the highest total worth of rows that share no place, and these rows; of several choices the first in order.

    `rows` are (places, worth), each worth more than 0, by their ascending lists of members; `neighbours[p]` are
    those of place p.
    """
    if not rows:
        return 0, ()
    total, chosen = _Packing(neighbours, places, rows).best((1 << places.bit_count()) - 1)
    return total, tuple([rows[number][0] for number in chosen])


class _Packing:
    """Place by place, either leave it out or cover it by a row; the best choice for the remaining places is memoised.

    For example, rows {0, 1} and {1, 2} are worth 3 and 4, and {0} is worth 2: place 0 is left out (4 remains for {1,
    2}), covered by {0, 1} (3), or covered by {0} (2 + 4, the best choice).

    Remaining places that are no longer connected are solved separately. A row is tried only if it can lead to something
    better: a place adds at most the greatest worth of a row with it, divided by the places of that row. Choices are
    compared by the numbers of their rows; as all rows are worth something, no best choice is a prefix of another, so
    that the first choice for the whole consists of the first choices for its parts.
    """

    def __init__(self, neighbours: Sequence[int], places: int, rows: Sequence[tuple[int, int]]) -> None:
        order = bits(places) if len(rows) < MANY_ROWS else narrow_order(neighbours, places)
        turn = {place: number for number, place in enumerate(order)}
        self.neighbours = [_moved(neighbours[place] & places, turn) for place in order]
        self.unit = lcm(*[row.bit_count() for row, _ in rows])
        most = [0] * len(order)
        moved = [(_moved(row, turn), worth) for row, worth in rows]
        for row, worth in moved:
            share = worth * self.unit // row.bit_count()
            for place in bits(row):
                most[place] = max(most[place], share)
        self.most = most
        self.starting: list[list[tuple[int, int, int, int]]] = [[] for _ in order]
        for number, (row, worth) in enumerate(moved):
            bound = sum([most[place] for place in bits(row)])
            self.starting[(row & -row).bit_length() - 1].append((bound - worth * self.unit, number, row, worth))
        for rows_of_place in self.starting:
            rows_of_place.sort()
        self.best_of: dict[int, Ranked] = {0: (0, ())}

    def best(self, remaining: int) -> Ranked:
        """The best choice for these places, numbered by their turns."""
        cached = self.best_of.get(remaining)
        if cached is not None:
            return cached
        low = remaining & -remaining
        part = connected_part(self.neighbours, low, remaining)
        if part != remaining:
            (total, chosen), (more, others) = self.best(part), self.best(remaining ^ part)
            joined = self.best_of[remaining] = total + more, tuple(sorted(chosen + others))
            return joined
        total, chosen = 0, ()
        bound = sum([self.most[place] for place in bits(remaining)])
        for waste, number, row, worth in self.starting[low.bit_length() - 1]:
            # INVARIANT: `bound - waste` is at least what any choice with this row is worth, in units of 1 / `unit`.
            # Rows come by ascending waste, so those after it are bounded by less. Equal bounds are tried: they may come
            # first.
            if bound - waste < total * self.unit:
                break
            if row & remaining == row:
                rest, others = self.best(remaining ^ row)
                total, chosen = _better((total, chosen), (worth + rest, tuple(sorted((number, *others)))))
        if bound - self.most[low.bit_length() - 1] >= total * self.unit:
            total, chosen = _better((total, chosen), self.best(remaining ^ low))
        self.best_of[remaining] = total, chosen
        return total, chosen


def _better(first: Ranked, second: Ranked) -> Ranked:
    return second if second[0] > first[0] or (second[0] == first[0] and second[1] < first[1]) else first


def _moved(places: int, turn: dict[int, int]) -> int:
    """Renumber places by their turns."""
    return sum([1 << turn[place] for place in bits(places)])


# ---- Packings of listed sets: choices of sets that share no member


def packings(sets: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every choice of the sets in which no two share a member, the empty choice first; sets in their order."""
    yield ()
    for index, first in enumerate(sets):
        disjoint = [later for later in sets[index + 1 :] if not later & first]
        for rest in packings(disjoint):
            yield (first, *rest)


def best_sets(sets: Iterable[int], worth: Callable[[int], int]) -> tuple[int, tuple[int, ...]]:
    """Find the highest total worth of sets that share no member, and such sets; of several choices the first in order.

    Set packing by dynamic programming: the best choice for the remaining members is computed once.
    """
    valued = [(members, worth(members)) for members in sets]
    by_lowest: dict[int, list[tuple[int, int]]] = {}
    total = 0
    for members, value in valued:
        if value > 0:
            by_lowest.setdefault(members & -members, []).append((members, value))
            total |= members
    cached: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}

    def best(remaining: int) -> tuple[int, tuple[int, ...]]:
        # INVARIANT: of choices with equal worth the first in order is kept. Choices are compared from the last set with
        # this lowest member to the first, and `>=` lets the earlier one win.
        if remaining not in cached:
            low = remaining & -remaining
            choice = best(remaining ^ low)
            for members, value in reversed(by_lowest.get(low, ())):
                if members & remaining == members:
                    rest, others = best(remaining ^ members)
                    if value + rest >= choice[0]:
                        choice = value + rest, (members, *others)
            cached[remaining] = choice
        return cached[remaining]

    return best(total)
