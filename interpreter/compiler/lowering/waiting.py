"""Decisions: their legal moves, and the effect of each move."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ast
from dsl.symbols import LocalSymbol
from interpreter.compiler.decisions import DECLINED, FIRST_ACT, NOT_IN, Decision
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import NOTHING, Choice, Const, Expr, Local, Op, number
from interpreter.compiler.ir.statements import Assign, Block, Break, Decide, Idle, If, Perform, Repeat, Store
from interpreter.compiler.lowering.binders import bound_local
from interpreter.compiler.lowering.blocks import new_block
from interpreter.compiler.lowering.choices import Choices
from interpreter.compiler.lowering.comparisons import negated
from interpreter.compiler.lowering.context import Context, Env, variable
from interpreter.compiler.lowering.effects import FOREVER, Lines, rule_function
from interpreter.compiler.lowering.legal import legal_moves, several_moves
from interpreter.compiler.lowering.names import acting_seat
from interpreter.compiler.lowering.types import ir_type
from interpreter.compiler.lowering.values import local, needed, truth

MOVE = Local(ir.Row(()), "move")
"""The move made: the number of the act, or -1 for declining, and its arguments."""


def ask(
    ctx: Context, out: Lines, node: ast.Question, env: dict[LocalSymbol, Expr], quiet: bool,
    stored: Choices | None = None, instead: Block = (),
) -> None:  # fmt: skip
    """Lower a decision.

    `stored`: the cells that store the choice instead, until all seats have chosen; `instead`: what happens if there is
    no move.
    """
    match node:
        case ast.Choose(amount=None):
            _choose(ctx, out, node, env, quiet, stored)
        case ast.Choose():
            _choose_several(ctx, out, node, env, quiet, stored)
        case ast.Decide():
            _decide(ctx, out, node, env, quiet, stored, instead)


def _decide(
    ctx: Context, out: Lines, node: ast.Decide, env: Env, quiet: bool, stored: Choices | None, instead: Block
) -> None:  # fmt: skip
    """One of several acts, perhaps repeatedly."""
    bound = node.bound
    if stored is not None:
        out.append(_asked(ctx, node, env, quiet, _choice_stored(ctx, node, stored), at_once=True))
    elif bound is None:
        out.append(decided(ctx, node, env, quiet, instead))
    else:
        # A repeated decision is a loop with a `Break` where its condition fails, where there is no move, and where the
        # player declines.
        body: Lines = []
        if bound.condition is not None:
            failed = negated(truth(ctx, bound.condition, env), bound.condition)
            body.append(If(failed, (Break(node),), (), bound.condition))
        body.append(decided(ctx, node, env, quiet, (Break(node),)))
        out.append(Repeat(needed(ctx, bound.times, env), tuple(body), node))


def decided(
    ctx: Context, node: ast.Decide, env: Env, quiet: bool, otherwise: Block = (), source: ast.Node | None = None
) -> Decide:  # fmt: skip
    """One of several acts, once; `otherwise` happens if there is none, or the player declines."""
    by_act: list[Block] = []
    for act in node.offered:
        parameters = enumerate(ctx.model.rules[act.name].parameters, 1)
        values = [_part(ir_type(ctx, parameter.type), place) for place, parameter in parameters]
        by_act.append((_performed(ctx, node, act, values, quiet),))
    consequences = _by_act(node, by_act, otherwise)
    return _asked(ctx, node, env, quiet, consequences, otherwise, source=source)


def _choose(
    ctx: Context, out: Lines, node: ast.Choose, env: dict[LocalSymbol, Expr], quiet: bool, stored: Choices | None
) -> None:  # fmt: skip
    """A choice of one value, or of none if there is none to choose."""
    if stored is not None:
        out.append(_asked(ctx, node, env, quiet, _choice_stored(ctx, node, stored), at_once=True))
        return
    # INVARIANT: what is chosen is not in scope of the question about it, whose domain is lowered with the names before.
    env_before = dict(env)
    chosen = env[local(ctx, node)] = bound_local(ctx, local(ctx, node))
    value = Choice(ir.optional(chosen.type), _act_is(0), _part(ir.bare(chosen.type), 1), NOTHING)
    consequences = (Assign(chosen, value, node),)
    out.append(_asked(ctx, node, env_before, quiet, consequences, (Assign(chosen, NOTHING, node),)))


def _choose_several(
    ctx: Context, out: Lines, node: ast.Choose, env: dict[LocalSymbol, Expr], quiet: bool, stored: Choices | None
) -> None:  # fmt: skip
    """A choice of several values, repeated until there are enough, none is left, or the player ends it."""
    assert node.amount is not None
    env_before = dict(env)
    chosen = env[local(ctx, node)] = bound_local(ctx, local(ctx, node))
    type_ = ir.bare(chosen.type)
    out.append(Assign(chosen, Const(type_, 0), node))
    enough = Op(ir.BOOL, "ge", (Op(ir.COUNT, "size", (chosen,)), needed(ctx, node.amount.most, env_before)))
    picked = Op(type_, "single", (_part(ir.element(chosen.type), 1),))
    consequences: Block = (
        If(_act_is(-1), (Break(node),), (), node),
        Assign(chosen, Op(type_, "union", (chosen, picked)), node),
    )
    # With the first pick the seat has chosen something; the set itself is stored once it is complete.
    if stored is not None:
        consequences = (Store(stored.stage(acting_seat(ctx)), number(FIRST_ACT), node), *consequences)
    moves = several_moves(ctx, node, node.amount, env_before, chosen)
    decision = _asked(ctx, node, env_before, quiet, consequences, (Break(node),), moves, chosen, stored is not None)
    # `must choose 3 cards from hand[me]` is three decisions of one card each, not one of all subsets: a hand of 13 has
    # 286 of these, and what is still possible follows after each pick.
    out.append(Repeat(FOREVER, (If(enough, (Break(node),), (), node), decision), node))
    if stored is not None:
        out.append(Store(stored.part(0, 0, acting_seat(ctx)), chosen, node))


def _asked(
    ctx: Context, node: ast.Question, env: Env, quiet: bool, consequences: Block, otherwise: Block = (),
    moves: Block | None = None, chosen: Local | None = None, at_once: bool = False, source: ast.Node | None = None,
) -> Decide:  # fmt: skip
    """A decision with the effect of each move; `chosen` is what has been chosen so far."""
    point = new_block(ctx, node)
    ctx.decisions[point] = Decision(point, node, {}, "", None, quiet, at_once)
    ctx.scopes[point] = dict(env), chosen
    listed = legal_moves(ctx, node, env) if moves is None else moves
    return Decide(point, listed, (MOVE,), (Idle(True, node), *consequences), otherwise, source or node)


def _part(type_: ir.Type, place: int) -> Expr:
    """A part of the move."""
    return Op(type_, "part", (MOVE, number(place)))


def _act_is(act: int) -> Expr:
    return Op(ir.BOOL, "eq", (_part(ir.Int(-1, 10**6), 0), number(act)))


def _by_act(node: ast.Question, by_act: Sequence[Block], declined: Block) -> Block:
    """The statements for the act of the move, the last without a test; or others if the player declines."""
    sources = node.offered if isinstance(node, ast.Decide) else (node,)
    # The moves are those of these acts, so the last one needs no test. `splitting.py` knows the tests of the others by
    # their mention of the move.
    *others, consequences = by_act
    for place, block in reversed(list(enumerate(others))):
        consequences = (If(_act_is(place), block, consequences, sources[place]),)
    return (If(_act_is(-1), declined, consequences, node),) if node.duty == "may" else consequences


def _choice_stored(ctx: Context, node: ast.Question, stored: Choices) -> Block:
    """Store the move, to be made when everybody has chosen."""
    mine = acting_seat(ctx)
    by_act: list[Block] = []
    for place, parts in enumerate(stored.parts):
        lines: Lines = [Store(stored.stage(mine), number(FIRST_ACT + place), node)]
        for position in range(len(parts)):
            cell = stored.part(place, position, mine)
            lines.append(Store(cell, _part(ir.bare(cell.type), position + 1), node))
        by_act.append(tuple(lines))
    return _by_act(node, by_act, (Store(stored.stage(mine), number(DECLINED), node),))


def make_choice(
    ctx: Context, out: Lines, node: ast.Question, stored: Choices, env: dict[LocalSymbol, Expr], quiet: bool,
    instead: Block,
) -> None:  # fmt: skip
    """Carry out the acting seat's stored choice, and clear it; `instead`: what it does if it had no move."""
    mine = acting_seat(ctx)
    over = Store(stored.stage(mine), number(NOT_IN), node)
    if isinstance(node, ast.Choose):
        chosen, part = bound_local(ctx, local(ctx, node)), stored.part(0, 0, mine)
        env[local(ctx, node)] = chosen
        out += [Assign(chosen, part, node), Store(part, NOTHING, node), over]
        return
    # The values are read and the cells cleared before the act is done: it may ask the same question again.
    consequences: Block = (over, *instead)
    for place, act in reversed(list(enumerate(node.offered))):
        carried_out: Lines = []
        values: list[Expr] = []
        for position, parameter in enumerate(ctx.model.rules[act.name].parameters):
            cell = stored.part(place, position, mine)
            values.append(value := variable(ctx, parameter.name, cell.type))
            carried_out += [Assign(value, cell, act), Store(cell, NOTHING, act)]
        carried_out += [over, _performed(ctx, node, act, values, quiet)]
        chosen_act = Op(ir.BOOL, "eq", (stored.stage(mine), number(FIRST_ACT + place)))
        consequences = (If(chosen_act, tuple(carried_out), consequences, act),)
    out += consequences


def _performed(ctx: Context, node: ast.Decide, act: ast.Act, values: Sequence[Expr], quiet: bool) -> Perform:
    """The call of an act that a decision offers."""
    ctx.offering[act.number] = node
    return Perform(rule_function(ctx, ctx.model.rules[act.name], quiet), tuple(values), act)
