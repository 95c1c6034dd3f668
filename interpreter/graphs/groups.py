"""The groups of places that hang together."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.graphs.links import Links


def groups(links: Links, places: int, edges: int) -> tuple[int, ...]:
    """The parts of `places` that hang together over `edges` with both ends in `places`, by lowest member."""
    return flooded(links, places, edges)


def flooded(links: Links, places: int, edges: int) -> tuple[int, ...]:
    """The same, always gone through from nothing."""
    around = links.around
    found = []
    left = places
    while left:
        low = left & -left
        group = low
        left ^= low
        waiting = [low.bit_length() - 1]
        while waiting:
            for edge, other in around[waiting.pop()]:
                if edges & edge and left >> other & 1:
                    left ^= 1 << other
                    group |= 1 << other
                    waiting.append(other)
        found.append(group)
    return tuple(found)


def hanging(near: Sequence[int], places: int) -> tuple[int, ...]:
    """The parts of `places` that hang together if each is next to those in `near` of its number, by lowest member."""
    found = []
    left = places
    while left:
        group = edge = left & -left
        left ^= edge
        while edge:
            low = edge & -edge
            more = near[low.bit_length() - 1] & left
            edge = (edge ^ low) | more
            left ^= more
            group |= more
        found.append(group)
    return tuple(found)
