"""The same searches over a relation between places, which need not be symmetric, instead of edges."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interpreter.runtime.bitset import bits
from interpreter.runtime.graphs.paths import MAX_PATHS, path_sets


def reach_by(start: int, linked: Callable[[int], int]) -> int:
    """The places that can be reached from `start` in the direction of the relation, including `start`.

    `linked(p)` are the places that p is linked with; it is called once for each place reached.
    """
    reached = waiting = 1 << start
    while waiting:
        low = waiting & -waiting
        new = linked(low.bit_length() - 1) & ~reached
        reached |= new
        waiting ^= low | new
    return reached


def groups_by(places: int, neighbours: Sequence[int]) -> tuple[int, ...]:
    """The components of `places`, by lowest member; a link in either direction joins.

    `neighbours` are those of each of the places, in ascending order, within them.
    """
    components: list[int] = []
    for place, linked in zip(bits(places), neighbours, strict=True):
        joined, apart = linked | 1 << place, []
        for group in components:
            if group & joined:
                joined |= group
            else:
                apart.append(group)
        components = [*apart, joined]
    return tuple(sorted(components, key=lambda group: group & -group))


def path_by(start: int, goal: int, linked: Callable[[int], int]) -> int | None:
    """Find the places of a shortest path in the direction of the relation, with both ends; None if none exists.

    Of several it is the one that breadth-first search finds: places are expanded in the order in which they were found,
    each by its neighbours in ascending number.
    """
    reached_from = {start: start}
    queue = [start]
    for place in queue:
        if place == goal:
            route = 1 << start
            while place != start:
                route |= 1 << place
                place = reached_from[place]
            return route
        for neighbour in bits(linked(place)):
            if neighbour not in reached_from:
                reached_from[neighbour] = place
                queue.append(neighbour)
    return None


def paths_by(places: int, neighbours: Sequence[int], least: int, cap: int = MAX_PATHS) -> tuple[int, ...]:
    """List the sets of places of all paths of `least` places or more in the direction of the relation.

    `neighbours` are those of each of the places, in ascending order, within them. Raises TooManyPaths.
    """
    numbers = bits(places)
    by_place = [0] * (1 + max(numbers, default=0))
    for place, linked in zip(numbers, neighbours, strict=True):
        by_place[place] = linked
    return tuple(sorted(path_sets(by_place, places, least, cap), key=bits))
