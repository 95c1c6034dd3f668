"""Footprints: what rules read and change, to decide where to test reactions; and which rules have decisions.

    when hand[p] is empty for some p in Player: …            reads the zone `hand`
    move 1 from hand[me] to table                            changes `hand` and `table`: the reaction is tested after it
    set leader to me                                         changes neither: no test

Testing every reaction after every statement would be right, too, and slow. A footprint is a set of names of zones,
notes and dice, not of single places: which place `hand[p]` means is not known before the game runs.

A rule suspends if it has a decision, or calls one that does. But so does any rule that changes what a reaction reads if
that reaction asks something, or if it changes what such a reaction reads. `suspending` follows this chain to its end.
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ast
from dsl.checker.flow.calls import called
from dsl.checker.types.statements import all_statements
from dsl.symbols import BuiltinSymbol, DefineSymbol, DieSymbol, NoteSymbol, PositionSymbol, WhenSymbol, ZoneSymbol
from interpreter.compiler.expression_facts import piece_types
from interpreter.compiler.lowering.context import Context, Suspending
from interpreter.compiler.lowering.values import is_piece
from interpreter.compiler.requirements import with_callers

ME_NAME = "me"


def suspending(ctx: Context) -> Suspending:
    """The rules that may suspend: those with decisions, and those that trigger reactions with decisions."""
    rules = ctx.model.rules
    deciding = {name for name, rule in rules.items() if _decides(rule.declaration.body)}
    quiet = with_callers(ctx.model, deciding)
    asks = [when for when in ctx.model.whens if _asks(when.declaration.body, quiet)]
    triggers: frozenset[str] = frozenset()
    others = [when for when in ctx.model.whens if when not in asks]
    leading = asks
    # `leading` are the reactions found last. What they read is added to what triggers a suspension; a reaction that
    # changes any of it may lead to a decision, too, although it asks nothing itself, and is one of the next round.
    while leading:
        asks = [*asks, *(when for when in leading if when not in asks)]
        triggers = triggers.union(*(declared_reads(ctx, ctx.model.defines[when.name]) for when in leading))
        leading = [when for when in others if changed_by(ctx, when) & triggers]
        others = [when for when in others if when not in leading]
    triggering = {name for name, rule in rules.items() if _changes(ctx, rule.declaration.body, triggers)}
    both = with_callers(ctx.model, deciding | triggering)
    return Suspending(both, quiet, frozenset(when.name for when in asks), triggers)


def _decides(statements: Sequence[ast.Statement]) -> bool:
    return any(isinstance(node, ast.Question) for node in all_statements(statements))


def _asks(statements: Sequence[ast.Statement], deciding: frozenset[str]) -> bool:
    return _decides(statements) or any(act.name in deciding for act in called(statements))


def _changes(ctx: Context, statements: Sequence[ast.Statement], what: frozenset[str]) -> bool:
    """Whether statements themselves may change what reactions read; `each player` changes the acting seat."""
    return any(_written(ctx, node) & what for node in all_statements(statements))


def _written(ctx: Context, node: ast.Statement) -> frozenset[str]:
    return frozenset({ME_NAME}) if isinstance(node, ast.EachPlayer) else writes(ctx, node)


def suspends(ctx: Context, function: str) -> bool:
    """Whether a rule may suspend, given by the name of its function."""
    rule, quiet = ctx.requested[function]
    return rule.name in (ctx.suspending.quiet if quiet else ctx.suspending.rules)


def changed_by(ctx: Context, when: WhenSymbol) -> frozenset[str]:
    """The zones and notes that a reaction may change."""
    names: frozenset[str] = frozenset()
    for statement in all_statements(when.declaration.body):
        names |= writes(ctx, statement)
    for act in called(when.declaration.body):
        names |= written_by(ctx, act.name)
    return names


def reads(ctx: Context, node: ast.Node) -> frozenset[str]:
    """The zones, notes, dice and positions that an expression reads, and `me`."""
    names: set[str] = set()
    for part in node.walk():
        if isinstance(part, ast.Hypothesis):
            names |= step_reads(ctx, part.step.name)
        symbol = ctx.model.refers.get(part.number)
        match symbol:
            case ZoneSymbol() | NoteSymbol() | DieSymbol():
                names.add(symbol.name)
            case BuiltinSymbol(name="me"):
                names.add(ME_NAME)
            case DefineSymbol():
                names |= declared_reads(ctx, symbol)
            case PositionSymbol():
                names |= {symbol.name, *declared_reads(ctx, symbol)}
            case _:
                pass
        if isinstance(part, ast.Compare) and part.operator in ("before", "after") and is_piece(ctx, part.left):
            names |= set(ctx.model.zones)
    return frozenset(names)


def step_reads(ctx: Context, name: str) -> set[str]:
    """The zones, notes and dice that a step and those that it calls read."""
    declaration = ctx.model.rules[name].declaration
    names: set[str] = set()
    for statement in declaration.body:
        names |= reads(ctx, statement)
    for act in called(declaration.body):
        names |= step_reads(ctx, act.name)
    return names


def declared_reads(ctx: Context, symbol: DefineSymbol | PositionSymbol) -> frozenset[str]:
    """What a definition reads, or the parts of a position."""
    if symbol.name not in ctx.reads:
        ctx.reads[symbol.name] = frozenset()  # what it reads by calling itself, it reads anyway
        ctx.reads[symbol.name] = reads(ctx, symbol.declaration)
    return ctx.reads[symbol.name]


def writes(ctx: Context, node: ast.Statement) -> frozenset[str]:
    """The zones, notes and positions that a statement may change itself, apart from those inside it and steps."""
    if isinstance(node, ast.Move):
        return frozenset(_moved(ctx, node))
    symbols = (ctx.model.refers.get(target.number) for target in ast.targets(node))
    return frozenset(s.name for s in symbols if isinstance(s, NoteSymbol | ZoneSymbol | DieSymbol | PositionSymbol))


def written_inside(ctx: Context, node: ast.Statement) -> frozenset[str]:
    """The zones, notes and positions that a statement may change itself and in those inside it, apart from steps."""
    return frozenset[str]().union(*(writes(ctx, statement) for statement in all_statements([node])))


def _moved(ctx: Context, node: ast.Move) -> set[str]:
    names = {ctx.model.refers[node.target.number].name}
    source = node.source if node.source is not None else node.what
    symbol = ctx.model.refers.get(source.number)
    if isinstance(symbol, ZoneSymbol):
        names.add(symbol.name)
    else:
        # `move card to table`: where this card lies is not written here. It may leave any zone that can hold such a
        # piece.
        types = piece_types(ctx.model, source)
        for zone in ctx.model.zones.values():
            if types & {held.name for held in zone.declaration.holds}:
                names.add(zone.name)
    return names


def written_by(ctx: Context, name: str) -> frozenset[str]:
    """The zones and notes that a step may change."""
    if name not in ctx.written:
        names: frozenset[str] = frozenset()
        body = ctx.model.rules[name].declaration.body
        for statement in all_statements(body):
            names |= writes(ctx, statement)
        for act in called(body):
            if act.name in ctx.model.rules and act.name != name:
                names |= written_by(ctx, act.name)
        ctx.written[name] = names
    return ctx.written[name]
