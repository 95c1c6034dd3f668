"""What comes apart when an edge is taken away."""

from __future__ import annotations

from interpreter.graphs.adjacency import Adjacency


def cut_off(links: Adjacency, one: int, other: int, places: int, edges: int) -> int:
    """What one end of an edge taken away hangs together with, if that is not the other end; else the empty set.

    Both ends are gone out from in turn, over `edges` in `places`, until they meet or one has nowhere left to go; it is
    that one whose part of the graph is told. This takes as long as the shortest way round, or the smaller part.
    """
    around = links.around
    seen, beyond = 1 << one, 1 << other
    waiting, later = [one], [other]
    turn = resting = 0  # how far the lists are gone through
    while turn < len(waiting):
        for edge, place in around[waiting[turn]]:
            if edges & edge:
                bit = 1 << place
                if bit & places and not bit & seen:
                    if bit & beyond:
                        return 0
                    seen |= bit
                    waiting.append(place)
        waiting, later, turn, resting, seen, beyond = later, waiting, resting, turn + 1, beyond, seen
    return seen
