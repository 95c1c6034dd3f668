"""The order of the values of a type: `next(v)`, `previous(v)`, `v before w`, and what has no such order."""

from __future__ import annotations

from dsl import ast
from dsl.checker.context import Context, Scope
from dsl.checker.types.causes import about
from dsl.checker.types.piece_kinds import attributes_of, pieces_in
from dsl.checker.types.typer import Typer
from dsl.diagnostics import Replacement
from dsl.model import Model
from dsl.types import PLAYER, Listed, PieceType, Type, Unknown, bare, numeric

NEIGHBOURS = frozenset({"next", "previous"})
"""Functions of one value of a type."""

_SIGNS = {"before": "<", "after": ">"}
_WORDS = {"<": "{} before {}", ">": "{} after {}", "<=": "not {} after {}", ">=": "not {} before {}"}


def has_order(model: Model, type_: Type) -> bool:
    """True if the values of a type are listed in the rules, so that their order is stated: names, no numbers."""
    core = bare(type_)
    if not isinstance(core, Listed) or core.numeric or core.parts:
        return False
    return isinstance(model.type_symbols[core.name].node, ast.TypeList | ast.TypeTable)


def without_neighbours(context: Context, node: ast.Call, type_: Type) -> tuple[str, Replacement | None]:
    """What to write instead of `next(v)` or `previous(v)` where the value has no neighbours."""
    name, text, core = node.base.span.text, node.arguments[0].span.text, bare(type_)
    if core == PLAYER:
        new = f"{'left' if name == 'next' else 'right'}({text})"
    elif isinstance(core, Listed) and core.name in context.model.grids:
        return f"name the direction: `next({text}, d)`", None
    elif numeric(core):
        new = f"({text} {'+' if name == 'next' else '-'} 1)"
    elif isinstance(core, Listed):
        return _unordered(context, core), None
    elif isinstance(core, PieceType):
        return "for pieces in a row, write `nth(number, row)`, or compare them with `before`", None
    else:
        return f"write `{name}(value)`, with a value of a listed type", None
    return f"write `{new}`", Replacement(node.span, new)


def check_order(typer: Typer, node: ast.Compare, scope: Scope) -> None:
    """Check `before` and `after`: both sides are pieces, or values of one type."""
    left, right = sides(typer, node, scope)
    left_core, right_core = bare(left), bare(right)
    if (
        isinstance(left_core, Unknown)
        or isinstance(right_core, Unknown)
        or (_is_piece(left_core) and _is_piece(right_core))
    ):
        return
    ordered = has_order(typer.context.model, left_core), has_order(typer.context.model, right_core)
    if all(ordered) and left_core == right_core:
        return
    description, helps, new = str(left), list[str](), None
    at: ast.Node = node.right if _is_piece(left_core) or ordered[0] else node.left
    if at is node.right:
        description = f"{left} and {right}"
    if numeric(left_core) and numeric(right_core):
        new = Replacement(node.span, f"{node.left.span.text} {_SIGNS[node.operator]} {node.right.span.text}")
    elif _is_piece(left_core) and ordered[1]:
        new = _compared_by_attribute(typer.context, node, left_core, right_core)
    elif left_core == PLAYER:
        helps = ["seats have no order: `left(p)` is the next one"]
    elif isinstance(left_core, Listed) and not ordered[0]:
        helps = [_unordered(typer.context, left_core)]
    helps = [f"write `{new.text}`"] if new else helps
    message = f"`{node.operator}` compares two pieces of a row or two values of one type, found {description}"
    typer.context.error(
        "E0319", message, at, helps, new=new, causes=[about(typer, node.left), about(typer, node.right)]
    )


def _unordered(context: Context, core: Listed) -> str:
    """Why the values of a listed type have no order, and what there is instead."""
    if core.parts:
        return "only the values of one type have an order: write a definition for that type, and test `… is in` first"
    if core.name in context.model.directions:
        return "directions have no order: `d.opposite` is the other way"
    if core.name in context.model.grids:
        return "places have no order, but neighbours, `next(c, d)`, and on a grid numbers, `c.row < d.row`"
    return "places of a board have no order, but neighbours: `near(x, E)`"


def sides(typer: Typer, node: ast.Compare, scope: Scope) -> tuple[Type, Type]:
    """Types of both sides; each resolves names of the other that several types share."""
    shared = isinstance(node.left, ast.Name) and not scope.find(node.left.name)
    if shared and isinstance(node.left, ast.Name) and len(typer.context.values.get(node.left.name, [])) > 1:
        right = typer.infer(node.right, scope)
        return typer.infer(node.left, scope, right), right
    left = typer.infer(node.left, scope)
    return left, typer.infer(node.right, scope, left if isinstance(bare(left), Listed) else None)


def in_order(typer: Typer, node: ast.Compare, left: Type, right: Type) -> Replacement | None:
    """Replace `a < b` by `a before b`, for two values of one type."""
    if bare(left) != bare(right) or not has_order(typer.context.model, left):
        return None
    return Replacement(node.span, _WORDS[node.operator].format(node.left.span.text, node.right.span.text))


def _is_piece(core: Type) -> bool:
    return isinstance(core, PieceType)


def _compared_by_attribute(context: Context, node: ast.Compare, piece: Type, value: Type) -> Replacement | None:
    """Replace `c before queen` by `c.rank before queen`."""
    pieces = pieces_in(piece)
    names = [] if pieces is None else [n for n, type_ in attributes_of(context, pieces).items() if bare(type_) == value]
    if len(names) != 1:
        return None
    return Replacement(node.span, f"{node.left.span.text}.{names[0]} {node.operator} {node.right.span.text}")
