"""Packings of listed sets: choices of sets that share no member."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence


def packings(sets: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every choice of the sets in which no two share a member, the empty choice first; sets in their order."""
    yield ()
    for index, first in enumerate(sets):
        disjoint = [other for other in sets[index + 1 :] if not other & first]
        for rest in packings(disjoint):
            yield (first, *rest)


def best_sets(sets: Iterable[int], worth: Callable[[int], int]) -> tuple[int, tuple[int, ...]]:
    """Find the highest total worth of sets that share no member, and such sets; of several choices the first in order.

    Set packing by dynamic programming: the best choice for the remaining members is computed once.
    """
    valued = [(one, worth(one)) for one in sets]
    by_lowest: dict[int, list[tuple[int, int]]] = {}
    total = 0
    for one, value in valued:
        if value > 0:
            by_lowest.setdefault(one & -one, []).append((one, value))
            total |= one
    known: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}

    def best(left: int) -> tuple[int, tuple[int, ...]]:
        if left not in known:
            low = left & -left
            found = best(left ^ low)
            for one, value in reversed(by_lowest.get(low, ())):
                if one & left == one:
                    rest, others = best(left ^ one)
                    if value + rest >= found[0]:
                        found = value + rest, (one, *others)
            known[left] = found
        return known[left]

    return best(total)
