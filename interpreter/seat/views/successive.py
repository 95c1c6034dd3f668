"""Views of successive states: parts whose cells have not changed are taken from the views before.

While a part of a view is computed, the cells that are read are recorded; what a part shows depends on nothing else. It
is therefore valid as long as none of these cells has another value. After a move from one place to another, for
example, only those parts are computed again that read the cells of these places or of the pieces moved.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from interpreter.engine.program import Program
from interpreter.runtime.cells import EVERYTHING, Cells, RecordedCells
from interpreter.seat.views.model import View
from interpreter.seat.views.seat_view import SeatObserver, view_of

T = TypeVar("T")


class SuccessiveViews:
    """Views of one seat (None: everything) of states that follow each other, in any order."""

    def __init__(self, program: Program, seat: int | None) -> None:
        self.program, self.seat = program, seat
        self._latest = Cells()
        self._parts: dict[Hashable, tuple[frozenset[int], Any]] = {}  # parts of many classes, each by its key

    def view(self, state: Cells) -> View:
        """The view of a state, as `view_of` gives it."""
        self._forget(state)
        return view_of(self.program, state, self.seat, self._remembered)

    def _forget(self, state: Cells) -> None:
        """Drop the parts for which a cell has been read that now has another value."""
        if len(self._latest) != len(state):
            self._parts.clear()
        changed = {EVERYTHING}
        changed.update(cell for cell, (old, new) in enumerate(zip(self._latest, state, strict=False)) if old != new)
        if len(changed) > 1:
            self._parts = {key: entry for key, entry in self._parts.items() if changed.isdisjoint(entry[0])}
        self._latest = Cells(state)

    def _remembered(self, key: Hashable, state: Cells, me: Cells, make: Callable[[SeatObserver, Cells], T]) -> T:
        """A part of the view; `me` is the state with the seat for which it is made as the acting one."""
        if key in self._parts:
            return self._parts[key][1]  # type: ignore[no-any-return]
        read: set[int] = set()
        part = make(SeatObserver(self.program, RecordedCells(state, read), self.seat), RecordedCells(me, read))
        if EVERYTHING not in read:
            self._parts[key] = frozenset(read), part
        return part
