"""Numbers, arithmetic, and set literals."""

from __future__ import annotations

from collections.abc import Callable

from dsl import ast
from dsl.types import FAR, Number, element_of
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import Check, Const, Expr, Fold, Let, Logic, Loop, Op, number
from interpreter.compiler.lowering.attributes import kind
from interpreter.compiler.lowering.context import Context, Env, variable
from interpreter.compiler.lowering.types import ir_type
from interpreter.compiler.lowering.values import ir_type_of, is_family, mask, member_value, needed, type_of

NUMBERS = {"+": "add", "-": "sub", "*": "mul"}
SETS = {"+": "union", "-": "minus", "&": "both"}


def literal(ctx: Context, node: ast.Number, env: Env) -> Expr:
    """A number."""
    return number(node.value)


def numbers(ctx: Context, node: ast.Range, env: Env) -> Expr:
    """`1..7` as a set; `1..n` as those of the largest possible range that lie between the ends."""
    type_ = element_of(type_of(ctx, node))
    assert isinstance(type_, Number)
    possible = Const(ir.Set(ir.NUMBER_DOMAIN, type_.high + 1), sum(1 << n for n in range(type_.low, type_.high + 1)))
    if node.numbers is not None:
        return possible
    member = variable(ctx, "number", ir.Int(type_.low, type_.high))

    def inside(low: Expr, high: Expr) -> Expr:
        return Fold(possible.type, "set", (Loop(member, possible, between(member, low, high)),), member, node)

    return with_ends(ctx, node, env, inside)


def with_ends(ctx: Context, node: ast.Range, env: Env, within: Callable[[Expr, Expr], Expr]) -> Expr:
    """An expression about the ends of a range, each of which is evaluated once, whatever is asked about them."""
    ends = [needed(ctx, end, env) for end in (node.low, node.high)]
    if node.numbers is not None:
        return within(*ends)
    low, high = (variable(ctx, name, end.type) for name, end in zip(("low", "high"), ends, strict=True))
    asked = within(low, high)
    return Let(asked.type, low, ends[0], Let(asked.type, high, ends[1], asked, node), node)


def between(value: Expr, low: Expr, high: Expr, source: ast.Node | None = None) -> Expr:
    """True if a number is not below `low` and not above `high`."""
    return Logic(ir.BOOL, "and", (Op(ir.BOOL, "le", (low, value)), Op(ir.BOOL, "le", (value, high))), source)


def arithmetic(ctx: Context, node: ast.Arithmetic, env: Env) -> Expr:
    """`+`, `-`, `*`, `&` of numbers and of sets."""
    type_ = type_of(ctx, node)
    if isinstance(type_, Number):
        result = ir_type(ctx, type_)
        args = needed(ctx, node.left, env), needed(ctx, node.right, env)
        product = Op(result, NUMBERS[node.operator], args, node)
        if node.operator == "*" and (type_.low <= -FAR or type_.high >= FAR):
            return Check(result, "product", product, (), node)
        return product
    first, second = mask(ctx, node.left, env), mask(ctx, node.right, env)
    return Op(ir_type_of(ctx, node), SETS[node.operator], (first, second), node)


def division(ctx: Context, node: ast.Division, env: Env) -> Expr:
    """`a / b rounded up`, computed as the negation of `-a / b rounded down`."""
    result = ir_type_of(ctx, node)
    dividend, divided_by = needed(ctx, node.left, env), divisor(ctx, node.right, env)
    if node.rounded == "down":
        return Op(result, "div", (dividend, divided_by), node)
    return _opposite(Op(_mirrored(result), "div", (_opposite(dividend, node), divided_by), node), node)


def _opposite(value: Expr, node: ast.Division) -> Op:
    return Op(_mirrored(value.type), "neg", (value,), node)


def _mirrored(type_: ir.Type) -> ir.Type:
    assert isinstance(type_, ir.Int)
    return ir.Int(-type_.high, -type_.low)


def divisor(ctx: Context, node: ast.Expression, env: Env) -> Expr:
    """The divisor, with a check that ends the game in a fault if it is 0."""
    operand = needed(ctx, node, env)
    if isinstance(operand.type, ir.Int) and not operand.type.low <= 0 <= operand.type.high:
        return operand
    return Check(operand.type, "divisor", operand, (), node)


def negative(ctx: Context, node: ast.Negative, env: Env) -> Expr:
    """`-x`."""
    return Op(ir_type_of(ctx, node), "neg", (needed(ctx, node.operand, env),), node)


def set_of(ctx: Context, node: ast.SetOf, env: Env) -> Expr:
    """`{a, b}`."""
    if is_family(ctx, node):
        items = tuple(mask(ctx, item, env) for item in node.items)
        return Op(ir_type_of(ctx, node), "list", items, node)
    result = ir_type_of(ctx, node) if node.items else ir.Set("nothing", 0)
    members: Expr = Const(result, 0, node)
    for place, item in enumerate(node.items):
        member = Op(result, "single", (member_value(ctx, item, env),), item)
        members = member if place == 0 else Op(result, "union", (members, member), node)
    return members


def count(ctx: Context, node: ast.Count, env: Env) -> Expr:
    """`count Z`."""
    counted = mask(ctx, node.operand, env)
    return Op(ir.COUNT, "length" if isinstance(counted.type, ir.Seq) else "size", (counted,), node)


def of(ctx: Context, node: ast.Of, env: Env) -> Expr:
    """`hand[me] of ace`: the pieces of a kind."""
    pieces = mask(ctx, node.whole, env)
    return Op(pieces.type, "both", (pieces, kind(ctx, node.part, env)), node)
