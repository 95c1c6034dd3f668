"""Comparisons: the types of both sides, and keywords that are valid only there.

The right side of `is` may be any of these, and only the type of the left side decides which:

    hand[p] is empty          a keyword, unless a name in scope hides it
    x is red king             a kind of piece, where `x` is a piece or a place for one
    x is y                    the same piece, if `y` is no kind of it
    hand[p] is [2 king]       a list of pieces
    side is north             a value; if several types have a `north`, the type of `side` chooses

The left side is therefore typed first, except where it is itself the name of values of several types (`north is side`).
"""

from __future__ import annotations

from typing import assert_never

from dsl import ast
from dsl import types as ty
from dsl.checker.context import Context, Scope
from dsl.checker.types.constructors import match_pattern
from dsl.checker.types.corrections import before_comparison, kind_among, number_of, one_kind_of
from dsl.checker.types.expectations import about, is_short, number_range
from dsl.checker.types.piece_kinds import attributes_of, kind_of, pieces_in
from dsl.checker.types.sets import list_type, set_type
from dsl.checker.types.typer import Typer
from dsl.diagnostics import Replacement
from dsl.model import Model


def comparison_type(typer: Typer, node: ast.Compare, scope: Scope) -> ty.Type:
    """Type of a comparison: a truth value."""
    match node.operator:
        case "is" | "is not":
            _same(typer, node, scope)
        case "is in" | "is not in":
            _member(typer, node, scope)
        case "after" if _is_step(typer, node.right):
            new = f"{node.left.span.text} given {node.right.span.text}"
            message = f"`after` compares the order of two pieces, but `{_called(node.right)}` is a step"
            helps = [f"for a value after it, write `{new}`"]
            typer.context.error("E0319", message, node, helps, new=Replacement(node.span, new))
        case "before" | "after":
            check_order(typer, node, scope)
        case "<" | "<=" | ">" | ">=":
            _numbers(typer, node, scope)
        case _ as never:
            assert_never(never)
    return ty.TRUTH


def _numbers(typer: Typer, node: ast.Compare, scope: Scope) -> None:
    left, right = sides(typer, node, scope)
    if compared_number(typer, node, left):
        return
    new = in_order(typer, node, left, right)
    helps = [f"for their declared order, write `{new.text}`"] if new is not None else []
    if new is not None and number_of(typer.context, node.left, left) is None:
        causes = [about(typer, node.left), about(typer, node.right)]
        typer.context.error("E0321", f"expected numbers, found {left}", node, helps, new=new, causes=causes)
        return
    number_range(typer, left, node.left, helps)
    number_range(typer, right, node.right, helps)


def compared_number(typer: Typer, node: ast.Compare, left: ty.Type) -> bool:
    """Report `count s in S where full(s) > 1`, where the number was meant to be compared and not the condition."""
    counting = typer.counted_conditions.get(node.number)
    if counting is None or ty.bare(left) != ty.TRUTH:
        return False
    new = before_comparison(counting, node)
    helps = [f"write `{new.text}`"] if new is not None else [f"put everything before `{node.operator}` in brackets"]
    message = f"`{node.operator}` is read as part of the condition after `where`: add brackets"
    typer.context.error("E0134", message, node, helps, new=new)
    return True


def _called(node: ast.Expression) -> str:
    base = node.base if isinstance(node, ast.Call) else node
    return base.name if isinstance(base, ast.Name) else ""


def _is_step(typer: Typer, node: ast.Expression) -> bool:
    rule = typer.context.model.rules.get(_called(node))
    return rule is not None and not rule.is_action


def _member(typer: Typer, node: ast.Compare, scope: Scope) -> None:
    if isinstance(node.right, ast.ListOf):
        left = typer.infer(node.left, scope)
        right = list_type(typer, node.right, scope, ty.ListType(ty.bare(left)))
    else:
        right = typer.infer(node.right, scope)
        left = typer.infer(node.left, scope, ty.element_of(right))
    element = ty.element_of(right)
    if element is None:
        message, cause = f"expected a set after `{node.operator}`, found {right}", about(typer, node.right)
        typer.context.error("E0308", message, node.right, ["compare it with `is`"], causes=[cause])
    elif not ty.comparable(left, element):
        message, fix = f"{right} never contains {left}", kind_among(typer.context, node, left, right)
        helps = [f"test for pieces of that kind: `{fix.text}`"] if fix is not None else []
        causes = [about(typer, node.left, right), about(typer, node.right, left)]
        typer.context.error("E0316", message, node.left, helps, new=fix, causes=causes)


