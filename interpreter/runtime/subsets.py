"""Subsets of a set: equal members are interchangeable, and no subset occurs twice.

Members that nothing tells apart form a group; of a group only the first ones are ever taken, and members are taken in
the order of their groups. So a subset is determined by its count of each group, and is generated exactly once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

MOST_HANDFULS = 100_000
"""Maximum number of subsets that are enumerated at once."""

Groups = Sequence[Sequence[int]]


def singles(members: Iterable[int]) -> Groups:
    """Members that are all different."""
    return [(member,) for member in members]


def _room(groups: Groups) -> list[int]:
    """The number of members from each group on, and 0 after the last."""
    return list(accumulate((len(group) for group in reversed(groups)), initial=0))[::-1]


def picks(groups: Groups, chosen: int, number: int, exact: bool) -> list[int]:
    """The members that may be taken next after the set `chosen`, up to `number` in all; `exact`: so that it is reached.

    If there are fewer members, `number` is reduced to that.
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
    """Count the subsets of `fewest` to `most` members."""
    ways = [1]
    for group in groups:
        longer = [0] * min(len(ways) + len(group), most + 1)
        for size, count in enumerate(ways):
            for more in range(min(len(group), most - size) + 1):
                longer[size + more] += count
        ways = longer
    return sum(ways[max(0, fewest) :])


def of_sizes(groups: Groups, fewest: int, most: int) -> tuple[int, ...]:
    """All subsets of `fewest` to `most` members, the small ones first."""
    room = _room(groups)
    found: list[int] = []
    for size in range(max(0, fewest), min(most, room[0]) + 1):
        waiting = [(0, 0, 0, size)]  # set so far, group of its last member, count of that group, count still to take
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
