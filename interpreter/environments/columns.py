"""Columns for a value of any type: how a note, a number or a set of pieces becomes a few numbers.

A value of a few possible ones has a column for each, one of which is 1; a set has a column for each possible member. A
number of a wide range has one column, and one more that says that it is not none. Pieces count where they lie, by what
the seat sees of them.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
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

LARGEST_SCALE = 1000
"""Numbers are divided by the largest of their range, but by no more than this."""


class Sighted(Protocol):
    """What a seat sees of the pieces of a state."""

    def location(self, piece: int) -> int:
        """The column of a piece among those of `Locations`, below 0 for one that is out of the game."""


@dataclass(frozen=True, eq=False)
class Columns:
    """Columns with their names; `put` adds a value to those that begin at a place of a tensor.

    A column is named by what it says: `red`, `is set`, empty where the value itself is the only one. Numbers are from
    `least` to `most`.
    """

    names: tuple[str, ...]
    put: Callable[[StoredValue, Sighted, array[float], int], None]
    least: float = 0.0
    most: float = 1.0

    @property
    def size(self) -> int:
        """The number of columns."""
        return len(self.names)


def columns_of(program: Program, type_: Type, locations: Locations) -> Columns:
    """The columns for a value of a type."""
    core, optional = bare(type_), isinstance(type_, Maybe)
    match core:
        case Truth():
            return _number(Number(0, 1), optional)
        case Number(low, high) if high - low >= MAX_ONE_HOT:
            return _number(core, optional)
        case Number() | Listed():
            values = program.layout.members(core)
            return _one_of(values, [program.layout.name_of(core, value) for value in values])
        case PieceType():
            return Columns(locations.names, _put_piece)
        case Several(element=PieceType()):
            return Columns(locations.names, _put_pieces, most=float(len(program.layout.pieces)))
        case Several(element=Several() as element):
            inner = columns_of(program, element, locations)

            def put_all(value: StoredValue, sighted: Sighted, tensor: array[float], at: int) -> None:
                for member in members_in(value or ()):
                    tensor[at] += 1
                    inner.put(member, sighted, tensor, at + 1)

            return Columns(("sets", *inner.names), put_all, most=MAX_SETS)
        case Several(element=element):
            values = program.layout.members(element)
            return _set_of(values, [program.layout.name_of(element, value) for value in values])
        case Nothing():
            return Columns((), _put_nothing)
        case Contents() | Kind() | ListType() | TextType() | Unknown() | Maybe():
            raise AssertionError(f"no note holds {core}")


def _number(type_: Number, optional: bool) -> Columns:
    scale = max(1, min(max(abs(type_.low), abs(type_.high)), LARGEST_SCALE))

    def put(value: StoredValue, sighted: Sighted, tensor: array[float], at: int) -> None:
        if value is not None:
            tensor[at] += number_in(value) / scale
            if optional:
                tensor[at + 1] = 1

    words = "" if scale == 1 else f"/ {scale}"
    least, most = min(0.0, type_.low / scale), max(1.0, type_.high / scale)
    return Columns((words, "is set") if optional else (words,), put, least, most)


def _one_of(values: Sequence[int], names: Sequence[str]) -> Columns:
    offsets = {value: offset for offset, value in enumerate(values)}

    def put(value: StoredValue, sighted: Sighted, tensor: array[float], at: int) -> None:
        if value is not None:
            tensor[at + offsets[number_in(value)]] += 1

    return Columns(tuple(names), put)


def _set_of(values: Sequence[int], names: Sequence[str]) -> Columns:
    offsets = {int(value): offset for offset, value in enumerate(values)}

    def put(value: StoredValue, sighted: Sighted, tensor: array[float], at: int) -> None:
        for member in bits(number_in(value or 0)):
            tensor[at + offsets[member]] += 1

    return Columns(tuple(names), put)


def _put_piece(value: StoredValue, sighted: Sighted, tensor: array[float], at: int) -> None:
    if value is not None and (column := sighted.location(number_in(value))) >= 0:
        tensor[at + column] += 1


def _put_pieces(value: StoredValue, sighted: Sighted, tensor: array[float], at: int) -> None:
    for piece in bits(number_in(value or 0)):
        _put_piece(piece, sighted, tensor, at)


def _put_nothing(value: StoredValue, sighted: Sighted, tensor: array[float], at: int) -> None:
    pass
