"""Redacted evaluation: expressions are evaluated on a state that refuses to show what is hidden from a seat.

An opponent's hand is hidden, its size is not. Then the value of `count hand[north] > 3` may be shown to everybody, that
of `some c in hand[north]: c.rank is king` may not, although both read the same cell. Which of them an expression is
cannot be told from the names in it: it may read the hand in a definition, or only if some condition holds.

The expression is therefore evaluated by the code that plays, on a state in which each cell is replaced by what the seat
may know of it. The path of an evaluation depends only on what the expression reads. If the seat sees everything that is
read, the value reveals nothing the seat may not know; and neither does the fact that something hidden was read, as the
seat can find out by itself how far the evaluation gets.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Literal, NoReturn, cast

from dsl.symbols import WhenSymbol
from dsl.types import PieceType, Several, Type, bare
from interpreter.engine.program import Program
from interpreter.engine.sight import SPECTATOR, note_seen, sees
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import Cells, Content, StoredValue, number_in
from interpreter.runtime.layout import ME, OUT, POINT


class HiddenValueError(Exception):
    """Something was read that the seat may not know."""


def _refuse(*_: object) -> NoReturn:
    raise HiddenValueError


class CountOnlySet:
    """A set of pieces of which only the number may be known; every other operation is refused.

    It does not extend `int`: where an `int` indexes a tuple, as in the table of the members of small sets, Python takes
    its value without calling any method that could refuse.
    """

    __slots__ = ("_mask",)

    def __init__(self, mask: int) -> None:
        self._mask = mask

    def bit_count(self) -> int:
        """The number of pieces."""
        return self._mask.bit_count()

    def __bool__(self) -> bool:
        return bool(self._mask)

    # INVARIANT: every operation that generated code applies to a set is listed here or above. One that is missing
    # raises TypeError, which no caller takes for a refusal, rather than revealing anything.
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __lshift__ = __rlshift__ = _refuse
    __rshift__ = __rrshift__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
    __neg__ = __invert__ = __hash__ = __index__ = __int__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __eq__ = __ne__ = __str__ = __repr__ = __iter__ = __contains__ = __len__ = bit_length = _refuse


def fully_known(value: StoredValue) -> StoredValue:
    """Return a value for a name to stand for. Raises HiddenValueError for a set of which only the number is known."""
    if any(isinstance(part, CountOnlySet) for part in (value if isinstance(value, tuple) else (value,))):
        raise HiddenValueError
    return value


class RedactedState:
    """The cells of a state as one seat may read them; expressions only ever read single cells.

    Reading a cell the seat may not know raises HiddenValueError.
    """

    __slots__ = ("cells", "visibility")

    def __init__(self, visibility: SeatVisibility, cells: Cells) -> None:
        self.visibility, self.cells = visibility, cells

    def __getitem__(self, cell: int) -> Content | CountOnlySet:
        value, access = self.cells[cell], self.visibility.access(self.cells, cell)
        if access == "all":
            return value
        if access == "count":
            return CountOnlySet(number_in(value))
        raise HiddenValueError

    def copy(self) -> SupposedState:
        """A copy for a hypothesis."""
        return SupposedState(self.visibility, self.cells)


class SupposedState(RedactedState):
    """The cells of a redacted state after a step that is only supposed.

    What has been written into it follows from what the seat was allowed to read, so it may be read again.
    """

    __slots__ = ("written",)

    def __init__(self, visibility: SeatVisibility, cells: Cells, written: Mapping[int, Content] | None = None) -> None:
        super().__init__(visibility, cells)
        self.written: dict[int, Content] = dict(written or {})

    def __getitem__(self, cell: int) -> Content | CountOnlySet:
        return self.written[cell] if cell in self.written else super().__getitem__(cell)

    def __setitem__(self, cell: int, value: Content) -> None:
        self.written[cell] = value

    def copy(self) -> SupposedState:
        """A copy for a hypothesis within a hypothesis."""
        return SupposedState(self.visibility, self.cells, self.written)


class SeatVisibility:
    """Visibility of the parts of a state for one seat."""

    def __init__(self, program: Program, seat: int) -> None:
        self.program, self.seat = program, seat
        layout = program.layout
        self.open_cells = {POINT, ME, program.phase_cell, *layout.filled.values(), *layout.first_record.values()}
        self.place_of_mask: dict[int, int] = {place.mask: place.number for place in layout.places}
        self.pieces = range(layout.place_cells, layout.place_cells + len(layout.pieces))

    def redacted(self, state: Cells) -> Cells:
        """Redact a state: reading what the seat may not know is refused."""
        return cast("Cells", RedactedState(self, state))

    def access(self, state: Cells, cell: int) -> Literal["all", "count", "nothing"]:
        """How much of a cell the seat may know."""
        # INVARIANT: a cell that no line below allows is refused, so a new kind of cell is hidden until it is listed
        # here.
        layout = self.program.layout
        if cell in self.open_cells:
            return "all"
        if cell in self.place_of_mask:
            return self._place_access(state, self.place_of_mask[cell])
        if cell in layout.orders_of_cell:
            return "all" if self._place_access(state, layout.orders_of_cell[cell]) == "all" else "nothing"
        if cell in self.pieces:
            piece = cell - self.pieces.start
            return "all" if self._piece_seen(state, piece) else "nothing"
        if cell in layout.notes_of_cell:
            return "all" if self._note_seen(state, *layout.notes_of_cell[cell]) else "nothing"
        return "nothing"

    def _note_seen(self, state: Cells, name: str, slot: tuple[int, ...]) -> bool:
        about = self.program.model.notes.get(name)
        index = about.index if about is not None else ()
        index_seen = all(self.value_seen(state, type_, value) for type_, value in zip(index, slot, strict=False))
        if name in self.program.model.open_notes:  # bookkeeping of the rules that is no secret
            return index_seen
        return index_seen and note_seen(self.program, state, self.seat, name, slot)

    def _place_access(self, state: Cells, number: int) -> Literal["all", "count", "nothing"]:
        place = self.program.layout.places[number]
        index = self.program.model.zones[place.zone].index if number != OUT else ()
        if number == OUT or any(not self.value_seen(state, *slot) for slot in zip(index, place.index, strict=True)):
            return "nothing"
        return "all" if all(self._piece_seen(state, piece) for piece in bits(state[place.mask])) else "count"

    def _piece_seen(self, state: Cells, piece: int) -> bool:
        """True if the seat sees every attribute of a piece where it lies."""
        place = state[self.program.layout.place_cells + piece]
        attributes = self.program.layout.pieces[piece].attributes
        return place != OUT and all(sees(self.program, state, self.seat, place, name, piece) for name in attributes)

    def reaction_seen(self, state: Cells, when: WhenSymbol) -> bool:
        """True if the seat may know for which arguments the definition of a reaction holds."""
        try:
            for values in product(*(self.program.layout.values(parameter.type) for parameter in when.parameters)):
                if any(not self.value_seen(state, p.type, v) for p, v in zip(when.parameters, values, strict=True)):
                    return False
                self.program.definition(when.name, self.redacted(state), values)
        except HiddenValueError:
            return False
        return True

    def value_seen(self, state: Cells, type_: Type, value: StoredValue) -> bool:
        """True if the seat may know a value: a piece, if it sees the piece where it lies."""
        core = bare(type_)
        if value is not None and isinstance(core, PieceType):
            return self._piece_seen(state, number_in(value))
        if isinstance(core, Several) and isinstance(core.element, PieceType):
            return all(self._piece_seen(state, member) for member in bits(number_in(value or 0)))
        return True


class PublicVisibility(SeatVisibility):
    """Visibility of what is shown to all seats: not of a note that nobody sees, even if it holds no secret."""

    def __init__(self, program: Program) -> None:
        super().__init__(program, SPECTATOR)

    def access(self, state: Cells, cell: int) -> Literal["all", "count", "nothing"]:
        """See `SeatVisibility.access`."""
        name, _ = self.program.layout.notes_of_cell.get(cell, (None, ()))
        return "nothing" if name in self.program.model.open_notes else super().access(state, cell)
