"""Comparisons and logic."""

from __future__ import annotations

from dsl import ast
from dsl.symbols import BuiltinSymbol, FamilySymbol
from dsl.types import Contents, Kind, Listed, Maybe, PieceType, Several, Type, bare, element_of, settled
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import Choice, Const, Expr, Logic, Op, number
from interpreter.compiler.lowering.attributes import having, kind, kinds_listed
from interpreter.compiler.lowering.context import Context, Env
from interpreter.compiler.lowering.families import apart, taken
from interpreter.compiler.lowering.slots import contents, is_ordered
from interpreter.compiler.lowering.values import (
    ir_type_of,
    is_piece,
    kept,
    mask,
    member_value,
    needed,
    plain,
    truth,
    type_of,
    value,
)

ORDERS = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


def compare(ctx: Context, node: ast.Compare, env: Env) -> Expr:
    """A comparison."""
    match node.operator:
        case "is":
            return _same(ctx, node, env)
        case "is not":
            return negated(_same(ctx, node, env), node)
        case "is in":
            return member(ctx, node.left, node.right, env, node)
        case "is not in":
            return negated(member(ctx, node.left, node.right, env, node), node)
        case "before" | "after" if is_piece(ctx, node.left):
            one, other = plain(ctx, node.left, env), plain(ctx, node.right, env)
            return Op(ir.BOOL, "before", (one, other) if node.operator == "before" else (other, one), node)
        case "before" | "after":
            sign = "lt" if node.operator == "before" else "gt"
            return Op(ir.BOOL, sign, (needed(ctx, node.left, env), needed(ctx, node.right, env)), node)
        case "<" | "<=" | ">" | ">=":
            return Op(ir.BOOL, ORDERS[node.operator], (needed(ctx, node.left, env), needed(ctx, node.right, env)), node)


def negated(condition: Expr, source: ast.Node) -> Expr:
    """The negation of a condition."""
    return Op(ir.BOOL, "not", (condition,), source)


def negation(ctx: Context, node: ast.Not, env: Env) -> Expr:
    """`not P`."""
    return negated(truth(ctx, node.operand, env), node)


def conjunction(ctx: Context, node: ast.And | ast.Or, env: Env) -> Expr:
    """`P and Q`, `P or Q`."""
    parts = truth(ctx, node.left, env), truth(ctx, node.right, env)
    return Logic(ir.BOOL, "and" if isinstance(node, ast.And) else "or", parts, node)


def either(ctx: Context, node: ast.Either, env: Env) -> Expr:
    """`(a if c else b)`."""
    inner, type_ = taken(ctx, node.condition, env), type_of(ctx, node)
    holds, then = truth(ctx, node.condition, inner), kept(ctx, node.then, type_, inner)
    return Choice(ir_type_of(ctx, node), holds, then, kept(ctx, node.otherwise, type_, env), node)


def member(ctx: Context, left: ast.Expression, right: ast.Expression, env: Env, source: ast.Node) -> Expr:
    """`x in S`: membership in a set, a list or a range."""
    if isinstance(right, ast.Range):
        wanted = needed(ctx, left, env)
        ends = Op(ir.BOOL, "le", (number(right.low), wanted)), Op(ir.BOOL, "le", (wanted, number(right.high)))
        return Logic(ir.BOOL, "and", ends, source)
    found = plain(ctx, left, env)
    if isinstance(right, ast.ListOf):
        if isinstance(element_of(type_of(ctx, right)), PieceType):
            kinds: Expr = Const(ir.Set(ir.PIECE_DOMAIN, len(ctx.layout.pieces)), 0)
            for item in right.items:
                kinds = Op(kinds.type, "union", (kinds, kind(ctx, item, env)))
            return Op(ir.BOOL, "has", (kinds, found), source)
        items = tuple(plain(ctx, item, env) for item in right.items)
        listed = Op(ir.Seq(items[0].type if items else found.type), "list", items, right)
        return Op(ir.BOOL, "in_list", (found, listed), source)
    inside = mask(ctx, right, env)
    if isinstance(inside.type, ir.Seq):
        return Op(ir.BOOL, "in_list", (mask(ctx, left, env), inside), source)
    return Op(ir.BOOL, "has", (inside, found), source)


