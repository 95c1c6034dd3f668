"""Values of the language as plain Python values, restricted to what a seat may know."""

from __future__ import annotations

from dsl.types import Contents, PieceType, Several, Truth, Type, bare, numeric
from interpreter.engine.program import Program
from interpreter.engine.sight import in_order, value_standing
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import Cells, StoredValue, members_in, number_in
from interpreter.runtime.layout import Layout
from interpreter.seat.notation.words import piece_words, value_words

Scalar = bool | int | str | None
"""A truth value, a number, the name of anything else (a seat, a place, a piece, a member of a type), or none."""

Value = Scalar | tuple[Scalar, ...] | tuple[tuple[Scalar, ...], ...]
"""A single value, a set of them, or a set of sets."""


def plain_scalar(layout: Layout, type_: Type, value: StoredValue) -> Scalar:
    """The plain value of a type that holds neither pieces nor sets."""
    if value is None:
        return None
    core = bare(type_)
    if isinstance(core, Truth):
        return bool(value)
    return int(number_in(value)) if numeric(core) else layout.name_of(core, value)


def plain_value(program: Program, state: Cells, type_: Type, value: StoredValue, seat: int | None) -> Value:
    """A value of any type; pieces are named as the seat may know them, in the order they are listed for it."""
    core = bare(type_)
    if isinstance(core, Contents):
        core = Several(core.pieces)
    if not isinstance(core, Several):
        return _scalar(program, state, core, value, seat)
    if isinstance(core.element, Several):
        member_type = core.element.element
        sets = sorted(
            members_in(value or ()), key=lambda member: value_standing(program, state, seat, core.element, member)
        )
        return tuple(_members(program, state, member_type, member, seat) for member in sets)
    return _members(program, state, core.element, value, seat)


def _members(program: Program, state: Cells, element: Type, value: StoredValue, seat: int | None) -> tuple[Scalar, ...]:
    members = bits(number_in(value or 0))
    if isinstance(bare(element), PieceType):
        members = in_order(program, state, seat, members)
    return tuple(_scalar(program, state, element, member, seat) for member in members)


def _scalar(program: Program, state: Cells, type_: Type, value: StoredValue, seat: int | None) -> Scalar:
    core = bare(type_)
    if value is None:
        return None
    if isinstance(core, PieceType):
        return piece_words(program, state, number_in(value), seat)
    if isinstance(core, Truth) or numeric(core):
        return plain_scalar(program.layout, core, value)
    return value_words(program, state, core, value, seat)
