"""The cells of a state and what they hold, and the journal of their changes.

A state is one list. What a cell holds follows from its number, as the layout says: the set of the pieces of a place is
a number, the order of a row a tuple, a note a value of any type. The types of the numbers of cells say so: for the type
checker `state[place.mask]` is an `int`, although at run time there are only plain lists and plain numbers, which Python
reads fastest.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex, TypeAlias, cast, overload

from interpreter.runtime.chance import Chance, ChanceResult
from interpreter.runtime.recorded import Recorded
from interpreter.runtime.recorded import StoredValue as StoredValue

Namespace: TypeAlias = dict[str, Any]
"""The global names of generated code: functions, classes and tables, each of a type of its own."""

Generated: TypeAlias = Callable[..., Any]
"""A function of generated code: what it takes and returns follows from the rules."""

MoveCode: TypeAlias = tuple[int, *tuple[StoredValue, ...]]
"""A move as rules read it: the number of its act, and the arguments."""

Content: TypeAlias = StoredValue | Recorded | list[MoveCode]
"""What a cell can hold: a value, recorded positions, or (in `MOVES`) the legal moves."""

if TYPE_CHECKING:

    class NumberCell(int):
        """The number of a cell that holds a number: a set, a seat, a place, a count.

        The next cells hold the same, as those of one kind are reserved together.
        """

        def __add__(self, offset: int) -> NumberCell: ...

    class OrderCell(int):
        """The number of a cell with the order of a row or stack."""

        def __add__(self, offset: int) -> OrderCell: ...

    class NoteCell(int):
        """The number of a cell of a note, a die, a parameter or a local."""

        def __add__(self, offset: int) -> NoteCell: ...

    class RecordCell(int):
        """The number of a cell with the recorded positions of one kind."""

    class MovesCell(int):
        """The number of the cell with the legal moves, None where they have not been computed."""

    class Cells(list[Content]):
        """The cells of a state; at run time a plain list, which Python reads twice as fast as any class."""

        def copy(self) -> Cells: ...  # noqa: D102
        # The numbers of cells are `int` with more exact contents, which mypy does not accept for a list.
        @overload  # type: ignore[override]
        def __getitem__(self, cell: NumberCell) -> int: ...
        @overload
        def __getitem__(self, cell: OrderCell) -> tuple[int, ...]: ...
        @overload
        def __getitem__(self, cell: NoteCell) -> StoredValue: ...
        @overload
        def __getitem__(self, cell: RecordCell) -> Recorded: ...
        @overload
        def __getitem__(self, cell: MovesCell) -> list[MoveCode] | None: ...
        @overload
        def __getitem__(self, cell: SupportsIndex) -> Content: ...
        @overload
        def __getitem__(self, cell: slice) -> Cells: ...
        def __getitem__(self, cell: SupportsIndex | slice) -> Content | Cells: ...

else:
    NumberCell = OrderCell = NoteCell = RecordCell = MovesCell = int
    Cells = list


def number_in(content: object) -> int:
    """The number that a value is known to be. Raises HiddenValueError for a set of which only the size is known."""
    return operator.index(content)  # type: ignore[arg-type]  # a TypeError for any other value


def pieces_in(content: Content | Payload) -> tuple[int, ...]:
    """The pieces that a cell is known to hold: the order of a row or stack."""
    assert isinstance(content, tuple), content
    return tuple([number_in(piece) for piece in content])


def members_in(value: StoredValue) -> tuple[StoredValue, ...]:
    """The members of a value that is known to be a sequence, a set of sets, or made of several parts."""
    assert isinstance(value, tuple), value
    return value


# ---------------------------------------------------------------- the journal
# It lists every change of a cell with the value before, so that going through it backwards undoes a game. Marks between
# the changes say what the rules were doing; their numbers are below 0, so that they cannot be taken for cells.
#
# For example, `move top of deck to hand[me]` and `add 3 to score[me] because "drawn"` leave these entries, if the piece
# is number 4 with cell 30, and the places have cells 11 (with the order in 12) and 13:
#
#     (30, 1), (11, 0b11000), (12, (3, 4)), (13, 0)      the piece, then the places it left and came to
#     (REASON, ReasonPayload(…)), (17, 0)                the reason, then the note
#
# INVARIANT: readers rely on this order. A statement that moves pieces lists their cells first, with nothing in between,
# then the cells of places; a score reason comes just before its change; and the entry for DRAWN comes just after the
# cell that a shuffle, roll or pick has set.

MARK, REASON, LOOP, TOLD = -1, -2, -3, -4

MarkPayload: TypeAlias = tuple[str, int, int, tuple[StoredValue, ...]]
"""Of a traced game: what is at work, the number of its node, the acting seat, and the values of the names in sight.

