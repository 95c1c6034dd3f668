"""What others learn of a move: its arguments, unless they are `secret`; and nobody chooses what nobody sees."""

from __future__ import annotations

from dsl import ast
from dsl.check.context import Context
from dsl.check.handfuls import taken_from
from dsl.symbols import ZoneSymbol
from dsl.types import Contents


def open_arguments(context: Context) -> None:
    """An action over hidden pieces tells everybody which one was taken, unless the argument is `secret`."""
    for rule in context.model.rules.values():
        if not rule.is_action:
            continue
        for parameter in rule.declaration.parameters:
            zone = context.model.refers.get(parameter.domain.number) if parameter.domain is not None else None
            if parameter.secret or not isinstance(zone, ZoneSymbol) or not hides(context, zone):
                continue
            if laid_open(context, rule.declaration, parameter):
                continue
            context.error(
                "E0603",
                f"everybody will be told which piece of `{zone.name}` this is, and not all see them",
                parameter,
                [f"write `secret {parameter.name} in …` if it stays hidden"],
                severity="warning",
            )


def laid_open(context: Context, rule: ast.Action | ast.Step, parameter: ast.Parameter) -> bool:
    """Whether the rule always moves a piece to where all see it, so that telling it is no secret told."""
    piece = context.model.refers.get(parameter.number)
    for move in rule.body:
        if isinstance(move, ast.Move) and context.model.refers.get(move.what.number) is piece:
            target = context.model.refers.get(move.target.number)
            return isinstance(target, ZoneSymbol) and not hides(context, target)
    return False


def unseen_choices(context: Context) -> None:
    """Nobody chooses among loose pieces that nobody, or only another seat, sees: what is taken unseen is chance."""
    for node in context.model.file.walk():
        domain = node.domain if isinstance(node, ast.Parameter | ast.Choose) else None
        if domain is None:
            continue
        domain = taken_from(domain)
        type_, zone = context.model.types.get(domain.number), context.model.refers.get(domain.number)
        loose = isinstance(type_, Contents) and type_.shape in ("heap", "one")
        if loose and isinstance(zone, ZoneSymbol) and _unseen_by_me(context, domain, zone):
            context.error(
                "E0605",
                f"who chooses here does not see the pieces of `{zone.name}`",
                domain,
                ["keep them as a `stack`, shuffle it and take from the top: what is taken unseen is chance"],
            )


def _unseen_by_me(context: Context, domain: ast.Expression, zone: ZoneSymbol) -> bool:
    """Whether the acting seat surely does not see the pieces: nobody does, or only a seat that is not `me`."""
    index = [parameter.name for parameter in zone.declaration.index]
    arguments = domain.arguments if isinstance(domain, ast.Index) else ()
    for sight in zone.declaration.sights:
        if not isinstance(sight.viewers, ast.Name):
            continue
        if sight.viewers.name in ("nobody", "none"):
            return True
        if sight.viewers.name in index and len(arguments) == len(index):
            argument = arguments[index.index(sight.viewers.name)]
            if not (isinstance(argument, ast.Name) and argument.name == "me"):
                return True
    return False


def hides(context: Context, zone: ZoneSymbol) -> bool:
    """Whether somebody may not see some attribute of the pieces of a zone."""
    attributes = {name for held in zone.declaration.holds for name in context.model.pieces[held.name].attributes}
    sights = {sight.attribute: sight.viewers for sight in zone.declaration.sights}
    viewers = [sights.get(name, sights.get(None)) for name in attributes]
    return any(v is not None and not (isinstance(v, ast.Name) and v.name == "all") for v in viewers)
