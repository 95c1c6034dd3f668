"""Functions without decisions: definitions, rules, reactions, visibility, criteria."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ast
from dsl.symbols import DefineSymbol, LocalSymbol, RuleSymbol, WhenSymbol
from dsl.types import PLAYER, Nothing, bare
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import Const, Expr, Local, Loop, Op
from interpreter.compiler.ir.module import Function, FunctionKind, named
from interpreter.compiler.ir.statements import Block, For, If, Return, Statement
from interpreter.compiler.lowering.binders import bound_local, in_order
from interpreter.compiler.lowering.context import Context, variable
from interpreter.compiler.lowering.control import marked_block
from interpreter.compiler.lowering.families import with_captures
from interpreter.compiler.lowering.types import ir_type, piece_type, player_type
from interpreter.compiler.lowering.values import (
    fitted,
    function_of,
    local,
    mask,
    needed,
    plain,
    reaction_holds,
    truth,
    type_of,
    value,
)

TEAM = "team"
"""The name of the function that gives the team of a seat."""


def _params(ctx: Context, symbols: Sequence[LocalSymbol]) -> dict[LocalSymbol, Local]:
    return {symbol: bound_local(ctx, symbol) for symbol in symbols}


def _values(ctx: Context, env: dict[LocalSymbol, Local]) -> dict[LocalSymbol, Expr]:
    return dict(env)


def define_function(ctx: Context, symbol: DefineSymbol) -> None:
    """The function of a definition: its cases in order."""
    locals_by_symbol = _params(ctx, symbol.parameters)
    env, out = _values(ctx, locals_by_symbol), list[Statement]()
    assert symbol.type is not None
    for case in symbol.declaration.cases:
        case_env = env if case.condition is None else with_captures(ctx, case.condition, env)
        statement: Statement = Return(fitted(ctx, case.value, symbol.type, case_env), case)
        if case.condition is not None:
            statement = If(truth(ctx, case.condition, case_env), (statement,), (), case)
        out.append(statement)
    name = function_of(symbol.name)
    ctx.module.functions[name] = Function(
        "define",
        name,
        tuple(locals_by_symbol.values()),
        tuple(out),
        ir_type(ctx, symbol.type),
        0,
        (),
        symbol.declaration,
    )


def rule_body(ctx: Context, name: str, rule: RuleSymbol, quiet: bool) -> None:
    """The function of a rule without decisions."""
    locals_by_symbol = _params(ctx, rule.parameters)
    body = marked_block(ctx, rule.declaration, _values(ctx, locals_by_symbol), quiet)
    kind: FunctionKind = "quiet rule" if quiet else "rule"
    ctx.module.functions[name] = Function(
        kind, name, tuple(locals_by_symbol.values()), body, None, 0, (), rule.declaration
    )


def when_function(ctx: Context, when: WhenSymbol) -> None:
    """The function that performs one reaction once, for the first arguments for which it holds."""
    locals_by_symbol = _params(ctx, when.parameters)
    bound = tuple(locals_by_symbol.values())
    row = ir.Row(tuple(argument.type for argument in bound))
    returned = Return(Op(row, "row", bound), when.declaration)
    happens = (*marked_block(ctx, when.declaration, _values(ctx, locals_by_symbol), quiet=True), returned)
    body: Block = (If(reaction_holds(ctx, when, bound), happens, (), when.declaration),)
    for parameter, argument in reversed(locals_by_symbol.items()):
        every = in_order(argument.type, ctx.layout.values(parameter.type))
        body = (For((Loop(argument, every),), body, False, when.declaration),)
    body = (*body, Return(Const(ir.Opt(row), None), when.declaration))
    name = named("w", when.name)
    ctx.module.functions[name] = Function("when", name, (), body, ir.Opt(row), 0, (when.name,), when.declaration)


def reaction_function(ctx: Context, name: str) -> None:
    """The function that performs reactions until none holds, apart from those that may ask, which are in blocks."""
    tried = tuple(named("w", when.name) for when in ctx.model.whens if when.name not in ctx.suspending.asking)
    ctx.module.functions[name] = Function("react", name, (), (), None, 0, tried)


def criteria(ctx: Context) -> None:
    """The criteria that decide who wins, the most important first: `criterion_0`, ...; conditions are `Bool`."""
    winner = ctx.model.winner
    for number, criterion in enumerate(winner.criteria if winner is not None else ()):
        compared = truth(ctx, criterion.value, {}) if criterion.is_condition else needed(ctx, criterion.value, {})
        if criterion.direction == "lowest":
            compared = Op(compared.type, "neg", (compared,), criterion)
        name = f"criterion_{number}"
        body = (Return(compared, criterion),)
        ctx.module.functions[name] = Function("criterion", name, (), body, compared.type, number, (), criterion)


def teams(ctx: Context) -> None:
    """The team of a seat, if there are teams: another function evaluated for each seat when the game is over."""
    node = ctx.model.teams
    if node is not None:
        team, number = plain(ctx, node.value, {}), len(ctx.model.winner.criteria if ctx.model.winner else ())
        ctx.module.functions[TEAM] = Function("criterion", TEAM, (), (Return(team, node),), team.type, number, (), node)


def zone_sights(ctx: Context, name: str) -> None:
    """The seats that see an attribute of a piece at a place of a zone: `see(zone, attribute)(index..., it)`."""
    zone = ctx.model.zones[name]
    locals_by_symbol = _params(ctx, [local(ctx, parameter) for parameter in zone.declaration.index])
    looked_at = ctx.model.refers.get(zone.declaration.sights[0].number) if zone.declaration.sights else None
    it = variable(ctx, "it", piece_type(ctx))
    env = _values(ctx, locals_by_symbol)
    if isinstance(looked_at, LocalSymbol):
        env[looked_at] = it
    sights = {sight.attribute: sight.viewers for sight in zone.declaration.sights}
    for attribute in sorted({a for held in zone.declaration.holds for a in ctx.model.pieces[held.name].attributes}):
        viewers = sights.get(attribute, sights.get(None))
        seats = _viewers(ctx, viewers, env)
        function = named("see", name, attribute)
        params = (*locals_by_symbol.values(), it)
        body = (Return(seats, viewers),)
        ctx.module.functions[function] = Function("sight", function, params, body, seats.type, 0, (), zone.declaration)


def note_sight(ctx: Context, name: str) -> None:
    """The seats that see a note: `see_note(name)(index...)`."""
    note = ctx.model.notes[name]
    locals_by_symbol = _params(ctx, [local(ctx, parameter) for parameter in note.declaration.index])
    viewers = note.declaration.sights[0].viewers if note.declaration.sights else None
    seats = _viewers(ctx, viewers, _values(ctx, locals_by_symbol))
    function = named("see_note", name)
    body = (Return(seats, viewers),)
    params = tuple(locals_by_symbol.values())
    ctx.module.functions[function] = Function("sight", function, params, body, seats.type, 0, (), note.declaration)


def _viewers(ctx: Context, viewers: ast.Expression | None, env: dict[LocalSymbol, Expr]) -> Expr:
    """The set of seats that `seen by` names."""
    seats = player_type(ctx)
    every = ir.Set(seats.domain, seats.width)
    if viewers is None:
        return Const(every, (1 << seats.width) - 1)
    type_ = type_of(ctx, viewers)
    if isinstance(type_, Nothing):
        return Const(every, 0)
    if bare(type_) == PLAYER:
        return Op(every, "single", (value(ctx, viewers, env),), viewers)
    return mask(ctx, viewers, env)
