"""Packings of listed sets: choices of sets that share no member."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence


def packings(sets: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every choice of the sets in which no two share a member, the empty choice first; sets in their order."""
    yield ()
    for index, first in enumerate(sets):
        disjoint = [later for later in sets[index + 1 :] if not later & first]
        for rest in packings(disjoint):
            yield (first, *rest)


def best_sets(sets: Iterable[int], worth: Callable[[int], int]) -> tuple[int, tuple[int, ...]]:
    """Find the highest total worth of sets that share no member, and such sets; of several choices the first in order.

    Set packing by dynamic programming: the best choice for the remaining members is computed once.
    """
    valued = [(members, worth(members)) for members in sets]
    by_lowest: dict[int, list[tuple[int, int]]] = {}
    total = 0
    for members, value in valued:
        if value > 0:
            by_lowest.setdefault(members & -members, []).append((members, value))
            total |= members
    cached: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}

    def best(remaining: int) -> tuple[int, tuple[int, ...]]:
        # INVARIANT: of choices with equal worth the first in order is kept. Choices are compared from the last set with
        # this lowest member to the first, and `>=` lets the earlier one win.
        if remaining not in cached:
            low = remaining & -remaining
            choice = best(remaining ^ low)
            for members, value in reversed(by_lowest.get(low, ())):
                if members & remaining == members:
                    rest, others = best(remaining ^ members)
                    if value + rest >= choice[0]:
                        choice = value + rest, (members, *others)
            cached[remaining] = choice
        return cached[remaining]

    return best(total)
