"""Paths: a shortest one between two places, and the sets of places of all simple paths."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.runtime.bitset import bits
from interpreter.runtime.graphs.adjacency import Adjacency
from interpreter.wording.phrases import Phrase

MAX_PATHS = 100_000
PATHS = Phrase("there are more than {number} partial paths")


class TooManyPaths(Exception):
    """There are too many paths, or other walks, to list: more than `cap` beginnings were found."""

    def __init__(self, cap: int, message: Phrase = PATHS) -> None:
        self.cap, self.message = cap, Phrase(message.template, number=cap)
        super().__init__(self.message)


def path(links: Adjacency, start: int, goal: int, edges: int) -> int | None:
    """Find the edges of a shortest path from `start` to `goal` over `edges`; 0 if these are equal, None if none exists.

    Of several shortest paths it is the one that breadth-first search finds: places are expanded in the order in which
    they were found, each by its edges in ascending number, and a place keeps the edge over which it was found first.
    """
    if start == goal:
        return 0
    incidences = links.incidences
    seen = 1 << start
    reached_from: dict[int, tuple[int, int]] = {}
    queue = [start]
    for place in queue:
        for edge, neighbour in incidences[place]:
            if edges & edge and not seen >> neighbour & 1:
                seen |= 1 << neighbour
                reached_from[neighbour] = (place, edge)
                if neighbour == goal:
                    route = 0
                    while neighbour != start:
                        neighbour, step = reached_from[neighbour]
                        route |= step
                    return route
                queue.append(neighbour)
    return None


def paths(links: Adjacency, places: int, edges: int, least: int, cap: int = MAX_PATHS) -> tuple[int, ...]:
    """List the sets of places of all paths in `places` over `edges` with `least` places or more.

    A path visits no place twice; one place alone is a path. Each set is listed once, in the order of the ascending
    lists of their members. Raises TooManyPaths when more than `cap` beginnings of paths have to be examined, counting
    those with the same places and the same end as one.
    """
    return tuple(sorted(path_sets(links.neighbours(places, edges), places, least, cap), key=bits))


def path_sets(neighbours: Sequence[int], places: int, least: int, cap: int) -> set[int]:
    """The same sets in no order; `neighbours[p]` are those of place p. Raises TooManyPaths."""
    # A path is extended only at one end, so only its places and that end matter: of the paths 0-1-2-3 and 0-2-1-3,
    # which have the same places and the same end, one is enough.
    begun = {(1 << place, place) for place in bits(places)}
    waiting = sorted(begun)
    complete = set()
    while waiting:
        seen, last = waiting.pop()
        if seen.bit_count() >= least:
            complete.add(seen)
        near = neighbours[last] & ~seen
        while near:
            low = near & -near
            near ^= low
            step = (seen | low, low.bit_length() - 1)
            if step not in begun:
                begun.add(step)
                waiting.append(step)
        if len(begun) > cap:
            raise TooManyPaths(cap)
    return complete


def may_be_path(neighbours: Sequence[int], row: int, tries: int) -> bool:
    """True if there is a path through exactly these places, or if that is still undecided after `tries` attempts.

    `neighbours[p]` are those of place p.
    """
    places = bits(row)
    ends = [place for place in places if (neighbours[place] & row).bit_count() < 2]
    begun = {(1 << place, place) for place in ends or places}
    waiting = sorted(begun)
    while waiting and len(begun) <= tries:
        seen, last = waiting.pop()
        if seen == row:
            return True
        near = neighbours[last] & row & ~seen
        while near:
            low = near & -near
            near ^= low
            step = (seen | low, low.bit_length() - 1)
            if step not in begun:
                begun.add(step)
                waiting.append(step)
    return bool(waiting)


# ---- Whether places are joined, recomputed only as far as something has changed


MAX_JOININGS = 16
"""Maximum number of sets of ends whose reach is cached."""


class Joining:
    """The neighbours of every place, with a cache of earlier reaches, on which no answer depends."""

    __slots__ = ("neighbours", "reached")

    def __init__(self, neighbours: Sequence[int]) -> None:
        self.neighbours = neighbours
        self.reached: dict[int, tuple[int, int]] = {}

    def joined(self, places: int, ends: int, others: int) -> bool:
        """Whether one of `ends` is joined with one of `others` by neighbours within `places`, both among them."""
        neighbours, reached_before = self.neighbours, self.reached
        places_before, reached = reached_before.get(ends, (0, 0))
        # INVARIANT: `reached` is what `ends` reach within `places_before`. As long as places are only added, as when
        # stones are placed and stay, it is extended; once a place is gone, whatever was reached over it is in doubt.
        if places_before & ~places:
            reached, new = 0, places & ends
        else:
            added = places ^ places_before
            new = added & ends
            while added:
                low = added & -added
                added ^= low
                if neighbours[low.bit_length() - 1] & reached:
                    new |= low
        if new:
            unreached = places & ~(reached | new)
            while new:
                low = new & -new
                new ^= low
                reached |= low
                more = neighbours[low.bit_length() - 1] & unreached
                if more:
                    new |= more
                    unreached ^= more
        if len(reached_before) >= MAX_JOININGS and ends not in reached_before:
            reached_before.clear()
        reached_before[ends] = places, reached
        return reached & others != 0


# ---- Trails: walks that use no edge twice, as the sets of their edges


TRAILS = Phrase("there are more than {number} partial trails")


def trails(links: Adjacency, through: int, edges: int, least: int, cap: int = MAX_PATHS) -> tuple[int, ...]:
    """List the sets of edges of all trails over `edges` with `least` edges or more, at least one.

    A trail uses each edge once; it may visit a place again, and passes only through places in `through`, while it may
    begin and end anywhere. Each set is listed once, in the order of the ascending lists of their members. Raises
    TooManyPaths when more than `cap` beginnings of trails have to be examined, counting those with the same edges and
    the same end as one.
    """
    begun = {(1 << edge, start) for edge in bits(edges) for start in bits(links.ends_of[edge])}
    waiting = list(begun)
    complete = set()
    while waiting:
        used, last = waiting.pop()
        if used.bit_count() >= least:
            complete.add(used)
        if through >> last & 1:
            for edge, end in links.incidences[last]:
                if edges & edge and not used & edge and (step := (used | edge, end)) not in begun:
                    begun.add(step)
                    waiting.append(step)
        if len(begun) > cap:
            raise TooManyPaths(cap, TRAILS)
    return tuple(sorted(complete, key=bits))
