"""In which order the places of a graph are gone through so that few of them are open at a time."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.bitset import bits

BEAM = 24  # how many beginnings are followed; more find narrower orders, and take longer
GROWTH = 4  # how many times as many states one more open place is taken to cost


def narrow_order(around: Sequence[int], places: int) -> list[int]:
    """The members of `places`, which hang together, so that few are open at a time; `around[p]`: p's neighbours.

    A place is open from its own turn until that of its last neighbour. The number of open places is the width of a path
    decomposition; the narrowest order is hard to find, so this is a beam search: of all beginnings of the same length
    the `BEAM` cheapest are followed, equal sets of places counting as one.
    """
    beam: dict[int, tuple[int, int, tuple[int, ...]]] = {0: (0, 0, ())}  # places gone through: cost, open places, order
    for _ in range(places.bit_count()):
        found: dict[int, tuple[int, int, tuple[int, ...]]] = {}
        for done, (cost, opened, order) in beam.items():
            for place in bits(_next(around, places & ~done, opened)):
                now = done | 1 << place
                still = opened | 1 << place
                for other in bits((around[place] & opened) | 1 << place):
                    if not around[other] & places & ~now:
                        still ^= 1 << other
                price = cost + GROWTH ** still.bit_count()
                if now not in found or price < found[now][0]:
                    found[now] = (price, still, (*order, place))
        beam = dict(sorted(found.items(), key=lambda each: (each[1][0], each[1][2]))[:BEAM])
    return list(next(iter(beam.values()))[2])


def _next(around: Sequence[int], left: int, opened: int) -> int:
    """The places that may come next: neighbours of open places, at the beginning all."""
    near = 0
    for place in bits(opened):
        near |= around[place]
    return near & left or left
