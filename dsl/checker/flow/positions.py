"""Checks of positions: what they read, and that what is recorded is asked for and the other way round."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import ast
from dsl.checker.context import Context
from dsl.symbols import DefineSymbol


def self_reading_positions(context: Context) -> None:
    """Report positions that depend on how often positions were recorded."""
    for position in context.model.positions.values():
        for part in position.declaration.parts:
            for node, origin in _reads(context, part):
                if isinstance(node, ast.Times):
                    helps = ["name what can be seen on the table: zones, notes, dice, `me`"]
                    message = f"`{position.name}` would depend on how often positions were recorded"
                    context.error("E0425", message, origin, helps)
                    break


def _reads(context: Context, part: ast.Expression) -> Iterator[tuple[ast.Node, ast.Node]]:
    """All nodes that decide the value of an expression, each with the node of the expression that leads to it."""
    waiting: list[tuple[ast.Node, ast.Node | None]] = [(part, None)]
    seen: set[str] = set()
    while waiting:
        root, origin = waiting.pop()
        for node in root.walk():
            yield node, origin or node
            symbol = context.model.refers.get(node.number)
            followed: ast.Node | None = None
            if isinstance(symbol, DefineSymbol):
                followed = symbol.declaration
            elif isinstance(node, ast.Act) and node.name in context.model.rules:
                followed = context.model.rules[node.name].declaration
            if followed is not None and followed.name not in seen:  # type: ignore[attr-defined]
                seen.add(followed.name)  # type: ignore[attr-defined]
                waiting.append((followed, origin or node))


def idle_positions(context: Context) -> None:
    """Warn of positions that are recorded but never asked for, and of those asked for but never recorded."""
    model = context.model
    nodes = [*model.nodes, *(node for example in model.examples for node in example.walk())]
    recorded = {model.refers.get(node.target.number) for node in nodes if isinstance(node, ast.Record)}
    queries = {model.refers.get(node.position.number): node for node in reversed(nodes) if isinstance(node, ast.Times)}
    for position in model.positions.values():
        name = position.name
        if position in recorded and position not in queries:
            helps = [
                f"ask how often it has occurred: `times({name})`",
                f"or remove `position {name}` and `record {name}`",
            ]
            message = f"`{name}` is recorded, but nothing asks how often"
            context.error("E0512", message, position.declaration, helps, severity="warning")
        elif position in queries and position not in recorded:
            helps = [f"write `record {name}` where the position counts, such as at the beginning of every turn"]
            message = f"`times({name})` is always 0: nothing records `{name}`"
            context.error("E0512", message, queries[position], helps, severity="warning")
