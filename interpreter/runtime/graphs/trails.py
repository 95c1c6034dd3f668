"""Trails: walks that use no edge twice, as the sets of their edges."""

from __future__ import annotations

from interpreter.runtime.bitset import bits
from interpreter.runtime.graphs.adjacency import Adjacency
from interpreter.runtime.graphs.paths import MOST_PATHS, TooManyPaths
from interpreter.wording.phrases import Phrase

TRAILS = Phrase("there are more than {number} partial trails")


def trails(links: Adjacency, through: int, edges: int, least: int, cap: int = MOST_PATHS) -> tuple[int, ...]:
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
