"""Values in the form that other constructs need: plain, not none, as a set."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dsl import ast
from dsl.checker.types.type_declarations import GREATEST_MEMBER
from dsl.symbols import LocalSymbol
from dsl.types import (
    ANY_NUMBER,
    Contents,
    Listed,
    Maybe,
    Number,
    PieceType,
    Several,
    Type,
    bare,
    element_of,
    numeric,
    overlap,
    part_of,
)
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import FALSE, TRUE, Check, Choice, Const, Expr, Let, Local, Op
from interpreter.compiler.lowering.context import Context, Env, variable
from interpreter.compiler.lowering.types import ir_type, piece_set, piece_type


def value(ctx: Context, node: ast.Expression, env: Env) -> Expr:
    """The value of an expression; none where its type is `or none`."""
    return ctx.forms[type(node)](ctx, node, env)


def type_of(ctx: Context, node: ast.Expression) -> Type:
    """The type that the checker inferred."""
    return ctx.model.types[node.number]


def ir_type_of(ctx: Context, node: ast.Expression) -> ir.Type:
    """The type of the value of an expression."""
    return ir_type(ctx, ctx.model.types[node.number])


def is_piece(ctx: Context, node: ast.Expression) -> bool:
    """Whether an expression is a single piece."""
    return isinstance(bare(type_of(ctx, node)), PieceType)


def is_family(ctx: Context, node: ast.Expression) -> bool:
    """Whether an expression is a set of sets, which is stored as a sequence."""
    core = bare(type_of(ctx, node))
    return isinstance(core, Several) and isinstance(core.element, Several)


def plain(ctx: Context, node: ast.Expression, env: Env) -> Expr:
    """The value of an expression; for a zone that holds one piece, the piece or none."""
    found, type_ = value(ctx, node, env), type_of(ctx, node)
    if isinstance(type_, Contents) and type_.shape == "one":
        return Op(ir.Opt(piece_type(ctx)), "first", (found,), node)
    return found


def needed(ctx: Context, node: ast.Expression, env: Env) -> Expr:
    """The value of an expression, which must not be none."""
    found = plain(ctx, node, env)
    if isinstance(found.type, ir.Opt):
        return Check(found.type.of, "need", found, (), node)
    return found


def strict(ctx: Context, arguments: Sequence[Expr], call: Callable[..., Expr], source: ast.Node) -> Expr:
    """The value of a function of places, seats or values: of none it is none, the empty set, or false.

    `call` is given the arguments once none of them is none: `next(next(c, north), east)` is none beyond the edge.
    """
    for position, argument in enumerate(arguments):
        if isinstance(argument.type, ir.Opt):
            local = variable(ctx, "given", argument.type)
            present = Local(argument.type.of, local.name)
            found = strict(ctx, [*arguments[:position], present, *arguments[position + 1 :]], call, source)
            nothing = _nothing(found.type)
            missing = Op(ir.BOOL, "is_none", (local,), source)
            return Let(nothing.type, local, argument, Choice(nothing.type, missing, nothing, found, source), source)
    return call(*arguments)


def _nothing(type_: ir.Type) -> Const:
    """The value of a function of none."""
    match type_:
        case ir.Set():
            return Const(type_, 0)
        case ir.Bool():
            return FALSE
        case _:
            return Const(ir.optional(type_), None)


def truth(ctx: Context, node: ast.Expression, env: Env) -> Expr:
    """A condition; none, such as an attribute that only other pieces have, does not hold."""
    return holding(value(ctx, node, env), node)


def holding(found: Expr, source: ast.Node) -> Expr:
    """Whether a truth value is true, and not none."""
    return Op(ir.BOOL, "eq", (found, TRUE), source) if isinstance(found.type, ir.Opt) else found


def mask(ctx: Context, node: ast.Expression, env: Env) -> Expr:
    """A set, the contents of a zone, or a single piece, as a set."""
    type_, found = type_of(ctx, node), value(ctx, node, env)
    if isinstance(bare(type_), PieceType):
        return Op(piece_set(ctx), "single", (found,), node)
    if isinstance(type_, Maybe):
        return Op(ir.bare(found.type), "or_empty", (found,), node)
    return found


def kept(ctx: Context, node: ast.Expression, type_: Type, env: Env) -> Expr:
    """The value of an expression as it is stored under a name of this type."""
    return mask(ctx, node, env) if isinstance(type_, Several) else plain(ctx, node, env)


def fitted(ctx: Context, node: ast.Expression, wanted: Type, env: Env) -> Expr:
    """The value of an expression where a type is required, with a check if it may be none or out of range."""
    if isinstance(bare(wanted), Several):
        return _fitted_set(ctx, node, wanted, kept(ctx, node, wanted, env))
    found = plain(ctx, node, env) if isinstance(wanted, Maybe) else needed(ctx, node, env)
    return checked(ctx, node, wanted, found, type_of(ctx, node))


def checked(ctx: Context, node: ast.Expression, wanted: Type, found: Expr, actual: Type = ANY_NUMBER) -> Expr:
    """A value of one type where another is required, with a check if necessary."""
    core, result = bare(wanted), ir_type(ctx, wanted)
    if not numeric(core) or _within(ctx, bare(actual), core):
        return _one_of(ctx, found, bare(actual), core, node)
    if isinstance(core, Number):
        return Check(result, "in_range", found, (core.low, core.high), node)
    return Check(result, "among", found, tuple(ctx.layout.members(core)), node)


def _fitted_set(ctx: Context, node: ast.Expression, wanted: Type, found: Expr) -> Expr:
    core, element = bare(wanted), element_of(type_of(ctx, node))
    assert isinstance(core, Several)
    if element is None or isinstance(core.element, Several):
        return found
    other = overlap(element, core.element) and not part_of(element, core.element)
    if not other and (not numeric(core.element) or _within(ctx, bare(element), core.element)):
        return found
    allowed = ctx.layout.members(core.element)
    return Check(ir_type(ctx, wanted), "subset", found, tuple(allowed), node)


def _within(ctx: Context, actual: Type, wanted: Type) -> bool:
    """Whether the range of one type includes that of another."""
    if actual == wanted or not numeric(actual):
        return True
    if isinstance(wanted, Number):
        if isinstance(actual, Number):
            return wanted.low <= actual.low and actual.high <= wanted.high
        return all(wanted.low <= member <= wanted.high for member in ctx.layout.members(actual))
    if isinstance(actual, Number) and actual.high - actual.low > 99:
        return False
    return set(ctx.layout.members(actual)) <= set(ctx.layout.members(wanted))


def _one_of(ctx: Context, found: Expr, actual: Type, wanted: Type, node: ast.Expression) -> Expr:
    """A value of a union where one of its types is required."""
    if not overlap(actual, wanted) or part_of(actual, wanted):
        return found
    assert isinstance(actual, Listed) and isinstance(wanted, Listed)
    known = tuple(ctx.layout.members(wanted))
    return Check(found.type, "one_of", found, known, node, actual.name)


def member_value(ctx: Context, node: ast.Expression, env: Env) -> Expr:
    """A value added to a set; numbers in sets are checked at run time."""
    found, type_ = plain(ctx, node, env), bare(type_of(ctx, node))
    if isinstance(type_, Number) and not (type_.low >= 0 and type_.high <= GREATEST_MEMBER):
        result = ir.Int(0, GREATEST_MEMBER)
        optional = ir.Opt(result) if isinstance(found.type, ir.Opt) else result
        return Check(optional, "in_range", found, (0, GREATEST_MEMBER), node)
    return found


def local(ctx: Context, node: ast.Node) -> LocalSymbol:
    """The name that a node binds."""
    symbol = ctx.model.refers[node.number]
    assert isinstance(symbol, LocalSymbol)
    return symbol


def constant(type_: ir.Type, content: int | bool | None) -> Const:
    """A constant of a type."""
    return Const(type_, content)
