"""Views of successive states: parts whose cells have not changed are taken from the views before.

While a part of a view is computed, the cells that are read are recorded; what a part shows depends on nothing else. So
it is valid as long as none of these cells has another value.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Any, SupportsIndex, TypeVar, overload

from interpreter.program import Program
from interpreter.runtime.primitives import Cells
from interpreter.views.model import View
from interpreter.views.seat_view import SeatObserver, view_of

T = TypeVar("T")
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


class SuccessiveViews:
    """Views of one seat (None: everything) of states that follow each other, in any order."""

    def __init__(self, program: Program, seat: int | None) -> None:
        self.program, self.seat = program, seat
        self._before: Cells = []
        self._known: dict[Hashable, tuple[frozenset[int], Any]] = {}

    def view(self, S: Cells) -> View:
        """The view of a state, as `view_of` gives it."""
        self._forget(S)
        return view_of(self.program, S, self.seat, self._remembered)

    def _forget(self, S: Cells) -> None:
        """Drop the parts for which a cell has been read that now has another value."""
        if len(self._before) != len(S):
            self._known.clear()
        changed = {EVERYTHING}
        changed.update(cell for cell, (old, new) in enumerate(zip(self._before, S, strict=False)) if old != new)
        if len(changed) > 1:
            self._known = {key: entry for key, entry in self._known.items() if changed.isdisjoint(entry[0])}
        self._before = list(S)

    def _remembered(self, key: Hashable, S: Cells, me: Cells, make: Callable[[SeatObserver, Cells], T]) -> T:
        """A part of the view; `me` is the state with the seat for which it is made as the acting one."""
        if key in self._known:
            return self._known[key][1]  # type: ignore[no-any-return]
        read: set[int] = set()
        made = make(SeatObserver(self.program, RecordedCells(S, read), self.seat), RecordedCells(me, read))
        if EVERYTHING not in read:
            self._known[key] = frozenset(read), made
        return made
