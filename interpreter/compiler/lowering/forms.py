"""Dispatch: how each form of expression is lowered."""

from __future__ import annotations

from dsl import ast
from dsl.symbols import ZoneSymbol
from interpreter.compiler.ir.expressions import Expr
from interpreter.compiler.lowering.arithmetic import arithmetic, count, division, literal, negative, numbers, of, set_of
from interpreter.compiler.lowering.attributes import attribute, kind
from interpreter.compiler.lowering.binders import aggregate, best, built, filtered, quantified
from interpreter.compiler.lowering.calls import call
from interpreter.compiler.lowering.comparisons import compare, conjunction, either, negation
from interpreter.compiler.lowering.context import Context, Env, Lowering
from interpreter.compiler.lowering.hypotheses import hypothesis
from interpreter.compiler.lowering.names import name
from interpreter.compiler.lowering.positions import times_recorded
from interpreter.compiler.lowering.slots import contents_cell, filled_with, note_cell


def _index(ctx: Context, node: ast.Index, env: Env) -> Expr:
    """`hand[me]`, `score[me]`."""
    zone = isinstance(ctx.model.refers[node.number], ZoneSymbol)
    return contents_cell(ctx, node, env) if zone else note_cell(ctx, node, env)


def _of(ctx: Context, node: ast.Of, env: Env) -> Expr:
    """`hand[me] of ace`; of a zone without its index, the places where such a piece lies."""
    zone = ctx.model.refers.get(node.whole.number)
    if isinstance(zone, ZoneSymbol) and zone.index and isinstance(node.whole, ast.Name):
        return filled_with(ctx, zone, kind(ctx, node.part, env), node)
    return of(ctx, node, env)


FORMS: dict[type[ast.Node], Lowering] = {
    ast.Name: name,
    ast.Number: literal,
    ast.Range: numbers,
    ast.Index: _index,
    ast.Call: call,
    ast.Attribute: attribute,
    ast.SetOf: set_of,
    ast.Filter: filtered,
    ast.Builder: built,
    ast.Either: either,
    ast.Quantified: quantified,
    ast.Best: best,
    ast.Aggregate: aggregate,
    ast.Count: count,
    ast.Of: _of,
    ast.Compare: compare,
    ast.Arithmetic: arithmetic,
    ast.Division: division,
    ast.Negative: negative,
    ast.Not: negation,
    ast.And: conjunction,
    ast.Or: conjunction,
    ast.Hypothesis: hypothesis,
    ast.Times: times_recorded,
}
