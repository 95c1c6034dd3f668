"""Static types, all of them finite, so that every game is. `str(type)` names one in messages: "a set of seats"."""

from __future__ import annotations

from typing import assert_never

from dsl.lazy_dataclasses import dataclass

FAR = 10**9
"""Beyond every number of a game: the bound of an unknown range."""


def _a(words: str) -> str:
    """Words in backticks with `a` or `an` before them."""
    return f"an `{words}`" if words[:1].lower() in "aeiou" else f"a `{words}`"


@dataclass(frozen=True)
class Truth:
    """True or false."""

    def __str__(self) -> str:
        return "true or false"


@dataclass(frozen=True)
class Number:
    """Whole numbers from `low` to `high`."""

    low: int
    high: int

    def __str__(self) -> str:
        if self.low == self.high:
            return f"the number {self.low}"
        return "a number" if self.high - self.low > 9999 else f"a number in {self.low}..{self.high}"


@dataclass(frozen=True)
class Listed:
    """A type whose values are listed in the file, or the seats. `numeric`: its values are numbers.

    `parts`: the members of a union, two or more listed types in the order of their declarations.
    """

    name: str
    numeric: bool = False
    parts: tuple[str, ...] = ()

    @property
    def owners(self) -> frozenset[str]:
        """The names of the types whose values these are."""
        return frozenset(self.parts or (self.name,))

    def __str__(self) -> str:
        if self.parts:
            return " or ".join(str(Listed(part)) for part in self.parts)
        if self.name == "Player":
            return "a seat"
        owner, _, name = self.name.partition(" ")
        if not name:
            return _a(owner)
        return f"a face of `{name}`" if owner == "die" else f"a value of the option `{name}`"


@dataclass(frozen=True)
class PieceType:
    """A piece of one of the types in `piece_types`, by their names."""

    piece_types: frozenset[str]

    def __str__(self) -> str:
        first, *others = sorted(self.piece_types) or ["piece"]
        return " or ".join([_a(first), *(f"`{piece_type}`" for piece_type in others)])


@dataclass(frozen=True)
class Several:
    """A set of values of one type."""

    element: Type

    def __str__(self) -> str:
        return f"a set of {_plural(self.element)}"


@dataclass(frozen=True)
class Contents:
    """The contents of a zone, its pieces; `shape` is heap, one, row or stack."""

    pieces: PieceType
    shape: str

    def __str__(self) -> str:
        words = {"one": "a place for one", "row": "a row of", "stack": "a stack of", "heap": "a zone of"}[self.shape]
        return f"{words} {_plural(self.pieces)}"


@dataclass(frozen=True)
class Maybe:
    """A value of the type, or none."""

    of: Type

    def __str__(self) -> str:
        return f"{self.of} or nobody" if self.of == PLAYER else f"{self.of} or none"


@dataclass(frozen=True)
class Nothing:
    """The type of `none`."""

    def __str__(self) -> str:
        return "none"


@dataclass(frozen=True)
class Kind:
    """Pieces described by attribute values: `red king`."""

    def __str__(self) -> str:
        return "a kind of piece"


@dataclass(frozen=True)
class ListType:
    """Values in order, as written between square brackets."""

    element: Type

    def __str__(self) -> str:
        return f"a list of {_plural(self.element)}"


@dataclass(frozen=True)
class TextType:
    """Quoted text."""

    def __str__(self) -> str:
        return "a text"


@dataclass(frozen=True)
class Unknown:
    """The type of an expression whose error has been reported; it fits everything."""

    def __str__(self) -> str:
        return "something unknown"


Type = Truth | Number | Listed | PieceType | Several | Contents | Maybe | Nothing | Kind | ListType | TextType | Unknown

TRUTH, NOTHING, KIND, TEXT, UNKNOWN = Truth(), Nothing(), Kind(), TextType(), Unknown()
PLAYER = Listed("Player")
ANY_NUMBER = Number(-FAR, FAR)


def _plural(type_: Type) -> str:
    """The members of a set in words: `Section`, seats, numbers in 1..7, sets of `Card`."""
    match type_:
        case Listed(name="Player"):
            return "seats"
        case Number(low, high):
            return "numbers" if high - low > 9999 else f"numbers in {low}..{high}"
        case Listed(parts=parts) if parts:
            return " or ".join(_plural(Listed(part)) for part in parts)
        case Listed(name=name):
            owner, _, name_of_owner = name.partition(" ")
            if not name_of_owner:
                return f"`{name}`"
            return f"faces of `{name_of_owner}`" if owner == "die" else f"values of the option `{name_of_owner}`"
        case PieceType(piece_types):
            return " or ".join(f"`{piece_type}`" for piece_type in sorted(piece_types))
        case Several(element) | ListType(element):
            return f"{'sets' if isinstance(type_, Several) else 'lists'} of {_plural(element)}"
        case Truth():
            return "truth values"
        case Unknown():
            return "anything"
        case core:
            return str(core)


def bare(type_: Type) -> Type:
    """Strip `or none` from a type."""
    return type_.of if isinstance(type_, Maybe) else type_


