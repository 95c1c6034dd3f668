"""Types of `offered once for`: the values by which the moves of an action are the same."""

from __future__ import annotations

from dsl import ast
from dsl.checker.context import Scope
from dsl.checker.types.typer import Typer
from dsl.diagnostics import Label
from dsl.symbols import LocalSymbol
from dsl.types import Kind, ListType, TextType, Unknown


def offered_once(typer: Typer, node: ast.Action, scope: Scope) -> None:
    """Check which moves of an action are the same."""
    for once in node.once[1:]:
        labels = [Label(node.once[0].span, "first here")]
        helps = ["join the two lines: `offered once for …, …`"]
        typer.context.error("E0350", f"`{node.name}` is `offered once` twice", once, helps, labels)
    for once in node.once:
        for value in once.values:
            type_ = typer.infer(value, scope)
            if isinstance(type_, Kind | ListType | TextType):
                helps = [f"name a value that depends on {_parameters(node)}"] * bool(node.parameters)
                typer.context.error("E0311", f"{type_} is not a value to compare moves by", value, helps)
                typer.context.model.types[value.number] = Unknown()
    if not node.parameters and node.once:
        message = f"`{node.name}` takes no arguments, so it is a single move"
        typer.context.error("E0350", message, node.once[0], ["leave the line out"])
    elif node.once:
        _values(typer, node, node.once[0])


def _values(typer: Typer, node: ast.Action, once: ast.OfferedOnce) -> None:
    """Report a value that is the same for all moves, and values that are the same for no two of them."""
    model = typer.context.model
    parameters = {parameter.number for parameter in node.parameters}
    named: set[int] = set()
    for value in once.values:
        read = [model.refers.get(part.number) for part in value.walk() if isinstance(part, ast.Name)]
        read_parameters = {
            symbol.node.number for symbol in read if isinstance(symbol, LocalSymbol) and symbol.node is not None
        }
        if isinstance(value, ast.Name):
            named |= read_parameters
        if not read_parameters & parameters and not isinstance(model.types[value.number], Unknown):
            helps = [f"name what distinguishes the moves: values that depend on {_parameters(node)}"]
            typer.context.error("E0350", "this is the same for all moves of the action", value, helps)
    if named >= parameters:
        message = "no two moves have the same values here, so none is omitted"
        last = node.parameters[-1].name
        helps = [f"replace a parameter by what counts about it: `what_counts({last})`", "or leave the line out"]
        typer.context.error("E0350", message, once, helps, severity="warning")


def _parameters(node: ast.Action) -> str:
    *others, last = [f"`{parameter.name}`" for parameter in node.parameters]
    return f"{', '.join(others)} or {last}" if others else last
