"""What a row is worth, described so that it can be reckoned place by place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from interpreter.graphs.links import members


@dataclass(frozen=True)
class Worth:
    """The worth of a row, made of sums over its places and of whether it has a place of certain sets.

    `sums[k][p]` is what place `p` adds to sum `k`. `masks[k]` is a set of places; flag `k` is true if the row has one
    of them. `value(sums, flags)` is the worth; it depends on its arguments alone.
    """

    sums: tuple[tuple[int, ...], ...]
    masks: tuple[int, ...]
    value: Callable[[tuple[int, ...], tuple[bool, ...]], int]

    def __call__(self, row: int) -> int:
        """The worth of the row with these places."""
        places = members(row)
        sums = tuple([sum([each[place] for place in places]) for each in self.sums])
        return self.value(sums, tuple([row & mask != 0 for mask in self.masks]))
