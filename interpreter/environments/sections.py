"""The sections of a tensor: what each shows of a position, and how Python fills it.

`machine/tensors.py` prints the same for the machine engine.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.types import PieceType, Type
from interpreter.compiler.decisions import FREE_POINT, OVER_POINT
from interpreter.engine.program import Program
from interpreter.engine.sight import known_attributes, note_seen
from interpreter.environments.columns import Columns, columns_of
from interpreter.environments.looks import UNSEEN, Locations, Looks, held_in, seen_together, told_apart
from interpreter.runtime.cells import Cells, NoteCell, NumberCell
from interpreter.runtime.layout import ME, OUT, POINT, Place


class Sight:
    """What one seat sees of one position, and what it has chosen of its move."""

    def __init__(
        self, program: Program, locations: Locations, state: Cells, seat: int, chosen: Sequence[int] = ()
    ) -> None:
        self.program, self.locations, self.seat, self.chosen = program, locations, seat, chosen
        self.own = state[POINT] >= 0 and state[ME] == seat
        self.over = state[POINT] == OVER_POINT
        if self.over:  # what is revealed now has no columns
            state = Cells(state)
            state[POINT] = FREE_POINT
        self.state = state

    def look(self, piece: int, place: int) -> int:
        """The look of a piece at a place, among those in its zone."""
        layout = self.program.layout
        seen = known_attributes(self.program, self.state, self.seat, piece, place)
        return self.locations.looks[layout.places[place].zone].number(layout.pieces[piece], seen)

    def location(self, piece: int) -> int:
        """See `Sighted`."""
        place = self.state[self.program.layout.place_cells + piece]
        return -1 if place == OUT else self.locations.first[place] + self.look(piece, place)


# ---------------------------------------------------------------- the course of the game


@dataclass(frozen=True, eq=False)
class Looking:
    """The seat whose tensor it is, one of the columns."""

    def fill(self, sight: Sight, tensor: array[float], at: int) -> None:
        """Add what a seat sees to the columns from a place on."""
        tensor[at + sight.seat] = 1


@dataclass(frozen=True, eq=False)
class Deciding:
    """The seat that decides, one of the columns."""

    def fill(self, sight: Sight, tensor: array[float], at: int) -> None:
        """Add what a seat sees to the columns from a place on."""
        if sight.state[POINT] >= 0:
            tensor[at + sight.state[ME]] = 1


@dataclass(frozen=True, eq=False)
class InPhase:
    """The phase, one of the columns."""

    cell: NumberCell

    def fill(self, sight: Sight, tensor: array[float], at: int) -> None:
        """Add what a seat sees to the columns from a place on."""
        if not sight.over:
            tensor[at + sight.state[self.cell]] = 1


@dataclass(frozen=True, eq=False)
class Over:
    """Whether the game is over."""

    def fill(self, sight: Sight, tensor: array[float], at: int) -> None:
        """Add what a seat sees to the columns from a place on."""
        tensor[at] = sight.over


@dataclass(frozen=True, eq=False)
class Asked:
    """The pending question, one of the columns, if it is the seat's own; `offsets` are those by decision."""

    offsets: Mapping[int, int]

    def fill(self, sight: Sight, tensor: array[float], at: int) -> None:
        """Add what a seat sees to the columns from a place on."""
        if sight.own:
            tensor[at + self.offsets[sight.state[POINT]]] = 1


@dataclass(frozen=True, eq=False)
class Picked:
    """What the seat has picked so far where several are chosen one by one; `cells` hold it by decision."""

    cells: Mapping[int, NumberCell]
    columns: Columns

    def fill(self, sight: Sight, tensor: array[float], at: int) -> None:
        """Add what a seat sees to the columns from a place on."""
        cell = self.cells.get(sight.state[POINT])
        if sight.own and cell is not None:
            self.columns.form.put(sight.state[cell], sight, tensor, at)


@dataclass(frozen=True, eq=False)
class Chosen:
    """The actions that the seat has chosen of its move."""

    def fill(self, sight: Sight, tensor: array[float], at: int) -> None:
        """Add what a seat sees to the columns from a place on."""
        for action in sight.chosen if sight.own else ():
            tensor[at + action] += 1


# ---------------------------------------------------------------- places


