"""Results of functions of the cells, cached with the cells that each evaluation read.

A function that reads only cells gives the same result in every state in which those that it read have the same values.
So cached results are found without an analysis of what the function depends on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any, Generic, SupportsIndex, TypeVar

from interpreter.layout.cells import MOVES
from interpreter.runtime.primitives import Cells

Result = TypeVar("Result")

Cached = tuple[Callable[[Cells], Any], dict[Any, Result]]
"""A function that gets the values of the cells that were read, and the results by these values."""

MOST = 20_000
"""Maximum number of results; then the cache is cleared."""


class RecordedCells(list[Any]):
    """Cells that record the numbers of those that are read, in the order of their first reading."""

    __slots__ = ("read",)

    def __init__(self, cells: Cells) -> None:
        super().__init__(cells)
        self.read: dict[int, None] = {}

    def __getitem__(self, index: SupportsIndex | slice) -> Any:
        numbers = range(*index.indices(len(self))) if isinstance(index, slice) else (range(len(self))[index],)
        self.read |= dict.fromkeys(numbers)
        return super().__getitem__(index)

    def __iter__(self) -> Iterator[Any]:
        self.read |= dict.fromkeys(range(len(self)))
        return super().__iter__()

    def copy(self) -> Any:
        """A copy, for which everything is read."""
        return list(self)


class CachedResults(Generic[Result]):
    """The results of numbered functions of the cells.

    `first` gives a cell that each function always reads. Which others it reads may depend on their values, so results
    are found by the value of that cell, then by the cells that were read, then by their values. The result of a
    function that has read the legal moves, which cannot be hashed, or all cells, is not cached.
    """

    def __init__(self, function: Callable[[Cells, int], Result], first: Sequence[int]) -> None:
        self._function, self._first = function, first
        self._results: dict[tuple[int, Any], dict[tuple[int, ...], Cached[Result]]] = {}
        self._read: dict[tuple[int, Any], int] = {}
        self._count = 0

    def result(self, number: int, S: Cells) -> Result:
        """The result of the function with this number."""
        by_reads = self._results.get((number, S[self._first[number]]))
        if by_reads is not None:
            for values_in, results in by_reads.values():
                values = values_in(S)
                if values in results:
                    return results[values]
        return self._evaluated(number, S)

    def affected(self, numbers: Iterable[int], S: Cells, changed: int) -> list[int]:
        """Those of the functions whose results may differ in a state with other values in the cells of a set.

        All have been evaluated in the first state, or in one with the same values in the cells that they read.
        """
        read, first = self._read, self._first
        return [number for number in numbers if read.get((number, S[first[number]]), -1) & changed]

    def _evaluated(self, number: int, S: Cells) -> Result:
        cells = RecordedCells(S)
        found = self._function(cells, number)
        key = number, S[self._first[number]]
        self._read[key] = self._read.get(key, 0) | sum(1 << cell for cell in cells.read)
        if MOVES not in cells.read:
            if self._count >= MOST:
                self._results.clear()
                self._read.clear()
                self._count = 0
            read = tuple(cells.read)
            by_reads = self._results.setdefault(key, {})
            values_in, results = by_reads.setdefault(read, (itemgetter(*read), {}))
            results[values_in(S)] = found
            self._count += 1
        return found
