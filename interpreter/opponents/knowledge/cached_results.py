"""Results of functions of the cells, cached with the cells that each evaluation read.

A function that reads only cells gives the same result in every state in which those that it read have the same values.
So cached results are found without an analysis of what the function depends on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, Generic, TypeVar

from interpreter.runtime.cells import EVERYTHING, Cells, RecordedCells
from interpreter.runtime.layout import MOVES

Result = TypeVar("Result")

Cached = tuple[Callable[[Cells], Any], dict[Any, Result]]
"""A function that gets the values of the cells that were read, and the results by these values."""

MAX_RESULTS = 20_000
"""Maximum number of results of a cache."""


class CachedResults(Generic[Result]):
    """The results of numbered functions of the cells.

    `first` gives a cell that each function always reads. Which others it reads may depend on their values, so results
    are found by the value of that cell, then by the cells that were read, then by their values. The result of a
    function that has read the legal moves, which cannot be hashed, or all cells, is not cached. At most `most` results
    are kept; then the cache is cleared.
    """

    def __init__(self, function: Callable[[Cells, int], Result], first: Sequence[int], most: int = MAX_RESULTS) -> None:
        self._function, self._first, self._most = function, first, most
        self._results: dict[tuple[int, Any], dict[tuple[int, ...], Cached[Result]]] = {}
        self._count = 0

    def result(self, number: int, S: Cells) -> Result:
        """The result of the function with this number."""
        by_reads: dict[tuple[int, ...], Cached[Result]] = self._results.get((number, S[self._first[number]]), {})
        for values_in, results in by_reads.values():
            values = values_in(S)
            if values in results:
                return results[values]
        return self._evaluated(number, S)

    def read(self, number: int, S: Cells) -> tuple[int, ...] | None:
        """The cells that the function with this number reads; None if these are all cells, or the legal moves."""
        self.result(number, S)
        by_reads = self._results.get((number, S[self._first[number]]), {})
        return next((cells for cells, (values_in, results) in by_reads.items() if values_in(S) in results), None)

    def _evaluated(self, number: int, S: Cells) -> Result:
        read: set[int] = set()
        found = self._function(RecordedCells(S, read), number)
        if self._count >= self._most:
            self._results.clear()
            self._count = 0
        if read.isdisjoint({EVERYTHING, MOVES}):
            cells = tuple(sorted(read))
            by_reads = self._results.setdefault((number, S[self._first[number]]), {})
            values_in, results = by_reads.setdefault(cells, (itemgetter(*cells), {}))
            results[values_in(S)] = found
            self._count += 1
        return found
