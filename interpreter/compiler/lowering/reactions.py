"""Reactions: where they are tested, and how they happen."""

from __future__ import annotations

from dsl import ast
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import Op, number
from interpreter.compiler.ir.naming import named
from interpreter.compiler.ir.statements import If, Leave, React, Statement
from interpreter.compiler.lowering.context import Context
from interpreter.compiler.lowering.footprints import changed_by, declared_reads
from interpreter.compiler.lowering.values import truth


def react(ctx: Context, out: list[Statement], written: frozenset[str], quiet: bool, source: ast.Node) -> None:
    """After a change: reactions that may now hold, then phases that may now be over.

    `quiet`: none of them, during set-up and inside reactions.
    """
    if quiet or not written:
        return
    model = ctx.model
    assert not written & ctx.suspending.triggers, "a reaction that may ask is entered from a block"
    whens = [when for when in model.whens if declared_reads(ctx, model.defines[when.name]) & written]
    if whens:
        name = named("react", *(when.name for when in whens))
        ctx.reactions[name] = whens
        out.append(React(name, source))
    may_be_over(ctx, out, written.union(*(changed_by(ctx, when) for when in whens)), source)


def may_be_over(ctx: Context, out: list[Statement], written: frozenset[str], source: ast.Node) -> None:
    """After changes, phases that may now be over."""
    for phase in ctx.at_once:
        if phase.reads & written:
            begun = Op(ir.BOOL, "eq", (phase.flag, number(1)))
            over = If(truth(ctx, phase.condition, {}), (Leave(phase.exit, source),), (), phase.condition)
            out.append(If(begun, (over,), (), source))
