"""Rules and reactions that may suspend at a decision, in blocks.

A suspended rule has no stack frame: its parameters and locals are cells of the state, it has one cell for its return
address, and the program counter is the number of a block. Reactions that may ask have blocks of their own, which any
rule can enter after a statement; one return address for all of them is enough, as none happens inside another one.
"""

from __future__ import annotations

from dsl.symbols import RuleSymbol, WhenSymbol
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import Check, Fold, Loop, Op, number
from interpreter.compiler.ir.statements import MOST_REACTIONS, Goto, If, Statement, Store
from interpreter.compiler.lowering.binders import in_order
from interpreter.compiler.lowering.blocks import new_block, symbol_cell
from interpreter.compiler.lowering.comparisons import negated
from interpreter.compiler.lowering.context import Context, Entry, Env, new_cell, variable
from interpreter.compiler.lowering.control import marked_block
from interpreter.compiler.lowering.definition_calls import reaction_holds
from interpreter.compiler.lowering.splitting import split
from interpreter.compiler.lowering.types import ir_type


def lower_waiting(ctx: Context) -> None:
    """Lower the requested rules in blocks, and reactions that may ask if they are requested."""
    while True:
        if ctx.reacting is not None and not ctx.lines[ctx.reacting.block]:
            _lower_reactions(ctx, ctx.reacting)
        elif ctx.waiting:
            _lower_rule(ctx, *ctx.waiting.pop())
        else:
            return


def _lower_rule(ctx: Context, name: str, rule: RuleSymbol, quiet: bool) -> None:
    way_in, node = ctx.entries[name], rule.declaration
    env = dict(zip(rule.parameters, way_in.parameters, strict=True))
    split(ctx, way_in.block, marked_block(ctx, node, env, quiet), Goto(way_in.back, node), rule.name)


def _lower_reactions(ctx: Context, way_in: Entry) -> None:
    start, head = way_in.block, new_block(ctx)
    count = new_cell(ctx, "reactions", ir.COUNT)
    ctx.lines[start] += [Store(count, number(0)), Goto(head)]
    for when in ctx.model.whens:
        node, happens = when.declaration, new_block(ctx, when.declaration)
        env = _test_reaction(ctx, ctx.lines[head], when, happens)
        more = Op(ir.COUNT, "add", (count, number(1)), node)
        counted = Store(count, Check(ir.COUNT, "in_range", more, (0, MOST_REACTIONS - 1), node), node)
        split(ctx, happens, (counted, *marked_block(ctx, node, env, True)), Goto(head, node), when.name)
    ctx.lines[head].append(Goto(way_in.back))


def _test_reaction(ctx: Context, out: list[Statement], when: WhenSymbol, happens: int) -> Env:
    """Jump to a block if a reaction holds, for the first arguments for which it holds; returns their cells."""
    node, cells = when.declaration, {parameter: symbol_cell(ctx, parameter) for parameter in when.parameters}
    arguments = {
        parameter: variable(ctx, parameter.name, ir_type(ctx, parameter.type)) for parameter in when.parameters
    }
    held = reaction_holds(ctx, when, tuple(arguments.values()))
    if not arguments:
        out.append(If(held, (Goto(happens, node),), (), node))
        return {}
    every = [in_order(argument.type, ctx.layout.values(parameter.type)) for parameter, argument in arguments.items()]
    *enclosing, last = zip(arguments.values(), every, strict=True)
    loops = (*(Loop(argument, over) for argument, over in enclosing), Loop(*last, held))
    row = Op(ir.Row(tuple(argument.type for argument in arguments.values())), "row", tuple(arguments.values()))
    reaction = new_cell(ctx, "reaction", ir.Opt(row.type))
    out.append(Store(reaction, Fold(reaction.type, "first", loops, row, node), node))
    now = Check(row.type, "need", reaction, (), node)
    holds = [
        Store(cell, Op(ir.bare(cell.type), "part", (now, number(place))), node)
        for place, cell in enumerate(cells.values())
    ]
    exists = negated(Op(ir.BOOL, "is_none", (reaction,), node), node)
    out.append(If(exists, (*holds, Goto(happens, node)), (), node))
    return dict(cells)
