"""Lowering of a whole game with its seats and options."""

from __future__ import annotations

from dsl import ast
from dsl.symbols import RuleSymbol, WhenSymbol, ZoneSymbol
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import Check, Expr, Fold, Loop, Op, number
from interpreter.compiler.ir.module import Function
from interpreter.compiler.ir.statements import MAX_REACTIONS, Goto, If, Statement, Store
from interpreter.compiler.ir.types import Int
from interpreter.compiler.lowering.arithmetic import arithmetic, count, division, literal, negative, numbers, of, set_of
from interpreter.compiler.lowering.attributes import attribute, kind
from interpreter.compiler.lowering.binders import aggregate, best, built, filtered, in_order, quantified
from interpreter.compiler.lowering.blocks import new_block, symbol_cell
from interpreter.compiler.lowering.calls import call
from interpreter.compiler.lowering.comparisons import compare, conjunction, either, negated, negation
from interpreter.compiler.lowering.context import Context, Entry, Env, Lowering, new_cell, variable
from interpreter.compiler.lowering.control import marked_block
from interpreter.compiler.lowering.course import course_of_play, single_actions
from interpreter.compiler.lowering.footprints import suspending, suspends
from interpreter.compiler.lowering.functions import (
    criteria,
    define_function,
    note_sight,
    reaction_function,
    rule_body,
    teams,
    when_function,
    zone_sights,
)
from interpreter.compiler.lowering.hypotheses import hypothesis
from interpreter.compiler.lowering.names import name
from interpreter.compiler.lowering.positions import times_recorded
from interpreter.compiler.lowering.slots import contents_cell, filled_with, note_cell
from interpreter.compiler.lowering.splitting import split
from interpreter.compiler.lowering.types import ir_type
from interpreter.compiler.lowering.values import reaction_holds
from interpreter.compiler.requirements import Requirements
from interpreter.runtime.layout import Layout


def context_for(layout: Layout) -> Context:
    """An empty context."""
    model = layout.model
    ctx = Context(layout, FORMS, Requirements(model))
    ctx.suspending = suspending(ctx)
    return ctx


def lower(layout: Layout, chance: list[str], alone: bool) -> tuple[Context, dict[str, int]]:
    """Lower a game; `alone`: so that single actions and phases can be started, as in examples.

    `chance` are the random options. Returns the decisions of single actions, by name. Raises PlayError if
    requirements are too many or too long.
    """
    ctx, model = context_for(layout), layout.model
    ctx.phase_cell = new_cell(ctx, "phase", Int(0, max(len(model.phases) - 1, 0)))
    if alone:
        ctx.begins_cell = new_cell(ctx, "begins with", Int(-1, len(model.phases) * len(layout.seats)))
    course_of_play(ctx, chance)
    action_points = single_actions(ctx) if alone else {}
    lower_waiting(ctx)
    for when in model.whens:
        if when.name not in ctx.suspending.asking:
            when_function(ctx, when)
    _lower_requested(ctx)
    for symbol in model.defines.values():
        define_function(ctx, symbol)
    for zone in model.zones:
        zone_sights(ctx, zone)
    for note in model.notes:
        note_sight(ctx, note)
    criteria(ctx)
    teams(ctx)
    _lower_requested(ctx)  # the steps of hypotheses in definitions that nothing before has performed
    for block, lines in ctx.lines.items():
        ctx.module.blocks[block].body = tuple(lines)
    return ctx, action_points


def lower_rest(ctx: Context) -> list[Function]:
    """Lower the functions that a single expression needs besides those of the game, such as those of a step."""
    count_before = len(ctx.module.functions)
    _lower_requested(ctx)
    return [*ctx.module.functions.values()][count_before:]


def _lower_requested(ctx: Context) -> None:
    """Lower the requested rules that cannot suspend, and the requested reactions."""
    while missing := [rule for rule in ctx.requested if rule not in ctx.module.functions and not suspends(ctx, rule)]:
        for requested in missing:
            rule, quiet = ctx.requested[requested]
            rule_body(ctx, requested, rule, quiet)
    for reaction in ctx.reactions:
        if reaction not in ctx.module.functions:
            reaction_function(ctx, reaction)


# ---- Rules and reactions that may suspend at a decision, in blocks
# A suspended rule has no stack frame: its parameters and locals are cells of the state, it has one cell for its
# return address, and the program counter is the number of a block. Reactions that may ask have blocks of their own,
# which any rule can enter after a statement; one return address for all of them is enough, as none happens inside
# another one.


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
        counted = Store(count, Check(ir.COUNT, "in_range", more, (0, MAX_REACTIONS - 1), node), node)
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


# ------------------------------------------------------------ dispatch: how each form of expression is lowered


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
