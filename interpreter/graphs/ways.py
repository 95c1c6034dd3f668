"""Ways from place to place: a shortest one, and the places of all that go through no place twice."""

from __future__ import annotations

from interpreter.graphs.links import Links, members

MOST_PATHS = 100_000


class TooManyPaths(Exception):
    """There are more paths than may be listed: more than `cap`."""

    def __init__(self, cap: int) -> None:
        self.cap = cap
        super().__init__(f"more than {cap} paths")


def path(links: Links, start: int, goal: int, edges: int) -> int | None:
    """The edges of a shortest way from `start` to `goal` over `edges`; 0 if they are the same place, None if none.

    Of several shortest ways it is the one breadth-first search finds: places are left in the order in which they were
    found, each by its edges in ascending number, and a place keeps the edge over which it was found first.
    """
    if start == goal:
        return 0
    around = links.around
    seen = 1 << start
    came: dict[int, tuple[int, int]] = {}
    line = [start]
    for place in line:
        for edge, other in around[place]:
            if edges & edge and not seen >> other & 1:
                seen |= 1 << other
                came[other] = (place, edge)
                if other == goal:
                    way = 0
                    while other != start:
                        other, step = came[other]
                        way |= step
                    return way
                line.append(other)
    return None


def paths(links: Links, places: int, edges: int, least: int, cap: int = MOST_PATHS) -> tuple[int, ...]:
    """The sets of places of all paths in `places` over `edges` with `least` places or more.

    A path goes through no place twice; one place alone is a path. Each set is listed once, in the order of the
    ascending lists of their members. Raises TooManyPaths when more than `cap` sets of places are met on the way.
    """
    found: set[int] = set()
    begun: set[tuple[int, int]] = set()  # how far a path has come: its places, and the place at its end
    around = links.around
    for first in members(places):
        waiting = [(1 << first, first)]
        while waiting:
            seen, last = waiting.pop()
            if seen.bit_count() >= least:
                found.add(seen)
            for edge, other in around[last]:
                if edges & edge and places >> other & 1 and not seen >> other & 1:
                    step = (seen | 1 << other, other)
                    if step not in begun:
                        begun.add(step)
                        waiting.append(step)
            if len(begun) > 2 * cap:
                raise TooManyPaths(cap)
    if len(found) > cap:
        raise TooManyPaths(cap)
    return tuple(sorted(found, key=members))
