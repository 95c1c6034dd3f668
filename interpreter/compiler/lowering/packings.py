"""The best choice of pairwise disjoint sets, as one exact search."""

from __future__ import annotations

from dsl import ast
from dsl.symbols import BuiltinSymbol, LocalSymbol
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import Expr, Lambda, Op
from interpreter.compiler.lowering.context import Context, Env, variable
from interpreter.compiler.lowering.lines import links
from interpreter.compiler.lowering.relations import relation_at
from interpreter.compiler.lowering.types import ir_type
from interpreter.compiler.lowering.values import mask, needed


def is_call(ctx: Context, node: ast.Expression, name: str) -> bool:
    """Whether an expression calls a function of the language."""
    symbol = ctx.model.refers.get(node.number)
    return isinstance(node, ast.Call) and isinstance(symbol, BuiltinSymbol) and symbol.name == name


def path_arguments(ctx: Context, node: ast.Call, env: Env) -> tuple[Expr, Expr, Expr, Expr]:
    """The arguments of `paths(S, E, n)` and `trails(S, E, n)`: the ends of edges, places, edges, minimum number."""
    places, edges, least = node.arguments
    joined = links(ctx, places, edges)
    return joined, mask(ctx, places, env), mask(ctx, edges, env), needed(ctx, least, env)


def best_packing(ctx: Context, node: ast.Aggregate | ast.Best, env: Env) -> Expr | None:
    """`highest (sum E for r in rows) for rows in packings(...)`: a row of the total and the sets that attain it.

    None for any other expression.
    """
    binder = node.binders[0] if isinstance(node, ast.Aggregate) else node.binder
    rows, packings, total = ctx.model.refers.get(binder.number), binder.domain, node.value
    if node.function != "highest" or node.where is not None or not is_call(ctx, packings, "packings"):
        return None
    if not isinstance(packings, ast.Call) or not isinstance(total, ast.Aggregate) or total.function != "sum":
        return None
    if total.where is not None or len(total.binders) != 1 or _through(ctx, total.binders[0]) is not rows:
        return None
    row = ctx.model.refers[total.binders[0].number]
    assert isinstance(row, LocalSymbol)
    row_local = variable(ctx, row.name, ir_type(ctx, row.type))
    worth = Lambda(ir.Opaque("worth"), (row_local,), needed(ctx, total.value, {**env, row: row_local}), total)
    sets = packings.arguments[0]
    result_type = ir.Row((ir.COUNT, ir.Seq(row_local.type)))
    if isinstance(sets, ast.Call) and is_call(ctx, sets, "paths") and relation_at(ctx, sets.arguments[1]) is None:
        return Op(result_type, "best_rows", (*path_arguments(ctx, sets, env), worth), node)
    return Op(result_type, "best_sets", (mask(ctx, sets, env), worth), node)


def _through(ctx: Context, binder: ast.Binder) -> object:
    """The local that a binder binds."""
    return ctx.model.refers.get(binder.domain.number) if isinstance(binder.domain, ast.Name) else None
