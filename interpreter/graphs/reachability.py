"""The places that can be reached from one place, kept up to date from question to question."""

from __future__ import annotations

from interpreter.bitset import bits
from interpreter.graphs.adjacency import Adjacency
from interpreter.graphs.bridges import cut_off

REMEMBERED = 256  # answers
FAR = 6  # edges by which an answer may differ to derive another from it


def reach(links: Adjacency, start: int, edges: int) -> int:
    """The places that can be reached from `start` over `edges`, `start` among them.

    An answer is derived from the nearest of the latest ones, if that differs in a few edges.
    """
    known = links.reached.get((start, edges))
    if known is not None:
        return known
    nearest = None
    least = FAR
    for latest in links.latest_reached:
        if latest[1] >> start & 1:
            distance = (latest[0] ^ edges).bit_count()
            if distance < least:
                nearest, least = latest, distance
    found = (
        _spread(links, 1 << start, 1 << start, edges) if nearest is None else _derived(links, start, edges, *nearest)
    )
    if len(links.reached) >= REMEMBERED:
        del links.reached[next(iter(links.reached))]
    links.reached[start, edges] = found
    links.latest_reached.appendleft((edges, found))
    return found


def _spread(links: Adjacency, reached: int, new: int, edges: int) -> int:
    """The places reached, and all that can be reached from the new ones among them."""
    around = links.around
    waiting = bits(new)
    while waiting:
        for edge, other in around[waiting.pop()]:
            if edges & edge and not reached >> other & 1:
                reached |= 1 << other
                waiting.append(other)
    return reached


def _derived(links: Adjacency, start: int, edges: int, before: int, reached: int) -> int:
    """The same from what was reached over other edges before."""
    now = before
    for edge in bits(before & ~edges):
        now ^= 1 << edge
        ends = links.ends_of[edge]
        if ends and ends & reached == ends:
            one, other = bits(ends)
            apart = cut_off(links, one, other, -1, now)
            if apart:
                reached = apart if apart >> start & 1 else reached & ~apart
    new = 0
    for edge in bits(edges & ~before):
        if links.ends_of[edge] & reached:
            new |= links.ends_of[edge] & ~reached
    return _spread(links, reached | new, new, edges)
