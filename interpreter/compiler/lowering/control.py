"""Compound statements, as structured statements of the IR whether or not they may suspend at a decision.

`splitting.py` splits the rules that may into blocks.
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.symbols import LocalSymbol
from interpreter.compiler.decisions import ASKED, NOT_IN
from interpreter.compiler.expression_facts import loose_pieces
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import Choice, Expr, Local, Op, number
from interpreter.compiler.ir.statements import Announce, Assign, Block, Break, Continue, For, If, Repeat, Store
from interpreter.compiler.lowering.binders import bound_local, loops
from interpreter.compiler.lowering.choices import choice_cells
from interpreter.compiler.lowering.comparisons import negated
from interpreter.compiler.lowering.context import Context, Env, variable
from interpreter.compiler.lowering.effects import Lines, mark, simple
from interpreter.compiler.lowering.families import with_captures
from interpreter.compiler.lowering.footprints import ME_NAME, written_inside
from interpreter.compiler.lowering.names import acting_seat
from interpreter.compiler.lowering.reactions import react
from interpreter.compiler.lowering.simultaneous import simultaneous_loop
from interpreter.compiler.lowering.types import player_type
from interpreter.compiler.lowering.values import needed, truth
from interpreter.compiler.lowering.waiting import ask, make_choice

Names = dict[LocalSymbol, Expr]


def marked_block(ctx: Context, node: ast.Step | ast.Action | ast.When, env: Env, quiet: bool) -> Block:
    """Lower the statements of a rule, with the marks of where it is entered and left."""
    out: Lines = []
    mark(ctx, out, "enter", node, env)
    out += block(ctx, node.body, env, quiet)
    mark(ctx, out, "leave", node, {})
    return tuple(out)


def block(ctx: Context, statements: Sequence[ast.Statement], env: Env, quiet: bool) -> Block:
    """Lower statements; `quiet`: during set-up or in a reaction, where no reactions happen."""
    out: Lines = []
    body_env = dict(env)
    for node in statements:
        _statement(ctx, out, node, body_env, quiet)
    return tuple(out)


def _statement(ctx: Context, out: Lines, node: ast.Statement, env: Names, quiet: bool) -> None:
    match node:
        case ast.If():
            _if(ctx, out, node, env, quiet)
        case ast.ForEach(at_once=True):
            simultaneous_loop(ctx, out, node, env)
            react(ctx, out, written_inside(ctx, node), quiet, node)
        case ast.ForEach():
            _for_each(ctx, out, node, env, quiet)
        case ast.EachPlayer(at_once=True):
            _each_player_at_once(ctx, out, node, env, quiet)
        case ast.EachPlayer():
            _each_player(ctx, out, node, env, quiet)
        case ast.Repeat():
            _repeat(ctx, out, node, env, quiet)
        case ast.Decide() | ast.Choose():
            ask(ctx, out, node, env, quiet, instead=_instead(ctx, node, env, quiet))
        case _:  # those that remain are simple, as mypy sees
            simple(ctx, out, node, env, quiet)


def _if(ctx: Context, out: Lines, node: ast.If, env: Env, quiet: bool) -> None:
    body_env = dict(with_captures(ctx, node.condition, env))
    condition = truth(ctx, node.condition, body_env)
    then: Lines = []
    mark(ctx, then, "holds", node, env)
    for symbol in [symbol for symbol in body_env if symbol not in env]:
        argument, bound = body_env[symbol], bound_local(ctx, symbol)
        body_env[symbol] = bound
        then.append(Assign(bound, argument, node))
    then += block(ctx, node.then, body_env, quiet)
    otherwise: Lines = []
    mark(ctx, otherwise, "fails", node, env)
    otherwise += block(ctx, node.otherwise, env, quiet)
    out.append(If(condition, tuple(then), tuple(otherwise), node))


def _instead(ctx: Context, node: ast.Question, env: Env, quiet: bool) -> Block:
    """What happens if none of the moves of a decision is possible."""
    if not isinstance(node, ast.Decide) or not node.instead:
        return ()
    out: Lines = []
    mark(ctx, out, "fails", node, env)
    return (*out, *block(ctx, node.instead, env, quiet))


def _for_each(ctx: Context, out: Lines, node: ast.ForEach, env: Env, quiet: bool) -> None:
    mark(ctx, out, "loop", node, env)
    combinations, body_env = loops(ctx, node.binders, node.where, env)
    body: Lines = []
    mark(ctx, body, "each", node, body_env)
    body += block(ctx, node.body, body_env, quiet)
    loose = any(loose_pieces(ctx.model, binder.domain) for binder in node.binders)
    out.append(For(combinations, tuple(body), loose, node))


def _repeat(ctx: Context, out: Lines, node: ast.Repeat, env: Env, quiet: bool) -> None:
    mark(ctx, out, "loop", node, env)
    body: Lines = []
    mark(ctx, body, "again", node, env)
    if node.bound.condition is not None:
        failed = negated(truth(ctx, node.bound.condition, env), node.bound.condition)
        body.append(If(failed, (Break(node),), (), node.bound.condition))
    mark(ctx, body, "each", node, env)
    body += block(ctx, node.body, env, quiet)
    out.append(Repeat(needed(ctx, node.bound.times, env), tuple(body), node))


# ---------------------------------------------------------------- loops over seats


@dataclass(frozen=True)
class _Round:
    """The locals of a loop over seats: who was acting before, and the next seat; and the number of seats.

    `step` is how far it is from one seat to the next, clockwise.
    """

    seat_before: Local
    seat: Local
    step: Expr
    count: Expr


def _begin_round(ctx: Context, out: Lines, node: ast.EachPlayer, env: Env) -> _Round:
    seats = player_type(ctx)
    previous_seat, seat = variable(ctx, "before", seats), variable(ctx, "seat", seats)
    out.append(Assign(seat, needed(ctx, node.first, env), node))
    last = needed(ctx, node.last, env) if node.last is not None else None
    step = fixed_step(ctx, out, node, env)
    end = last if last is not None else around(ctx, _minus(seat, step))
    out.append(Assign(previous_seat, acting_seat(ctx), node))
    between = around(ctx, _minus(end, seat))
    if node.backwards is not None:
        onward = Op(ir.BOOL, "eq", (step, number(1)))
        between = Choice(between.type, onward, between, around(ctx, _minus(seat, end)))
    return _Round(previous_seat, seat, step, Op(ir.COUNT, "add", (between, number(1))))


def fixed_step(ctx: Context, out: Lines, node: ast.EachPlayer | ast.Phase, env: Env) -> Expr:
    """How far it is from one seat to the next, clockwise, as decided before the first one."""
    if node.backwards is None:
        return number(1)
    step = variable(ctx, "step", ir.Int(0, len(ctx.layout.seats)))
    out.append(Assign(step, step_of(ctx, node.backwards, env), node))
    return step


def step_of(ctx: Context, node: ast.Backwards | None, env: Env) -> Expr:
    """How far it is from one seat to the next, clockwise: counterclockwise is almost once around."""
    if node is None:
        return number(1)
    back = number(len(ctx.layout.seats) - 1)
    if node.condition is None:
        return back
    return Choice(ir.Int(0, len(ctx.layout.seats)), truth(ctx, node.condition, env), back, number(1))


def _next_seat(ctx: Context, seat_round: _Round, node: ast.EachPlayer) -> Lines:
    following = around(ctx, Op(ir.COUNT, "add", (seat_round.seat, seat_round.step)))
    return [Store(acting_seat(ctx), seat_round.seat, node), Assign(seat_round.seat, following, node)]


def _skip_unless(ctx: Context, body: Lines, node: ast.EachPlayer, env: Env) -> None:
    if node.where is not None:
        body.append(If(negated(truth(ctx, node.where, env), node.where), (Continue(node),), (), node.where))


def _each_player(ctx: Context, out: Lines, node: ast.EachPlayer, env: Env, quiet: bool) -> None:
    mark(ctx, out, "loop", node, env)
    seat_round = _begin_round(ctx, out, node, env)
    body = _next_seat(ctx, seat_round, node)
    react(ctx, body, frozenset({ME_NAME}), quiet, node)
    _skip_unless(ctx, body, node, env)
    mark(ctx, body, "each", node, env)
    body += block(ctx, node.body, env, quiet)
    out += [Repeat(seat_round.count, tuple(body), node), Store(acting_seat(ctx), seat_round.seat_before, node)]


def _each_player_at_once(ctx: Context, out: Lines, node: ast.EachPlayer, env: Env, quiet: bool) -> None:
    """A round in which all seats choose, and one in which each carries out its choice and the rest of the block."""
    decision, *rest = node.body
    assert isinstance(decision, ast.Question)
    stored, seats, me = choice_cells(ctx, decision), range(len(ctx.layout.seats)), acting_seat(ctx)
    mark(ctx, out, "loop", node, env)
    seat_round = _begin_round(ctx, out, node, env)
    first, count = variable(ctx, "first", seat_round.seat.type), variable(ctx, "count", ir.COUNT)
    out += [Assign(first, seat_round.seat, node), Assign(count, seat_round.count, node)]
    # an unfinished choice is discarded
    out += [Store(stored.stage(number(seat)), number(NOT_IN), node) for seat in seats]
    choosing = _next_seat(ctx, seat_round, node)
    _skip_unless(ctx, choosing, node, env)
    choosing.append(Store(stored.stage(me), number(ASKED), node))
    mark(ctx, choosing, "each", node, env)
    ask(ctx, choosing, decision, dict(env), quiet, stored)
    out += [Repeat(count, tuple(choosing), node), Store(me, seat_round.seat_before, node)]
    out.append(Announce((first, *(cell for seat in seats for cell in stored.of_seat(seat))), decision))

    making, body_env = _next_seat(ctx, seat_round, node), dict(env)
    making.append(If(Op(ir.BOOL, "eq", (stored.stage(me), number(NOT_IN))), (Continue(node),), (), node))
    react(ctx, making, frozenset({ME_NAME}), quiet, node)
    mark(ctx, making, "each", node, env)
    make_choice(ctx, making, decision, stored, body_env, quiet, _instead(ctx, decision, env, quiet))
    making += block(ctx, rest, body_env, quiet)
    out += [Assign(seat_round.seat, first, node), Repeat(count, tuple(making), node)]
    out.append(Store(me, seat_round.seat_before, node))


def around(ctx: Context, node: Expr) -> Expr:
    """The seat at a position in clockwise order."""
    return Op(player_type(ctx), "mod", (node, number(len(ctx.layout.seats))))


def _minus(minuend: Expr, subtrahend: Expr) -> Expr:
    return Op(ir.COUNT, "sub", (minuend, subtrahend))
