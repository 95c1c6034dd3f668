"""Values in the form that other constructs need: plain, not none, as a set.

The same text means different things in different places. `slot[c]`, of a zone for one piece, is

    a set of pieces                  move slot[c] to box            mask
    the piece or none                if slot[c] is king: …          plain
    the piece, or the end of play    let p = slot[c] …; p.owner     needed: `Check` fails with the line if it is none

The checker has decided what is allowed. Here checks are added where a value may be outside of what the type requires:
`fitted` adds none if the type of the expression already says that it cannot be (`_within`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import assert_never

from dsl import ast
from dsl import types as ty
from dsl.checker.types.type_declarations import MAX_MEMBER
from dsl.symbols import DefineSymbol, LocalSymbol, WhenSymbol
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import FALSE, TRUE, Call, Check, Choice, Const, Expr, Let, Local, Op
from interpreter.compiler.ir.module import named
from interpreter.compiler.lowering.context import Context, Env, variable
from interpreter.compiler.lowering.types import ir_type, piece_set, piece_type


def value(ctx: Context, node: ast.Expression, env: Env) -> Expr:
    """The value of an expression; none where its type is `or none`."""
    return ctx.forms[type(node)](ctx, node, env)


def type_of(ctx: Context, node: ast.Expression) -> ty.Type:
    """The type that the checker inferred."""
    return ctx.model.types[node.number]


def ir_type_of(ctx: Context, node: ast.Expression) -> ir.Type:
    """The type of the value of an expression."""
    return ir_type(ctx, ctx.model.types[node.number])


def is_piece(ctx: Context, node: ast.Expression) -> bool:
    """Whether an expression is a single piece."""
    return isinstance(ty.bare(type_of(ctx, node)), ty.PieceType)


def is_family(ctx: Context, node: ast.Expression) -> bool:
    """Whether an expression is a set of sets, which is stored as a sequence."""
    core = ty.bare(type_of(ctx, node))
    return isinstance(core, ty.Several) and isinstance(core.element, ty.Several)


def plain(ctx: Context, node: ast.Expression, env: Env) -> Expr:
    """The value of an expression; for a zone that holds one piece, the piece or none."""
    result, type_ = value(ctx, node, env), type_of(ctx, node)
    if isinstance(type_, ty.Contents) and type_.shape == "one":
        return Op(ir.Opt(piece_type(ctx)), "first", (result,), node)
    return result


def needed(ctx: Context, node: ast.Expression, env: Env) -> Expr:
    """The value of an expression, which must not be none."""
    optional = plain(ctx, node, env)
    if isinstance(optional.type, ir.Opt):
        return Check(optional.type.of, "need", optional, (), node)
    return optional


def strict(ctx: Context, arguments: Sequence[Expr], call: Callable[..., Expr], source: ast.Node) -> Expr:
    """The value of a function of places, seats or values: of none it is none, the empty set, or false.

    `call` is given the arguments once none of them is none: `next(next(c, north), east)` is none beyond the edge.
    """
    for position, argument in enumerate(arguments):
        if isinstance(argument.type, ir.Opt):
            local = variable(ctx, "given", argument.type)
            present = Local(argument.type.of, local.name)
            result = strict(ctx, [*arguments[:position], present, *arguments[position + 1 :]], call, source)
            nothing = _nothing(result.type)
            missing = Op(ir.BOOL, "is_none", (local,), source)
            return Let(nothing.type, local, argument, Choice(nothing.type, missing, nothing, result, source), source)
    return call(*arguments)


def _nothing(type_: ir.Type) -> Const:
    """The value of a function of none."""
    match type_:
        case ir.Set():
            return Const(type_, 0)
        case ir.Bool():
            return FALSE
        case ir.Int() | ir.Ref() | ir.Opt() | ir.Seq() | ir.Row() | ir.Opaque():
            return Const(ir.optional(type_), None)
        case _ as never:
            assert_never(never)


def truth(ctx: Context, node: ast.Expression, env: Env) -> Expr:
    """A condition; none, such as an attribute that only other pieces have, does not hold."""
    return holding(value(ctx, node, env), node)


def holding(condition: Expr, source: ast.Node) -> Expr:
    """Whether a truth value is true, and not none."""
    return Op(ir.BOOL, "eq", (condition, TRUE), source) if isinstance(condition.type, ir.Opt) else condition


def mask(ctx: Context, node: ast.Expression, env: Env) -> Expr:
    """A set, the contents of a zone, or a single piece, as a set."""
    type_, members = type_of(ctx, node), value(ctx, node, env)
    if isinstance(ty.bare(type_), ty.PieceType):
        return Op(piece_set(ctx), "single", (members,), node)
    if isinstance(type_, ty.Maybe):
        return Op(ir.bare(members.type), "or_empty", (members,), node)
    return members


def stored_value(ctx: Context, node: ast.Expression, type_: ty.Type, env: Env) -> Expr:
    """The value of an expression as it is stored under a name of this type."""
    return mask(ctx, node, env) if isinstance(type_, ty.Several) else plain(ctx, node, env)


def fitted(ctx: Context, node: ast.Expression, required: ty.Type, env: Env) -> Expr:
    """The value of an expression where a type is required, with a check if it may be none or out of range."""
    if isinstance(ty.bare(required), ty.Several):
        return _fitted_set(ctx, node, required, stored_value(ctx, node, required, env))
    fitting = plain(ctx, node, env) if isinstance(required, ty.Maybe) else needed(ctx, node, env)
    return checked(ctx, node, required, fitting, type_of(ctx, node))


def checked(
    ctx: Context, node: ast.Expression, required: ty.Type, operand: Expr, actual: ty.Type = ty.ANY_NUMBER
) -> Expr:
    """A value of one type where another is required, with a check if necessary."""
    core, result = ty.bare(required), ir_type(ctx, required)
    if not ty.numeric(core) or _within(ctx, ty.bare(actual), core):
        return _one_of(ctx, operand, ty.bare(actual), core, node)
    if isinstance(core, ty.Number):
        return Check(result, "in_range", operand, (core.low, core.high), node)
    return Check(result, "among", operand, tuple(ctx.layout.members(core)), node)


def _fitted_set(ctx: Context, node: ast.Expression, required: ty.Type, operand: Expr) -> Expr:
    core, element = ty.bare(required), ty.element_of(type_of(ctx, node))
    assert isinstance(core, ty.Several)
    if element is None or isinstance(core.element, ty.Several):
        return operand
    exceeding = ty.overlap(element, core.element) and not ty.part_of(element, core.element)
    if not exceeding and (not ty.numeric(core.element) or _within(ctx, ty.bare(element), core.element)):
        return operand
    allowed = ctx.layout.members(core.element)
    return Check(ir_type(ctx, required), "subset", operand, tuple(allowed), node)


def _within(ctx: Context, actual: ty.Type, required: ty.Type) -> bool:
    """Whether the range of one type includes that of another."""
    if actual == required or not ty.numeric(actual):
        return True
    if isinstance(required, ty.Number):
        if isinstance(actual, ty.Number):
            return required.low <= actual.low and actual.high <= required.high
        return all(required.low <= member <= required.high for member in ctx.layout.members(actual))
    # For more than a hundred numbers, a check in play is cheaper than comparing each of them here.
    if isinstance(actual, ty.Number) and actual.high - actual.low > 99:
        return False
    return set(ctx.layout.members(actual)) <= set(ctx.layout.members(required))


def _one_of(ctx: Context, operand: Expr, actual: ty.Type, required: ty.Type, node: ast.Expression) -> Expr:
    """A value of a union where one of its types is required."""
    if not ty.overlap(actual, required) or ty.part_of(actual, required):
        return operand
    assert isinstance(actual, ty.Listed) and isinstance(required, ty.Listed)
    allowed = tuple(ctx.layout.members(required))
    return Check(operand.type, "one_of", operand, allowed, node, actual.name)


def member_value(ctx: Context, node: ast.Expression, env: Env) -> Expr:
    """A value added to a set; numbers in sets are checked at run time."""
    member, type_ = plain(ctx, node, env), ty.bare(type_of(ctx, node))
    if isinstance(type_, ty.Number) and not (type_.low >= 0 and type_.high <= MAX_MEMBER):
        result = ir.Int(0, MAX_MEMBER)
        optional = ir.Opt(result) if isinstance(member.type, ir.Opt) else result
        return Check(optional, "in_range", member, (0, MAX_MEMBER), node)
    return member


def local(ctx: Context, node: ast.Node) -> LocalSymbol:
    """The name that a node binds."""
    symbol = ctx.model.refers[node.number]
    assert isinstance(symbol, LocalSymbol)
    return symbol


def constant(type_: ir.Type, content: int | bool | None) -> Const:
    """A constant of a type."""
    return Const(type_, content)


def ask(ctx: Context, symbol: DefineSymbol, args: tuple[Expr, ...], source: ast.Node) -> Call:
    """A call of a definition, whose function will be lowered."""
    assert symbol.type is not None
    name = function_of(symbol.name)
    ctx.defined.setdefault(name, symbol)
    return Call(ir_type(ctx, symbol.type), name, args, source)


def function_of(name: str) -> str:
    """The name of the function of a definition."""
    return named("f", name)


def reaction_holds(ctx: Context, when: WhenSymbol, arguments: tuple[Local, ...]) -> Expr:
    """Whether the definition that a reaction waits for holds."""
    return holding(ask(ctx, ctx.model.defines[when.name], arguments, when.declaration), when.declaration)