def _same(ctx: Context, node: ast.Compare, env: Env) -> Expr:
    left, right = type_of(ctx, node.left), type_of(ctx, node.right)
    meant = ctx.model.refers.get(node.right.number)
    if isinstance(meant, BuiltinSymbol) and meant.name in ("somebody", "empty", "none", "nobody"):
        return _absent(ctx, node, left, meant.name, env)
    if isinstance(meant, FamilySymbol):
        return apart(ctx, node, meant, env)
    if isinstance(node.right, ast.ListOf):
        return _same_list(ctx, node.left, node.right, env)
    if isinstance(right, Kind):
        found = mask(ctx, node.left, env)
        return _meets(Op(found.type, "both", (found, kind(ctx, node.right, env))), node)
    if isinstance(bare(settled(left)), Several) or isinstance(bare(settled(right)), Several):
        return Op(ir.BOOL, "eq", (mask(ctx, node.left, env), mask(ctx, node.right, env)), node)
    of_one = _attribute_of_one(ctx, node, right, env)
    return of_one or Op(ir.BOOL, "eq", (plain(ctx, node.left, env), plain(ctx, node.right, env)), node)


def _absent(ctx: Context, node: ast.Compare, left: Type, word: str, env: Env) -> Expr:
    """Comparisons with `somebody`, `empty`, `none` and `nobody`."""
    if word == "empty" and element_of(left) is not None:
        return Op(ir.BOOL, "is_empty", (mask(ctx, node.left, env),), node)
    if word in ("none", "nobody") and isinstance(left, Contents):
        return Op(ir.BOOL, "is_empty", (value(ctx, node.left, env),), node)
    none = Op(ir.BOOL, "is_none", (value(ctx, node.left, env),), node)
    return negated(none, node) if word == "somebody" else none


def _meets(found: Expr, source: ast.Node) -> Expr:
    """Whether a set is not empty."""
    return Op(ir.BOOL, "not", (Op(ir.BOOL, "is_empty", (found,), source),), source)


def _attribute_of_one(ctx: Context, node: ast.Compare, right: Type, env: Env) -> Expr | None:
    """`house[x].owner is p`: whether the one piece of a place is among those with the attribute."""
    left = node.left
    if not isinstance(left, ast.Attribute) or isinstance(right, Maybe | Contents | Kind):
        return None
    base, type_ = type_of(ctx, left.base), bare(type_of(ctx, left))
    if not isinstance(base, Contents) or not isinstance(type_, Listed) or type_.numeric or type_.parts:
        return None
    found = value(ctx, left.base, env)
    those = having(ctx, left.name, value(ctx, node.right, env), node)
    return _meets(Op(found.type, "both", (found, those)), node)


def _same_list(ctx: Context, left: ast.Expression, right: ast.ListOf, env: Env) -> Expr:
    type_ = type_of(ctx, left)
    if isinstance(element_of(type_), PieceType):
        kinds = tuple(one for item in right.items for one in kinds_listed(ctx, item, env))
        listed = Op(ir.Seq(ir.Set(ir.PIECE_DOMAIN, len(ctx.layout.pieces))), "list", kinds, right)
        pieces = contents(ctx, left, env) if isinstance(type_, Contents) else mask(ctx, left, env)
        ordered = Const(ir.BOOL, is_ordered(type_))
        return Op(ir.BOOL, "same_pieces", (pieces, listed, ordered), right)
    found = mask(ctx, left, env)
    items = tuple(member_value(ctx, item, env) for item in right.items)
    listed = Op(ir.Seq(items[0].type if items else ir.COUNT), "list", items, right)
    return Op(ir.BOOL, "eq", (found, Op(found.type, "as_set", (listed,), right)), right)
