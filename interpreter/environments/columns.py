"""Columns for a value of any type: how a note, a number or a set of pieces becomes a few numbers.

A value of a few possible ones has a column for each, one of which is 1; a set has a column for each possible member. A
number of a wide range has one column, and one more that says that it is not none. Pieces count where they lie, by what
the seat sees of them.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Protocol

from dsl.lazy_dataclasses import dataclass
from dsl.types import (
    Contents,
    Kind,
    Listed,
    ListType,
    Maybe,
    Nothing,
    Number,
    PieceType,
    Several,
    TextType,
    Truth,
    Type,
    Unknown,
    bare,
)
from interpreter.engine.program import Program
from interpreter.environments.looks import Locations
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import StoredValue, members_in, number_in

MAX_ONE_HOT = 32
"""Up to this many numbers have a column each."""

MAX_SETS = 1e6
"""More sets than a note can hold."""

MAX_SCALE = 1000
"""Numbers are divided by the largest of their range, but by no more than this."""


class Sighted(Protocol):
    """What a seat sees of the pieces of a state."""

    def location(self, piece: int) -> int:
        """The column of a piece among those of `Locations`, below 0 for one that is out of the game."""


@dataclass(frozen=True, eq=False)
class OneOf:
    """A value by its number among several; none has no column."""

    offsets: Mapping[int, int]

    def put(self, value: StoredValue, sighted: Sighted, tensor: array[float], at: int) -> None:
        """Add a value to the columns from a place on."""
        if value is not None:
            tensor[at + self.offsets[number_in(value)]] += 1


@dataclass(frozen=True, eq=False)
class SetOf:
    """A set, by the numbers of its members."""

    offsets: Mapping[int, int]

    def put(self, value: StoredValue, sighted: Sighted, tensor: array[float], at: int) -> None:
        """Add a value to the columns from a place on."""
        for member in bits(number_in(value or 0)):
            tensor[at + self.offsets[member]] += 1


@dataclass(frozen=True, eq=False)
class Scaled:
    """A number divided by another one, and whether it is set if it may be none."""

    scale: int
    is_optional: bool

    def put(self, value: StoredValue, sighted: Sighted, tensor: array[float], at: int) -> None:
        """Add a value to the columns from a place on."""
        if value is not None:
            tensor[at] += number_in(value) / self.scale
            if self.is_optional:
                tensor[at + 1] += 1


@dataclass(frozen=True, eq=False)
class Lying:
    """A piece, or several, by where they lie and how they look there."""

    is_set: bool

    def put(self, value: StoredValue, sighted: Sighted, tensor: array[float], at: int) -> None:
        """Add a value to the columns from a place on."""
        if value is None:
            return
        for piece in bits(number_in(value)) if self.is_set else (number_in(value),):
            column = sighted.location(piece)
            if column >= 0:
                tensor[at + column] += 1


@dataclass(frozen=True, eq=False)
class Sets:
    """A set of sets: how many there are, and their members added up."""

    of: Form

    def put(self, value: StoredValue, sighted: Sighted, tensor: array[float], at: int) -> None:
        """Add a value to the columns from a place on."""
        for member in members_in(value or ()):
            tensor[at] += 1
            self.of.put(member, sighted, tensor, at + 1)


Form = OneOf | SetOf | Scaled | Lying | Sets
"""How a value is put into columns."""


@dataclass(frozen=True, eq=False)
class Columns:
    """Columns with their names, and how a value is put there; numbers are from `least` to `most`.

    A column is named by what it says: `red`, `is set`, empty where the value itself is the only one.
    """

    names: tuple[str, ...]
    form: Form
    least: float = 0.0
    most: float = 1.0

    @property
    def size(self) -> int:
        """The number of columns."""
        return len(self.names)

    @property
    def scales(self) -> tuple[int, ...]:
        """What the number in each column has been divided by."""
        return tuple([self.form.scale if isinstance(self.form, Scaled) and n == 0 else 1 for n in range(self.size)])


def columns_of(program: Program, type_: Type, locations: Locations) -> Columns:
    """The columns for a value of a type."""
    core, optional = bare(type_), isinstance(type_, Maybe)
    match core:
        case Truth():
            return _number(Number(0, 1), optional)
        case Number(low, high) if high - low >= MAX_ONE_HOT:
            return _number(core, optional)
        case Number() | Listed():
            names, offsets = _values(program, core)
            return Columns(names, OneOf(offsets))
        case PieceType():
            return Columns(locations.names, Lying(is_set=False))
        case Several(element=PieceType()):
            return Columns(locations.names, Lying(is_set=True), most=float(len(program.layout.pieces)))
        case Several(element=Several() as element):
            inner = columns_of(program, element, locations)
            return Columns(("sets", *inner.names), Sets(inner.form), most=MAX_SETS)
        case Several(element=element):
            names, offsets = _values(program, element)
            return Columns(names, SetOf(offsets))
        case Nothing():
            return Columns((), OneOf({}))
        case Contents() | Kind() | ListType() | TextType() | Unknown() | Maybe():
            raise AssertionError(f"no note holds {core}")


def _number(type_: Number, optional: bool) -> Columns:
    scale = max(1, min(max(abs(type_.low), abs(type_.high)), MAX_SCALE))
    words = "" if scale == 1 else f"/ {scale}"
    least, most = min(0.0, type_.low / scale), max(1.0, type_.high / scale)
    return Columns((words, "is set") if optional else (words,), Scaled(scale, optional), least, most)


def _values(program: Program, type_: Type) -> tuple[tuple[str, ...], dict[int, int]]:
    """The names of the values of a type, and the column of each."""
    values: Sequence[int] = program.layout.members(type_)
    names = tuple([program.layout.name_of(type_, value) for value in values])
    return names, {int(value): offset for offset, value in enumerate(values)}
