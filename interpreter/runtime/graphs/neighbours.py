"""Neighbours of a place, and components where every link counts."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.runtime.graphs.adjacency import Adjacency


def near(links: Adjacency, place: int, edges: int) -> int:
    """The places at the other ends of the `edges` of a place."""
    found = 0
    for edge, other in links.incidences[place]:
        if edges & edge:
            found |= 1 << other
    return found


def hanging(neighbours: Sequence[int], places: int) -> tuple[int, ...]:
    """The components of `places`, by lowest member; `neighbours[p]` are those of place p."""
    found = []
    left = places
    while left:
        group = waiting = left & -left
        left ^= waiting
        while waiting:
            low = waiting & -waiting
            more = neighbours[low.bit_length() - 1] & left
            waiting = (waiting ^ low) | more
            left ^= more
            group |= more
        found.append(group)
    return tuple(found)
