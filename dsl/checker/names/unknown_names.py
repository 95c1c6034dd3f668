"""Unknown names, alone or in a sequence of words that looks like a kind of piece."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from dsl import ast
from dsl.boards.grids import EDGES, FORMS
from dsl.checker.context import Context, Scope, near
from dsl.checker.names.foreign_keywords import WORDS
from dsl.diagnostics import Cause, Label
from dsl.syntax.misplaced import comparison_in_words
from dsl.syntax.terminals import expression_keywords
from dsl.text.spelling import nearest

AFTER_EXPRESSIONS = ("from", "to", "times", "while", "because", "choose")
"""Keywords of statements that join expressions: misspelt, they look like part of their neighbours."""

PLACE = re.compile(r"[a-z][1-9]\d{0,2}|[ew]\d{1,3}[ns]\d{1,3}")
"""The name of a place of a grid, provided that the grid is large enough."""

DIRECTIONS = frozenset(way for form in FORMS.values() for way in form.ways)


def unknown_name(context: Context, node: ast.Name, helps: Sequence[str], proposals: Sequence[str]) -> None:
    """Report an unknown name and the likely correction.

    It may be a place beyond the edge of a grid, or a direction of a grid whose directions are not declared.
    """
    causes = [Cause("unknown", node.name)]
    labels: list[Label] = []
    grids = context.model.grids
    beyond = _grid_without(context, node.name) if not helps else None
    if beyond is not None:
        symbol = context.model.type_symbols[beyond]
        left_out = any(node.name in grid.holes for grid in grids.get(beyond, {}).values())
        causes.insert(0, Cause("unknown", f"{'holes' if left_out else 'places'} of {beyond}"))
        helps = [f"the places of `{beyond}` run from `{symbol.members[0]}` to `{symbol.members[-1]}`"]
        if left_out:
            helps, proposals = [f"`{node.name}` is omitted from `{beyond}`"], ()
        labels = [Label(symbol.node.span, f"`{beyond}` is declared here")] if symbol.node is not None else []
    elif node.name in DIRECTIONS and grids and not context.model.directions:
        causes.insert(0, Cause("unknown", "directions"))
        helps, proposals = [f"declare the directions: `type Way from directions({next(iter(grids))})`"], ()
    elif context.forgotten_types:
        causes.append(Cause("missing", ""))
    context.error("E0201", f"there is no `{node.name}`", node, helps, labels, proposals=proposals, causes=causes)


def _grid_without(context: Context, name: str) -> str | None:
    """The type whose places have such names, if exactly one: the places of a grid, or pairs of such places."""
    pair = len(parts := name.split("_")) == 2
    if not all(PLACE.fullmatch(part) for part in parts) or len(parts) > 2:
        return None
    lettered = [places for places, grids in context.model.grids.items() if not next(iter(grids.values())).numbered]
    owners = [type_ for type_ in context.model.generated if _links(context, type_)] if pair else lettered
    return owners[0] if len(owners) == 1 and len(lettered) == 1 else None


def _links(context: Context, name: str) -> bool:
    symbol = context.model.type_symbols[name]
    return isinstance(symbol.node, ast.TypeBoard) and symbol.node.source.function in EDGES


def unknown_word(context: Context, node: ast.Expression, scope: Scope, more: Iterable[str] = ()) -> bool:
    """Report the first unknown word of a sequence and the likely correction; True if there is one."""
    for word in node.words if isinstance(node, ast.Pattern) else ():
        if not isinstance(word, ast.Name) or _is_known(context, word.name, scope):
            continue
        if (comparison := comparison_in_words(word.span.source, word.span.start, word.span.end - 1)) is not None:
            at, sign = comparison  # `3 equals n` reads like a number of pieces, `n is at least m` like a kind
            context.error("E0112", f"`{at.text}` is not an operator", at, [f"write `{sign}`"], new=sign)
            return True
        names = near(word.name, [*scope.visible(), *context.names(), *more])
        proposals = dict.fromkeys([*nearest(word.name, [*expression_keywords(), *AFTER_EXPRESSIONS], 1, 0.75), *names])
        causes = [Cause("unknown", word.name), *([Cause("missing", "")] if context.forgotten_types else [])]
        helps = [WORDS[word.name]] if word.name in WORDS else []
        context.error("E0201", f"there is no `{word.name}`", word, helps, proposals=[*proposals][:4], causes=causes)
        return True
    return False


def _is_known(context: Context, name: str, scope: Scope) -> bool:
    if scope.find(name) is not None:
        return True
    if name in context.globals or name in context.values or name in context.families:
        return True
    return any(name in symbol.members for owner, symbol in context.model.type_symbols.items() if " " in owner)
