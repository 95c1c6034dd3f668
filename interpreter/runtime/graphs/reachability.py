"""The places reachable from one place, updated incrementally from one query to the next."""

from __future__ import annotations

from interpreter.runtime.bitset import bits
from interpreter.runtime.graphs.adjacency import NEAREST_OF, Adjacency, cut_off, forget_oldest

REMEMBERED = 256  # cached results
FAR = 6  # maximum number of edges that differ from a cached result used to derive another


def reach(links: Adjacency, start: int, edges: int) -> int:
    """The places reachable from `start` over `edges`, including `start`.

    A result is derived from the nearest recent one if few edges differ. That may be a result for another start, as long
    as it reached this one: with all edges two-way, both then reach the same places.
    """
    cached = links.reached.get((start, edges))
    if cached is not None:
        return cached
    nearest = None
    least = FAR
    for latest in links.latest_reached:
        if latest[1] >> start & 1:
            distance = (latest[0] ^ edges).bit_count()
            if distance < least:
                nearest, least = latest, distance
    reached = (
        _spread(links, 1 << start, 1 << start, edges) if nearest is None else _derived(links, start, edges, *nearest)
    )
    if len(links.reached) >= REMEMBERED:
        forget_oldest(links.reached)
    links.reached[start, edges] = reached
    links.latest_reached = (edges, reached), *links.latest_reached[: NEAREST_OF - 1]
    return reached


def _spread(links: Adjacency, reached: int, new: int, edges: int) -> int:
    """Extend the places reached by all that is reachable from the new ones among them."""
    incidences = links.incidences
    waiting = bits(new)
    while waiting:
        for edge, neighbour in incidences[waiting.pop()]:
            if edges & edge and not reached >> neighbour & 1:
                reached |= 1 << neighbour
                waiting.append(neighbour)
    return reached


def _derived(links: Adjacency, start: int, edges: int, edges_before: int, reached: int) -> int:
    """Derive the result from what was reached over the edges of an earlier query."""
    now = edges_before
    for edge in bits(edges_before & ~edges):
        now ^= 1 << edge
        ends = links.ends_of[edge]
        if ends and ends & reached == ends:
            first, second = bits(ends)
            apart = cut_off(links, first, second, -1, now)
            if apart:
                reached = apart if apart >> start & 1 else reached & ~apart
    # An edge between two places that are not reached matters once one of them is: `_spread` follows it then.
    new = 0
    for edge in bits(edges & ~edges_before):
        if links.ends_of[edge] & reached:
            new |= links.ends_of[edge] & ~reached
    return _spread(links, reached | new, new, edges)
