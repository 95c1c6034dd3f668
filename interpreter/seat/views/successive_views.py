"""Views of states that follow each other: parts whose cells have not changed are taken from the view before.

A view is asked for after each move and costs more than the move. Most of it has not changed. While a part of a view is
computed, the cells that are read are recorded; what a part shows depends on nothing else. It is therefore valid as long
as none of these cells has another value. After a move from one place to another, for example, only those parts are
computed again that read the cells of these places or of the pieces moved.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from itertools import compress
from operator import ne
from typing import Any, TypeVar

from interpreter.engine.program import Program
from interpreter.runtime.cells import EVERYTHING, Cells, RecordedCells
from interpreter.seat.views.model import PieceView, View
from interpreter.seat.views.seat_view import SeatObserver, view_of

T = TypeVar("T")


class SuccessiveViews:
    """Views of one seat (None: everything) of states that follow each other, in any order."""

    def __init__(self, program: Program, seat: int | None) -> None:
        self.program, self.seat = program, seat
        self._latest = Cells()
        self._parts: dict[Hashable, tuple[frozenset[int], Any]] = {}  # parts of many classes, each by its key
        self._reading: list[set[int]] = []  # what the parts have read that are being made, the innermost last

    def view(self, state: Cells) -> View:
        """The view of a state, as `view_of` gives it."""
        self._forget(state)
        return view_of(self.program, state, self.seat, self._remembered)

    def _forget(self, state: Cells) -> None:
        """Drop the parts for which a cell has been read that now has another value."""
        if len(self._latest) != len(state):
            self._parts.clear()
        changed = {EVERYTHING, *compress(range(len(state)), map(ne, self._latest, state))}
        if len(changed) > 1:
            self._parts = {key: entry for key, entry in self._parts.items() if changed.isdisjoint(entry[0])}
        self._latest = Cells(state)

    def _remembered(self, key: Hashable, state: Cells, me: Cells, make: Callable[[SeatObserver, Cells], T]) -> T:
        """A part of the view; `me` is the state with the seat for which it is made as the acting one."""
        entry = self._parts.get(key)
        if entry is None:
            read: set[int] = set()
            self._reading.append(read)
            try:
                observer = _RememberingObserver(self.program, RecordedCells(state, read), self.seat, self.pieces)
                entry = read, make(observer, RecordedCells(me, read))  # type: ignore[assignment]
            finally:
                self._reading.pop()
            if EVERYTHING not in read:
                entry = self._parts[key] = frozenset(read), entry[1]  # type: ignore[index]
        if self._reading:  # what is made of this part depends on what it has read
            self._reading[-1].update(entry[0])  # type: ignore[index]
        return entry[1]  # type: ignore[index, no-any-return]

    def pieces(self, place: int) -> tuple[PieceView, ...]:
        """The pieces at a place of the present state, which zones and tables show."""
        state = self._latest
        return self._remembered(("pieces", place), state, state, lambda observer, _: observer.pieces_at(place))


class _RememberingObserver(SeatObserver):
    """An observer that has pieces at places remembered on their own, as several parts of a view show them."""

    def __init__(
        self, program: Program, state: Cells, seat: int | None, remembered: Callable[[int], tuple[PieceView, ...]]
    ) -> None:
        super().__init__(program, state, seat)
        self._remembered = remembered

    def pieces(self, place: int, under: frozenset[int] = frozenset()) -> tuple[PieceView, ...]:
        """See `SeatObserver`."""
        return self.pieces_at(place, under) if under else self._remembered(place)
