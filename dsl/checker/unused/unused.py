"""Declarations that are never used, or only by unused declarations."""

from __future__ import annotations

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.names.declarations import declarations
from dsl.checker.types.constructors import unused
from dsl.symbols import ConstantSymbol, FamilySymbol, TypeSymbol, ValueSymbol
from dsl.types import Listed, bare

USED = ast.Zone | ast.Note | ast.Die | ast.PositionDeclaration | ast.Define | ast.Action | ast.Step | ast.Option
"""Declarations that exist to be used by others."""


def unused_declarations(context: Context) -> None:
    """Warn of unused declarations; no error, since they may be meant for examples or variants."""
    helps = ["use it or remove it"]
    unused_nodes: list[ast.Node] = []
    types = _types_used(context)
    for node in declarations(context.model.file):
        if isinstance(node, USED) and node.number not in context.used:
            unused_nodes.append(node)
        elif isinstance(node, ast.ByPlayers):
            unused_nodes += [row for row in node.rows if row.number not in context.used]
        elif isinstance(node, ast.TypeList | ast.TypeTable | ast.TypeBoard) and node.name not in types:
            unused_nodes.append(node)
    for unused_node in unused_nodes:
        name = unused_node.key if isinstance(unused_node, ast.Row) else getattr(unused_node, "name", "")
        context.error("E0501", f"`{name}` is never used", unused_node, helps, severity="warning")
    for let in context.model.nodes:
        if isinstance(let, ast.Let) and let.number not in context.used:
            context.error("E0501", f"`{let.name}` is never used", let, helps, severity="warning")
    _used_only_by_unused(context)
    unused(context)


def _types_used(context: Context) -> set[str]:
    """Names of the types that are mentioned, or that have a value that is mentioned."""
    model = context.model
    names = {node.name for node in model.nodes if isinstance(node, ast.TypeName)}
    for symbol in model.refers.values():
        if isinstance(symbol, TypeSymbol):
            names.add(symbol.name)
        elif isinstance(symbol, ValueSymbol | FamilySymbol) and isinstance(core := bare(symbol.type), Listed):
            names |= core.owners
    constants = [symbol.type for symbol in model.globals.values() if isinstance(symbol, ConstantSymbol)]
    dice = [die.type for die in model.dice.values() if die.type is not None]
    for type_ in (*constants, *dice, *(option.type for option in model.options.values())):
        core = bare(type_)
        names |= core.owners if isinstance(core, Listed) else frozenset()
    for type_symbol in model.type_symbols.values():
        source = type_symbol.node.source if isinstance(type_symbol.node, ast.TypeBoard) else None
        names |= {part.name for part in (source.path if source is not None else ()) if isinstance(part, ast.Name)}
    return names


def _used_only_by_unused(context: Context) -> None:
    """Warn of declarations that are used only by declarations that are themselves never used."""
    model = context.model
    inside = {node.number: node for node in declarations(model.file) if isinstance(node, USED)}
    mentions: dict[int, set[int]] = {}
    roots: list[ast.Node] = [*model.setup, *model.examples]
    played = {phase.number for phase in model.course}
    for node in declarations(model.file):
        if node.number in inside:
            mentions[node.number] = _mentioned(context, node)
        elif not isinstance(node, ast.Phase) or node.number in played:
            roots.append(node)
    reached: set[int] = set()
    waiting = set().union(*(_mentioned(context, root) for root in roots)) & set(inside)
    while waiting:
        reached |= waiting
        waiting = (set().union(*(mentions[number] for number in waiting)) & set(inside)) - reached
    reached |= context.used - set(inside)
    users_of: dict[int, list[str]] = {}
    for user, used in mentions.items():
        for number in used - {user}:
            users_of.setdefault(number, []).append(inside[user].name)
    for number, node in inside.items():
        if number in reached or number not in context.used:
            continue
        users = users_of.get(number, [])
        if not users:
            continue  # used by the board, or by a table
        helps = [f"use `{users[0]}`, or remove both"]
        message = f"`{node.name}` is used only by `{users[0]}`, which is itself never used"
        context.error("E0501", message, node, helps, severity="warning")


def _mentioned(context: Context, node: ast.Node) -> set[int]:
    """Numbers of the declarations that are mentioned anywhere inside a node."""
    numbers: set[int] = set()
    if isinstance(node, ast.When) and node.name in context.model.defines:
        numbers.add(context.model.defines[node.name].declaration.number)
    for part in node.walk():
        symbol = context.model.refers.get(part.number)
        if symbol is not None and symbol.node is not None:
            numbers.add(symbol.node.number)
    if isinstance(node, ast.ByPlayers):
        cells = {cell for row in node.rows for cell in row.cells}
        numbers |= {option.declaration.number for name, option in context.model.options.items() if name in cells}
    return numbers
