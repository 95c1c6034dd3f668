"""Decisions: the block that suspends at one, its legal moves, and the effect of each move."""

from __future__ import annotations

from dsl import ast
from interpreter.compiler.decisions import DECLINED, FIRST_ACT, NOT_IN, Decision
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import NOTHING, Cell, Choice, Const, Expr, Local, Op, number
from interpreter.compiler.ir.module import Function
from interpreter.compiler.ir.statements import Assign, Goto, Idle, If, Perform, Statement, Store, Suspend
from interpreter.compiler.lowering.blocks import Names, enter, entry, local_cell, new_block
from interpreter.compiler.lowering.choices import Choices
from interpreter.compiler.lowering.comparisons import negated
from interpreter.compiler.lowering.context import Context, new_cell, variable
from interpreter.compiler.lowering.effects import rule_function
from interpreter.compiler.lowering.footprints import suspending_rules
from interpreter.compiler.lowering.legal import moves_function, several_moves
from interpreter.compiler.lowering.names import acting_seat
from interpreter.compiler.lowering.types import ir_type
from interpreter.compiler.lowering.values import local, needed, truth
from interpreter.compiler.names import InCell

MOVE = ir.Row(())


def ask_decision(
    ctx: Context, out: list[Statement], node: ast.Decide | ast.Choose, env: Names, quiet: bool, rule: str, after: int,
    kept: Choices | None = None,
) -> None:  # fmt: skip
    """Suspend at a decision, perhaps repeatedly, then jump to a block; `kept`: where to store the choice instead."""
    if isinstance(node, ast.Choose) and node.amount is not None:
        _ask_several(ctx, out, node, env, rule, after, quiet, kept)
        return
    point = new_block(ctx, node)
    again = after
    bound = node.bound if isinstance(node, ast.Decide) else None
    if bound is not None:
        again = _ask_again(ctx, out, node, bound, env, point, after)
    else:
        out.append(Goto(point, node))
    outer, chosen = dict(env), None
    if isinstance(node, ast.Choose) and kept is None:
        chosen = local_cell(ctx, local(ctx, node), env)
    keep_decision(ctx, point, node, outer, rule, None, quiet, kept is not None)
    moves_function(ctx, point, node, outer)
    ctx.lines[point].append(Suspend(point, after, chosen, node))
    if kept is not None:
        _keep_choice(ctx, point, node, kept, after)
    else:
        apply_function(ctx, point, node, env, quiet, again, after)


def keep_decision(
    ctx: Context, point: int, node: ast.Decide | ast.Choose, env: Names, rule: str, chosen: int | None, quiet: bool,
    at_once: bool = False,
) -> None:  # fmt: skip
    """Record the location of a decision, and the names in scope there."""
    names = {symbol: InCell(found.group.first) for symbol, found in env.items() if isinstance(found, Cell)}
    ctx.decisions[point] = Decision(point, node, names, rule, chosen, quiet, at_once)


def _ask_again(
    ctx: Context, out: list[Statement], node: ast.Decide | ast.Choose, bound: ast.Bound, env: Names, point: int,
    after: int,
) -> int:  # fmt: skip
    """Repeat a decision up to a number of times, while a condition holds; returns the block that repeats it."""
    left = new_cell(ctx, "times left", ir.COUNT)
    out.append(Store(left, needed(ctx, bound.times, env), node))
    again = new_block(ctx, node)
    ctx.origins[again] = node
    out.append(Goto(again, node))
    ctx.lines[again] += stop_repeating(ctx, left, bound, env, after, node)
    ctx.lines[again].append(Goto(point, node))
    return again


def stop_repeating(
    ctx: Context, left: Cell, bound: ast.Bound, env: Names, after: int, source: ast.Node
) -> list[Statement]:
    """Jump to a block if the count is reached or the condition fails; otherwise count."""
    out: list[Statement] = [
        If(Op(ir.BOOL, "le", (left, number(0))), (Goto(after, source),), (), bound),
    ]
    if bound.condition is not None:
        failed = negated(truth(ctx, bound.condition, env), bound.condition)
        out.append(If(failed, (Goto(after, source),), (), bound.condition))
    out.append(Store(left, Op(ir.COUNT, "sub", (left, number(1))), source))
    return out


def _ask_several(
    ctx: Context, out: list[Statement], node: ast.Choose, env: Names, rule: str, after: int, quiet: bool,
    kept: Choices | None,
) -> None:  # fmt: skip
    """A choice of several values, repeated until there are enough, none is left, or the player ends it."""
    assert node.amount is not None
    outer = dict(env)
    chosen = local_cell(ctx, local(ctx, node), env)
    empty = Const(ir.bare(chosen.type), 0)
    out.append(Store(chosen, empty, node))
    begun: tuple[Statement, ...] = ()
    if kept is not None:
        mine, complete = acting_seat(ctx), new_block(ctx, node)
        begun = (Store(kept.stage(mine), number(FIRST_ACT), node),)
        ctx.lines[complete] += [Store(kept.part(0, 0, mine), chosen, node), Goto(after, node)]
        after = complete
    again, point = new_block(ctx, node), new_block(ctx, node)
    out.append(Goto(again, node))
    most = needed(ctx, node.amount.most, outer)
    enough = Op(ir.BOOL, "ge", (Op(ir.COUNT, "size", (chosen,)), most))
    ctx.lines[again] += [If(enough, (Goto(after, node),), (), node), Goto(point, node)]
    keep_decision(ctx, point, node, outer, rule, chosen.group.first, quiet, kept is not None)
    several_moves(ctx, point, node, node.amount, outer, chosen)
    ctx.lines[point].append(Suspend(point, after, None, node))
    move = Local(MOVE, "move")
    one = Op(ir.bare(chosen.type), "single", (Op(ir.element(chosen.type), "part", (move, number(1))),))
    body: tuple[Statement, ...] = (
        Idle(True, node),
        *begun,
        If(_act_is(move, -1), (Goto(after, node),), (), node),
        Store(chosen, Op(ir.bare(chosen.type), "union", (chosen, one)), node),
        Goto(again, node),
    )
    _keep_apply(ctx, point, move, body, node)


