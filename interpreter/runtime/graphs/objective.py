"""Objective: the worth of a row, described so that it can be computed place by place."""

from __future__ import annotations

from collections.abc import Callable

from dsl.lazy_dataclasses import dataclass
from interpreter.runtime.bitset import bits

Sums = tuple[int, ...]


@dataclass(frozen=True)
class Objective:
    """The worth of a row, made of sums over its places and of flags: whether it has a place of certain sets.

    `sums[k][p]` is what place `p` adds to sum `k`. `masks[k]` is a set of places; flag `k` is true if the row has one
    of them. `value(sums, flags)` is the worth; it depends on its arguments alone. `affine` promises that, for any
    flags, `value` is a constant plus a constant multiple of each sum; without the promise this is determined by
    sampling where few sums are possible.
    """

    sums: tuple[Sums, ...]
    masks: tuple[int, ...]
    value: Callable[[Sums, tuple[bool, ...]], int]
    affine: bool = False

    def sums_of(self, row: int) -> Sums:
        """The sums over these places."""
        places = bits(row)
        return tuple([sum([addends[place] for place in places]) for addends in self.sums])

    def __call__(self, row: int) -> int:
        """The worth of the row with these places."""
        return self.value(self.sums_of(row), tuple([row & mask != 0 for mask in self.masks]))
