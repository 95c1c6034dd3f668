"""Compound statements in rules without decisions."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ast
from dsl.symbols import LocalSymbol
from interpreter.compiler.expression_facts import loose_pieces
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import Expr, Loop, Op, number
from interpreter.compiler.ir.statements import Assign, Break, Continue, For, If, Repeat, Statement, Store
from interpreter.compiler.lowering.binders import loops
from interpreter.compiler.lowering.comparisons import negated
from interpreter.compiler.lowering.context import Context, Env, variable
from interpreter.compiler.lowering.effects import Lines, mark, simple
from interpreter.compiler.lowering.families import taken
from interpreter.compiler.lowering.footprints import ME_NAME, written_inside
from interpreter.compiler.lowering.names import acting_seat
from interpreter.compiler.lowering.reactions import react
from interpreter.compiler.lowering.simultaneous import simultaneous_loop
from interpreter.compiler.lowering.types import player_type
from interpreter.compiler.lowering.values import needed, truth


def block(
    ctx: Context, statements: Sequence[ast.Statement], env: dict[LocalSymbol, Expr], quiet: bool
) -> tuple[Statement, ...]:  # fmt: skip
    """Lower statements."""
    out: Lines = []
    for node in statements:
        statement(ctx, out, node, env, quiet)
    return tuple(out)


def statement(ctx: Context, out: Lines, node: ast.Statement, env: dict[LocalSymbol, Expr], quiet: bool) -> None:
    """Lower a statement."""
    match node:
        case ast.If():
            _if(ctx, out, node, env, quiet)
        case ast.ForEach(at_once=True):
            simultaneous_loop(ctx, out, node, env)
            react(ctx, out, written_inside(ctx, node), quiet, node)
        case ast.ForEach():
            _for_each(ctx, out, node, env, quiet)
        case ast.EachPlayer():
            _each_player(ctx, out, node, env, quiet)
        case ast.Repeat():
            _repeat(ctx, out, node, env, quiet)
        case _:
            simple(ctx, out, node, env, quiet)


def _if(ctx: Context, out: Lines, node: ast.If, env: dict[LocalSymbol, Expr], quiet: bool) -> None:
    inner = dict(taken(ctx, node.condition, env))
    condition = truth(ctx, node.condition, inner)
    then: Lines = []
    mark(ctx, then, "holds", node, env)
    for symbol in [symbol for symbol in inner if symbol not in env]:
        found = inner[symbol]
        inner[symbol] = bound = variable(ctx, symbol.name, found.type)
        then.append(Assign(bound, found, node))
    then += block(ctx, node.then, inner, quiet)
    otherwise: Lines = []
    mark(ctx, otherwise, "fails", node, env)
    otherwise += block(ctx, node.otherwise, dict(env), quiet)
    out.append(If(condition, tuple(then), tuple(otherwise), node))


def _for_each(ctx: Context, out: Lines, node: ast.ForEach, env: Env, quiet: bool) -> None:
    mark(ctx, out, "loop", node, env)
    found, inner = loops(ctx, node.binders, node.where, env)
    inner = dict(inner)
    body: Lines = []
    mark(ctx, body, "each", node, inner)
    body += block(ctx, node.body, inner, quiet)
    loose = any(loose_pieces(ctx.model, binder.domain) for binder in node.binders)
    out.append(For(found, tuple(body), loose, node))


def _skip_unless(ctx: Context, body: Lines, where: ast.Expression | None, env: Env, node: ast.Statement) -> None:
    if where is not None:
        body.append(If(negated(truth(ctx, where, env), where), (Continue(node),), (), where))


def _each_player(ctx: Context, out: Lines, node: ast.EachPlayer, env: Env, quiet: bool) -> None:
    mark(ctx, out, "loop", node, env)
    seats, count = player_type(ctx), len(ctx.layout.seats)
    before, first = variable(ctx, "me", seats), variable(ctx, "first", seats)
    last, turn = variable(ctx, "last", seats), variable(ctx, "turn", ir.Int(0, count - 1))
    me = acting_seat(ctx)
    out += [Assign(before, me, node), Assign(first, needed(ctx, node.first, env), node)]
    before_first = around(ctx, Op(ir.COUNT, "sub", (first, number(1))))
    final = before_first if node.last is None else needed(ctx, node.last, env)
    out.append(Assign(last, final, node))
    rounds = Op(ir.COUNT, "add", (around(ctx, Op(ir.COUNT, "sub", (last, first))), number(1)))
    body: Lines = [Store(me, around(ctx, Op(ir.COUNT, "add", (first, turn))), node)]
    react(ctx, body, frozenset({ME_NAME}), quiet, node)
    _skip_unless(ctx, body, node.where, env, node)
    mark(ctx, body, "each", node, env)
    body += block(ctx, node.body, dict(env), quiet)
    span = Op(ir.Seq(turn.type), "span", (number(0), Op(ir.COUNT, "sub", (rounds, number(1)))))
    out += [For((Loop(turn, span),), tuple(body), False, node), Store(me, before, node)]


def around(ctx: Context, node: Expr) -> Expr:
    """The seat at a position in clockwise order."""
    return Op(player_type(ctx), "mod", (node, number(len(ctx.layout.seats))))


def _repeat(ctx: Context, out: Lines, node: ast.Repeat, env: Env, quiet: bool) -> None:
    mark(ctx, out, "loop", node, env)
    body: Lines = []
    mark(ctx, body, "again", node, env)
    if node.bound.condition is not None:
        condition = truth(ctx, node.bound.condition, env)
        body.append(If(negated(condition, node.bound.condition), (Break(node),), (), node.bound.condition))
    mark(ctx, body, "each", node, env)
    body += block(ctx, node.body, dict(env), quiet)
    out.append(Repeat(needed(ctx, node.bound.times, env), tuple(body), node))
