"""The places that can be reached from one place."""

from __future__ import annotations

from interpreter.graphs.links import Links


def reach(links: Links, start: int, edges: int) -> int:
    """The places that can be reached from `start` over `edges`, `start` among them."""
    return flood(links, start, edges)


def flood(links: Links, start: int, edges: int) -> int:
    """The same, always gone through from `start` on."""
    around = links.around
    seen = 1 << start
    waiting = [start]
    while waiting:
        for edge, other in around[waiting.pop()]:
            if edges & edge and not seen >> other & 1:
                seen |= 1 << other
                waiting.append(other)
    return seen


def near(links: Links, place: int, edges: int) -> int:
    """The places at the other ends of the `edges` of a place."""
    found = 0
    for edge, other in links.around[place]:
        if edges & edge:
            found |= 1 << other
    return found
