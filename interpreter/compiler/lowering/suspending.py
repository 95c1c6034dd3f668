"""Statements of rules with decisions, in basic blocks at which a game can suspend and resume.

A suspended rule has no stack frame: its parameters and locals are cells of the state, each step has one cell for its
return address (rules are not recursive, so one is enough), and the program counter is the number of a block.
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.symbols import RuleSymbol
from interpreter.compiler.decisions import ASKED, NOT_IN
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import Cell, Check, Expr, Fold, Op, number
from interpreter.compiler.ir.statements import MOST_REACTIONS, Announce, Goto, If, Statement, Store
from interpreter.compiler.lowering.binders import loops
from interpreter.compiler.lowering.blocks import Names, enter, entry, local_cell, new_block
from interpreter.compiler.lowering.choices import choice_cells
from interpreter.compiler.lowering.comparisons import negated
from interpreter.compiler.lowering.context import Context, Entry, new_cell
from interpreter.compiler.lowering.control import around, statement
from interpreter.compiler.lowering.effects import arguments, mark, simple
from interpreter.compiler.lowering.families import taken
from interpreter.compiler.lowering.footprints import ME_NAME, suspends, writes, written_inside
from interpreter.compiler.lowering.names import acting_seat
from interpreter.compiler.lowering.reacting import react_in_blocks, test_reaction
from interpreter.compiler.lowering.simultaneous import simultaneous_loop
from interpreter.compiler.lowering.types import player_type
from interpreter.compiler.lowering.values import local, needed, truth
from interpreter.compiler.lowering.waiting import ask_decision, make_choice, stop_repeating


def flow(ctx: Context, block: int, statements: Sequence[ast.Statement], env: Names, quiet: bool, rule: str) -> int:
    """Lower statements to blocks, starting in the given one; returns the block they end in."""
    for node in statements:
        out = ctx.lines[block]
        if not suspends(ctx, [node], quiet):
            if isinstance(node, ast.Let):
                local_cell(ctx, local(ctx, node), env)
            statement(ctx, out, node, env, quiet)
            continue
        after = new_block(ctx, node)
        ctx.origins[after] = node
        match node:
            case ast.Decide() | ast.Choose():
                ask_decision(ctx, out, node, env, quiet, rule, after)
            case ast.Do():
                mark(ctx, out, "at", node, env)
                step = ctx.model.rules[node.act.name]
                way_in = entry(ctx, step, quiet)
                enter(out, way_in, arguments(ctx, node.act, step, env), after, node)
            case ast.If():
                _if(ctx, out, node, env, quiet, rule, after)
            case ast.ForEach(at_once=True):
                simultaneous_loop(ctx, out, node, env)
                reacted = react_in_blocks(ctx, block, written_inside(ctx, node), quiet, node)
                ctx.lines[reacted].append(Goto(after, node))
            case ast.ForEach():
                _for_each(ctx, out, node, env, quiet, rule, after)
            case ast.EachPlayer(at_once=True):
                _each_player_at_once(ctx, out, node, env, quiet, rule, after)
            case ast.EachPlayer():
                _each_player(ctx, out, node, env, quiet, rule, after)
            case ast.Repeat():
                _repeat(ctx, out, node, env, quiet, rule, after)
            case _:
                simple(ctx, out, node, env, True)
                reacted = react_in_blocks(ctx, block, writes(ctx, node), quiet, node)
                ctx.lines[reacted].append(Goto(after, node))
        block = after
    return block


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
    way_in = ctx.entries[name]
    env: Names = dict(zip(rule.parameters, way_in.parameters, strict=True))
    mark(ctx, ctx.lines[way_in.block], "enter", rule.declaration, env)
    last = flow(ctx, way_in.block, rule.declaration.body, dict(env), quiet, rule.name)
    mark(ctx, ctx.lines[last], "leave", rule.declaration, {})
    ctx.lines[last].append(Goto(way_in.back, rule.declaration))


def _lower_reactions(ctx: Context, way_in: Entry) -> None:
    start, again = way_in.block, new_block(ctx)
    count = new_cell(ctx, "reactions", ir.COUNT)
    ctx.lines[start] += [Store(count, number(0)), Goto(again)]
    for when in ctx.model.whens:
        node, happens = when.declaration, new_block(ctx, when.declaration)
        env = test_reaction(ctx, ctx.lines[again], when, happens)
        out = ctx.lines[happens]
        more = Op(ir.COUNT, "add", (count, number(1)), node)
        out.append(Store(count, Check(ir.COUNT, "in_range", more, (0, MOST_REACTIONS - 1), node), node))
        mark(ctx, out, "enter", node, env)
        last = flow(ctx, happens, node.body, env, True, when.name)
        mark(ctx, ctx.lines[last], "leave", node, {})
        ctx.lines[last].append(Goto(again, node))
    ctx.lines[again].append(Goto(way_in.back))


def _if(ctx: Context, out: list[Statement], node: ast.If, env: Names, quiet: bool, rule: str, after: int) -> None:
    found, kept = taken(ctx, node.condition, env), dict(env)
    then = new_block(ctx, node)
    out.append(If(truth(ctx, node.condition, found), (Goto(then, node),), (), node))
    mark(ctx, ctx.lines[then], "holds", node, env)
    mark(ctx, out, "fails", node, env)
    for symbol in [symbol for symbol in found if symbol not in env]:
        ctx.lines[then].append(Store(local_cell(ctx, symbol, kept), found[symbol], node))
    ctx.lines[flow(ctx, then, node.then, kept, quiet, rule)].append(Goto(after, node))
    if node.otherwise:
        otherwise = new_block(ctx, node)
        out.append(Goto(otherwise, node))
        ctx.lines[flow(ctx, otherwise, node.otherwise, dict(env), quiet, rule)].append(Goto(after, node))
    else:
        out.append(Goto(after, node))


def _for_each(
    ctx: Context, out: list[Statement], node: ast.ForEach, env: Names, quiet: bool, rule: str, after: int
) -> None:
    found, _ = loops(ctx, node.binders, node.where, env)
    combination = Op(ir.Row(tuple(loop.local.type for loop in found)), "row", tuple(loop.local for loop in found))
    items = new_cell(ctx, "items", ir.Seq(combination.type))
    place = new_cell(ctx, "item", ir.COUNT)
    out.append(Store(items, Fold(items.type, "list", found, combination, node), node))
    out.append(Store(place, number(0), node))
    head = new_block(ctx, node)
    out.append(Goto(head, node))
    inner = dict(env)
    cells = [local_cell(ctx, local(ctx, binder), inner) for binder in node.binders]
    body = ctx.lines[head]
    done = Op(ir.BOOL, "ge", (place, Op(ir.COUNT, "length", (items,))))
    body.append(If(done, (Goto(after, node),), (), node))
    now = Op(combination.type, "item", (items, place))
    for position, cell in enumerate(cells):
        body.append(Store(cell, Op(cell.type, "part", (now, number(position))), node))
    body.append(Store(place, Op(ir.COUNT, "add", (place, number(1))), node))
    mark(ctx, body, "each", node, inner)
    ctx.lines[flow(ctx, head, node.body, inner, quiet, rule)].append(Goto(head, node))


def _skip_unless(
    ctx: Context, out: list[Statement], where: ast.Expression | None, env: Names, head: int, node: ast.Statement
) -> None:
    if where is not None:
        out.append(If(negated(truth(ctx, where, env), where), (Goto(head, node),), (), where))


@dataclass(frozen=True)
class _Round:
    """The cells of a loop over seats: who was acting before, how many seats are left, and the next one."""

    before: Cell
    left: Cell
    seat: Cell


def _begin_round(ctx: Context, out: list[Statement], node: ast.EachPlayer, env: Names) -> _Round:
    seats = player_type(ctx)
    before, left = new_cell(ctx, "acting before", seats), new_cell(ctx, "seats left", ir.COUNT)
    seat = new_cell(ctx, "next seat", seats)
    out.append(Store(seat, needed(ctx, node.first, env), node))
    last = needed(ctx, node.last, env) if node.last is not None else around(ctx, _minus(seat, number(1)))
    out.append(Store(left, Op(ir.COUNT, "add", (around(ctx, _minus(last, seat)), number(1))), node))
    out.append(Store(before, acting_seat(ctx), node))
    return _Round(before, left, seat)


def _next_seat(ctx: Context, around_table: _Round, node: ast.EachPlayer, after: int) -> int:
    """The block in which the next seat acts, or which jumps to a block if there is none left."""
    seat, left, me = around_table.seat, around_table.left, acting_seat(ctx)
    head = new_block(ctx, node)
    body = ctx.lines[head]
    done = Op(ir.BOOL, "eq", (left, number(0)))
    body.append(If(done, (Store(me, around_table.before, node), Goto(after, node)), (), node))
    body.append(Store(left, _minus(left, number(1)), node))
    body.append(Store(me, seat, node))
    body.append(Store(seat, around(ctx, Op(ir.COUNT, "add", (seat, number(1)))), node))
    return head


def _each_player(
    ctx: Context, out: list[Statement], node: ast.EachPlayer, env: Names, quiet: bool, rule: str, after: int
) -> None:
    head = _next_seat(ctx, _begin_round(ctx, out, node, env), node, after)
    out.append(Goto(head, node))
    begun = react_in_blocks(ctx, head, frozenset({ME_NAME}), quiet, node)
    body = ctx.lines[begun]
    _skip_unless(ctx, body, node.where, env, head, node)
    mark(ctx, body, "each", node, env)
    ctx.lines[flow(ctx, begun, node.body, dict(env), quiet, rule)].append(Goto(head, node))


def _each_player_at_once(
    ctx: Context, out: list[Statement], node: ast.EachPlayer, env: Names, quiet: bool, rule: str, after: int
) -> None:
    """A round in which all seats choose, and one in which each carries out its choice and the rest of the block."""
    decision, *rest = node.body
    assert isinstance(decision, ast.Decide | ast.Choose)
    kept, seats, me = choice_cells(ctx, decision), range(len(ctx.layout.seats)), acting_seat(ctx)
    seat_round = _begin_round(ctx, out, node, env)
    first, count = new_cell(ctx, "first seat", seat_round.seat.type), new_cell(ctx, "seats", ir.COUNT)
    out += [Store(first, seat_round.seat, node), Store(count, seat_round.left, node)]
    # an unfinished choice is discarded
    out += [Store(kept.stage(number(seat)), number(NOT_IN), node) for seat in seats]
    complete = new_block(ctx, node)
    choosing = _next_seat(ctx, seat_round, node, complete)
    out.append(Goto(choosing, node))
    body = ctx.lines[choosing]
    _skip_unless(ctx, body, node.where, env, choosing, node)
    body.append(Store(kept.stage(me), number(ASKED), node))
    mark(ctx, body, "each", node, env)
    ask_decision(ctx, body, decision, dict(env), quiet, rule, choosing, kept)

    making = _next_seat(ctx, seat_round, node, after)
    announced = Announce((first, *(each for seat in seats for each in kept.of_seat(seat))), decision)
    ctx.lines[complete] += [
        announced, Store(seat_round.seat, first, node), Store(seat_round.left, count, node), Goto(making, node),
    ]  # fmt: skip
    body = ctx.lines[making]
    body.append(If(Op(ir.BOOL, "eq", (kept.stage(me), number(NOT_IN))), (Goto(making, node),), (), node))
    begun = react_in_blocks(ctx, making, frozenset({ME_NAME}), quiet, node)
    body, inner = ctx.lines[begun], dict(env)
    mark(ctx, body, "each", node, env)
    made = new_block(ctx, decision)
    ctx.origins[made] = decision
    make_choice(ctx, body, decision, kept, inner, quiet, made)
    ctx.lines[flow(ctx, made, rest, inner, quiet, rule)].append(Goto(making, node))


def _minus(one: Expr, other: Expr) -> Expr:
    return Op(ir.COUNT, "sub", (one, other))


def _repeat(
    ctx: Context, out: list[Statement], node: ast.Repeat, env: Names, quiet: bool, rule: str, after: int
) -> None:
    left = new_cell(ctx, "times left", ir.COUNT)
    out.append(Store(left, needed(ctx, node.bound.times, env), node))
    head = new_block(ctx, node)
    out.append(Goto(head, node))
    ctx.lines[head] += stop_repeating(ctx, left, node.bound, env, after, node)
    mark(ctx, ctx.lines[head], "each", node, env)
    ctx.lines[flow(ctx, head, node.body, dict(env), quiet, rule)].append(Goto(head, node))
