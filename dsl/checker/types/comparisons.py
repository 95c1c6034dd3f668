"""Comparisons: the types of both sides, and keywords that are valid only there."""

from __future__ import annotations

from typing import assert_never

from dsl import ast
from dsl.checker.context import Scope
from dsl.checker.types.causes import about
from dsl.checker.types.constructors import match_pattern
from dsl.checker.types.corrections import kind_among, number_of
from dsl.checker.types.expectations import is_short, number_range
from dsl.checker.types.orders import check_order, in_order, sides
from dsl.checker.types.piece_kinds import kind_of, pieces_in
from dsl.checker.types.sets import list_type, set_type
from dsl.checker.types.typer import Typer
from dsl.diagnostics import Replacement
from dsl.types import (
    KIND,
    NOTHING,
    TRUTH,
    UNKNOWN,
    Contents,
    ListType,
    Maybe,
    Number,
    PieceType,
    Type,
    Unknown,
    bare,
    comparable,
    element_of,
    numeric,
)


def comparison_type(typer: Typer, node: ast.Compare, scope: Scope) -> Type:
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
    return TRUTH


def _numbers(typer: Typer, node: ast.Compare, scope: Scope) -> None:
    left, right = sides(typer, node, scope)
    new = in_order(typer, node, left, right)
    helps = [f"for their declared order, write `{new.text}`"] if new is not None else []
    if new is not None and number_of(typer.context, node.left, left) is None:
        causes = [about(typer, node.left), about(typer, node.right)]
        typer.context.error("E0321", f"expected numbers, found {left}", node, helps, new=new, causes=causes)
        return
    number_range(typer, left, node.left, helps)
    number_range(typer, right, node.right, helps)


def _called(node: ast.Expression) -> str:
    base = node.base if isinstance(node, ast.Call) else node
    return base.name if isinstance(base, ast.Name) else ""


def _is_step(typer: Typer, node: ast.Expression) -> bool:
    rule = typer.context.model.rules.get(_called(node))
    return rule is not None and not rule.is_action


def _member(typer: Typer, node: ast.Compare, scope: Scope) -> None:
    if isinstance(node.right, ast.ListOf):
        left = typer.infer(node.left, scope)
        right = list_type(typer, node.right, scope, ListType(bare(left)))
    else:
        right = typer.infer(node.right, scope)
        left = typer.infer(node.left, scope, element_of(right))
    element = element_of(right)
    if element is None:
        message, cause = f"expected a set after `{node.operator}`, found {right}", about(typer, node.right)
        typer.context.error("E0308", message, node.right, ["compare it with `is`"], causes=[cause])
    elif not comparable(left, element):
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
    if isinstance(right, ListType):
        _same_list(typer, node, left, right)
    elif right != KIND and not comparable(left, right):
        counted = isinstance(right, Number) and element_of(left) is not None and is_short(node.left)
        new = f"count {node.left.span.text}" if counted and not typer.in_example else None
        message = f"cannot compare {left} with {right}"
        helps = [f"for how many there are, write `{new}`"] if new else []
        sides = [about(typer, node.left, right), about(typer, node.right, left)]
        typer.context.error("E0316", message, node.right, helps, new=new, at=node.left.span, causes=sides)
    elif right == NOTHING and not isinstance(left, Maybe | Unknown) and not _one(left) and left != NOTHING:
        typer.context.error("E0343", f"{left} is never none", node.left, severity="warning")


def _right_side(typer: Typer, node: ast.Expression, left: Type, scope: Scope) -> Type:
    """Type of what follows `is`, where a piece may be compared with a kind."""
    pieces = pieces_in(left)
    if isinstance(node, ast.ListOf):
        return list_type(typer, node, scope, left)
    if isinstance(left, Unknown) and isinstance(node, ast.Pattern):
        return UNKNOWN
    if pieces is not None and (_one(left) or isinstance(bare(left), PieceType)):
        if kind_of(typer, node, pieces, scope, quiet=True):
            typer.context.model.types[node.number] = KIND
            return KIND
        if isinstance(node, ast.Pattern):
            kind_of(typer, node, pieces, scope)
            return KIND
    elif isinstance(node, ast.Pattern) and pieces is not None:
        if not kind_of(typer, node, pieces, scope):
            return KIND
        message = f"cannot compare {left} with a kind of piece"
        typer.context.error("E0316", message, node, ["write several pieces as a list: `[2 king]`"])
        return KIND
    return typer.infer(node, scope, left)


def _word(typer: Typer, node: ast.Compare, scope: Scope) -> bool:
    """True if the comparison ends in `empty` or `somebody`."""
    right = node.right
    if not isinstance(right, ast.Name) or right.name not in ("empty", "somebody") or scope.find(right.name):
        return False
    left = typer.infer(node.left, scope)
    typer.context.model.refers[right.number] = typer.context.globals[right.name]
    typer.context.model.types[right.number] = NOTHING
    good = isinstance(left, Maybe | Unknown)
    if right.name == "empty":
        good |= element_of(left) is not None
    if not good:
        typer.context.error("E0316", f"{left} is never `{right.name}`", node.left, causes=[about(typer, node.left)])
    return True


def _same_list(typer: Typer, node: ast.Compare, left: Type, right: ListType) -> None:
    element = element_of(left)
    if isinstance(left, Unknown) or (element is not None and comparable(element, right.element)):
        if numeric(right.element):
            set_type(typer, right.element, node.right)
        return
    helps = ["write it without brackets"] if element is None else []
    message, cause = f"cannot compare {left} with {right}", about(typer, node.left)
    typer.context.error("E0316", message, node.right, helps, causes=[cause])


def _one(type_: Type) -> bool:
    return isinstance(type_, Contents) and type_.shape == "one"
