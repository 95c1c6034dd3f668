"""Vertex order that keeps the frontier small."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.runtime.bitset import bits

BEAM = 24  # number of prefixes kept; more find narrower orders, and take longer
GROWTH = 4  # assumed growth in the number of states for each additional open place


def narrow_order(neighbours: Sequence[int], places: int) -> list[int]:
    """Order `places`, which are connected, so that few are open at a time; `neighbours[p]` are those of place p.

    A place is open from its own turn until that of its last neighbour. The number of open places is the width of a path
    decomposition; as the narrowest order is hard to find, this is a beam search: of all prefixes of the same length the
    `BEAM` cheapest are kept, prefixes with equal sets of places counting as one.
    """
    # Prefixes with the same places have the same open places, so only the cheaper order can lead to the best one. Ties
    # are broken by the order itself, so that the frontier, and its running time, are the same in every process.
    beam: dict[int, tuple[int, int, tuple[int, ...]]] = {0: (0, 0, ())}  # places visited: cost, open places, order
    for _ in range(places.bit_count()):
        longer: dict[int, tuple[int, int, tuple[int, ...]]] = {}
        for visited, (cost, opened, order) in beam.items():
            for place in bits(_next(neighbours, places & ~visited, opened)):
                now = visited | 1 << place
                still = opened | 1 << place
                for neighbour in bits((neighbours[place] & opened) | 1 << place):
                    if not neighbours[neighbour] & places & ~now:
                        still ^= 1 << neighbour
                price = cost + GROWTH ** still.bit_count()
                if now not in longer or price < longer[now][0]:
                    longer[now] = (price, still, (*order, place))
        beam = dict(sorted(longer.items(), key=lambda prefix: (prefix[1][0], prefix[1][2]))[:BEAM])
    return list(next(iter(beam.values()))[2])


def _next(neighbours: Sequence[int], remaining: int, opened: int) -> int:
    """The places that may come next: neighbours of open places, or all places at the beginning."""
    near = 0
    for place in bits(opened):
        near |= neighbours[place]
    return near & remaining or remaining
