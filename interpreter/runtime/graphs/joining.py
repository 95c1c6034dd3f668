"""Whether places are joined, recomputed only as far as something has changed."""

from __future__ import annotations

from collections.abc import Sequence

MOST_KEPT = 16
"""Maximum number of sets of ends whose reach is cached."""


class Joining:
    """The neighbours of every place, with a cache of earlier reaches, on which no answer depends."""

    __slots__ = ("neighbours", "reached")

    def __init__(self, neighbours: Sequence[int]) -> None:
        self.neighbours = neighbours
        self.reached: dict[int, tuple[int, int]] = {}

    def joined(self, places: int, ends: int, others: int) -> bool:
        """Whether one of `ends` is joined with one of `others` by neighbours within `places`, both among them."""
        neighbours, reached_before = self.neighbours, self.reached
        places_before, reached = reached_before.get(ends, (0, 0))
        # INVARIANT: `reached` is what `ends` reach within `places_before`. As long as places are only added, as when
        # stones are placed and stay, it is extended; once a place is gone, whatever was reached over it is in doubt.
        if places_before & ~places:
            reached, new = 0, places & ends
        else:
            added = places ^ places_before
            new = added & ends
            while added:
                low = added & -added
                added ^= low
                if neighbours[low.bit_length() - 1] & reached:
                    new |= low
        if new:
            unreached = places & ~(reached | new)
            while new:
                low = new & -new
                new ^= low
                reached |= low
                more = neighbours[low.bit_length() - 1] & unreached
                if more:
                    new |= more
                    unreached ^= more
        if len(reached_before) >= MOST_KEPT and ends not in reached_before:
            reached_before.clear()
        reached_before[ends] = places, reached
        return reached & others != 0
