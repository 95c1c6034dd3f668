"""Connected components, updated incrementally from one query to the next.

From one position to the next a single wall, road or stone changes as a rule, while a search from scratch visits every
place. The components are therefore derived from those of a recent query: an edge that was removed splits one component
or none, an edge that was added joins two or none.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence

from interpreter.runtime.bitset import bits
from interpreter.runtime.graphs.adjacency import NEAREST_OF, Adjacency, cut_off, forget_oldest

REMEMBERED = 256  # cached results
FAR = 8  # maximum number of places and edges that differ from a cached result used to derive another


def groups(links: Adjacency, places: int, edges: int) -> tuple[int, ...]:
    """The components of `places` over `edges` with both ends in `places`, by lowest member.

    A result is derived from the nearest recent one if few places and edges differ: for each edge removed, check whether
    its ends are still connected; for each edge added, merge components.
    """
    cached = links.groups.get((places, edges))
    if cached is not None:
        return cached[2]
    nearest = None
    least = FAR
    for latest in links.latest_groups:
        distance = (latest[0] ^ places).bit_count() + (latest[1] ^ edges).bit_count()
        if distance < least:
            nearest, least = latest, distance
    components = _flooded(links, places, edges) if nearest is None else _derived(links, places, edges, *nearest)
    if len(links.groups) >= REMEMBERED:
        forget_oldest(links.groups)
    answer = (places, edges, components)
    links.groups[places, edges] = answer
    links.latest_groups = answer, *links.latest_groups[: NEAREST_OF - 1]
    return components


def _flooded(links: Adjacency, places: int, edges: int) -> tuple[int, ...]:
    """Compute the components from scratch."""
    incidences = links.incidences
    components = []
    remaining = places
    while remaining:
        low = remaining & -remaining
        group = low
        remaining ^= low
        waiting = [low.bit_length() - 1]
        while waiting:
            for edge, neighbour in incidences[waiting.pop()]:
                if edges & edge and remaining >> neighbour & 1:
                    remaining ^= 1 << neighbour
                    group |= 1 << neighbour
                    waiting.append(neighbour)
        components.append(group)
    return tuple(components)


def _derived(
    links: Adjacency, places: int, edges: int, places_before: int, edges_before: int, components_before: tuple[int, ...]
) -> tuple[int, ...]:
    """Derive the components from those of earlier places and edges."""
    # INVARIANT: `components` is sorted by lowest member at every point between two changes.
    components = list(components_before)
    removed = places_before & ~places
    lost = edges_before & ~edges
    for place in bits(removed):
        lost |= links.touching[place] & edges_before
    now = edges_before
    for edge in bits(lost):
        now ^= 1 << edge
        ends = links.ends_of[edge]
        if ends and ends & places_before == ends:
            _split(links, components, ends, places_before, now)
    # INVARIANT: all edges of a removed place are gone by now, so it is a component of its own. Removing places first
    # would leave components that are not connected.
    for place in bits(removed):
        components.remove(1 << place)
    added = places & ~places_before
    new = edges & ~edges_before
    for place in bits(added):
        insort(components, 1 << place, key=_lowest)
        new |= links.touching[place] & edges
    for edge in bits(new):
        ends = links.ends_of[edge]
        if ends and ends & places == ends:
            _merge(components, ends)
    return tuple(components)


def _split(links: Adjacency, components: list[int], ends: int, places: int, edges: int) -> None:
    """Split the component of these ends if they are no longer connected."""
    first, second = ends & -ends, ends & (ends - 1)
    apart = cut_off(links, first.bit_length() - 1, second.bit_length() - 1, places, edges)
    if apart:
        for number, group in enumerate(components):
            if group & first:
                rest = group ^ apart
                components[number], new = (rest, apart) if rest & -rest < apart & -apart else (apart, rest)
                insort(components, new, key=_lowest)
                return


def _merge(components: list[int], ends: int) -> None:
    """Merge the components of these ends into the first, which has the lowest member of both."""
    for number, group in enumerate(components):
        if group & ends:
            if group & ends != ends:
                second = next(later for later in components[number + 1 :] if later & ends)
                components.remove(second)
                components[number] = group | second
            return


def _lowest(group: int) -> int:
    return group & -group


# ---- Neighbours of a place, and components where every link counts


def near(links: Adjacency, place: int, edges: int) -> int:
    """The places at the other ends of the `edges` of a place."""
    places = 0
    for edge, neighbour in links.incidences[place]:
        if edges & edge:
            places |= 1 << neighbour
    return places


def hanging(neighbours: Sequence[int], places: int) -> tuple[int, ...]:
    """The components of `places`, by lowest member; `neighbours[p]` are those of place p."""
    components = []
    remaining = places
    while remaining:
        group = waiting = remaining & -remaining
        remaining ^= waiting
        while waiting:
            low = waiting & -waiting
            more = neighbours[low.bit_length() - 1] & remaining
            waiting = (waiting ^ low) | more
            remaining ^= more
            group |= more
        components.append(group)
    return tuple(components)
