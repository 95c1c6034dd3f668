"""Expressions with binders: `count x in S where P`, `sum E for ...`, `{x in S where P}`."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ast
from dsl.symbols import LocalSymbol, TypeSymbol, ZoneSymbol
from dsl.types import PieceType, Several, Truth, bare, element_of
from interpreter.compiler.expression_facts import mentions
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import TRUE, Const, Expr, Fold, FoldKind, Let, Local, Loop, Op, both, number
from interpreter.compiler.lowering.comparisons import negated
from interpreter.compiler.lowering.context import Context, Env, variable
from interpreter.compiler.lowering.packings import best_packing
from interpreter.compiler.lowering.slots import contents, is_ordered, note_cells, zone
from interpreter.compiler.lowering.types import ir_type
from interpreter.compiler.lowering.values import ir_type_of, local, mask, member_value, needed, plain, truth, type_of

MAX_PACKED_WORTH = 10**12
"""Above what the best choice of rows or sets is worth in the machine engine, which leaves larger totals to Python."""

AGGREGATES: dict[ast.AggregateFunction, FoldKind] = {"highest": "max", "lowest": "min"}
"""The folds of aggregates with a different name."""


def iterated(ctx: Context, node: ast.Expression, env: Env) -> Expr:
    """The set or sequence that an expression after `in` denotes."""
    type_, symbol = type_of(ctx, node), ctx.model.refers.get(node.number)
    element = element_of(type_)
    assert element is not None
    if isinstance(symbol, TypeSymbol) and isinstance(node, ast.Name):
        return in_order(ir_type(ctx, symbol.type), ctx.layout.members(symbol.type))
    if isinstance(node, ast.ListOf):
        items = tuple(plain(ctx, item, env) for item in node.items)
        return Op(ir.Seq(ir_type(ctx, element)), "list", items, node)
    if is_ordered(type_) and isinstance(symbol, ZoneSymbol):
        return contents(ctx, node, env)
    members = mask(ctx, node, env)
    return truths(ctx, members) if isinstance(bare(element), Truth) else members


def truths(ctx: Context, members: Expr) -> Expr:
    """The members of a set of truth values in order; in the set, `false` and `true` are the numbers 0 and 1."""
    item = variable(ctx, "truth", ir.Int(0, 1))
    return Fold(ir.Seq(ir.BOOL), "list", (Loop(item, members),), Op(ir.BOOL, "eq", (item, number(1))))


def in_order(type_: ir.Type, members: Sequence[int | None]) -> Expr:
    """Constant values, as a set if they are in ascending order; truth values, and none, in a sequence."""
    present = [member for member in members if member is not None]
    ascending = present == sorted(present) and (not present or present[0] >= 0)
    if len(present) < len(members) or isinstance(type_, ir.Bool) or not ascending:
        return Const(ir.Seq(type_), tuple(members))
    width = type_.width if isinstance(type_, ir.Ref) else max(present, default=0) + 1
    domain = type_.domain if isinstance(type_, ir.Ref) else ir.NUMBER_DOMAIN
    return Const(ir.Set(domain, width), sum(1 << member for member in present))


def bound_local(ctx: Context, symbol: LocalSymbol) -> Local:
    """A new local for a name of the rules."""
    bound = variable(ctx, symbol.name, ir_type(ctx, symbol.type))
    ctx.symbols[bound.name] = symbol
    return bound


def loops(
    ctx: Context, binders: Sequence[ast.Binder], where: ast.Expression | None, env: Env
) -> tuple[tuple[Loop, ...], Env]:
    """Nested loops over binders, with each condition as far out as its names allow; and the environment inside."""
    conditions, nested, body_env = ast.conjuncts(where), list[Loop](), dict(env)
    symbols = [local(ctx, binder) for binder in binders]
    for place, (binder, symbol) in enumerate(zip(binders, symbols, strict=True)):
        over = iterated(ctx, binder.domain, body_env)
        bound = bound_local(ctx, symbol)
        body_env[symbol] = bound
        later = symbols[place + 1 :]
        # `count x in A, y in B where p(x) and q(x, y)`: p(x) is tested once for each x, before B is looked at.
        # Conditions change places with others of inner loops only, which may not be reached at all; among themselves
        # they keep their order.
        now = [c for c in conditions if not any(mentions(ctx.model, c, later_symbol) for later_symbol in later)]
        conditions = [c for c in conditions if c not in now]
        condition = both([truth(ctx, c, body_env) for c in now]) if now else None
        nested.append(Loop(bound, over, condition))
    return tuple(nested), body_env


def quantified(ctx: Context, node: ast.Quantified, env: Env) -> Expr:
    """`count`, `some`, `no`, `the`."""
    levels, body_env = loops(ctx, node.binders, node.where, env)
    match node.quantifier:
        case "count":
            return Fold(ir.COUNT, "count", levels, TRUE, node)
        case "some":
            return Fold(ir.BOOL, "any", levels, TRUE, node)
        case "no":
            return negated(Fold(ir.BOOL, "any", levels, TRUE, node), node)
        case "the":
            first = body_env[local(ctx, node.binders[0])]
            return Fold(ir.optional(first.type), "first", levels, first, node)


def best(ctx: Context, node: ast.Best, env: Env) -> Expr:
    """`the x in S with highest E`, the first of several."""
    packed = best_packing(ctx, node, env)
    if packed is not None:
        return Op(ir_type_of(ctx, node), "part", (packed, number(1)), node)
    levels, body_env = loops(ctx, (node.binder,), node.where, env)
    compared = needed(ctx, node.value, body_env)
    return Fold(ir.optional(levels[0].local.type), node.function, levels, compared, node)


def aggregate(ctx: Context, node: ast.Aggregate, env: Env) -> Expr:
    """`sum`, `highest`, `lowest`."""
    packed = best_packing(ctx, node, env)
    if packed is not None:
        return Op(ir.Int(0, MAX_PACKED_WORTH), "part", (packed, number(0)), node)
    levels, body_env = loops(ctx, node.binders, node.where, env)
    word = AGGREGATES.get(node.function, node.function)
    return Fold(ir_type_of(ctx, node), word, levels, needed(ctx, node.value, body_env), node)


def terms(ctx: Context, node: ast.Aggregate, env: Env) -> Expr:
    """The terms of a sum, or of `highest` or `lowest`, each with the values of the binders."""
    packed = best_packing(ctx, node, env)
    if packed is not None:
        return _packed_terms(ctx, packed, node)
    levels, body_env = loops(ctx, node.binders, node.where, env)
    bound = tuple(body_env[local(ctx, binder)] for binder in node.binders)
    names = Op(ir.Row(tuple(name.type for name in bound)), "row", bound)
    term = needed(ctx, node.value, body_env)
    both_parts = Op(ir.Row((names.type, term.type)), "row", (names, term))
    return Fold(ir.Seq(both_parts.type), "list", levels, both_parts, node)


def _packed_terms(ctx: Context, packed: Expr, node: ast.Aggregate) -> Expr:
    """The terms of a search for the best choice of sets: only the best one, if there is any."""
    assert isinstance(packed.type, ir.Row)
    total, sets = packed.type.of
    packing = variable(ctx, "found", packed.type)
    chosen = Op(sets, "part", (packing, number(1)))
    names = Op(ir.Row((sets,)), "row", (chosen,))
    both_parts = Op(ir.Row((names.type, total)), "row", (names, Op(total, "part", (packing, number(0)))))
    some = negated(Op(ir.BOOL, "is_empty", (chosen,)), node)
    listed = Op(ir.Seq(packed.type), "list", (packed,))
    return Fold(ir.Seq(both_parts.type), "list", (Loop(packing, listed, some),), both_parts, node)


def filtered(ctx: Context, node: ast.Filter, env: Env) -> Expr:
    """`{x in S where P}`."""
    levels, _ = loops(ctx, (node.binder,), node.where, env)
    if isinstance(levels[0].local.type, ir.Set):
        return Fold(ir_type_of(ctx, node), "list", levels, levels[0].local, node)
    return Fold(ir_type_of(ctx, node), "set", levels, levels[0].local, node)


def built(ctx: Context, node: ast.Builder, env: Env) -> Expr:
    """`{E for x in S where P}`."""
    levels, body_env = loops(ctx, node.binders, node.where, env)
    if isinstance(bare(type_of(ctx, node.value)), Several):
        return Fold(ir_type_of(ctx, node), "sets", levels, mask(ctx, node.value, body_env), node)
    return Fold(ir_type_of(ctx, node), "set", levels, member_value(ctx, node.value, body_env), node)


def groups_of(ctx: Context, node: ast.Expression, env: Env) -> Expr:
    """The members of a set in groups of equal ones."""
    members = iterated(ctx, node, env)
    element = element_of(type_of(ctx, node))
    type_ = ir.Seq(ir.Seq(ir.element(members.type)))
    if not isinstance(bare(element) if element is not None else None, PieceType):
        return Op(type_, "singles", (members,), node)
    if node.number in ctx.model.unsure_choices:
        return offered(ctx, mask(ctx, node, env), "alike", type_, node)
    return Op(type_, "alike", (members,), node)


def offered(ctx: Context, pieces: Expr, word: str, type_: ir.Seq, node: ast.Node) -> Expr:
    """A set of pieces as it is offered to the acting seat, which may not see them all.

    Those that it sees are listed, or grouped, by the operation `word`. The others follow one by one, in the order
    in which they are listed for the seat. That reads all zones and notes, even those that occur nowhere in the rules.
    """
    # Where a zone is not mentioned by any rule, it has no cells in the IR yet, but what a seat sees may depend on it.
    for zone_symbol in ctx.model.zones.values():
        zone(ctx, zone_symbol)
    for note in ctx.model.notes.values():
        note_cells(ctx, note)
    among, seen = variable(ctx, "among", pieces.type), variable(ctx, "seen", pieces.type)
    unseen: Expr = Op(ir.Seq(ir.element(pieces.type)), "by_standing", (Op(pieces.type, "minus", (among, seen)),), node)
    if isinstance(type_.of, ir.Seq):
        unseen = Op(type_, "singles", (unseen,), node)
    listed = Op(type_, "appended", (Op(type_, word, (seen,), node), unseen), node)
    fully_seen = Op(pieces.type, "fully_seen", (among,), node)
    return Let(type_, among, pieces, Let(type_, seen, fully_seen, listed, node), node)
