"""Best packing of listed rows that share no place."""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm

from interpreter.runtime.bitset import bits
from interpreter.runtime.graphs.adjacency import connected_part
from interpreter.runtime.graphs.vertex_order import narrow_order

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
