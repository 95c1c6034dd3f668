"""Types of the intermediate representation: what a backend needs to know to store a value.

    Player, of two seats            Ref(Player, 2)        a number below 2
    Player or none                  Opt(Ref(Player, 2))
    0..3                            Int(0, 3)
    the contents of a zone          Set(piece, 16)        bits: piece n is in it if bit n is 1
    the order of a row              Seq(Ref(piece, 16))

What the checker knows beyond that is gone: which pieces a set may hold, or that a number counts points.
"""

from __future__ import annotations

from typing import assert_never

from dsl.lazy_dataclasses import value_class


@value_class
class Bool:
    """True or false."""

    def __str__(self) -> str:
        return "Bool"


@value_class
class Int:
    """Whole numbers from `low` to `high`."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"Int({self.low}..{self.high})"


@value_class
class Ref:
    """A value of a listed type, a seat, a piece or a place: a number from 0 to `width` - 1."""

    domain: str
    width: int

    def __str__(self) -> str:
        return self.domain


@value_class
class Opt:
    """A value, or none."""

    of: Type

    def __str__(self) -> str:
        return f"{self.of}?"


@value_class
class Set:
    """A set of values of a domain, or of numbers from 0: a bit set of `width` bits."""

    domain: str
    width: int

    def __str__(self) -> str:
        return f"Set({self.domain}:{self.width})"


@value_class
class Seq:
    """Values in order: the pieces of a row from the left, of a stack from the top; written-out lists."""

    of: Type

    def __str__(self) -> str:
        return f"Seq({self.of})"


@value_class
class Row:
    """Values of several types in order: a move, the terms of a sum."""

    of: tuple[Type, ...]

    def __str__(self) -> str:
        return f"Row({', '.join(map(str, self.of))})"


@value_class
class Opaque:
    """A value that only operations interpret: an edge relation, the objective of a search."""

    name: str

    def __str__(self) -> str:
        return self.name


Type = Bool | Int | Ref | Opt | Set | Seq | Row | Opaque

BOOL = Bool()
COUNT = Int(0, 10**9)
PART = Opaque("part")
"""The type of a part of a move whose type differs between moves."""
NONE = Opt(Ref("nothing", 0))
PLACE_DOMAIN, PIECE_DOMAIN, NUMBER_DOMAIN = "place", "piece", "number"


def bare(type_: Type) -> Type:
    """The type with none removed."""
    return type_.of if isinstance(type_, Opt) else type_


def optional(type_: Type) -> Type:
    """The type with none added."""
    return type_ if isinstance(type_, Opt) else Opt(type_)


def element(type_: Type) -> Type:
    """The type of the members of a set or sequence."""
    match type_:
        case Set(domain, width):
            return Int(0, width - 1) if domain == NUMBER_DOMAIN else Ref(domain, width)
        case Seq(of):
            return of
        case Bool() | Int() | Ref() | Opt() | Row() | Opaque():
            raise AssertionError(f"{type_} has no members")
        case _ as never:
            assert_never(never)
