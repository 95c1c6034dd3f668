"""Cells that record which of them are read: what is computed from them depends on nothing else.

For example, a view that has read cells 7 and 9 only is the same in every state that agrees with this one in both, so it
need not be computed again. Reading a state as a whole, by a slice or a loop, counts as reading all cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, SupportsIndex, overload

from interpreter.runtime.primitives import Cells

EVERYTHING = -1
"""Recorded in place of a cell if a state is read as a whole."""


class RecordedCells(list[Any]):
    """A copy of a state that records which of its cells are read."""

    def __init__(self, cells: Cells, read: set[int]) -> None:
        super().__init__(cells)
        self.read = read

    @overload
    def __getitem__(self, key: SupportsIndex) -> Any: ...
    @overload
    def __getitem__(self, key: slice) -> list[Any]: ...
    def __getitem__(self, key: Any) -> Any:
        """Read one cell, or several at once."""
        if isinstance(key, int):
            self.read.add(key if key >= 0 else key + len(self))
        else:
            self.read.add(EVERYTHING)
        return super().__getitem__(key)

    def __iter__(self) -> Iterator[Any]:
        """Read all cells."""
        self.read.add(EVERYTHING)
        return super().__iter__()