@dataclass(frozen=True, eq=False)
class Counted:
    """How many pieces lie at a place, by their look, and what is known about these, added up.

    `sets` has for each seat the pieces of each look as bit sets, if nothing else can be known about the pieces and who
    sees them never changes; else it is None.
    """

    place: Place
    looks: Looks
    about: About
    sets: dict[int, list[tuple[int, int]]] | None

    @property
    def width(self) -> int:
        """The number of columns for each look."""
        return 1 + len(self.about.names)

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [f"{look}{', ' * bool(part)}{part}" for look in self.looks.names for part in ("", *self.about.names)]

    def fill(self, sight: Sight, tensor: array[float], at: int) -> None:
        """Add what a seat sees to the columns from a place on."""
        mask = sight.state[self.place.mask]
        if not mask:
            return
        if self.sets is not None:
            for look, pieces in self.sets.get(sight.seat) or self._sets(sight, self.sets):
                tensor[at + look] = (mask & pieces).bit_count()
            return
        for piece in sight.program.contents(sight.state, self.place.number):
            column = at + self.width * sight.look(piece, self.place.number)
            tensor[column] += 1
            self.about.put(piece, sight, tensor, column + 1)

    def _sets(self, sight: Sight, sets: dict[int, list[tuple[int, int]]]) -> list[tuple[int, int]]:
        """The looks that a seat can see here, each with the pieces that have it."""
        layout = sight.program.layout
        by_look: dict[int, int] = {}
        for type_ in held_in(layout, self.place.zone):
            for piece in range(*layout.piece_range[type_]):
                look = sight.look(piece, self.place.number)
                by_look[look] = by_look.get(look, 0) | 1 << piece
        sets[sight.seat] = list(by_look.items())
        return sets[sight.seat]


Part = tuple[str, str, object]
"""What a column says of a piece: its type, one of its attributes, and the value, or that it is not seen."""


@dataclass(frozen=True, eq=False)
class Placed:
    """The pieces at a place one after the other, those on the left or top first, each by its attributes.

    `offsets` are the columns of each part among those of a position. There is room for `most` pieces. `kept` has the
    columns of what a seat sees of a piece, if who sees it never changes; else it is None.
    """

    place: Place
    offsets: Mapping[Part, int]
    parts: Sequence[str]
    about: About
    most: int
    kept: dict[tuple[int, int], tuple[int, ...]] | None

    @property
    def width(self) -> int:
        """The number of columns for each position."""
        return len(self.parts) + len(self.about.names)

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        alone = self.place.shape == "one"
        positions = [""] if alone else [f"{number}: " for number in range(1, self.most + 1)]
        return [f"{position}{part}" for position in positions for part in (*self.parts, *self.about.names)]

    def fill(self, sight: Sight, tensor: array[float], at: int) -> None:
        """Add what a seat sees to the columns from a place on."""
        mask = sight.state[self.place.mask]
        if mask & (mask - 1):
            for piece in sight.program.contents(sight.state, self.place.number):
                self._fill_position(piece, sight, tensor, at)
                at += self.width
        elif mask:
            self._fill_position(mask.bit_length() - 1, sight, tensor, at)

    def _fill_position(self, piece: int, sight: Sight, tensor: array[float], at: int) -> None:
        columns = None if self.kept is None else self.kept.get((sight.seat, piece))
        for column in self._columns(sight, piece) if columns is None else columns:
            tensor[at + column] = 1
        if self.about.names:
            self.about.put(piece, sight, tensor, at + len(self.parts))

    def _columns(self, sight: Sight, piece: int) -> tuple[int, ...]:
        """The columns of what a seat sees of a piece, among those of a position."""
        info = sight.program.layout.pieces[piece]
        seen = known_attributes(sight.program, sight.state, sight.seat, piece, self.place.number)
        parts: list[Part] = [(info.type, "", None)] if (info.type, "", None) in self.offsets else []
        for attribute, value in info.attributes.items():
            parts.append((info.type, attribute, value if attribute in seen else UNSEEN))
        columns = tuple([self.offsets[part] for part in parts])
        if self.kept is not None:
            self.kept[sight.seat, piece] = columns
        return columns


def shown_at(program: Program, locations: Locations, place: Place) -> Counted | Placed:
    """What a section shows of a place."""
    looks, types = locations.looks[place.zone], held_in(program.layout, place.zone)
    about = About(program, locations, types)
    is_fixed = place.zone in program.zones_of_fixed_visibility
    if place.shape == "heap" or (len(looks.names) == 1 and not about.names):
        return Counted(place, looks, about, {} if is_fixed and not about.names else None)
    layout = program.layout
    parts: list[str] = []
    offsets: dict[Part, int] = {}

    def add(part: Part, name: str) -> None:
        offsets[part] = len(parts)
        parts.append(name)

    for type_ in types:
        attributes = program.model.pieces[type_].attributes
        if len(types) > 1 or not attributes:
            add((type_, "", None), type_)
        for attribute, attribute_type in attributes.items():
            pieces = layout.pieces[slice(*layout.piece_range[type_])]
            for value in dict.fromkeys(piece.attributes[attribute] for piece in pieces):
                add((type_, attribute, value), layout.name_of(attribute_type, value))
            if any(attribute not in seen for seen in seen_together(program, place.zone, type_)):
                add((type_, attribute, UNSEEN), f"{attribute} {UNSEEN}")
    parts = told_apart(parts, [type_ for type_, _, _ in offsets])
    ranges = [layout.piece_range[type_] for type_ in types]
    most = 1 if place.shape == "one" else sum(end - first for first, end in ranges)
    return Placed(place, offsets, parts, about, most, {} if is_fixed else None)


# ---------------------------------------------------------------- notes


