"""Types of what decides who wins: numbers to compare, conditions, teams."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dsl import ast
from dsl.checker.context import Scope
from dsl.checker.types.causes import about
from dsl.checker.types.expectations import number_range
from dsl.checker.types.typer import Typer
from dsl.diagnostics import Replacement
from dsl.types import NOTHING, PLAYER, TRUTH, Listed, Number, Type, Unknown, bare, element_of, fits, numeric


def criterion(typer: Typer, node: ast.Criterion, scope: Scope) -> None:
    """Check a criterion of `winner`: a condition, or a number after `highest` and `lowest`."""
    if node.direction is None:
        _condition(typer, node.value, scope)
        return
    type_ = typer.infer(node.value, scope)
    if bare(type_) == TRUTH:
        helps = [f"leave out `{node.direction}`: seats that do not meet a condition cannot win"]
        new = node.value.span.text if node.direction == "highest" else f"not ({node.value.span.text})"
        fix = Replacement(node.span, new)
        message = f"expected a number after `{node.direction}`, found {type_}"
        typer.context.error("E0321", message, node.value, helps, new=fix, causes=[about(typer, node.value)])
    else:
        number_range(typer, type_, node.value)


def _condition(typer: Typer, node: ast.Expression, scope: Scope) -> None:
    type_ = typer.infer(node, scope, TRUTH)
    if fits(type_, TRUTH):
        return
    new, helps = _meant(node, type_, typer.context.model.seats)
    helps = [f"write `{new}`", *helps] if new else helps
    message = f"expected a condition, or `highest` and a number, found {type_}"
    fix = Replacement(node.span, new) if new else None
    typer.context.error("E0307", message, node, helps, new=fix, causes=[about(typer, node)])


def teams(typer: Typer, node: ast.Teams, scope: Scope) -> None:
    """Check that teams have names: they are values of a listed type, seats or numbers."""
    type_ = typer.infer(node.value, scope)
    core = bare(type_)
    if isinstance(core, Listed | Number | Unknown):
        return
    helps = ["name the teams in a type, and define which one a seat belongs to"]
    if core == TRUTH:
        helps = [f"name the teams: `type Side is …`, `define side(p: Player): (… if {node.value.span.text} else …)`"]
    message = f"expected the team of a seat after `teams by`, found {type_}"
    typer.context.error("E0306", message, node.value, helps, causes=[about(typer, node.value)])


def _meant(node: ast.Expression, type_: Type, seats: Sequence[str]) -> tuple[str | None, list[str]]:
    """What a criterion that is no condition is meant to say, if that is clear, and what else helps."""
    text, core, element = node.span.text, bare(type_), element_of(type_)
    brief = isinstance(node, ast.Name | ast.Index | ast.Attribute | ast.Call)
    if type_ == NOTHING:
        return None, ["say when a seat wins: seats that do not meet the condition cannot win"]
    if core == PLAYER and brief:
        return f"me is {text}" if text in seats else f"{text} is me", []
    if element is not None and bare(element) == PLAYER and brief:
        return f"me is in {text}", []
    if isinstance(node, ast.Best | ast.Filter) and PLAYER in (core, element and bare(element)):
        return _of_the_seat(node), []
    if isinstance(node, ast.Aggregate):
        return None, [f"write the number of one seat: `{node.function} …[me]`"]
    if numeric(core):
        return f"highest {text}", ["or compare it, for a condition: `… >= 10`"]
    return None, ["compare it, for a condition: `… is …`, `… is not empty`"]


def _of_the_seat(node: ast.Best | ast.Filter) -> str | None:
    """What is said of the seats that are selected, with `me` for the name of the seat."""
    if isinstance(node, ast.Best):
        property_text = None if node.where else f"{node.function} {node.value.span.text}"
    else:
        property_text = node.where.span.text if node.where else None
    return re.sub(rf"\b{node.binder.name}\b", "me", property_text) if property_text else None