def maybe(type_: Type) -> Type:
    """Add `or none` to a type."""
    return type_ if isinstance(type_, Maybe | Nothing | Unknown) else Maybe(type_)


def several(element: Type) -> Type:
    """A set of these; unknown if the element type is."""
    return UNKNOWN if isinstance(element, Unknown) else Several(element)


def numeric(type_: Type) -> bool:
    """True if values can be added, and compared by size."""
    core = bare(type_)
    return isinstance(core, Number | Unknown) or (isinstance(core, Listed) and core.numeric)


def settled(type_: Type) -> Type:
    """The type of a zone's contents when used as a value: a piece or none, or a set of pieces."""
    if isinstance(type_, Contents):
        return Maybe(type_.pieces) if type_.shape == "one" else Several(type_.pieces)
    return type_


def element_of(type_: Type) -> Type | None:
    """The element type, or None if the type has no members; none counts as an empty set."""
    match bare(type_):
        case Several(element) | ListType(element):
            return element
        case Contents(pieces):
            return pieces
        case Unknown():
            return UNKNOWN
        case Truth() | Number() | Listed() | PieceType() | Maybe() | Nothing() | Kind() | TextType():
            return None
        case _ as never:
            assert_never(never)


# Three relations between types, and what they say of two:
#
#                           fits                     join                    comparable
#     used for              arguments, `set … to`    cases, members of sets  `is`, `in`
#     1..3, 2..9            true, checked in play    1..9                    true
#     Card or none, Card    true, checked in play    Card or none            true
#     Suit, Suit or Honour  true                     Suit or Honour          true
#     hand[p], set of Card  true                     set of Card             true
#     Suit, Rank            false                    None                    false
#
# `fits` accepts what may be wrong only for some values: rules say `set leader to the p in …` where the author knows
# that there is one. A fault then ends the game with the line. Refusing would ask for a test that can never fail.
def fits(actual: Type, expected: Type) -> bool:
    """True if a value of type `actual` is allowed where `expected` is.

    `T or none` fits `T`, numbers fit numbers of another range, and `A or B` fits `A`: whether the value itself fits is
    checked at run time.
    """
    match (actual, expected):
        case (Unknown(), _) | (_, Unknown()):
            return True
        case (Nothing(), Maybe()):
            return True
        case (_, Maybe(of)):
            return fits(bare(actual), of)
        case (Maybe(of), _):
            return fits(of, expected)
        case (PieceType(piece_types), PieceType(more)):
            return piece_types <= more
        case (Contents(pieces), Several(PieceType() as element)):
            return fits(pieces, element)
        case (Contents(pieces, "one"), PieceType()):
            return fits(pieces, expected)
        case (Several(a), Several(b)):
            return fits(a, b)
        case _:
            return actual == expected or (numeric(actual) and numeric(expected)) or overlap(actual, expected)


def overlap(a: Type | None, b: Type | None) -> bool:
    """True if both are listed types and have values in common."""
    return isinstance(a, Listed) and isinstance(b, Listed) and bool(a.owners & b.owners)


def part_of(part: Type, union: Type) -> bool:
    """True if both are listed types and every value of `part` is one of `union`."""
    return isinstance(part, Listed) and isinstance(union, Listed) and part.owners <= union.owners


def join(a: Type, b: Type) -> Type | None:
    """The smallest type that both fit, or None."""
    match (a, b):
        case (Unknown(), second) | (second, Unknown()):
            return second
        case (Nothing(), second) | (second, Nothing()):
            return maybe(second)
        case (Maybe(), _) | (_, Maybe()):
            joined = join(bare(a), bare(b))
            return None if joined is None else maybe(joined)
        case (Number(l1, h1), Number(l2, h2)):
            return Number(min(l1, l2), max(h1, h2))
        case (PieceType(s1), PieceType(s2)):
            return PieceType(s1 | s2)
        case (Several(e1), Several(e2)):
            joined = join(e1, e2)
            return None if joined is None else Several(joined)
        case (Contents(p1), Contents(p2)):
            return Several(PieceType(p1.piece_types | p2.piece_types))
        case (Contents(p1), Several(PieceType() as p2)) | (Several(PieceType() as p2), Contents(p1)):
            return Several(PieceType(p1.piece_types | p2.piece_types))
        case _:
            if part_of(a, b):
                return b
            if a == b or part_of(b, a):
                return a
            # Numbers of a listed type and plain ones have no common range that is known here.
            return ANY_NUMBER if numeric(a) and numeric(b) else None


def comparable(a: Type, b: Type) -> bool:
    """True if values of both types can be equal."""
    a, b = bare(settled(a)), bare(settled(b))
    match (a, b):
        case (Unknown() | Nothing(), _) | (_, Unknown() | Nothing()):
            return True
        case (PieceType(piece_types), PieceType(more)):
            return bool(piece_types & more)
        case (Several(x), Several(y)):
            return comparable(x, y)
        case _:
            return a == b or (numeric(a) and numeric(b)) or overlap(a, b)


def known(type_: Type) -> bool:
    """True if no part of the type is unknown."""
    core = bare(type_)
    element = element_of(core)
    return not isinstance(core, Unknown) and (element is None or element == core or known(element))
