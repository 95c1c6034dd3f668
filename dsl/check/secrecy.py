"""Nobody chooses what nobody sees."""

from __future__ import annotations

from dsl import ast
from dsl.check.context import Context
from dsl.check.handfuls import taken_from
from dsl.symbols import ZoneSymbol
from dsl.types import Contents


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