def _act_is(move: Local, act: int) -> Expr:
    return Op(ir.BOOL, "eq", (Op(ir.Int(-1, 10**6), "part", (move, number(0))), number(act)))


def _keep_apply(ctx: Context, point: int, move: Local, body: tuple[Statement, ...], node: ast.Node) -> None:
    name = f"a{point}"
    ctx.module.functions[name] = Function("apply", name, (move,), body, None, point, (), node)


def apply_function(
    ctx: Context, point: int, node: ast.Decide | ast.Choose, env: Names, quiet: bool, again: int, after: int
) -> None:
    """The function that makes a move of the decision and jumps to a block."""
    move = Local(MOVE, "move")
    body: list[Statement] = [Idle(True, node)]
    if isinstance(node, ast.Choose):
        cell = env[local(ctx, node)]
        assert isinstance(cell, Cell)
        found = Op(ir.bare(cell.type), "part", (move, number(1)))
        chosen = Choice(ir.optional(cell.type), _act_is(move, 0), found, NOTHING)
        body += [Store(cell, chosen, node), Goto(after, node)]
    else:
        if node.duty == "may":
            body.append(If(_act_is(move, -1), (Goto(after, node),), (), node))
        acts = (*node.acts, *node.otherwise)
        for place, act in enumerate(acts):
            made = _made(ctx, act, move, quiet, again)
            body += made if place == len(acts) - 1 else [If(_act_is(move, place), tuple(made), (), act)]
    _keep_apply(ctx, point, move, tuple(body), node)


def _keep_choice(ctx: Context, point: int, node: ast.Decide | ast.Choose, kept: Choices, after: int) -> None:
    """The function that keeps a move of the decision, to be made when everybody has chosen, and jumps to a block."""
    move, mine = Local(MOVE, "move"), acting_seat(ctx)
    body: list[Statement] = [Idle(True, node)]
    if node.duty == "may":
        declined: list[Statement] = [Store(kept.stage(mine), number(DECLINED), node), Goto(after, node)]
        body.append(If(_act_is(move, -1), tuple(declined), (), node))
    for place, parts in enumerate(kept.parts):
        found: list[Statement] = [Store(kept.stage(mine), number(FIRST_ACT + place), node)]
        for position in range(len(parts)):
            cell = kept.part(place, position, mine)
            found.append(Store(cell, Op(ir.bare(cell.type), "part", (move, number(position + 1))), node))
        found.append(Goto(after, node))
        body += found if place == len(kept.parts) - 1 else [If(_act_is(move, place), tuple(found), (), node)]
    _keep_apply(ctx, point, move, tuple(body), node)


def make_choice(
    ctx: Context, out: list[Statement], node: ast.Decide | ast.Choose, kept: Choices, env: Names, quiet: bool,
    after: int,
) -> None:  # fmt: skip
    """Carry out the acting seat's stored choice, clear it, and jump to a block."""
    mine = acting_seat(ctx)
    over = Store(kept.stage(mine), number(NOT_IN), node)
    if isinstance(node, ast.Choose):
        cell, part = local_cell(ctx, local(ctx, node), env), kept.part(0, 0, mine)
        out += [Store(cell, part, node), Store(part, NOTHING, node), over, Goto(after, node)]
        return
    for place, act in enumerate((*node.acts, *node.otherwise)):
        made: list[Statement] = []
        values: list[Expr] = []
        for position, parameter in enumerate(ctx.model.rules[act.name].parameters):
            cell = kept.part(place, position, mine)
            values.append(value := variable(ctx, parameter.name, cell.type))
            made += [Assign(value, cell, act), Store(cell, NOTHING, act)]
        made += [over, *_performed(ctx, act, tuple(values), quiet, after)]
        out.append(If(Op(ir.BOOL, "eq", (kept.stage(mine), number(FIRST_ACT + place))), tuple(made), (), act))
    out += [over, Goto(after, node)]


def _made(ctx: Context, act: ast.Act, move: Local, quiet: bool, again: int) -> list[Statement]:
    """The statements that perform an act with the arguments of a move."""
    values = tuple(
        Op(ir_type(ctx, parameter.type), "part", (move, number(place)))
        for place, parameter in enumerate(ctx.model.rules[act.name].parameters, 1)
    )
    return _performed(ctx, act, values, quiet, again)


def _performed(ctx: Context, act: ast.Act, values: tuple[Expr, ...], quiet: bool, again: int) -> list[Statement]:
    """The statements that perform an act."""
    rule = ctx.model.rules[act.name]
    out: list[Statement] = []
    if rule.name in suspending_rules(ctx, quiet):
        enter(out, entry(ctx, rule, quiet), values, again, act)
    else:
        out += [Perform(rule_function(ctx, rule, quiet), values, act), Goto(again, act)]
    return out
