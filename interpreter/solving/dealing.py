"""Dealing from shuffled stacks piece by piece: which piece lies where is open until a rule looks at it.

A shuffle of n pieces has n! outcomes, but if two of 52 cards are drawn, only 52 · 51 of them differ. So a stack that
nobody sees is not put into order at once: while a rule runs, `WatchedCells` notices the first look at a piece whose
place in the stack is still open, and raises `OpenChanceError`. The pieces below stay in any order meanwhile.

INVARIANT: every operation by which code of the engine can read an order is overridden here. Taking pieces from the top
looks at these alone; anything else looks at the whole stack. So the tree is exact for every rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, SupportsIndex

from interpreter.runtime.cells import Cells, OrderCell
from interpreter.runtime.layout import DRAWN


class OpenChanceError(Exception):
    """A rule needs the result of a chance event that is still open: the one with the number `event` in the game."""

    def __init__(self, event: int) -> None:
        super().__init__(event)
        self.event = event


class Undealt(NamedTuple):
    """The lowest `pieces` of a stack are in any order, since the chance event number `event`."""

    event: int
    pieces: int


class WatchedCells(Cells):
    """The cells of a state. `undealt` are the stacks that are not dealt out yet, by the cells of their order.

    `begins` is the stack that is being shuffled, until its shuffle is counted.
    """

    def __init__(self, cells: Iterable[Any], undealt: dict[OrderCell, Undealt]) -> None:
        super().__init__(cells)
        self.undealt = undealt
        self.begins: tuple[OrderCell, Undealt] | None = None

    def __getitem__(self, key: SupportsIndex | slice) -> Any:  # as exact as `Cells` says for the kinds of cells
        """Read one cell, or several at once."""
        value: Any = super().__getitem__(key)
        if isinstance(key, slice):
            return [self._watched(cell, content) for cell, content in zip(range(len(self))[key], value, strict=True)]
        return self._watched(key, value)

    def _watched(self, cell: Any, value: Any) -> Any:
        return value if cell not in self.undealt else WatchedOrder(value, self.undealt[cell])

    def __setitem__(self, key: Any, value: Any) -> None:
        """Set a cell. A shuffle ends when its result is counted."""
        if key in self.undealt:
            event, pieces = self.undealt[key]
            value = value.plain if isinstance(value, WatchedOrder) else value
            self.undealt[key] = Undealt(event, min(pieces, len(value)))
        super().__setitem__(key, value)
        if key == DRAWN and self.begins is not None:
            cell, undealt = self.begins
            self.undealt[cell], self.begins = undealt, None

    def __iter__(self) -> Iterator[Any]:
        """Read all cells."""
        return (self[number] for number in range(len(self)))

    def copy(self) -> WatchedCells:
        """A copy that is watched in the same way, such as that of a hypothesis."""
        return WatchedCells(self.plain, dict(self.undealt))

    @property
    def plain(self) -> Cells:
        """The cells without watching them."""
        return Cells(list.__getitem__(self, slice(None)))


class WatchedOrder(tuple[int, ...]):
    """The order of a stack, the lowest piece first, of which the lowest are not dealt yet."""

    undealt: Undealt

    def __new__(cls, pieces: tuple[int, ...], undealt: Undealt) -> WatchedOrder:
        """The order of some pieces."""
        order = super().__new__(cls, pieces)
        order.undealt = undealt
        return order

    @property
    def plain(self) -> tuple[int, ...]:
        """The order without watching it."""
        return tuple.__add__((), self)

    def look(self, numbers: Iterable[int]) -> None:
        """Look at pieces by their number from the lowest. Raises OpenChanceError if one of them is not dealt."""
        event, undealt_pieces = self.undealt
        if any(number < undealt_pieces for number in numbers):
            raise OpenChanceError(event)

    def __getitem__(self, key: SupportsIndex | slice) -> Any:
        """Some of the pieces. `order[:n]`, what is left below the top, and `order[::-1]` look at none."""
        if isinstance(key, slice):
            if key == slice(None, None, -1):
                return FromTop(self)
            if key.start is None and key.step is None:
                return super().__getitem__(key)
            self.look(range(len(self))[key])
        else:
            self.look((range(len(self))[key],))
        return super().__getitem__(key)

    def __iter__(self) -> Iterator[int]:
        """All pieces."""
        self.look(range(len(self)))
        return super().__iter__()

    def __contains__(self, piece: object) -> bool:
        """Whether a piece is in the stack, wherever it lies."""
        return super().__contains__(piece)

    def index(self, *values: Any) -> int:
        """Where a piece lies."""
        self.look(range(len(self)))
        return super().index(*values)

    def __eq__(self, other: object) -> bool:
        """Compare all pieces."""
        self.look(range(len(self)))
        return super().__eq__(other)

    def __hash__(self) -> int:
        """Look at all pieces."""
        self.look(range(len(self)))
        return super().__hash__()


class FromTop(tuple[int, ...]):
    """The pieces of a stack from the top."""

    order: WatchedOrder

    def __new__(cls, order: WatchedOrder) -> FromTop:
        """The pieces of an order."""
        pieces = super().__new__(cls, tuple.__getitem__(order, slice(None, None, -1)))
        pieces.order = order
        return pieces

    def __getitem__(self, key: SupportsIndex | slice) -> Any:
        """Some of the pieces."""
        last = len(self) - 1
        numbers = range(len(self))[key]
        self.order.look(last - number for number in ((numbers,) if isinstance(numbers, int) else numbers))
        return super().__getitem__(key)

    def __iter__(self) -> Iterator[int]:
        """All pieces."""
        self.order.look(range(len(self)))
        return super().__iter__()

    def index(self, *values: Any) -> int:
        """Where a piece lies."""
        self.order.look(range(len(self)))
        return super().index(*values)

    def __eq__(self, other: object) -> bool:
        """Compare all pieces."""
        return tuple(self) == other

    def __hash__(self) -> int:
        """Look at all pieces."""
        return hash(tuple(self))
