"""Reactions that may ask for a decision, in blocks that any rule can enter after a statement, and that return to it.

One cell for their return address is enough, as no reaction happens inside another one.
"""

from __future__ import annotations

from dsl import ast
from dsl.symbols import WhenSymbol
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import Check, Fold, Loop, Op, number
from interpreter.compiler.ir.statements import Goto, If, Statement, Store
from interpreter.compiler.lowering.binders import in_order
from interpreter.compiler.lowering.blocks import BLOCK_NUMBER, Names, enter, new_block, symbol_cell
from interpreter.compiler.lowering.comparisons import negated
from interpreter.compiler.lowering.context import Context, Entry, new_cell, variable
from interpreter.compiler.lowering.definition_calls import reaction_holds
from interpreter.compiler.lowering.footprints import changed_by
from interpreter.compiler.lowering.reactions import may_be_over, react
from interpreter.compiler.lowering.types import ir_type


def react_in_blocks(ctx: Context, block: int, written: frozenset[str], quiet: bool, source: ast.Node) -> int:
    """After a change in a block: reactions, then phases that may now be over; returns the block they end in."""
    if quiet or not written & ctx.suspending.triggers:
        react(ctx, ctx.lines[block], written, quiet, source)
        return block
    after = new_block(ctx, source)
    ctx.origins[after] = source
    enter(ctx.lines[block], reactions_entry(ctx), (), after, source)
    may_be_over(ctx, ctx.lines[after], written.union(*(changed_by(ctx, when) for when in ctx.model.whens)), source)
    return after


def reactions_entry(ctx: Context) -> Entry:
    """The blocks in which all reactions are tried, again and again until none holds."""
    if ctx.reacting is None:
        ctx.reacting = Entry(new_block(ctx), [], new_cell(ctx, "back from reactions", BLOCK_NUMBER))
    return ctx.reacting


def test_reaction(ctx: Context, out: list[Statement], when: WhenSymbol, happens: int) -> Names:
    """Jump to a block if a reaction holds, for the first arguments for which it holds; returns their cells."""
    node, cells = when.declaration, {parameter: symbol_cell(ctx, parameter) for parameter in when.parameters}
    own = {parameter: variable(ctx, parameter.name, ir_type(ctx, parameter.type)) for parameter in when.parameters}
    held = reaction_holds(ctx, when, tuple(own.values()))
    if not own:
        out.append(If(held, (Goto(happens, node),), (), node))
        return {}
    every = [in_order(one.type, ctx.layout.values(parameter.type)) for parameter, one in own.items()]
    *outer, last = zip(own.values(), every, strict=True)
    loops = (*(Loop(one, over) for one, over in outer), Loop(*last, held))
    row = Op(ir.Row(tuple(one.type for one in own.values())), "row", tuple(own.values()))
    found = new_cell(ctx, "reaction", ir.Opt(row.type))
    out.append(Store(found, Fold(found.type, "first", loops, row, node), node))
    now = Check(row.type, "need", found, (), node)
    holds = [
        Store(cell, Op(ir.bare(cell.type), "part", (now, number(place))), node)
        for place, cell in enumerate(cells.values())
    ]
    there = negated(Op(ir.BOOL, "is_none", (found,), node), node)
    out.append(If(there, (*holds, Goto(happens, node)), (), node))
    return dict(cells)