@dataclass(frozen=True, eq=False)
class Noted:
    """The content of a note or die; where it can be hidden, whether it is seen comes first."""

    cell: NoteCell
    name: str
    slot: tuple[int, ...]
    columns: Columns
    is_hidden: bool

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [*["is seen"] * self.is_hidden, *self.columns.names]

    def fill(self, sight: Sight, tensor: array[float], at: int) -> None:
        """Add what a seat sees to the columns from a place on."""
        if not self.is_hidden:
            self.columns.form.put(sight.state[self.cell], sight, tensor, at)
        elif note_seen(sight.program, sight.state, sight.seat, self.name, self.slot):
            tensor[at] = 1
            self.columns.form.put(sight.state[self.cell], sight, tensor, at + 1)


def noted(program: Program, locations: Locations, cell: int) -> Noted:
    """What a section shows of a note or die."""
    name, slot = program.layout.notes_of_cell[cell]
    symbol = program.model.notes.get(name) or program.model.dice[name]
    assert symbol.type is not None
    columns = columns_of(program, symbol.type, locations)
    return Noted(NoteCell(cell), name, slot, columns, is_ever_hidden(program, name))


def is_ever_hidden(program: Program, note: str) -> bool:
    """Whether a note is not open to everybody."""
    symbol = program.model.notes.get(note)
    return symbol is not None and bool(symbol.declaration.sights)


class About:
    """What is known about a piece beside its attributes: the notes about it, and what lies at the places of its own.

    `notes` are the columns of a note with an index without the pieces, whether it can be hidden, and how it is put;
    `places` the columns of such places.
    """

    def __init__(self, program: Program, locations: Locations, types: Sequence[str]) -> None:
        self.notes: dict[tuple[str, tuple[int, ...]], tuple[int, bool, Columns]] = {}
        self.places: dict[tuple[str, tuple[int, ...]], int] = {}
        self.least, self.most = 0.0, 1.0
        names: list[str] = []
        scales: list[int] = []
        layout, model = program.layout, program.model
        for name, symbol in model.notes.items():
            if not _is_about(symbol.index, types):
                continue
            assert symbol.type is not None
            columns, hidden = columns_of(program, symbol.type, locations), is_ever_hidden(program, name)
            self.least, self.most = min(self.least, columns.least), max(self.most, columns.most)
            for slot in _slots_without_pieces(program, symbol.index):
                words = _slot_name(program, name, symbol.index, slot)
                self.notes[name, slot] = len(names), hidden, columns
                names += [f"{words}{': ' * bool(part)}{part}" for part in [*["is seen"] * hidden, *columns.names]]
                scales += [*[1] * hidden, *columns.scales]
        for name, zone in model.zones.items():
            if _is_about(zone.index, types):
                for slot in _slots_without_pieces(program, zone.index):
                    words = _slot_name(program, name, zone.index, slot)
                    self.places[name, slot] = len(names)
                    names += [f"{words}: {look}" for look in locations.looks[name].names]
                    scales += [1] * len(locations.looks[name].names)
                    self.most = max(self.most, float(len(layout.pieces)))
        self.names, self.scales = tuple(names), tuple(scales)

    def put(self, piece: int, sight: Sight, tensor: array[float], at: int) -> None:
        """Add what a seat sees about a piece to the columns from a place on."""
        if not self.names:
            return
        program, state, model = sight.program, sight.state, sight.program.model
        for name, cell, slot in program.notes_about[piece]:
            if note_seen(program, state, sight.seat, name, slot):
                offset, hidden, columns = self.notes[name, without_pieces(model.notes[name].index, slot)]
                if hidden:
                    tensor[at + offset] += 1
                columns.form.put(state[NoteCell(cell)], sight, tensor, at + offset + hidden)
        for mask, number, _ in program.runtime.attached[piece]:
            if state[NumberCell(mask)]:
                place = program.layout.places[number]
                offset = self.places[place.zone, without_pieces(model.zones[place.zone].index, place.index)]
                for attached in program.contents(state, number):
                    tensor[at + offset + sight.look(attached, number)] += 1


def _is_about(index: Sequence[Type], types: Sequence[str]) -> bool:
    return any(isinstance(type_, PieceType) and not type_.piece_types.isdisjoint(types) for type_ in index)


def _slots_without_pieces(program: Program, index: Sequence[Type]) -> Iterator[tuple[int, ...]]:
    yield from product(*(program.layout.members(type_) for type_ in index if not isinstance(type_, PieceType)))


def without_pieces(index: Sequence[Type], slot: Sequence[int]) -> tuple[int, ...]:
    """An index without the pieces in it."""
    pairs = zip(index, slot, strict=True)
    return tuple([value for type_, value in pairs if not isinstance(type_, PieceType)])


def _slot_name(program: Program, name: str, index: Sequence[Type], slot: Sequence[int]) -> str:
    types = tuple([type_ for type_ in index if not isinstance(type_, PieceType)])
    return program.layout.slot_name(name, types, tuple(slot))


Content = Looking | Deciding | InPhase | Over | Asked | Picked | Chosen | Counted | Placed | Noted
"""What a section shows."""


def questions_of(program: Program) -> dict[int, ast.Question]:
    """The questions of the rules, by the numbers of their nodes."""
    return {decision.node.number: decision.node for decision in program.lowered.decisions.values()}
