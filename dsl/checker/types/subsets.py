"""Choices of several elements: `handfuls(S, a, b)`, and `choose N xs from S`."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ast
from dsl.checker.context import Context, Scope
from dsl.checker.names.functions import HANDFULS
from dsl.checker.types.expectations import expect_number
from dsl.checker.types.sets import set_type
from dsl.checker.types.typer import Typer
from dsl.diagnostics import Replacement
from dsl.text.span import Span
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


def check_amount(typer: Typer, node: ast.Choose, amount: ast.Amount, scope: Scope) -> None:
    """Report a number of elements to choose that is none, and bounds that no number meets."""
    fewest = None if amount.fewest is None else expect_number(typer, amount.fewest, scope)
    most = expect_number(typer, amount.most, scope)
    if most.high <= 0:
        message = "this chooses nothing: the number is 0"
        typer.context.error("E0305", message, node, ["remove this choice"])
    elif fewest is not None and fewest.low > most.high:
        literal = isinstance(amount.fewest, ast.Number) and isinstance(amount.most, ast.Number)
        new = Replacement(amount.span, f"{most.high} to {fewest.low}") if literal else None
        helps = [f"write the smaller number first: `{new.text}`"] if new else []
        typer.context.error("E0305", f"no choice has {fewest.low} to {most.high} members", amount, helps, new=new)
    elif fewest is not None and fewest.high <= 0:
        start = node.span.start
        text = node.span.source.text[start : amount.span.start].replace("must", "may", 1)
        new = Replacement(Span(node.span.source, start, amount.span.end), f"{text}up to {amount.most.span.text}")
        message = "this has no lower bound: the number is 0"
        typer.context.error("E0305", message, amount, [f"write `{new.text}`"], new=new)


def choice_type(typer: Typer, node: ast.Choose, element: Type) -> Type:
    """Type of a choice of several elements: a set."""
    if isinstance(element, Unknown):
        return UNKNOWN
    return set_type(typer, element, node.domain)