def _same(typer: Typer, node: ast.Compare, scope: Scope) -> None:
    if _word(typer, node, scope) or match_pattern(
        typer, node, scope, node.operator == "is" and node.number in typer.binding_comparisons
    ):
        return
    shared = isinstance(node.left, ast.Name) and not scope.find(node.left.name)
    if shared and isinstance(node.left, ast.Name) and len(typer.context.values.get(node.left.name, [])) > 1:
        right = typer.infer(node.right, scope)
        left = typer.infer(node.left, scope, right)
    else:
        left = typer.infer(node.left, scope)
        right = _right_side(typer, node.right, left, scope)
    if isinstance(right, ty.ListType):
        _same_list(typer, node, left, right)
    elif isinstance(right, ty.Number) and compared_number(typer, node, left):
        pass
    elif right != ty.KIND and not ty.comparable(left, right):
        counted = isinstance(right, ty.Number) and ty.element_of(left) is not None and is_short(node.left)
        new = f"count {node.left.span.text}" if counted and not typer.in_example else None
        message = f"cannot compare {left} with {right}"
        helps = [f"for how many there are, write `{new}`"] if new else []
        sides = [about(typer, node.left, right), about(typer, node.right, left)]
        at = node.left.span
        if isinstance(node.right, ast.Range) and ty.numeric(left):
            new, at = f"{node.left.span.text} {node.operator} in {node.right.span.text}", node.span
            helps = [f"write `{new}`"]
        typer.context.error("E0316", message, node.right, helps, new=new, at=at, causes=sides)
    elif right == ty.NOTHING and not isinstance(left, ty.Maybe | ty.Unknown) and not _one(left) and left != ty.NOTHING:
        typer.context.error("E0343", f"{left} is never none", node.left, severity="warning")


def _right_side(typer: Typer, node: ast.Expression, left: ty.Type, scope: Scope) -> ty.Type:
    """Type of what follows `is`, where a piece may be compared with a kind."""
    pieces = pieces_in(left)
    if isinstance(node, ast.ListOf):
        return list_type(typer, node, scope, left)
    if isinstance(left, ty.Unknown) and isinstance(node, ast.Pattern):
        return ty.UNKNOWN
    if pieces is not None and (_one(left) or isinstance(ty.bare(left), ty.PieceType)):
        if isinstance(node, ast.Pattern) and node.amount is not None:
            one_kind_of(typer, node, pieces, scope)
            return ty.KIND
        if kind_of(typer, node, pieces, scope, quiet=True):
            typer.context.model.types[node.number] = ty.KIND
            return ty.KIND
        if isinstance(node, ast.Pattern):
            kind_of(typer, node, pieces, scope)
            return ty.KIND
    elif isinstance(node, ast.Pattern) and pieces is not None:
        if not kind_of(typer, node, pieces, scope):
            return ty.KIND
        message = f"cannot compare {left} with a kind of piece"
        typer.context.error("E0316", message, node, ["write several pieces as a list: `[2 king]`"])
        return ty.KIND
    return typer.infer(node, scope, left)


def _word(typer: Typer, node: ast.Compare, scope: Scope) -> bool:
    """True if the comparison ends in `empty` or `somebody`."""
    right = node.right
    if not isinstance(right, ast.Name) or right.name not in ("empty", "somebody") or scope.find(right.name):
        return False
    left = typer.infer(node.left, scope)
    typer.context.model.refers[right.number] = typer.context.globals[right.name]
    typer.context.model.types[right.number] = ty.NOTHING
    good = isinstance(left, ty.Maybe | ty.Unknown)
    if right.name == "empty":
        good |= ty.element_of(left) is not None
    if not good:
        typer.context.error("E0316", f"{left} is never `{right.name}`", node.left, causes=[about(typer, node.left)])
    return True


def _same_list(typer: Typer, node: ast.Compare, left: ty.Type, right: ty.ListType) -> None:
    element = ty.element_of(left)
    if isinstance(left, ty.Unknown) or (element is not None and ty.comparable(element, right.element)):
        if ty.numeric(right.element):
            set_type(typer, right.element, node.right)
        return
    helps = ["write it without brackets"] if element is None else []
    message, cause = f"cannot compare {left} with {right}", about(typer, node.left)
    typer.context.error("E0316", message, node.right, helps, causes=[cause])


def _one(type_: ty.Type) -> bool:
    return isinstance(type_, ty.Contents) and type_.shape == "one"


# ---------------- the order of the values of a type: `next(v)`, `previous(v)`, `v before w`, and what has no such
# order


NEIGHBOURS = frozenset({"next", "previous"})
"""Functions of one value of a type."""

_SIGNS = {"before": "<", "after": ">"}
_WORDS = {"<": "{} before {}", ">": "{} after {}", "<=": "not {} after {}", ">=": "not {} before {}"}


