"""Nesting depth of definitions and steps, limited so that no later stage recurses too deeply."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.names.declarations import declarations
from dsl.lazy_dataclasses import dataclass

DEEPEST_IN_ALL = 700
"""Maximum nesting depth, counted through the definitions and steps that are used."""

MOST_NAMED = 4
"""Maximum number of names of a chain that are shown."""


@dataclass
class Unit:
    """A declaration: its own depth, and the definitions and steps it uses with the depth of each use."""

    node: ast.Node
    depth: int = 0
    uses: list[tuple[str, ast.Node, int]] = field(default_factory=list)
    in_all: int = 0


def depths(context: Context) -> None:
    """Report definitions or steps whose calls are nested too deeply."""
    units = _units(context)
    for name in _used_first(units):
        unit = units[name]
        unit.in_all = unit.depth
        for used, node, depth in unit.uses:
            below = units[used].in_all
            unit.in_all = max(unit.in_all, depth + below)
            if depth + below > DEEPEST_IN_ALL >= below:
                _report(context, units, name, used, node)
                break


def _units(context: Context) -> dict[str, Unit]:
    """Everything that uses definitions and steps, by name; declarations nothing can call get a number as their name."""
    model = context.model
    named: dict[int, str] = {symbol.declaration.number: name for name, symbol in model.defines.items()}
    named |= {symbol.declaration.number: name for name, symbol in model.rules.items()}
    named |= {symbol.declaration.number: name for name, symbol in model.positions.items()}
    roots = [*declarations(model.file), *model.setup, *model.examples]
    units = {named.get(root.number, str(root.number)): Unit(root) for root in roots}
    for unit in units.values():
        for node, depth in _with_depth(unit.node):
            unit.depth = max(unit.depth, depth)
            used = _used(node)
            if used in units and not used.isdigit():
                unit.uses.append((used, node, depth))
    return units


def _used(node: ast.Node) -> str:
    """The definition or step that a node may use, or an empty name."""
    return node.name if isinstance(node, ast.Name | ast.Act | ast.When) else ""


def _with_depth(root: ast.Node) -> Iterator[tuple[ast.Node, int]]:
    """Walk a node and its descendants, each with the number of nodes around it."""
    waiting = [(root, 1)]
    while waiting:
        node, depth = waiting.pop()
        yield node, depth
        waiting += [(child, depth + 1) for child in reversed(node.children())]


def _used_first(units: dict[str, Unit]) -> list[str]:
    """Sort the names topologically, each after those it uses; in a cycle the one visited last comes first."""
    ordered: dict[str, None] = {}
    begun: set[str] = set()
    for first in units:
        waiting = [(first, False)]
        while waiting:
            name, is_over = waiting.pop()
            if is_over:
                ordered.setdefault(name)
            elif name not in begun:
                begun.add(name)
                waiting.append((name, True))
                waiting += [(used, False) for used, _, _ in reversed(units[name].uses)]
    return list(ordered)


def _report(context: Context, units: dict[str, Unit], name: str, used: str, node: ast.Node) -> None:
    """Report the use at which the chain becomes too long, with the first names of the chain."""
    chain = [] if name.isdigit() else [name]
    chain.append(used)
    while len(chain) <= MOST_NAMED and units[chain[-1]].uses:
        deepest = max(units[chain[-1]].uses, key=lambda use: use[2] + units[use[0]].in_all)
        chain.append(deepest[0])
    listed = " → ".join(f"`{link}`" for link in chain[:MOST_NAMED])
    helps = ["merge several definitions or steps into one", "or store intermediate results in a `note`"]
    message = f"definitions and steps are nested too deeply: {listed}{' → …' if len(chain) > MOST_NAMED else ''}"
    context.error("E0346", message, node, helps)
