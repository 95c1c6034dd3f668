"""Reactions: where they are tested, and how they happen."""

from __future__ import annotations

from dsl import ast
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import Op, number
from interpreter.compiler.ir.module import named
from interpreter.compiler.ir.statements import If, Leave, React, Statement
from interpreter.compiler.lowering.context import Context
from interpreter.compiler.lowering.footprints import changed_by, declared_reads
from interpreter.compiler.lowering.values import truth

REACTIONS = "all reactions"
"""The name by which statements perform all reactions, some of which may ask for a decision; no function has it."""


def react(ctx: Context, out: list[Statement], written: frozenset[str], quiet: bool, source: ast.Node) -> None:
    """After a change: reactions that may now hold, then phases that may now be over.

    `quiet`: none of them, during set-up and inside reactions.
    """
    if quiet or not written:
        return
    model = ctx.model
    ask = bool(written & ctx.suspending.triggers)
    whens = [when for when in model.whens if ask or declared_reads(ctx, model.defines[when.name]) & written]
    if ask:  # then all of them, as one may lead to any other
        out.append(React(REACTIONS, source))
    elif whens:
        name = named("react", *(when.name for when in whens))
        ctx.reactions[name] = whens
        out.append(React(name, source))
    changed = written.union(*(changed_by(ctx, when) for when in whens))
    for phase in ctx.at_once:
        if phase.reads & changed:
            begun = Op(ir.BOOL, "eq", (phase.flag, number(1)))
            over = If(truth(ctx, phase.condition, {}), (Leave(phase.exit, source),), (), phase.condition)
            out.append(If(begun, (over,), (), source))
