"""Choices of several members of a set: equal ones once, and no handful twice.

Members that nothing tells apart form a group; of a group only the first ones are ever taken, and members are taken in
the order of their groups. So a handful is how many of each group, and comes up in one way only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

MOST_HANDFULS = 100_000
"""How many handfuls may be gone through at once."""

Groups = Sequence[Sequence[int]]


def singles(members: Iterable[int]) -> Groups:
    """Members that are all different."""
    return [(member,) for member in members]


def _room(groups: Groups) -> list[int]:
    """How many members there are from each group on, and behind the last."""
    return list(accumulate((len(group) for group in reversed(groups)), initial=0))[::-1]


def picks(groups: Groups, chosen: int, number: int, exact: bool) -> list[int]:
    """What may be taken next after the set `chosen`, up to `number` in all; `exact`: so that this many can be reached.

    Where fewer are there, `number` is as many as there are.
    """
    room = _room(groups)
    taken = [sum(chosen >> member & 1 for member in group) for group in groups]
    last = max((place for place, count in enumerate(taken) if count), default=0)
    wanted = min(number, room[0]) - sum(taken) if exact else 1
    return [
        group[taken[place]]
        for place, group in enumerate(groups)
        if place >= last and taken[place] < len(group) and room[place] - taken[place] >= wanted
    ]


def how_many(groups: Groups, fewest: int, most: int) -> int:
    """How many handfuls of `fewest` to `most` members there are."""
    ways = [1]
    for group in groups:
        longer = [0] * min(len(ways) + len(group), most + 1)
        for size, count in enumerate(ways):
            for more in range(min(len(group), most - size) + 1):
                longer[size + more] += count
        ways = longer
    return sum(ways[max(0, fewest) :])


def of_sizes(groups: Groups, fewest: int, most: int) -> tuple[int, ...]:
    """All handfuls of `fewest` to `most` members as sets, the small ones first."""
    room = _room(groups)
    found: list[int] = []
    for size in range(max(0, fewest), min(most, room[0]) + 1):
        waiting = [(0, 0, 0, size)]  # the set so far, the group of the last one, how many of it, how many to come
        while waiting:
            handful, first, used, left = waiting.pop()
            if not left:
                found.append(handful)
                continue
            following = []
            for place in range(first, len(groups)):
                taken = used if place == first else 0
                if room[place] - taken < left:
                    break
                if taken < len(groups[place]):
                    following.append((handful | 1 << groups[place][taken], place, taken + 1, left - 1))
            waiting += reversed(following)
    return tuple(found)
