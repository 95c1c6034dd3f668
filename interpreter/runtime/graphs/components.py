"""Connected components, updated incrementally from one query to the next."""

from __future__ import annotations

from bisect import insort

from interpreter.runtime.bitset import bits
from interpreter.runtime.graphs.adjacency import NEAREST_OF, Adjacency, forget_oldest
from interpreter.runtime.graphs.bridges import cut_off

REMEMBERED = 256  # cached results
FAR = 8  # maximum number of places and edges that differ from a cached result used to derive another


def groups(links: Adjacency, places: int, edges: int) -> tuple[int, ...]:
    """The components of `places` over `edges` with both ends in `places`, by lowest member.

    A result is derived from the nearest recent one if few places and edges differ: for each edge removed, check whether
    its ends are still connected; for each edge added, merge components.
    """
    known = links.groups.get((places, edges))
    if known is not None:
        return known[2]
    nearest = None
    least = FAR
    for latest in links.latest_groups:
        distance = (latest[0] ^ places).bit_count() + (latest[1] ^ edges).bit_count()
        if distance < least:
            nearest, least = latest, distance
    found = _flooded(links, places, edges) if nearest is None else _derived(links, places, edges, *nearest)
    if len(links.groups) >= REMEMBERED:
        forget_oldest(links.groups)
    answer = (places, edges, found)
    links.groups[places, edges] = answer
    links.latest_groups = answer, *links.latest_groups[: NEAREST_OF - 1]
    return found


def _flooded(links: Adjacency, places: int, edges: int) -> tuple[int, ...]:
    """Compute the components from scratch."""
    incidences = links.incidences
    found = []
    left = places
    while left:
        low = left & -left
        group = low
        left ^= low
        waiting = [low.bit_length() - 1]
        while waiting:
            for edge, other in incidences[waiting.pop()]:
                if edges & edge and left >> other & 1:
                    left ^= 1 << other
                    group |= 1 << other
                    waiting.append(other)
        found.append(group)
    return tuple(found)


def _derived(
    links: Adjacency, places: int, edges: int, places_before: int, edges_before: int, before: tuple[int, ...]
) -> tuple[int, ...]:
    """Derive the components from those of earlier places and edges; `found` stays sorted by lowest member."""
    found = list(before)
    removed = places_before & ~places
    lost = edges_before & ~edges
    for place in bits(removed):
        lost |= links.touching[place] & edges_before
    now = edges_before
    for edge in bits(lost):
        now ^= 1 << edge
        ends = links.ends_of[edge]
        if ends and ends & places_before == ends:
            _split(links, found, ends, places_before, now)
    for place in bits(removed):
        found.remove(1 << place)
    added = places & ~places_before
    new = edges & ~edges_before
    for place in bits(added):
        insort(found, 1 << place, key=_lowest)
        new |= links.touching[place] & edges
    for edge in bits(new):
        ends = links.ends_of[edge]
        if ends and ends & places == ends:
            _merge(found, ends)
    return tuple(found)


def _split(links: Adjacency, found: list[int], ends: int, places: int, edges: int) -> None:
    """Split the component of these ends if they are no longer connected."""
    one, other = ends & -ends, ends & (ends - 1)
    apart = cut_off(links, one.bit_length() - 1, other.bit_length() - 1, places, edges)
    if apart:
        for number, group in enumerate(found):
            if group & one:
                rest = group ^ apart
                found[number], new = (rest, apart) if rest & -rest < apart & -apart else (apart, rest)
                insort(found, new, key=_lowest)
                return


def _merge(found: list[int], ends: int) -> None:
    """Merge the components of these ends into the first, which has the lowest member of both."""
    for number, group in enumerate(found):
        if group & ends:
            if group & ends != ends:
                other = next(each for each in found[number + 1 :] if each & ends)
                found.remove(other)
                found[number] = group | other
            return


def _lowest(group: int) -> int:
    return group & -group
