"""How rules call each other: no circle, nothing that never comes to an end, nothing left over."""

from __future__ import annotations

from collections.abc import Iterable

from dsl import ast
from dsl.check.bodies import all_statements
from dsl.check.context import Context
from dsl.check.declare import declarations


def called(statements: Iterable[ast.Statement]) -> list[ast.Act]:
    """The steps and actions that statements do or offer, in the order of the text."""
    acts: list[ast.Act] = []
    for statement in all_statements(list(statements)):
        if isinstance(statement, ast.Do):
            acts.append(statement.act)
        elif isinstance(statement, ast.Decide):
            acts += [*statement.acts, *statement.otherwise]
    return acts


def circles(context: Context) -> None:
    """Steps and actions call each other without a circle, so every rule ends."""
    rules = context.model.rules
    state: dict[str, int] = {}

    def visit(name: str, path: list[str]) -> None:
        state[name] = 1
        for act in called(rules[name].declaration.body):
            if act.name not in rules:
                continue
            if state.get(act.name) == 1:
                circle = " → ".join(f"`{step}`" for step in [*path[path.index(act.name) :], act.name])
                context.error(
                    "E0414",
                    f"these rules call each other in a circle: {circle}",
                    act,
                    ["repeat with `up to N times while …:`"],
                )
            elif act.name not in state:
                visit(act.name, [*path, act.name])
        state[name] = 2

    for name in rules:
        if name not in state:
            visit(name, [name])


def left_over(context: Context) -> None:
    """What is declared and used nowhere; a warning, since it may be meant for examples or variants."""
    model = context.model
    for declaration in declarations(model.file):
        if isinstance(declaration, ast.Zone | ast.Note | ast.Define | ast.Action | ast.Step | ast.Option):
            if declaration.number not in context.used:
                context.error(
                    "E0501", f"`{declaration.name}` is used nowhere", declaration.span,
                    ["use it, or leave it out"], severity="warning",
                )  # fmt: skip


def citations(context: Context) -> None:
    """Every cited item stands in the game's list of items, if it has one."""
    items = context.model.items
    if items is None:
        return
    for root in (context.model.file, *context.model.examples):
        for node in root.walk():
            for cite in getattr(node, "cites", ()):
                if cite not in items:
                    context.error(
                        "E0502",
                        f"there is no rulebook item `{cite}`",
                        _line_of(node),
                        ["items stand in the `.items` file of the game"],
                    )


def _line_of(node: ast.Node) -> ast.Node:
    return node


def chance_and_me(context: Context) -> None:
    """`me` has no meaning where nobody acts: who sees a zone does not depend on it."""
    for zone in context.model.zones.values():
        for sight in zone.declaration.sights:
            for node in sight.viewers.walk():
                if isinstance(node, ast.Name) and node.name == "me":
                    context.error(
                        "E0415", "nobody acts here: `me` is not known", node, ["name the seat by the index of the zone"]
                    )
