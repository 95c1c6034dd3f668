"""Compact storage: pools that keep each value once, and lists encoded as changes from the previous one."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class Pool(Generic[T]):
    """Values numbered in the order in which they were added."""

    def __init__(self) -> None:
        self.numbers: dict[T, int] = {}

    def number(self, value: T) -> int:
        """The number of a value, adding it if it is new."""
        return self.numbers.setdefault(value, len(self.numbers))

    @property
    def values(self) -> list[T]:
        """The values by their numbers."""
        return list(self.numbers)


def step(previous: Sequence[int], current: Sequence[int]) -> list[int]:
    """Encode how one list becomes another: `[length, tail, place, count, number, …, place, count, number, …]`.

    The `tail` last entries of the old list stay and are shifted if the length changes; then each run of numbers is
    written at its place.
    """
    # From [1, 2, 3, 4, 5] to [1, 2, 9, 3, 4, 5]: the tail of 3 stays, and only `2, 1, 9` is written: [6, 3, 2, 1, 9].
    # Without the tail every row below an added one would be written again. If the lengths are equal there is no need of
    # it: what has not changed is in its place anyway.
    tail = 0
    if len(previous) != len(current):
        while tail < min(len(previous), len(current)) and previous[-1 - tail] == current[-1 - tail]:
            tail += 1
    old = [*previous[: len(current) - tail], *previous[len(previous) - tail :]] if tail else list(previous)
    encoded, place = [len(current), tail], 0
    while place < len(current):
        end = place
        while end < len(current) and (end >= len(old) or old[end] != current[end]):
            end += 1
        if end > place:
            encoded += [place, end - place, *current[place:end]]
        place = end + 1
    return encoded
