"""Adjacency: the places that the edges of a graph join."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from interpreter.runtime.bitset import bits

Key = TypeVar("Key")
Result = TypeVar("Result")

NEAREST_OF = 4  # number of recent results among which to look for the nearest one to derive a new result from


def forget_oldest(results: dict[Key, Result]) -> None:
    """Drop the oldest of cached results, which other threads may be adding to or dropping meanwhile."""
    oldest, *_ = results  # at one blow, unlike `next(iter(…))`
    results.pop(oldest, None)


def connected_part(neighbours: Sequence[int], places: int, allowed: int) -> int:
    """Find all places connected to `places` within `allowed`, these included; `neighbours[p]` are those of place p."""
    reached = new = places
    while new:
        near = 0
        while new:
            low = new & -new
            new ^= low
            near |= neighbours[low.bit_length() - 1]
        new = near & allowed & ~reached
        reached |= new
    return reached


class Adjacency:
    """The ends of the edges of a graph; built once, queried often.

    `count_of_places` is the number of places, `ends[e]` the two places that edge `e` joins, or None if it joins
    nothing. Several edges may join the same places; an edge with both ends at one place leads nowhere.

    `incidences[p]` lists (edge as a mask, other place) for place `p`, by edge number. `touching[p]` is the set of those
    edges. `ends_of[e]` is the set of the two places of an edge, empty if it leads nowhere.

    The order of incidences decides between shortest paths (`path`), so it must not change.

    The other attributes are caches of the functions in this package; results do not depend on them. Threads share them:
    an entry is complete before it is stored, and is replaced rather than changed.
    """

    __slots__ = (
        "best_rows",
        "count",
        "ends",
        "ends_of",
        "groups",
        "incidences",
        "latest_groups",
        "latest_reached",
        "reached",
        "touching",
    )  # fmt: skip

    def __repr__(self) -> str:
        return f"{len(self.ends)} edges between {self.count} places"

    def __init__(self, count_of_places: int, ends: Sequence[tuple[int, int] | None]) -> None:
        self.count = count_of_places
        self.ends = tuple(ends)
        incidences: list[list[tuple[int, int]]] = [[] for _ in range(count_of_places)]
        ends_of = []
        for edge, pair in enumerate(self.ends):
            if pair is None or pair[0] == pair[1]:
                ends_of.append(0)
                continue
            first, second = pair
            incidences[first].append((1 << edge, second))
            incidences[second].append((1 << edge, first))
            ends_of.append(1 << first | 1 << second)
        self.incidences = tuple(map(tuple, incidences))
        self.ends_of = tuple(ends_of)
        self.touching = tuple(sum(edge for edge, _ in pairs) for pairs in incidences)
        self.best_rows: dict[tuple[object, ...], tuple[int, tuple[int, ...]]] = {}
        self.groups: dict[tuple[int, int], tuple[int, int, tuple[int, ...]]] = {}
        self.latest_groups: tuple[tuple[int, int, tuple[int, ...]], ...] = ()
        self.reached: dict[tuple[int, int], int] = {}
        self.latest_reached: tuple[tuple[int, int], ...] = ()

    def neighbours(self, places: int, edges: int) -> list[int]:
        """For each place its neighbours over `edges`, both ends in `places`; none for places outside."""
        neighbours = [0] * self.count
        for place in bits(places):
            for edge, neighbour in self.incidences[place]:
                if edges & edge and places >> neighbour & 1:
                    neighbours[place] |= 1 << neighbour
        return neighbours


# ---- The part of a graph that is cut off when an edge is removed


def cut_off(links: Adjacency, start: int, end: int, places: int, edges: int) -> int:
    """Find the component of one end of a removed edge; the empty set if the ends are still connected.

    The search alternates between both ends, over `edges` in `places`, until the two searches meet or one is exhausted;
    the exhausted side is returned. The time is proportional to the shortest way around, or to the smaller component.
    """
    # Searching from one end alone would visit half a board when a small corner at the other end was cut off.
    incidences = links.incidences
    seen, beyond = 1 << start, 1 << end
    waiting, later = [start], [end]
    turn = resting = 0  # positions in the lists of places still to expand
    while turn < len(waiting):
        for edge, place in incidences[waiting[turn]]:
            if edges & edge:
                bit = 1 << place
                if bit & places and not bit & seen:
                    if bit & beyond:
                        return 0
                    seen |= bit
                    waiting.append(place)
        waiting, later, turn, resting, seen, beyond = later, waiting, resting, turn + 1, beyond, seen
    return seen
