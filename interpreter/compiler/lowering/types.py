"""Types of the language as types of the intermediate representation."""

from __future__ import annotations

from typing import assert_never

from dsl import types as ty
from dsl.checker.types.type_declarations import MAX_MEMBER
from interpreter.compiler.ir.types import BOOL, NONE, NUMBER_DOMAIN, PIECE_DOMAIN, PLACE_DOMAIN, Int, Opt, Ref, Seq, Set
from interpreter.compiler.ir.types import Type as IrType
from interpreter.compiler.lowering.context import Context


def ir_type(ctx: Context, type_: ty.Type) -> IrType:
    """The type of the stored values of a type of the language."""
    lowered = ctx.ir_types.get(type_)
    if lowered is None:
        lowered = ctx.ir_types[type_] = _ir_type(ctx, type_)
    return lowered


def _ir_type(ctx: Context, type_: ty.Type) -> IrType:
    match type_:
        case ty.Truth():
            return BOOL
        case ty.Number(low, high):
            return Int(low, high)
        case ty.Listed(numeric=True):
            members = ctx.layout.members(type_)
            return Int(min(members, default=0), max(members, default=0))
        case ty.Listed():
            return domain_of(ctx, type_)
        case ty.PieceType():
            return piece_type(ctx)
        case ty.Several(element):
            return set_type(ctx, element)
        case ty.Contents():
            return Set(PIECE_DOMAIN, len(ctx.layout.pieces))
        case ty.Maybe(of):
            value_type = ir_type(ctx, of)
            return value_type if isinstance(value_type, Opt) else Opt(value_type)
        case ty.Nothing():
            return NONE
        case ty.ListType(element):
            return Seq(ir_type(ctx, element))
        case ty.Kind():
            return Set(PIECE_DOMAIN, len(ctx.layout.pieces))
        case unexpected:
            raise AssertionError(f"there are no values of {unexpected}")


def set_type(ctx: Context, element: ty.Type) -> IrType:
    """The type of sets of values of a type; sets of sets are sequences."""
    match element:
        case ty.Several(member):
            return Seq(set_type(ctx, member))
        case ty.Number(_, high):
            return Set(NUMBER_DOMAIN, min(max(high, 0), MAX_MEMBER) + 1)
        case ty.Listed(numeric=True):
            return Set(NUMBER_DOMAIN, max(ctx.layout.members(element), default=0) + 1)
        case ty.Maybe(of):
            return set_type(ctx, of)
        case ty.Contents():
            return Set(PIECE_DOMAIN, len(ctx.layout.pieces))
        case ty.Truth():
            return Set(NUMBER_DOMAIN, 2)
        case ty.Listed() | ty.PieceType() | ty.Nothing() | ty.Kind() | ty.ListType() | ty.TextType() | ty.Unknown():
            reference = ir_type(ctx, element)
            assert isinstance(reference, Ref), element
            return Set(reference.domain, reference.width)
        case _ as never:
            assert_never(never)


def domain_of(ctx: Context, type_: ty.Listed) -> Ref:
    """Values of a listed type; types that share a numbering share a domain."""
    first = (type_.parts or (type_.name,))[0]
    return Ref(ctx.layout.numbering_of(first), ctx.layout.room(type_))


def player_type(ctx: Context) -> Ref:
    """Seats."""
    return Ref("Player", len(ctx.layout.seats))


def piece_type(ctx: Context) -> Ref:
    """Pieces."""
    return Ref(PIECE_DOMAIN, len(ctx.layout.pieces))


def piece_set(ctx: Context) -> Set:
    """Sets of pieces."""
    return Set(PIECE_DOMAIN, len(ctx.layout.pieces))


def place_type(ctx: Context) -> Ref:
    """Places."""
    return Ref(PLACE_DOMAIN, len(ctx.layout.places))
