"""The part of a graph that is cut off when an edge is removed."""

from __future__ import annotations

from interpreter.runtime.graphs.adjacency import Adjacency


def cut_off(links: Adjacency, start: int, end: int, places: int, edges: int) -> int:
    """Find the component of one end of a removed edge; the empty set if the ends are still connected.

    The search alternates between both ends, over `edges` in `places`, until the two searches meet or one is exhausted;
    the exhausted side is returned. The time is proportional to the shortest way around, or to the smaller component.
    """
    # Searching from one end alone would visit half a board when a small corner at the other end was cut off.
    incidences = links.incidences
    seen, beyond = 1 << start, 1 << end
    waiting, later = [start], [end]
    turn = resting = 0  # positions in the lists of places still to expand
    while turn < len(waiting):
        for edge, place in incidences[waiting[turn]]:
            if edges & edge:
                bit = 1 << place
                if bit & places and not bit & seen:
                    if bit & beyond:
                        return 0
                    seen |= bit
                    waiting.append(place)
        waiting, later, turn, resting, seen, beyond = later, waiting, resting, turn + 1, beyond, seen
    return seen
