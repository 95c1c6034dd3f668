"""Pieces without a place, and zones in which nothing ever lies or moves."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import ast
from dsl.check.context import Context
from dsl.check.doing import all_statements
from dsl.check.kinds import pieces_in
from dsl.model import Model
from dsl.symbols import ZoneSymbol


def pieces_without_place(context: Context) -> None:
    """A piece that no zone holds can lie nowhere."""
    held = {sort.name for zone in context.model.zones.values() for sort in zone.declaration.holds}
    for name, piece in context.model.pieces.items():
        if name not in held:
            helps = [f"let a zone hold it: `holds {name}`", "or leave it out"]
            context.error("E0505", f"no zone holds a `{name}`", piece.declaration, helps, severity="warning")


def idle_zones(context: Context) -> None:
    """A zone that nothing enters is always empty, unless it is a home; one that nothing leaves either is no place."""
    model = context.model
    moves = [node for node in statements(model) if isinstance(node, ast.Move)]
    entered = {model.refers.get(move.target.number) for move in moves}
    homes = {model.refers.get(p.declaration.home.number) for p in model.pieces.values() if p.declaration.home}
    for zone in model.zones.values():
        if zone in entered or zone.declaration.number not in context.used:
            continue
        sorts = {sort.name for sort in zone.declaration.holds}
        if zone not in homes:
            helps = [f"move something there: `move … to {_written(zone)}`", "or let it be the home of a piece"]
            message = f"nothing ever enters `{zone.name}`: it is always empty"
        elif not any(_leaves(context, move, zone, sorts) for move in moves):
            helps = ["move something from there, or leave it out"]
            message = f"nothing ever enters or leaves `{zone.name}`"
        else:
            continue
        context.error("E0506", message, zone.declaration, helps, severity="warning")


def _leaves(context: Context, move: ast.Move, zone: ZoneSymbol, sorts: set[str]) -> bool:
    """Whether a move can take a piece out of a zone: from there, or a piece by its name that may lie there."""
    refers = context.model.refers
    if move.source is not None:
        return refers.get(move.source.number) is zone
    if any(refers.get(inner.number) is zone for inner in move.what.walk()):
        return True
    named = any(isinstance(refers.get(inner.number), ZoneSymbol) for inner in move.what.walk())
    pieces = pieces_in(context.model.types.get(move.what.number))
    return not named and (pieces is None or bool(pieces.sorts & sorts))


def _written(zone: ZoneSymbol) -> str:
    return f"{zone.name}[…]" if zone.index else zone.name


def statements(model: Model) -> Iterator[ast.Statement]:
    """Every statement of the rules."""
    yield from all_statements(model.setup)
    for rule in model.rules.values():
        yield from all_statements(rule.declaration.body)
    for when in model.whens:
        yield from all_statements(when.declaration.body)
    waiting = list(model.course)
    while waiting:
        phase = waiting.pop()
        yield from all_statements(phase.body)
        waiting += phase.phases
