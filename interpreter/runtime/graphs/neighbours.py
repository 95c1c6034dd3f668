"""Neighbours of a place, and components where every link counts."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.runtime.graphs.adjacency import Adjacency


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
