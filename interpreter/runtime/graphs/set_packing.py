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
        for each in self.starting:
            each.sort()
        self.known: dict[int, Ranked] = {0: (0, ())}

    def best(self, left: int) -> Ranked:
        """The best choice for these places, numbered by their turns."""
        known = self.known.get(left)
        if known is not None:
            return known
        low = left & -left
        part = connected_part(self.neighbours, low, left)
        if part != left:
            (total, chosen), (more, others) = self.best(part), self.best(left ^ part)
            found = self.known[left] = total + more, tuple(sorted(chosen + others))
            return found
        total, chosen = 0, ()
        bound = sum([self.most[place] for place in bits(left)])
        for waste, number, row, worth in self.starting[low.bit_length() - 1]:
            if bound - waste < total * self.unit:
                break
            if row & left == row:
                rest, others = self.best(left ^ row)
                total, chosen = _better((total, chosen), (worth + rest, tuple(sorted((number, *others)))))
        if bound - self.most[low.bit_length() - 1] >= total * self.unit:
            total, chosen = _better((total, chosen), self.best(left ^ low))
        self.known[left] = total, chosen
        return total, chosen


def _better(one: Ranked, other: Ranked) -> Ranked:
    return other if other[0] > one[0] or (other[0] == one[0] and other[1] < one[1]) else one


def _moved(places: int, turn: dict[int, int]) -> int:
    """Renumber places by their turns."""
    return sum([1 << turn[place] for place in bits(places)])
