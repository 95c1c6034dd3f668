"""The first stage: create a symbol for every declaration."""

from __future__ import annotations

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.names.declarations import collect, declarations, header, predeclared
from dsl.checker.types.board_types import alternatives, type_board
from dsl.checker.types.constructors import clashes, family_types, has_families
from dsl.checker.types.grid_types import grid_types, sizes
from dsl.checker.types.type_declarations import by_players, option, type_list, type_table


def names(context: Context) -> None:
    """Give each declaration its symbol; report names declared twice and required declarations that are missing."""
    model = context.model
    predeclared(context)
    header(context)
    everything = list(declarations(model.file))
    from_board = [node for node in everything if isinstance(node, ast.TypeBoard) and node.source.function is None]
    needing_none = [node for node in everything if isinstance(node, ast.TypeBoard) and node.source.function is not None]
    alternatives(context, from_board)
    sizes(context, needing_none)
    for node in everything:
        match node:
            case ast.TypeList() if not has_families(node):
                type_list(context, node)
            case ast.TypeTable():
                type_table(context, node)
            case _:
                pass
    for node in from_board:
        type_board(context, node)
    grid_types(context, needing_none)
    family_types(context, everything)
    for node in everything:
        match node:
            case ast.ByPlayers():
                by_players(context, node)
            case ast.Option():
                option(context, node)
            case _:
                collect(context, node)
    clashes(context)
    for statement in model.nodes:
        if isinstance(statement, ast.Assignment) and isinstance(statement.target, ast.Name):
            context.assigned.add(statement.target.name)
    if not model.course:
        helps = ["add a phase: `phase main, turns from …:`"]
        context.error("E0401", "the game has no phase", model.file.header, helps)
    if model.winner is None:
        helps = ["add `winner highest …` to `== scoring ==`"]
        context.error("E0402", "nobody can win: the game has no `winner`", model.file.header, helps)
