"""Subsets of a set: equal members are interchangeable, and no subset occurs twice.

From a hand with three equal coins and a ring, two members can be chosen in six ways, but only two of them differ: two
coins, or a coin and the ring.

Members that nothing tells apart form a group; of a group only the first ones are ever taken, and members are taken in
the order of their groups. A subset is therefore determined by its count of each group, and is generated exactly once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

MAX_HANDFULS = 100_000
"""Maximum number of subsets that are enumerated at once."""

Groups = Sequence[Sequence[int]]


def singles(members: Iterable[int]) -> Groups:
    """Members that are all different."""
    return [(member,) for member in members]


def _members_from(groups: Groups) -> list[int]:
    """The number of members from each group on, and 0 after the last."""
    return list(accumulate((len(group) for group in reversed(groups)), initial=0))[::-1]


def picks(groups: Groups, chosen: int, fewest: int) -> list[int]:
    """The members that may be taken next after the set `chosen`, so that `fewest` in all can still be reached.

    If there are fewer members, `fewest` is reduced to that.
    """
    remaining = _members_from(groups)
    counts = [sum(chosen >> member & 1 for member in group) for group in groups]
    # INVARIANT: members are chosen in the order of their groups. A choice from an earlier group is not offered, as the
    # same subset is reached by choosing that member first; nor is one after which too few members would be left.
    last = max((index for index, count in enumerate(counts) if count), default=0)
    needed = max(1, min(fewest, remaining[0]) - sum(counts))
    return [
        group[counts[index]]
        for index, group in enumerate(groups)
        if index >= last and counts[index] < len(group) and remaining[index] - counts[index] >= needed
    ]


def count_subsets(groups: Groups, fewest: int, most: int) -> int:
    """Count the subsets of `fewest` to `most` members."""
    counts = [1]
    for group in groups:
        longer = [0] * min(len(counts) + len(group), most + 1)
        for size, count in enumerate(counts):
            for more in range(min(len(group), most - size) + 1):
                longer[size + more] += count
        counts = longer
    return sum(counts[max(0, fewest) :])


def subsets_of_sizes(groups: Groups, fewest: int, most: int) -> tuple[int, ...]:
    """All subsets of `fewest` to `most` members, the small ones first."""
    remaining = _members_from(groups)
    subsets: list[int] = []
    for size in range(max(0, fewest), min(most, remaining[0]) + 1):
        waiting = [(0, 0, 0, size)]  # set so far, group of its last member, count of that group, count still to take
        while waiting:
            subset, first, used, needed = waiting.pop()
            if not needed:
                subsets.append(subset)
                continue
            extended = []
            for index in range(first, len(groups)):
                count = used if index == first else 0
                if remaining[index] - count < needed:
                    break
                if count < len(groups[index]):
                    extended.append((subset | 1 << groups[index][count], index, count + 1, needed - 1))
            waiting += reversed(extended)
    return tuple(subsets)
