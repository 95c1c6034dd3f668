"""How values of the types of the intermediate form are kept: each as a few numbers of 64 or 32 bits.

| type | operands |
|---|---|
| number, truth value, reference, optionally none | one of 64 bits; `NONE` for none |
| set of up to 64 n members | n words of 64 bits |
| sequence | how many items there are, and the address of the first |
| row | those of its parts, one after the other |
| anything else that may be none | whether it is there, then those of the value |

In memory each operand takes eight bytes, so that a value can be read word by word.
"""

from __future__ import annotations

from functools import cache
from typing import assert_never

from dsl.lazy_dataclasses import value_class
from interpreter.compiler.ir.types import Bool, Int, Opaque, Opt, Ref, Row, Seq, Set, Type
from interpreter.compiler.wasm.instructions import I32, I64, Types

WORD_BITS = 64
WORD_BYTES = 8
MAX_SET_WIDTH = 64 * WORD_BITS
NONE = -(1 << WORD_BITS - 1)


class UnprintableError(Exception):
    """Rules that the machine engine cannot play yet, with the reason in words for their author."""


@value_class
class Scalar:
    """A single number."""

    @property
    def operands(self) -> Types:
        """The types of the operands."""
        return (I64,)


@value_class
class Members:
    """A set, as the bits of words."""

    words: int

    @property
    def operands(self) -> Types:
        """The types of the operands."""
        return (I64,) * self.words


@value_class
class Items:
    """A sequence, as the number and the address of its items."""

    of: Form

    @property
    def operands(self) -> Types:
        """The types of the operands."""
        return I32, I32


@value_class
class Parts:
    """A row."""

    of: tuple[Form, ...]

    @property
    def operands(self) -> Types:
        """The types of the operands."""
        return tuple([type_ for part in self.of for type_ in part.operands])


@value_class
class Maybe:
    """A value that is no single number and may be none."""

    of: Form

    @property
    def operands(self) -> Types:
        """The types of the operands."""
        return (I32, *self.of.operands)


Form = Scalar | Members | Items | Parts | Maybe
SCALAR = Scalar()
NUMBER_ITEMS = Items(SCALAR)
"""The form of sequences of numbers, pieces and places."""


def form_of(type_: Type) -> Form:
    """The form of values of a type. Raises UnprintableError."""
    match type_:
        case Bool() | Int() | Ref() | Opt(of=Bool() | Int() | Ref()) | Opaque(name="record"):
            return SCALAR
        case Set(width=width):
            return members(width)
        case Seq(of=of):
            return Items(form_of(of))
        case Row(of=parts):
            return Parts(tuple([form_of(part) for part in parts]))
        case Opt(of=value_type):
            return Maybe(form_of(value_type))
        case Opaque():
            raise UnprintableError(f"a value of the type {type_}")


@cache
def members(width: int) -> Members:
    """The form of sets of a width. Raises UnprintableError."""
    if width > MAX_SET_WIDTH:
        raise UnprintableError(f"a set of {width} values")
    return Members(max(1, -(-width // WORD_BITS)))


def holds_lists(form: Form) -> bool:
    """Whether values of a form hold the addresses of lists."""
    match form:
        case Items():
            return True
        case Parts(of=parts):
            return any(map(holds_lists, parts))
        case Maybe(of=value_form):
            return holds_lists(value_form)
        case Scalar() | Members():
            return False
        case _:
            assert_never(form)


def bytes_of(form: Form) -> int:
    """The memory that a value takes."""
    return WORD_BYTES * len(form.operands)


def is_scalar(type_: Type) -> bool:
    """True if values of a type are single numbers or none."""
    return form_of(type_) == SCALAR if not isinstance(type_, Opaque) else type_ == Opaque("record")
