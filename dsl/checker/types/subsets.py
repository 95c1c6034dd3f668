"""Choices of several elements: `handfuls(S, a, b)`, and `choose N xs from S`."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.names.functions import HANDFULS
from dsl.checker.types.sets import set_type
from dsl.checker.types.typer import Typer
from dsl.types import UNKNOWN, Number, Type, Unknown, bare


def is_handfuls(node: ast.Node | None) -> bool:
    """True if an expression is `handfuls(...)`."""
    return isinstance(node, ast.Call) and isinstance(node.base, ast.Name) and node.base.name == HANDFULS


def taken_from(node: ast.Expression) -> ast.Expression:
    """The set that elements are chosen from: S of `handfuls(S, a, b)`, or the expression itself."""
    return node.arguments[0] if isinstance(node, ast.Call) and is_handfuls(node) else node


def check_sizes(context: Context, node: ast.Call, types: Sequence[Type]) -> None:
    """Report `handfuls` whose sizes allow no choice, whatever the set."""
    fewest, most = (bare(type_) for type_ in types[1:])
    if isinstance(fewest, Number) and isinstance(most, Number) and (fewest.low > most.high or most.high < 0):
        context.error("E0305", f"no choice has {fewest.low} to {most.high} members", node)


def choice_type(typer: Typer, node: ast.Choose, element: Type) -> Type:
    """Type of a choice of several elements: a set."""
    if node.amount == 0:
        typer.context.error("E0305", "this chooses nothing: the number is 0", node, ["remove this choice"])
    if isinstance(element, Unknown):
        return UNKNOWN
    return set_type(typer, element, node.domain)
