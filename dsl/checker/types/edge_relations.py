"""Relations as edges: a definition of two places where a graph function takes a set of edges, `groups(S, linked)`."""

from __future__ import annotations

from collections.abc import Mapping

from dsl import ast
from dsl.checker.context import Scope
from dsl.checker.names.functions import FUNCTIONS
from dsl.checker.types.causes import about, declared
from dsl.checker.types.expectations import expect, expect_number, refer
from dsl.checker.types.type_declarations import GREATEST_MEMBER
from dsl.checker.types.typer import Typer
from dsl.diagnostics import Replacement
from dsl.symbols import BuiltinSymbol, DefineSymbol
from dsl.types import TRUTH, UNKNOWN, Listed, Number, PieceType, Several, Type, Unknown, element_of, fits, maybe

TRAILS = "trails"
"""The function whose results are sets of edges, so that it takes no relation."""

EDGES: Mapping[str, int] = {"reach": 1, "near": 1, "groups": 1, "path": 2, "paths": 1, TRAILS: 1}
"""The position of the edges among the arguments of each graph function."""

TAKEN: Mapping[str, int] = {"reach": 2, "near": 2, "groups": 2, "path": 3, "paths": 3}


def relation_in(typer: Typer, node: ast.Call, name: str, scope: Scope) -> DefineSymbol | None:
    """The definition that stands for the edges in a call of a graph function: one with parameters, true or false."""
    if name not in EDGES:
        return None
    edges = _edges(node, name)
    named = edges.base if isinstance(edges, ast.Call) else edges
    if not isinstance(named, ast.Name) or scope.find(named.name):
        return None
    symbol = typer.context.globals.get(named.name)
    if not isinstance(symbol, DefineSymbol) or not symbol.declaration.parameters:
        return None
    return symbol if fits(typer.definition_type(symbol, edges), TRUTH) else None


def related_type(typer: Typer, node: ast.Call, name: str, relation: DefineSymbol, scope: Scope) -> Type:
    """The type of a call of a graph function with a relation in place of its edges."""
    context, edges = typer.context, _edges(node, name)
    refer(typer, node, context.globals[name])
    assert isinstance(context.globals[name], BuiltinSymbol)
    if name == TRAILS:
        helps = ["use edges: places of the board that have two ends, such as `type Side from beside(Cell)`"]
        context.error("E0761", f"`{name}` gives sets of edges, but a relation has no edges", edges, helps)
        return UNKNOWN
    if isinstance(edges, ast.Call):
        new = Replacement(edges.span, relation.name)
        helps = [f"write `{relation.name}` alone: `{name}` asks it about the places itself"]
        context.error("E0761", f"`{name}` takes the relation, not its value", edges, helps, new=new)
        return UNKNOWN
    refer(typer, edges, relation)
    place = _places_of(typer, relation, edges)
    if place is None:
        for argument in node.arguments:
            if argument is not edges:
                typer.infer(argument, scope)
        return UNKNOWN
    if len(node.arguments) != TAKEN[name]:
        message = f"`{name}` takes {TAKEN[name]} arguments, found {len(node.arguments)}"
        context.error("E0314", message, node, [f"write {FUNCTIONS[name][0]}"])
        return UNKNOWN
    where, cause = f"for `{relation.parameters[0].name}` of `{relation.name}`", declared(relation)
    if name in ("groups", "paths"):
        places = expect(typer, node.arguments[0], scope, Several(place), f"for the places of `{relation.name}`", cause)
        if name == "paths":
            expect_number(typer, node.arguments[2], scope)
        element = element_of(places)
        return Several(Several(element if isinstance(element, PieceType) else place))
    expect(typer, node.arguments[0], scope, place, where, cause)
    if name == "path":
        expect(typer, node.arguments[1], scope, place, where, cause)
        return maybe(Several(place))
    return Several(place)


def _edges(node: ast.Call, name: str) -> ast.Expression:
    """The argument in the position of the edges; if there are too few, the last one."""
    return node.arguments[min(EDGES[name], len(node.arguments) - 1)]


def _places_of(typer: Typer, relation: DefineSymbol, node: ast.Expression) -> Type | None:
    """The type of the places that a relation links; None, with a diagnostic, if it is no relation."""
    types = [parameter.type for parameter in relation.parameters]
    if len(types) < len(relation.declaration.parameters) or any(isinstance(type_, Unknown) for type_ in types):
        return None
    parameters = ", ".join(f"{parameter.name}: …" for parameter in relation.declaration.parameters)
    message = ""
    if len(types) != 2:
        message = f"a relation is between two places, but `{relation.name}` takes {len(types)}: {parameters}"
    elif types[0] != types[1]:
        message = f"a relation is between places of one type, but `{relation.name}` takes {types[0]} and {types[1]}"
    elif not _can_be_place(types[0]):
        message = f"{types[0]} cannot be a place of a relation"
    if not message:
        return types[0]
    helps = ["define it for two places: `define linked(a: Cell, b: Cell): …`"]
    typer.context.error("E0761", message, node, helps, causes=[declared(relation), about(typer, node)])
    return None


def _can_be_place(type_: Type) -> bool:
    if isinstance(type_, Number):
        return type_.low >= 0 and type_.high <= GREATEST_MEMBER
    return isinstance(type_, Listed | PieceType)
