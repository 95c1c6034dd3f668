"""What chance chooses: members of a set, and pieces to move.

    choose x at random from S              items := list(S); if any: draw n from items; x := item n
    move 2 at random from bag to hand      pool := bag; twice: draw one of pool - taken, which is taken; move taken

Each member is equally likely, and equal pieces are several. Pieces are listed by their numbers wherever they lie: the
number of a result means the same in both engines, and in states in which other pieces lie there (`rechosen`).
"""

from __future__ import annotations

from collections.abc import Callable

from dsl import ast
from dsl.symbols import LocalSymbol
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import NOTHING, Const, Expr, Fold, Local, Loop, Op, Slot, both, number
from interpreter.compiler.lowering.binders import bound_local
from interpreter.compiler.lowering.comparisons import negated
from interpreter.compiler.lowering.context import Context, Env, new_cell, variable
from interpreter.compiler.lowering.legal import choice_domain, is_piece
from interpreter.compiler.lowering.types import piece_set
from interpreter.compiler.lowering.values import local, needed, truth

Made = Callable[[Expr], tuple[st.Statement, ...]]
"""What is done with the item that is drawn."""


def choose_by_chance(ctx: Context, node: ast.Pick, env: dict[LocalSymbol, Expr]) -> list[st.Statement]:
    """Bind a name to a random member, none if there is none; or to several, all of them if there are fewer."""
    env_before = dict(env)
    chosen = env[local(ctx, node)] = bound_local(ctx, local(ctx, node))
    if node.amount is None:
        items = _items(ctx, node, env_before, None)
        out: list[st.Statement] = [st.Assign(chosen, NOTHING, node)]
        out += _drawn(ctx, node, items, lambda item: (st.Assign(chosen, item, node),))
    else:
        type_ = ir.bare(chosen.type)

        def added(item: Expr) -> tuple[st.Statement, ...]:
            return (st.Assign(chosen, Op(type_, "union", (chosen, Op(type_, "single", (item,)))), node),)

        body = _drawn(ctx, node, _items(ctx, node, env_before, chosen), added, (st.Break(node),))
        out = [st.Assign(chosen, Const(type_, 0), node), st.Repeat(needed(ctx, node.amount, env_before), body, node)]
    return [*out, st.Announce((chosen,), node)]


def _items(ctx: Context, node: ast.Pick, env: Env, chosen: Local | None) -> Expr:
    """The members to choose from, apart from those that have been chosen."""
    over = choice_domain(ctx, node.domain, env, several=chosen is not None)
    if is_piece(ir.element(over.type)) and not isinstance(over.type, ir.Set):
        piece = variable(ctx, "piece", ir.element(over.type))
        over = Fold(piece_set(ctx), "set", (Loop(piece, over),), piece, node.domain)
    bound = variable(ctx, node.name, ir.element(over.type))
    conditions = [] if chosen is None else [negated(Op(ir.BOOL, "has", (chosen, bound)), node)]
    if node.where is not None:
        conditions.append(truth(ctx, node.where, {**env, local(ctx, node): bound}))
    return Fold(ir.Seq(bound.type), "list", (Loop(bound, over, both(conditions) if conditions else None),), bound, node)


def move_by_chance(ctx: Context, node: ast.Move, amount: Expr, pool: Expr, target: Slot, bottom: bool) -> st.Block:
    """Move random pieces of a set: where their order counts, in the order in which they are drawn."""
    # All is computed before the first of them moves, as for a move of the first pieces.
    start = variable(ctx, "pool", pool.type)
    taken, place = variable(ctx, "taken", pool.type), variable(ctx, "place", target.index.type)
    piece = variable(ctx, "piece", ir.element(pool.type))
    left = Op(pool.type, "minus", (start, taken))
    items = Fold(ir.Seq(piece.type), "list", (Loop(piece, left),), piece, node)
    to = Slot(target.type, target.zone, place, target.source)
    one_by_one = target.zone.shape in ("row", "stack")

    def took(item: Expr) -> tuple[st.Statement, ...]:
        single = Op(pool.type, "single", (item,))
        moved = (st.MoveSet(single, to, bottom, node),) if one_by_one else ()
        return (st.Assign(taken, Op(pool.type, "union", (taken, single)), node), *moved)

    return (
        st.Assign(start, pool, node), st.Assign(taken, Const(pool.type, 0), node), st.Assign(place, target.index, node),
        st.Repeat(amount, _drawn(ctx, node, items, took, (st.Break(node),)), node),
        *(() if one_by_one else (st.MoveSet(taken, to, bottom, node),)),
    )  # fmt: skip


def _drawn(ctx: Context, node: ast.Pick | ast.Move, items: Expr, made: Made, otherwise: st.Block = ()) -> st.Block:
    """Draw one of the items, if there is one; the cell of its position is cleared, or equal states would differ."""
    listed, cell = variable(ctx, "items", items.type), new_cell(ctx, "drawn", ir.COUNT)
    item = Op(ir.element(items.type), "item", (listed, cell))
    some = Op(ir.BOOL, "gt", (Op(ir.COUNT, "length", (listed,)), number(0)))
    drawn = (st.DrawItem(cell, listed, node), *made(item), st.Store(cell, number(0), node))
    return (st.Assign(listed, items, node), st.If(some, drawn, otherwise, node))