A plain tuple, as every statement of a traced game makes one: a named tuple takes four times as long.
"""


class ReasonPayload(NamedTuple):
    """The reason of the next change: its statement, its cell, the amount, and the values in its text."""

    node: int
    cell: int
    amount: int
    values: Sequence[StoredValue]


class TellPayload(NamedTuple):
    """An announcement: its statement; the seat it is for if it is for one, then the values in its text."""

    node: int
    values: Sequence[StoredValue]


class LoopPayload(NamedTuple):
    """The beginning of a loop over unordered pieces: its statement, and the pieces, sets of pieces, or rows of these.

    The mark at its end has None instead, and `LEFT` where all running rules are left.
    """

    node: int
    items: Sequence[StoredValue]


LEFT: tuple[()] = ()  # as false as None, but distinct from it

Payload: TypeAlias = MarkPayload | ReasonPayload | TellPayload | LoopPayload


def mark_in(payload: Content | Payload) -> MarkPayload:
    """The payload of an entry with the number MARK."""
    return cast("MarkPayload", payload)  # nothing else has this number


JournalEntry: TypeAlias = tuple[int, Content | Payload]
"""A cell and its content before a change; or one of the marks and its payload.

Plain tuples, as every change of every traced game makes one: a named tuple takes nearly four times as long to make and
append.
"""

Change: TypeAlias = tuple[int, Content | Payload, Content]
"""A cell with its content before and after a change; or a mark, its payload, and None."""


class Journal(list[JournalEntry]):
    """The changes of a game in order, each with the value before; undo, trace and the log are built from it.

    `chance` supplies results instead of the generator; `results` are all chance results so far.
    """

    def __init__(self, chance: Chance | None = None) -> None:
        super().__init__()
        self.chance = chance
        self.results: list[ChanceResult] = []

    def rewind(self, cells: Cells, end: int, start: int) -> None:
        """Undo in cells the changes between two lengths, the last first: a cell may occur in them several times."""
        for index in range(end - 1, start - 1, -1):
            cell, old = self[index]
            if cell >= 0:
                cells[cell] = old  # type: ignore[assignment]  # as in `undo`

    def undo(self, cells: Cells, length: int) -> None:
        """Undo all changes after this length, and forget them."""
        while len(self) > length:
            cell, old = self.pop()
            if cell >= 0:
                # INVARIANT: only marks, whose numbers are below 0, have payloads.
                cells[cell] = old  # type: ignore[assignment]


def changes(state: Cells, journal: Journal, start: int) -> tuple[Cells, list[Change]]:
    """The cells as they were at `start` of the journal, and (cell, before, after) of every change since.

    Marks come as (MARK, payload, None), and likewise the others.
    """
    cells = Cells(state)
    changed: list[Change] = []
    for cell, old in reversed(journal[start:]):
        if cell >= 0:
            changed.append((cell, old, cells[cell]))
            cells[cell] = old  # type: ignore[assignment]  # as in `undo`
        else:
            changed.append((cell, old, None))
    changed.reverse()
    return cells, changed


# ---------------------------------------------------------------- cells that record which of them are read
# What is computed from them depends on nothing else. For example, a view that has read cells 7 and 9 only is the same
# in every state that agrees with this one in both, so it need not be computed again. Reading a state as a whole, by a
# slice or a loop, counts as reading all cells.

EVERYTHING = -1
"""Recorded in place of a cell if a state is read as a whole."""


class RecordedCells(Cells):
    """A copy of a state that records which of its cells are read."""

    def __init__(self, cells: Cells, read: set[int]) -> None:
        super().__init__(cells)
        self.read = read

    def __getitem__(self, key: SupportsIndex | slice) -> Any:  # as exact as `Cells` says for the kinds of cells
        """Read one cell, or several at once."""
        if isinstance(key, int):
            self.read.add(key if key >= 0 else key + len(self))
        else:
            self.read.add(EVERYTHING)
        return super().__getitem__(key)

    def __iter__(self) -> Iterator[Content]:
        """Read all cells."""
        self.read.add(EVERYTHING)
        return super().__iter__()
