"""Static types: every one finite, so that every game is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Truth:
    """True or false."""

    def __str__(self) -> str:
        return "Truth"


@dataclass(frozen=True)
class Number:
    """Whole numbers from `low` to `high`."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"


@dataclass(frozen=True)
class Listed:
    """A type whose values are listed in the file (or: the seats). `numeric`: its values are numbers themselves."""

    name: str
    numeric: bool = False

    def __str__(self) -> str:
        return f"`{self.name}`" if self.name else "a word of an option"


@dataclass(frozen=True)
class PieceType:
    """A piece of one of these sorts."""

    sorts: frozenset[str]

    def __str__(self) -> str:
        return "a piece (" + " or ".join(f"`{sort}`" for sort in sorted(self.sorts)) + ")"


@dataclass(frozen=True)
class Several:
    """A set of values of one type."""

    element: Type

    def __str__(self) -> str:
        return f"several {self.element}"


@dataclass(frozen=True)
class Contents:
    """What lies in a zone: its pieces; `shape` is heap, one, row or stack."""

    pieces: PieceType
    shape: str

    def __str__(self) -> str:
        return f"the contents of a zone of {self.pieces}"


@dataclass(frozen=True)
class Maybe:
    """A value of the type, or none."""

    of: Type

    def __str__(self) -> str:
        return f"{self.of} or none"


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
    """Values in an order, as written between brackets."""

    element: Type

    def __str__(self) -> str:
        return f"a list of {self.element}"


@dataclass(frozen=True)
class TextType:
    """Words between quotes."""

    def __str__(self) -> str:
        return "text"


@dataclass(frozen=True)
class Unknown:
    """The type of what has been reported already; fits everything."""

    def __str__(self) -> str:
        return "unknown"


Type = Truth | Number | Listed | PieceType | Several | Contents | Maybe | Nothing | Kind | ListType | TextType | Unknown

TRUTH, NOTHING, KIND, TEXT, UNKNOWN = Truth(), Nothing(), Kind(), TextType(), Unknown()
PLAYER = Listed("Player")


def bare(type_: Type) -> Type:
    """The type without `or none`."""
    return type_.of if isinstance(type_, Maybe) else type_


def maybe(type_: Type) -> Type:
    """The type with `or none`."""
    return type_ if isinstance(type_, Maybe | Nothing | Unknown) else Maybe(type_)


def numeric(type_: Type) -> bool:
    """Whether values can be added and compared by size."""
    core = bare(type_)
    return isinstance(core, Number | Unknown) or (isinstance(core, Listed) and core.numeric)


def element_of(type_: Type) -> Type | None:
    """The type of the members, or None if there are none to speak of."""
    match type_:
        case Several(element) | ListType(element):
            return element
        case Contents(pieces):
            return pieces
        case Unknown():
            return UNKNOWN
        case _:
            return None


def fits(actual: Type, wanted: Type) -> bool:
    """Whether a value of type `actual` may stand where `wanted` is asked.

    `T or none` fits `T`: that it is not none is looked at in play. Numbers fit numbers: leaving a stated range is
    looked at in play.
    """
    match (actual, wanted):
        case (Unknown(), _) | (_, Unknown()):
            return True
        case (Nothing(), Maybe()):
            return True
        case (_, Maybe(of)):
            return fits(bare(actual), of)
        case (Maybe(of), _):
            return fits(of, wanted)
        case (PieceType(sorts), PieceType(more)):
            return bool(sorts & more)
        case (Contents(pieces), Several(PieceType() as element)):
            return fits(pieces, element)
        case (Contents(pieces, "one"), PieceType()):
            return fits(pieces, wanted)
        case (Several(a), Several(b)):
            return fits(a, b)
        case _:
            return actual == wanted or (numeric(actual) and numeric(wanted))


def join(a: Type, b: Type) -> Type | None:
    """The least type both fit, or None."""
    match (a, b):
        case (Unknown(), other) | (other, Unknown()):
            return other
        case (Nothing(), other) | (other, Nothing()):
            return maybe(other)
        case (Maybe(), _) | (_, Maybe()):
            inner = join(bare(a), bare(b))
            return None if inner is None else maybe(inner)
        case (Number(l1, h1), Number(l2, h2)):
            return Number(min(l1, l2), max(h1, h2))
        case (PieceType(s1), PieceType(s2)):
            return PieceType(s1 | s2)
        case (Several(e1), Several(e2)):
            inner = join(e1, e2)
            return None if inner is None else Several(inner)
        case (Contents(p1), Contents(p2)):
            return Several(PieceType(p1.sorts | p2.sorts))
        case (Contents(p1), Several(PieceType() as p2)) | (Several(PieceType() as p2), Contents(p1)):
            return Several(PieceType(p1.sorts | p2.sorts))
        case _:
            if a == b:
                return a
            if numeric(a) and numeric(b):
                return Number(-9999, 9999)
            return None
