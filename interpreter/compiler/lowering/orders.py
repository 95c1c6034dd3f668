"""The next or previous value of a type, as a constant table."""

from __future__ import annotations

from itertools import pairwise

from dsl import ast
from dsl.types import Listed, bare
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import Expr, Lookup, Table
from interpreter.compiler.ir.naming import named
from interpreter.compiler.lowering.context import Context, Env, table
from interpreter.compiler.lowering.types import domain_of
from interpreter.compiler.lowering.values import plain, type_of


def beside(ctx: Context, name: str, node: ast.Call, env: Env) -> Expr:
    """`next(v)`, `previous(v)`: none beyond the ends, and of none."""
    type_ = bare(type_of(ctx, node.arguments[0]))
    assert isinstance(type_, Listed)
    neighbours = _table(ctx, type_, name)
    return Lookup(neighbours.type, neighbours, (plain(ctx, node.arguments[0], env),), node)


def _table(ctx: Context, type_: Listed, name: str) -> Table:
    key = named("order", type_.name, name)
    if key in ctx.module.tables:
        return ctx.module.tables[key]
    members = ctx.layout.members(type_)
    later = dict(pairwise(members))
    pairs = later if name == "next" else {value: earlier for earlier, value in later.items()}
    content = tuple([pairs.get(value) for value in range(ctx.layout.room(type_))])
    return table(ctx, Table(key, content, ir.Opt(domain_of(ctx, type_))))
