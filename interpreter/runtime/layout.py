"""The layout of the flat state vector: pieces, places, notes, and the cells of suspended rules.

The state of a game is one list of plain values. A *place* is one slot of a zone (place 0: out of the game); its
pieces are a bit set in a cell of their own, rows and stacks keep their order in a second cell. Every piece has a cell
with its place. Sets are bit sets everywhere, `none` is None.

For example, a game with a zone `hand[Player]` (a set) and a zone `deck` (a stack) for two seats has places 1 and 2 for
the hands and 3 for the deck. Its cells: the first six (`POINT` to `DRAWN`), the pieces out of the game, one for each
hand, the pieces of the deck and their order, and then one for each piece with the number of its place.

Cells are reserved in declared order, and the slots of a zone or note in the order of their index, so generated code
computes the cell of a slot from that of the first. Nothing in the layout depends on the order of a Python set: traced
and plain code of a game share its cells, and so does a state that was pickled elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from itertools import product
from math import prod
from typing import assert_never

from dsl import ast
from dsl import types as ty
from dsl.lazy_dataclasses import dataclass
from dsl.model import Model
from dsl.symbols import Cell, ConstantSymbol, DieSymbol, NoteSymbol, TypeSymbol, ZoneSymbol
from interpreter.errors import PlayError
from interpreter.runtime.cells import Cells, MovesCell, NoteCell, NumberCell, OrderCell, RecordCell
from interpreter.wording.phrases import Phrase

# The first cells of every state.
# POINT is below 0 when nothing is pending. As it has cell 0, a cell number of 0 can mean that there is no cell.
POINT, ME, RANDOM, IDLE = NumberCell(0), NumberCell(1), NumberCell(2), NumberCell(3)
MOVES = MovesCell(4)
DRAWN = NumberCell(5)
FIRST_FREE = 6
OUT = 0
NO_CELL = NumberCell(0)
NO_ORDER = OrderCell(0)

MAX_CELLS = 200_000
"""Maximum number of places, orders of places, and notes of a game."""

MAX_FOLLOWED = 4
"""Maximum number of pieces lying on pieces that are followed to say what a seat sees; they can lie in a cycle."""


@dataclass(frozen=True)
class Place:
    """One slot of a zone; `order` is the cell of the order of a row or stack, else 0.

    `filled` is the cell with the set of those indices of the zone whose slot is filled, 0 if no rule uses it; `bit`
    is the bit of this slot in it.
    """

    number: int
    zone: str
    index: tuple[int, ...]
    shape: str
    mask: NumberCell
    order: OrderCell
    filled: NumberCell = NO_CELL
    bit: int = 0


@dataclass(frozen=True)
class PieceInfo:
    """One piece: its type and the values of its attributes; equal pieces have the same `kind`.

    Pieces of a type are numbered consecutively, and so are equal ones; their kind is the number of the first of them.
    """

    number: int
    type: str
    attributes: dict[str, int]
    kind: int


@dataclass
class Layout:
    """The cells of a game with these seats and options.

    `first[x]` is the first cell (or place) of zone, note or position x.
    """

    model: Model
    seats: tuple[str, ...]
    options: dict[str, str]
    pieces: list[PieceInfo] = field(default_factory=list)
    piece_range: dict[str, tuple[int, int]] = field(default_factory=dict)
    places: list[Place] = field(default_factory=list)
    first_place: dict[str, int] = field(default_factory=dict)
    first_mask: dict[str, NumberCell] = field(default_factory=dict)
    first_order: dict[str, OrderCell] = field(default_factory=dict)
    first_note: dict[str, NoteCell] = field(default_factory=dict)
    first_record: dict[str, RecordCell] = field(default_factory=dict)
    filled: dict[str, NumberCell] = field(default_factory=dict)
    place_cells: NumberCell = NO_CELL
    size: int = FIRST_FREE
    notes_of_cell: dict[int, tuple[str, tuple[int, ...]]] = field(default_factory=dict)
    locals_of_cell: dict[int, str] = field(default_factory=dict)
    local_types: dict[int, ty.Type] = field(default_factory=dict)
    words: dict[int, dict[str, str]] = field(default_factory=dict)
    names: dict[tuple[int, frozenset[str]], str] = field(default_factory=dict)
    _members: dict[tuple[ty.Type, bool], list[int]] = field(default_factory=dict)
    _numbers: dict[str, dict[int, int]] = field(default_factory=dict)
    _member_names: dict[str, dict[int, str]] = field(default_factory=dict)
    _listed_names: dict[tuple[ty.Listed, object], str] = field(default_factory=dict)

    def take(self, count: int = 1) -> int:
        """Reserve cells at the end; returns the first."""
        first = self.size
        self.size += count
        return first

    # ------------------------------------------------------------ values of types

    @cached_property
    def choice(self) -> tuple[str, ...]:
        """The chosen alternatives of the board."""
        return tuple(self._chosen_value(node) for node in self.model.chosen.values())

    def _chosen_value(self, node: ast.Name) -> str:
        """The value of a name that selects among alternatives: an option, or the number of players."""
        symbol = self.model.refers[node.number]
        word = str(symbol.by_count[len(self.seats)]) if isinstance(symbol, ConstantSymbol) else symbol.name
        return self.options.get(word, word)

    def rows(self, symbol: TypeSymbol, column: str) -> dict[int, Cell]:
        """The cells of a column, by member as stored in the state."""
        rows = symbol.rows[self.choice] if symbol.rows else None
        cells = rows.cells[column] if rows else symbol.cells[column]
        numbers = self.numbers(symbol)
        return {numbers[position]: cell for position, cell in zip(self.present(symbol), cells, strict=True)}

    def present(self, symbol: TypeSymbol) -> Sequence[int]:
        """The positions of the members that exist in this game: the seats that play, the places of this board.

        A value with arguments exists if they do. Places are in the order of this board, which can differ from that of
        their positions: these count the places of every board that the options allow.
        """
        if symbol.rows:
            return symbol.rows[self.choice].present
        if symbol.type == ty.PLAYER:
            return [position for position, seat in enumerate(symbol.members) if seat in self.seats]
        absent: set[int] = set()
        for family in symbol.families.values():
            combinations = product(*(self._existing(type_) for type_ in family.parameters))
            absent.update(
                position for position, existing in enumerate(combinations, family.position) if not all(existing)
            )
        positions = range(len(symbol.members))
        return [position for position in positions if position not in absent] if absent else positions

    def _existing(self, type_: ty.Type) -> list[bool]:
        """For each argument of a value, in the order of its type as declared, whether it exists in this game."""
        if not isinstance(type_, ty.Listed):
            return [True] * len(self.members(type_))
        existing: list[bool] = []
        for part in type_.parts or (type_.name,):
            symbol = self.model.type_symbols[part]
            present = frozenset(self.present(symbol))
            existing += [position in present for position in range(len(symbol.members))]
        return existing

    def numbers(self, symbol: TypeSymbol) -> Mapping[int, int]:
        """Each member that exists in this game as stored in the state, by its position among all members.

        A number is stored as itself. Other members are numbered from the first number of their type on, in the order of
        their positions and without gaps, so that sets have no bits for the places of larger boards.
        """
        if symbol.name not in self._numbers:
            first = self.first_value[symbol.name][0]
            self._numbers[symbol.name] = {
                # INVARIANT: both engines, views and the journal store these numbers; notation and saves store names, as
                # the numbers depend on the options of the game.
                position: member if isinstance(member := symbol.members[position], int) else number
                for number, position in enumerate(sorted(self.present(symbol)), first)
            }
        return self._numbers[symbol.name]

    @cached_property
    def first_value(self) -> dict[str, tuple[int, int]]:
        """For each listed type the number of its first value, and the number of values that share its numbering."""
        return first_values(self.model, lambda symbol: len(self.present(symbol)))

    @cached_property
    def _numberings(self) -> dict[str, str]:
        return numberings(self.model)

    def numbering_of(self, name: str) -> str:
        """The name of the numbering that a listed type shares with those it occurs together with."""
        return self._numberings[name]

    def room(self, type_: ty.Listed) -> int:
        """The number of values that share the numbering of a listed type."""
        return self.first_value[(type_.parts or (type_.name,))[0]][1]

    def values(self, type_: ty.Type) -> list[int | None]:
        """Every value that a parameter of this type can have: its members, and none last if it may be none."""
        return [*self.members(type_), None] if isinstance(type_, ty.Maybe) else [*self.members(type_)]

    def members(self, type_: ty.Type, as_declared: bool = False) -> list[int]:
        """Every value of a finite type that can be enumerated, as stored in the state, except none.

        They are in the order of the board; `as_declared`: in that of the positions of the members, in which values with
        these arguments are numbered. The list is not to be changed.
        """
        key = ty.bare(type_), as_declared
        if not isinstance(key[0], ty.PieceType):  # whose number is not known from the beginning
            if key not in self._members:
                self._members[key] = self._listed(*key)
            return self._members[key]
        return self._listed(*key)

    def _listed(self, type_: ty.Type, as_declared: bool) -> list[int]:
        match type_:
            case ty.Truth():
                return [False, True]  # in the state a truth value is never the number 0 or 1
            case ty.Number(low, high):
                return list(range(low, high + 1))
            case ty.Listed(parts=parts) if parts:
                return [value for part in parts for value in self.members(ty.Listed(part), as_declared)]
            case ty.Listed(name=name):
                symbol = self.model.type_symbols[name]
                numbers = self.numbers(symbol)
                return [numbers[position] for position in (numbers if as_declared else self.present(symbol))]
            case ty.PieceType(names):
                return [n for type_name in sorted(names) for n in range(*self.piece_range[type_name])]
            case (
                ty.Several()
                | ty.Contents()
                | ty.Maybe()
                | ty.Nothing()
                | ty.Kind()
                | ty.ListType()
                | ty.TextType()
                | ty.Unknown()
            ):
                raise AssertionError(f"the values of {type_} cannot be enumerated")
            case _ as never:
                assert_never(never)

    def value_of(self, type_: ty.Listed, word: str | int) -> int | None:
        """A value of a listed type as stored in the state; None if this game does not have it."""
        for name in type_.parts or (type_.name,):
            symbol = self.model.type_symbols[name]
            if word in symbol.members:
                return self.numbers(symbol).get(symbol.members.index(word))
        raise AssertionError(f"{word} is not a value of {type_}")

    def values_of_faces(self, symbol: DieSymbol) -> tuple[int | None, ...]:
        """The value of each face of a die."""
        assert symbol.type is not None
        core = ty.bare(symbol.type)
        values_by_name = {self.name_of(core, value): value for value in self.members(core)}
        return tuple(
            values_by_name.get(str(int(face)) if face.isdigit() else face) for face in symbol.declaration.faces
        )

    def position(self, type_: ty.Type, value: int) -> int:
        """The position of a value among the members of an index type."""
        return self.members(type_).index(value)

    def name_of(self, type_: ty.Type, value: object) -> str:
        """Render a value."""
        core = ty.bare(type_)
        if not isinstance(core, ty.Listed):
            return self._rendered(core, value)
        name = self._listed_names.get((core, value))
        if name is None:
            name = self._listed_names[core, value] = self._rendered(core, value)
        return name

    def _rendered(self, core: ty.Type, value: object) -> str:
        if value is None:
            return "nobody" if core == ty.PLAYER else "none"
        match core:
            case ty.Truth():
                return "true" if value else "false"
            case ty.Listed(parts=parts) if parts:
                number = int(str(value))
                return next(names[number] for part in parts if number in (names := self._names_by_number(part)))
            case ty.Listed(name=name, numeric=False):
                return self._names_by_number(name)[int(str(value))]
            case ty.PieceType():
                return self.piece_name(int(str(value)))
            case (
                ty.Number() | ty.Listed() | ty.Several() | ty.Contents() | ty.Maybe() | ty.Nothing()
                | ty.Kind() | ty.ListType() | ty.TextType() | ty.Unknown()
            ):  # fmt: skip
                return str(value)
            case _ as never:
                assert_never(never)

    def _names_by_number(self, name: str) -> Mapping[int, str]:
        """The names of the members of a listed type by their numbers."""
        if name not in self._member_names:
            symbol = self.model.type_symbols[name]
            numbers = self.numbers(symbol).items()
            self._member_names[name] = {number: str(symbol.members[position]) for position, number in numbers}
        return self._member_names[name]

    def piece_name(self, number: int) -> str:
        """Name a piece by the values of its attributes, seats first: `red king`."""
        piece = self.pieces[number]
        return self.piece_words(number, frozenset(piece.attributes)) or piece.type.lower()

    def piece_words(self, number: int, attributes: frozenset[str]) -> str:
        """Render the known attributes of a piece, seats first."""
        key = (self.pieces[number].kind, attributes)
        if key not in self.names:
            types = self.model.pieces[self.pieces[number].type].attributes
            words: list[str] = []
            for name, word in self.attribute_words(number).items():
                if name in attributes:
                    words.insert(0 if ty.bare(types[name]) == ty.PLAYER else len(words), word)
            self.names[key] = " ".join(words)
        return self.names[key]

    def attribute_words(self, number: int) -> dict[str, str]:
        """The attributes of a piece, rendered; not to be changed."""
        kind = self.pieces[number].kind
        if kind not in self.words:
            piece = self.pieces[kind]
            types = self.model.pieces[piece.type].attributes
            self.words[kind] = {name: self.name_of(types[name], value) for name, value in piece.attributes.items()}
        return self.words[kind]

    # ------------------------------------------------------------ places

    @cached_property
    def orders_of_cell(self) -> dict[int, int]:
        """Map the cell of an order to its place; valid once the layout is finished."""
        return {place.order: place.number for place in self.places if place.order}

    @cached_property
    def content_cells(self) -> frozenset[int]:
        """The cells with the content of places; valid once the layout is finished."""
        return frozenset({*(place.mask for place in self.places), *self.orders_of_cell, *self.filled.values()})

    def _check_room(self, symbol: ZoneSymbol | NoteSymbol | DieSymbol) -> None:
        """Raise PlayError where a zone, note or die would make the state too large."""
        needed = prod(len(self.members(type_)) for type_ in symbol.index)
        if self.size + needed > MAX_CELLS:
            message = Phrase(
                "with `{name}` the game has more than {number} places and notes", name=symbol.name, number=MAX_CELLS
            )
            raise PlayError(message, symbol.declaration.span.location)

    def slots(self, index: tuple[ty.Type, ...]) -> Iterator[tuple[int, ...]]:
        """Every combination of index values in order."""
        yield from product(*(self.members(type_) for type_ in index))

    def add_zone(self, symbol: ZoneSymbol) -> None:
        """Reserve the places and cells of a zone."""
        self._check_room(symbol)
        shape = symbol.declaration.shape
        slots = list(self.slots(symbol.index))
        ordered = shape in ("row", "stack")
        masks = NumberCell(self.take(len(slots)))
        orders = OrderCell(self.take(len(slots))) if ordered else NO_ORDER
        self.first_place[symbol.name] = len(self.places)
        self.first_mask[symbol.name], self.first_order[symbol.name] = masks, orders
        filled = NO_CELL
        if shape == "one" and len(symbol.index) == 1 and all(slot[0] >= 0 for slot in slots):
            filled = NumberCell(self.take())
            self.filled[symbol.name] = filled
        for offset, slot in enumerate(slots):
            order = orders + offset if ordered else NO_ORDER
            bit = 1 << slot[0] if filled else 0
            self.places.append(Place(len(self.places), symbol.name, slot, shape, masks + offset, order, filled, bit))

    def add_note(self, symbol: NoteSymbol | DieSymbol) -> None:
        """Reserve the cells of a note or die."""
        self._check_room(symbol)
        slots = list(self.slots(symbol.index))
        first = NoteCell(self.take(len(slots)))
        self.first_note[symbol.name] = first
        for offset, slot in enumerate(slots):
            self.notes_of_cell[first + offset] = (symbol.name, slot)

    def place_name(self, number: int) -> str:
        """Render a place: `hand[red]`."""
        if number == OUT:
            return "out of the game"
        place = self.places[number]
        return self.slot_name(place.zone, self.model.zones[place.zone].index, place.index)

    def cell_name(self, cell: int) -> str:
        """Render a cell of a note or die."""
        name, slot = self.notes_of_cell[cell]
        symbol: NoteSymbol | DieSymbol | None = self.model.notes.get(name) or self.model.dice.get(name)
        return self.slot_name(name, symbol.index if symbol else (), slot)

    def slot_name(self, name: str, index: tuple[ty.Type, ...], slot: tuple[int, ...]) -> str:
        """Render `name[a, b]` from the index values."""
        if not slot:
            return name
        return f"{name}[{', '.join(self.name_of(t, v) for t, v in zip(index, slot, strict=True))}]"

    def kind_of(self, number: int) -> int:
        """The kind of a piece: equal for pieces that differ only in where they lie."""
        return self.pieces[number].kind


def acting_as(state: Cells, seat: int) -> Cells:
    """A copy of a state in which another seat is the acting one."""
    cells = Cells(state)
    cells[ME] = seat
    return cells


def plan(model: Model, seats: tuple[str, ...], options: dict[str, str]) -> Layout:
    """Reserve zones, notes, dice and chance options; pieces follow once their counts can be computed."""
    layout = Layout(model, seats, options)
    layout.places.append(Place(OUT, "", (), "heap", NumberCell(layout.take()), NO_ORDER))
    return layout


def add_pieces(layout: Layout, type_name: str, rows: list[tuple[dict[str, int], int]]) -> None:
    """Add `count` equal pieces for each row of attribute values."""
    first = len(layout.pieces)
    for attributes, count in rows:
        kind = len(layout.pieces)
        for _ in range(count):
            layout.pieces.append(PieceInfo(len(layout.pieces), type_name, attributes, kind))
    layout.piece_range[type_name] = (first, len(layout.pieces))


def finish(layout: Layout) -> None:
    """Reserve the cells of zones, notes, dice and positions, and one cell per piece for its place."""
    # INVARIANT: the order follows from the declarations alone. Cells reserved later, for suspended rules, come after
    # these, so all programs of a game with the same seats and options agree on the cells up to here.
    for zone in layout.model.zones.values():
        layout.add_zone(zone)
    for note in layout.model.notes.values():
        layout.add_note(note)
    for die in layout.model.dice.values():
        layout.add_note(die)
    for name in layout.model.positions:
        layout.first_record[name] = RecordCell(layout.take())
    layout.place_cells = NumberCell(layout.take(len(layout.pieces)))


# ------------------------------------------------------------ the small numbers that stand for values of listed types
# Types that appear together in some `A or B` share one numbering, so that a value is the same number wherever it is
# used and nothing has to be converted. All other types begin at 0.


def parts_of(symbol: TypeSymbol) -> tuple[str, ...]:
    """The member types of a union; empty for other types."""
    return symbol.type.parts if isinstance(symbol.type, ty.Listed) else ()


def numberings(model: Model) -> dict[str, str]:
    """For each listed type a name for its numbering: that of one of the types that share it."""
    return {name: min(names) for name, names in sharing_types(model).items()}


def sharing_types(model: Model) -> dict[str, frozenset[str]]:
    """For each listed type those with which it shares its numbering."""
    sharing = {name: {name} for name, symbol in model.type_symbols.items() if not parts_of(symbol)}
    for symbol in model.type_symbols.values():
        joined = {name for part in parts_of(symbol) for name in sharing[part]}
        for name in joined:
            sharing[name] = joined
    return {name: frozenset(names) for name, names in sharing.items()}


def first_values(model: Model, count: Callable[[TypeSymbol], int]) -> dict[str, tuple[int, int]]:
    """For each listed type the number of its first value, and the number of values that share its numbering.

    `count` says how many values of a type the game has.
    """
    groups = sharing_types(model)
    room = dict.fromkeys(groups.values(), 0)
    first: dict[str, int] = {}
    for name, group in groups.items():
        first[name] = room[group]
        room[group] += count(model.type_symbols[name])
    return {name: (number, room[groups[name]]) for name, number in first.items()}