def has_order(model: Model, type_: ty.Type) -> bool:
    """True if the values of a type are listed in the rules, so that their order is stated: names, no numbers."""
    core = ty.bare(type_)
    if not isinstance(core, ty.Listed) or core.numeric or core.parts:
        return False
    return isinstance(model.type_symbols[core.name].node, ast.TypeList | ast.TypeTable)


def without_neighbours(context: Context, node: ast.Call, type_: ty.Type) -> tuple[str, Replacement | None]:
    """What to write instead of `next(v)` or `previous(v)` where the value has no neighbours."""
    name, text, core = node.base.span.text, node.arguments[0].span.text, ty.bare(type_)
    if core == ty.PLAYER:
        new = f"{'left' if name == 'next' else 'right'}({text})"
    elif isinstance(core, ty.Listed) and core.name in context.model.grids:
        return f"name the direction: `next({text}, d)`", None
    elif ty.numeric(core):
        new = f"({text} {'+' if name == 'next' else '-'} 1)"
    elif isinstance(core, ty.Listed):
        return _unordered(context, core), None
    elif isinstance(core, ty.PieceType):
        return "for pieces in a row, write `nth(number, row)`, or compare them with `before`", None
    else:
        return f"write `{name}(value)`, with a value of a listed type", None
    return f"write `{new}`", Replacement(node.span, new)


def check_order(typer: Typer, node: ast.Compare, scope: Scope) -> None:
    """Check `before` and `after`: both sides are pieces, or values of one type."""
    left, right = sides(typer, node, scope)
    left_core, right_core = ty.bare(left), ty.bare(right)
    if (
        isinstance(left_core, ty.Unknown)
        or isinstance(right_core, ty.Unknown)
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
    if ty.numeric(left_core) and ty.numeric(right_core):
        new = Replacement(node.span, f"{node.left.span.text} {_SIGNS[node.operator]} {node.right.span.text}")
    elif _is_piece(left_core) and ordered[1]:
        new = _compared_by_attribute(typer.context, node, left_core, right_core)
    elif left_core == ty.PLAYER:
        helps = ["seats have no order: `left(p)` is the next one, `nth(2, Player)` the second of the first line"]
    elif isinstance(left_core, ty.Listed) and not ordered[0]:
        helps = [_unordered(typer.context, left_core)]
    helps = [f"write `{new.text}`"] if new else helps
    message = f"`{node.operator}` compares two pieces of a row or two values of one type, found {description}"
    typer.context.error(
        "E0319", message, at, helps, new=new, causes=[about(typer, node.left), about(typer, node.right)]
    )


def _unordered(context: Context, core: ty.Listed) -> str:
    """Why the values of a listed type have no order, and what there is instead."""
    if core.parts:
        return "only the values of one type have an order: write a definition for that type, and test `… is in` first"
    if core.name in context.model.directions:
        return "directions have no order: `d.opposite` is the other way"
    if core.name in context.model.grids:
        return "places have no order, but neighbours, `next(c, d)`, and on a grid numbers, `c.row < d.row`"
    return "places of a board have no order, but neighbours: `near(x, E)`"


def sides(typer: Typer, node: ast.Compare, scope: Scope) -> tuple[ty.Type, ty.Type]:
    """Types of both sides; each resolves names of the other that several types share."""
    shared = isinstance(node.left, ast.Name) and not scope.find(node.left.name)
    if shared and isinstance(node.left, ast.Name) and len(typer.context.values.get(node.left.name, [])) > 1:
        right = typer.infer(node.right, scope)
        return typer.infer(node.left, scope, right), right
    left = typer.infer(node.left, scope)
    return left, typer.infer(node.right, scope, left if isinstance(ty.bare(left), ty.Listed) else None)


def in_order(typer: Typer, node: ast.Compare, left: ty.Type, right: ty.Type) -> Replacement | None:
    """Replace `a < b` by `a before b`, for two values of one type."""
    if ty.bare(left) != ty.bare(right) or not has_order(typer.context.model, left):
        return None
    return Replacement(node.span, _WORDS[node.operator].format(node.left.span.text, node.right.span.text))


def _is_piece(core: ty.Type) -> bool:
    return isinstance(core, ty.PieceType)


def _compared_by_attribute(context: Context, node: ast.Compare, piece: ty.Type, value: ty.Type) -> Replacement | None:
    """Replace `c before queen` by `c.rank before queen`."""
    pieces = pieces_in(piece)
    names = (
        [] if pieces is None else [n for n, type_ in attributes_of(context, pieces).items() if ty.bare(type_) == value]
    )
    if len(names) != 1:
        return None
    return Replacement(node.span, f"{node.left.span.text}.{names[0]} {node.operator} {node.right.span.text}")
