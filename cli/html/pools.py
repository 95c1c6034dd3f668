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


def step(before: Sequence[int], after: Sequence[int]) -> list[int]:
    """Encode how one list becomes another: `[length, kept, place, count, number, …, place, count, number, …]`.

    `kept` entries at the end of the old list are kept and shifted if the length changes; then each run of numbers is
    written at its place.
    """
    kept = 0
    if len(before) != len(after):
        while kept < min(len(before), len(after)) and before[-1 - kept] == after[-1 - kept]:
            kept += 1
    old = [*before[: len(after) - kept], *before[len(before) - kept :]] if kept else list(before)
    found, place = [len(after), kept], 0
    while place < len(after):
        end = place
        while end < len(after) and (end >= len(old) or old[end] != after[end]):
            end += 1
        if end > place:
            found += [place, end - place, *after[place:end]]
        place = end + 1
    return found
