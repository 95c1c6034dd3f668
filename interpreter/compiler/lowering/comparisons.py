"""Comparisons and logic.

A kind such as `red king` is no value at run time: it is the constant set of all pieces of that kind. So whatever the
rules compare becomes one of a few operations on sets and numbers:

    hand[p] is empty            is_empty(hand[p])
    x is red king               not is_empty({x} & RED_KINGS)
    mark[c].owner is p          not is_empty(mark[c] & owner[p])     no piece: false, not an error
    x is in [2 king, ace]       (KINGS | ACES) has x                 the amount makes no difference here
    hand[p] is [2 king]         same_pieces(hand[p], [KINGS, KINGS])
    n is in 1 .. 6              1 <= n and n <= 6                    no set of numbers
"""

from __future__ import annotations

from dsl import ast
from dsl.symbols import BuiltinSymbol, FamilySymbol
from dsl.types import Contents, Kind, Listed, Maybe, PieceType, Several, Type, bare, element_of, settled
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import Choice, Const, Expr, Let, Logic, Op, not_empty
from interpreter.compiler.lowering.arithmetic import between, with_ends
from interpreter.compiler.lowering.attributes import having, kind, kinds_listed
from interpreter.compiler.lowering.context import Context, Env, variable
from interpreter.compiler.lowering.families import apart, with_captures
from interpreter.compiler.lowering.slots import contents, is_ordered
from interpreter.compiler.lowering.values import (
    ir_type_of,
    is_piece,
    mask,
    member_value,
    needed,
    plain,
    stored_value,
    strict,
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
            first, second = plain(ctx, node.left, env), plain(ctx, node.right, env)
            return Op(ir.BOOL, "before", (first, second) if node.operator == "before" else (second, first), node)
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
    then_env, type_ = with_captures(ctx, node.condition, env), type_of(ctx, node)
    holds, then = truth(ctx, node.condition, then_env), stored_value(ctx, node.then, type_, then_env)
    return Choice(ir_type_of(ctx, node), holds, then, stored_value(ctx, node.otherwise, type_, env), node)


def member(ctx: Context, value_node: ast.Expression, members_node: ast.Expression, env: Env, source: ast.Node) -> Expr:
    """`x in S`: membership in a set, a list or a range."""
    candidate = plain(ctx, value_node, env)
    if isinstance(members_node, ast.Range):
        return strict(ctx, [candidate], lambda bounded: _in_range(ctx, bounded, members_node, env, source), source)
    if isinstance(members_node, ast.ListOf):
        if isinstance(element_of(type_of(ctx, members_node)), PieceType):
            kinds: Expr = Const(ir.Set(ir.PIECE_DOMAIN, len(ctx.layout.pieces)), 0)
            for item in members_node.items:
                kinds = Op(kinds.type, "union", (kinds, kind(ctx, item, env)))
            return Op(ir.BOOL, "has", (kinds, candidate), source)
        items = tuple(plain(ctx, item, env) for item in members_node.items)
        listed = Op(ir.Seq(items[0].type if items else candidate.type), "list", items, members_node)
        return Op(ir.BOOL, "in_list", (candidate, listed), source)
    inside = mask(ctx, members_node, env)
    if isinstance(inside.type, ir.Seq):
        return Op(ir.BOOL, "in_list", (mask(ctx, value_node, env), inside), source)
    return Op(ir.BOOL, "has", (inside, candidate), source)


def _in_range(ctx: Context, bounded: Expr, range_node: ast.Range, env: Env, source: ast.Node) -> Expr:
    if range_node.numbers is not None:
        return with_ends(ctx, range_node, env, lambda low, high: between(bounded, low, high, source))
    local = variable(ctx, "bounded", bounded.type)
    inside = with_ends(ctx, range_node, env, lambda low, high: between(local, low, high, source))
    return Let(ir.BOOL, local, bounded, inside, source)


def _same(ctx: Context, node: ast.Compare, env: Env) -> Expr:
    left_type, right_type = type_of(ctx, node.left), type_of(ctx, node.right)
    symbol = ctx.model.refers.get(node.right.number)
    if isinstance(symbol, BuiltinSymbol) and symbol.name in ("somebody", "empty", "none", "nobody"):
        return _absent(ctx, node, left_type, symbol.name, env)
    if isinstance(symbol, FamilySymbol):
        return apart(ctx, node, symbol, env)
    if isinstance(node.right, ast.ListOf):
        return _same_list(ctx, node.left, node.right, env)
    if isinstance(right_type, Kind):
        pieces = mask(ctx, node.left, env)
        return not_empty(Op(pieces.type, "both", (pieces, kind(ctx, node.right, env))), node)
    if isinstance(bare(settled(left_type)), Several) or isinstance(bare(settled(right_type)), Several):
        return Op(ir.BOOL, "eq", (mask(ctx, node.left, env), mask(ctx, node.right, env)), node)
    of_one = _attribute_of_one(ctx, node, right_type, env)
    return of_one or Op(ir.BOOL, "eq", (plain(ctx, node.left, env), plain(ctx, node.right, env)), node)


def _absent(ctx: Context, node: ast.Compare, left_type: Type, word: str, env: Env) -> Expr:
    """Comparisons with `somebody`, `empty`, `none` and `nobody`."""
    if word == "empty" and element_of(left_type) is not None:
        return Op(ir.BOOL, "is_empty", (mask(ctx, node.left, env),), node)
    if word in ("none", "nobody") and isinstance(left_type, Contents):
        return Op(ir.BOOL, "is_empty", (value(ctx, node.left, env),), node)
    none = Op(ir.BOOL, "is_none", (value(ctx, node.left, env),), node)
    return negated(none, node) if word == "somebody" else none


def _attribute_of_one(ctx: Context, node: ast.Compare, right: Type, env: Env) -> Expr | None:
    """`house[x].owner is p`: whether the one piece of a place is among those with the attribute."""
    attribute = node.left
    if not isinstance(attribute, ast.Attribute) or isinstance(right, Maybe | Contents | Kind):
        return None
    base, type_ = type_of(ctx, attribute.base), bare(type_of(ctx, attribute))
    if not isinstance(base, Contents) or not isinstance(type_, Listed) or type_.numeric or type_.parts:
        return None
    pieces = value(ctx, attribute.base, env)
    having_value = having(ctx, attribute.name, value(ctx, node.right, env), node)
    return not_empty(Op(pieces.type, "both", (pieces, having_value)), node)


def _same_list(ctx: Context, set_node: ast.Expression, list_node: ast.ListOf, env: Env) -> Expr:
    type_ = type_of(ctx, set_node)
    if isinstance(element_of(type_), PieceType):
        kinds = tuple(listed_kind for item in list_node.items for listed_kind in kinds_listed(ctx, item, env))
        listed = Op(ir.Seq(ir.Set(ir.PIECE_DOMAIN, len(ctx.layout.pieces))), "list", kinds, list_node)
        pieces = contents(ctx, set_node, env) if isinstance(type_, Contents) else mask(ctx, set_node, env)
        ordered = Const(ir.BOOL, is_ordered(type_))
        return Op(ir.BOOL, "same_pieces", (pieces, listed, ordered), list_node)
    members = mask(ctx, set_node, env)
    items = tuple(member_value(ctx, item, env) for item in list_node.items)
    listed = Op(ir.Seq(items[0].type if items else ir.COUNT), "list", items, list_node)
    return Op(ir.BOOL, "eq", (members, Op(members.type, "as_set", (listed,), list_node)), list_node)
