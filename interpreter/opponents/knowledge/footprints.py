"""Footprints: what a decision read of the pieces that may lie elsewhere.

Two worlds differ in where some pieces lie: a card in the hand of Ben is a king in one of them and a queen in the other.
Most decisions of the game are the same in both, because they did not depend on that: Ann played from her own hand, and
that Ben's was not empty is true in either. To find out which, a decision is made once in cells that record what is
read. Of a set of pieces they record which part of it mattered, and whether only its size did; of a row or stack, whose
positions.

INVARIANT: every operation on a set or an order either is recorded or fails. The classes here extend neither `int` nor
`tuple`, whose values Python would read without calling any of their methods.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, SupportsIndex

from interpreter.compiler.decisions import Decision
from interpreter.engine.program import Program, once_for_program
from interpreter.engine.sight import fully_seen
from interpreter.errors import PlayError
from interpreter.opponents.knowledge.exchanges import AboutPieces, about_pieces, pieces_in_values
from interpreter.opponents.knowledge.histories import ChanceResult, Footprint, Observer, Zones
from interpreter.opponents.knowledge.moves import may_hide, types_of
from interpreter.opponents.knowledge.observation import label_for
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import Cells, Journal, MoveCode, NumberCell, OrderCell, number_in
from interpreter.runtime.chance import ChanceEvent
from interpreter.runtime.layout import DRAWN, ME, MOVES, POINT
from interpreter.runtime.primitives import Runtime, as_set

UNRECORDED = (TypeError, AttributeError, StopIteration, PlayError)
"""What is raised where an operation cannot be recorded, or what was recorded does not happen again."""


_content = list.__getitem__


class RecordingCells(Cells):
    """A copy of a state that records in footprints what is read: from the beginning, and from each shuffle on.

    `sets` and `orders` are the cells of the places in which pieces may differ, `unwrapped` those not touched yet since
    the footprint began, `written` all that were. `known` tells which other cells are about pieces or hold some;
    cells in which nothing differs are `unrecorded`. `unread` are the pieces that have been moved by their position in
    an order, without being looked at. What is read while moves are listed is recorded apart: see `finish`.
    """

    def __init__(
        self,
        cells: Cells,
        sets: Iterable[NumberCell],
        orders: Iterable[OrderCell],
        known: AboutPieces | None = None,
        unrecorded: frozenset[int] = frozenset(),
    ) -> None:
        super().__init__(cells)
        self.footprints = [Footprint()]
        self._before_listing: list[Footprint] | None = None
        self.unread, self._known, self._unrecorded = 0, known, unrecorded
        self._noted = frozenset[int]() if known is None else known.noted
        self._sets, self._orders = set(sets), frozenset(orders)
        self.unwrapped, self.written = self._sets | self._orders, set[int]()

    def _wrapped(self, cell: int, value: Any) -> Any:
        """The value of one of the places in which pieces may differ, as it is recorded from its first reading on."""
        recorded = RecordingSet(self, cell, -1, 0, value) if cell in self._sets else RecordingOrder(self, cell, value)
        self.fill(cell, recorded)
        return recorded

    def fill(self, cell: int, value: Any) -> None:
        """Set a cell to what no cell of a game holds."""
        super().__setitem__(cell, value)
        self.unwrapped.discard(cell)
        self.written.add(cell)

    def __getitem__(self, key: SupportsIndex | slice) -> Any:  # as exact as `Cells` says for the kinds of cells
        """Read one cell, or several at once."""
        value: object = _content(self, key)
        if type(key) is int and key in self._unrecorded:
            return value
        if type(key) is not int or key < 0:
            for footprint in self.footprints:
                footprint.everything = True
            return value
        if key in self.unwrapped:
            return self._wrapped(key, value)
        if key in self._noted:
            self._note(key, value)
        kind = type(value)
        if kind is RecordingSet or kind is RecordingOrder:
            return value
        if kind is tuple and key in self._orders:
            pieces = as_set(value)  # type: ignore[arg-type]
            for footprint in self.footprints:
                footprint.pieces |= pieces
        else:
            for footprint in self.footprints:
                footprint.cells.add(key)
        return value

    def __setitem__(self, key: Any, value: Any) -> None:
        """Set a cell. A new footprint begins when a result of chance has been counted."""
        self.fill(key, value)
        if key == MOVES and value is None:
            self.finish(is_pending=False)
            self._before_listing, self.footprints = self.footprints, [Footprint()]
        if key in self._noted and self._known is not None and key in self._known.piece_of_cell:
            self._note(key, None)
        if key == DRAWN:
            self.finish(is_pending=False)
            self.footprints.append(Footprint())
            self.unwrapped = self._sets | self._orders
            for cell in self.unwrapped:
                super().__setitem__(cell, _plain(super().__getitem__(cell)))

    def finish(self, is_pending: bool) -> None:
        """End the recording of a listing of moves, which does not count if the decision is still pending."""
        if self._before_listing is not None:
            (listing,), self.footprints, self._before_listing = self.footprints, self._before_listing, None
            for footprint in () if is_pending else self.footprints:
                footprint.add(listing)

    def _note(self, key: int, value: Any) -> None:
        """Note which piece a cell is about, and which pieces it holds."""
        known = self._known
        assert known is not None
        piece, type_ = known.piece_of_cell.get(key), known.holding.get(key)
        pieces = 0 if piece is None else 1 << piece
        if type_ is not None:
            pieces |= pieces_in_values((type_,), (value,))
        for footprint in self.footprints:
            footprint.pieces |= pieces

    def pieces_in(self, cell: int) -> Iterable[int]:
        """The pieces at the place of a cell; none if it holds something else. That is not recorded."""
        if cell in self._sets or cell in self._orders:
            value = _plain(_content(self, cell))
            return bits(value) if cell in self._sets else value
        return ()

    def __iter__(self) -> Iterator[Any]:
        """Read all cells."""
        for footprint in self.footprints:
            footprint.everything = True
        return super().__iter__()

    def copy(self) -> RecordingCells:
        """A copy that records in the same footprints."""
        copy = RecordingCells.__new__(RecordingCells)
        list.__init__(copy, list.__getitem__(self, slice(None)))
        copy.footprints, copy._sets, copy._orders, copy.unread = self.footprints, self._sets, self._orders, self.unread
        copy._known, copy._noted, copy._before_listing = self._known, self._noted, None
        copy._unrecorded = self._unrecorded
        copy.unwrapped, copy.written = set(self.unwrapped), set(self.written)
        return copy

    @property
    def plain(self) -> Cells:
        """The cells as they are now."""
        return Cells(map(_plain, list.__getitem__(self, slice(None))))


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, RecordingSet | RecordingOrder) else value


class RecordingSet:
    """The pieces of a cell that are in `part`, with `flipped` ones added or removed: a set whose reading is recorded.

    All operations with sets that are known lead to such a set again.
    """

    __slots__ = ("cell", "flipped", "owner", "part", "value")

    def __init__(self, owner: RecordingCells, cell: int, part: int, flipped: int, value: int) -> None:
        self.owner, self.cell, self.part, self.flipped, self.value = owner, cell, part, flipped, value

    def _read(self) -> int:
        for footprint in self.owner.footprints:
            footprint.members[self.cell] |= self.part
            footprint.pieces |= self.flipped & self.owner.unread
        return self.value

    def __and__(self, mask: Any) -> Any:
        if type(mask) is int:
            if self.flipped & self.owner.unread and mask != -1:
                self._look_at(self.flipped & self.owner.unread)
            return RecordingSet(self.owner, self.cell, self.part & mask, self.flipped & mask, self.value & mask)
        return self & mask._read() if type(mask) is RecordingSet else NotImplemented

    def __xor__(self, mask: Any) -> Any:
        if type(mask) is int:
            return RecordingSet(self.owner, self.cell, self.part, self.flipped ^ mask, self.value ^ mask)
        return self ^ mask._read() if type(mask) is RecordingSet else NotImplemented

    def __or__(self, mask: Any) -> Any:
        if type(mask) is int:
            flipped = self.flipped & ~mask | mask
            return RecordingSet(self.owner, self.cell, self.part & ~mask, flipped, self.value | mask)
        return self | mask._read() if type(mask) is RecordingSet else NotImplemented

    __rand__, __rxor__, __ror__ = __and__, __xor__, __or__

    def __invert__(self) -> RecordingSet:
        return self ^ -1  # type: ignore[no-any-return]

    def _look_at(self, pieces: int) -> None:
        for footprint in self.owner.footprints:
            footprint.pieces |= pieces

    def bit_count(self) -> int:
        """The number of pieces."""
        if self.flipped < 0:
            return self._read().bit_count()
        self._look_at(self.part & self.flipped & ~self.owner.unread)  # they were moved, and so looked at
        for footprint in self.owner.footprints:
            footprint.sizes[self.cell].add(self.part & ~self.flipped)
        return self.value.bit_count()

    def __bool__(self) -> bool:
        return self.bit_count() > 0

    def bit_length(self) -> int:
        """The number of the last piece, from 1."""
        return self._read().bit_length()

    def __eq__(self, other: object) -> bool:
        if type(other) is int and other == 0:
            return not self
        return self._read() == (other._read() if type(other) is RecordingSet else other)

    def __hash__(self) -> int:
        return hash(self._read())

    def __repr__(self) -> str:
        return repr(self._read())

    def __index__(self) -> int:
        return self._read()

    __int__ = __index__

    def __neg__(self) -> int:
        return -self._read()

    def __add__(self, other: int) -> int:
        return self._read() + other

    __radd__ = __add__

    def __sub__(self, other: int) -> int:
        return self._read() - other

    def __rshift__(self, other: int) -> int:
        return self._read() >> other

    def __lshift__(self, other: int) -> int:
        return self._read() << other


class RecordingOrder:
    """Pieces in order as a sequence whose reading is recorded: whose positions mattered, not how many there are."""

    __slots__ = ("cell", "owner", "value")

    def __init__(self, owner: RecordingCells, cell: int, value: tuple[int, ...]) -> None:
        self.owner, self.cell, self.value = owner, cell, value

    def _read(self, pieces: Iterable[int]) -> None:
        mask = 0
        for piece in pieces:
            mask |= 1 << piece
        for footprint in self.owner.footprints:
            footprint.pieces |= mask

    def put(
        self, runtime: Runtime, state: Cells, journal: Journal | None, target: int, node: int, bottom: bool
    ) -> None:
        """Move these pieces, whichever they are: that nobody looks at them is what a deal is."""
        owner, cells = self.owner, self.owner.plain
        before: list[Any] = cells.copy()
        runtime._put(cells, journal, self.value, target, node, bottom)
        new: Any
        for cell, new in enumerate(cells):
            old = before[cell]
            if old is not new:
                present = owner[cell] if cell in owner.unwrapped else list.__getitem__(owner, cell)
                if isinstance(present, RecordingOrder):
                    new = RecordingOrder(owner, cell, new)
                elif isinstance(present, RecordingSet):
                    new = present ^ (old ^ new)
                elif cell in runtime.masks:  # of a place that was empty
                    new = RecordingSet(owner, cell, -1, old ^ new, new)
                owner.fill(cell, new)
        for piece in self.value:
            owner.unread |= 1 << piece

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return RecordingOrder(self.owner, self.cell, self.value[key])
        piece = self.value[key]
        self._read((piece,))
        return piece

    def __iter__(self) -> Iterator[int]:
        self._read(self.value)
        return iter(self.value)

    def __add__(self, pieces: tuple[int, ...]) -> RecordingOrder:
        return RecordingOrder(self.owner, self.cell, self.value + tuple(pieces))

    def __eq__(self, other: object) -> bool:
        self._read(self.value)
        return bool(self.value == _plain(other))

    def __hash__(self) -> int:
        self._read(self.value)
        return hash(self.value)

    def __repr__(self) -> str:
        self._read(self.value)
        return repr(self.value)

    def __contains__(self, piece: object) -> bool:
        self._read(self.value)
        return piece in self.value

    def index(self, piece: int) -> int:
        """The position of a piece."""
        self._read(self.value)
        return self.value.index(piece)


def footprint_of_choice(observer: Observer, before: Cells, code: MoveCode | None, zones: Zones) -> Footprint:
    """What the legal moves of a decision, and their labels as far as they matter to the seat, follow from."""
    program = observer.program
    if code is None:
        return Footprint(zones)
    if observer.attributes_of_sight is None:
        return Footprint(zones, everything=True)
    cells = _recording(program, before, zones)
    try:
        decision = program.decision(cells)
        assert decision is not None
        legal = program.legal(cells)
        if cells[ME] != observer.seat:
            hides = may_hide(program, before, decision, code, observer.seat)
            _read_labels(observer, cells, before, decision, legal if hides else (code,))
    except UNRECORDED:
        return Footprint(zones, everything=True)
    _read_within([value for move in legal for value in move if type(value) is not int])
    return _finished(program, cells.footprints, zones)[0]


def _read_labels(
    observer: Observer, cells: RecordingCells, before: Cells, decision: Decision, codes: Sequence[MoveCode]
) -> None:
    """Record what the labels of moves read: what is read of hidden pieces by rendering the label again."""
    program, labels = observer.program, observer.labels
    is_hidden: dict[int, bool] = {}
    for number, code in {labels.number(decision, code): code for code in codes}.items():
        read = labels.read(before, number)
        for cell in () if read is None else read:
            if cell not in is_hidden:
                pieces = cells.pieces_in(cell)
                is_hidden[cell] = not all(fully_seen(program, before, observer.seat, piece) for piece in pieces)
        if read is None or any(map(is_hidden.__getitem__, read)):
            label_for(program, cells, code, observer.seat)
    _read_within([cells[cell] for cell, hidden in is_hidden.items() if not hidden])


def footprint_of_question(observer: Observer, S: Cells, zones: Zones) -> Footprint:
    """What the legal moves of the pending decision follow from."""
    program = observer.program
    if S[POINT] < 0:
        return Footprint(zones)
    cells = _recording(program, S, zones)
    try:
        legal = program.legal(cells)
    except UNRECORDED:
        return Footprint(zones, everything=True)
    _read_within([value for move in legal for value in move if type(value) is not int])
    return _finished(program, cells.footprints, zones)[0]


def footprints_of_effects(
    observer: Observer, before: Cells, code: MoveCode | None, results: Sequence[ChanceResult], zones: Zones
) -> list[Footprint]:
    """What follows from a decision with these chance results reads: in all, and after each of the results.

    What the legal moves of the next decision follow from does not count: that is what its own choice reads.
    """
    unknown = [Footprint(zones, everything=True) for _ in range(len(results) + 1)]
    if observer.attributes_of_sight is None:
        return unknown
    program, left = observer.program, iter(results)
    cells = _recording(program, before, zones)

    def supplied(_: ChanceEvent) -> Any:
        result = next(left).result
        return list(result) if isinstance(result, tuple) else result

    journal = Journal(supplied)
    try:
        if code is None:
            program.run(cells, journal, 0)
        else:
            program.do(cells, journal, code)
    except UNRECORDED:
        return unknown
    cells.finish(is_pending=number_in(_content(cells, POINT)) >= 0)
    if len(cells.footprints) != len(unknown):
        return unknown
    _end(cells, journal)
    if code is not None:
        decision = program.decision(before)
        assert decision is not None
        pieces = pieces_in_values(types_of(program, decision, code), code[1:])
        for footprint in cells.footprints:
            footprint.cells.update([program.layout.place_cells + piece for piece in bits(pieces)])
    return _finished(program, cells.footprints, zones)


def _finished(program: Program, footprints: list[Footprint], zones: Zones) -> list[Footprint]:
    """Add the pieces whose places were read."""
    first, end = program.layout.place_cells, program.layout.place_cells + len(program.layout.pieces)
    for footprint in footprints:
        footprint.pieces |= as_set([cell - first for cell in footprint.cells if first <= cell < end])
        footprint.zones = zones
    return footprints


class _Recorded(NamedTuple):
    """The cells of the places of some zones: of each the set and the order (0: none); and what need not be recorded."""

    places: tuple[tuple[NumberCell, OrderCell], ...]
    orders: frozenset[OrderCell]
    unrecorded: frozenset[int]


@once_for_program
def _recorded_by_zones(_: Program) -> dict[Zones, _Recorded]:
    return {}


def _recorded(program: Program, zones: Zones) -> _Recorded:
    by_zones, layout = _recorded_by_zones(program), program.layout
    if zones not in by_zones:
        places = tuple([(place.mask, place.order) for place in layout.places[1:] if place.zone in zones])
        orders = frozenset([order for _, order in places if order])
        pieces = range(layout.place_cells, layout.place_cells + len(layout.pieces))
        special = {MOVES, DRAWN, *about_pieces(program).noted, *pieces, *orders, *[mask for mask, _ in places]}
        by_zones[zones] = _Recorded(places, orders, frozenset(range(len(program.initial))) - special)
    return by_zones[zones]


def _recording(program: Program, before: Cells, zones: Zones) -> RecordingCells:
    """Cells that record what is read of the places of some zones."""
    recorded = _recorded(program, zones)
    sets = [mask for mask, order in recorded.places if order or before[mask]]
    cells = RecordingCells(before, sets, recorded.orders, about_pieces(program), recorded.unrecorded)
    list.__setitem__(cells, MOVES, None)
    return cells


def _end(cells: RecordingCells, journal: Journal) -> None:
    """Count as read what was put elsewhere without being looked at."""
    for cell in cells.written:
        value = list.__getitem__(cells, cell)
        if isinstance(value, RecordingSet | RecordingOrder) and value.cell != cell:
            hash(value)
    for cell, payload in journal:
        if cell < 0:
            _read_within(payload)


def _read_within(value: object) -> None:
    if isinstance(value, RecordingSet | RecordingOrder):
        hash(value)
    elif isinstance(value, tuple | list):
        for part in value:
            _read_within(part)
