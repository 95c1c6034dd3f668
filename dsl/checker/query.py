"""Queries: expressions typed about a running game, parsed and checked as if they were part of its rules."""

from __future__ import annotations

from collections.abc import Iterable

from dsl import ast
from dsl.checker.context import Context, Scope
from dsl.checker.recursion import room_for_recursion
from dsl.checker.types.declarations import typer_of
from dsl.checker.types.infer import undetermined_types
from dsl.diagnostics import Diagnostic, has_errors, in_order
from dsl.model import Model
from dsl.symbols import LocalSymbol
from dsl.syntax import parse_expression
from dsl.text.span import Source

FIRST_NUMBER = 1 << 30
"""First number of the nodes of a query, so that tables can hold them beside those of the rules."""


def ask(model: Model, text: str, names: Iterable[LocalSymbol] = ()) -> tuple[ast.Expression | None, list[Diagnostic]]:
    """Parse and check an expression against a checked model; `names` are in scope as well.

    Return the expression, or None if there is an error, and the diagnostics. Its references and types are added to the
    tables of the model, which holds one query only: give it an extended one (`Model.extended`).
    """
    node, diagnostics = parse_expression(Source("query", text), first_number=FIRST_NUMBER)
    if node is None:
        return None, diagnostics
    context = Context(model)
    scope = Scope(context, locals={symbol.name: symbol for symbol in names})
    with room_for_recursion():
        type_ = typer_of(context).infer(node, scope)
        if not has_errors(context.diagnostics):
            undetermined_types(context, node.walk())
    model.types[node.number] = type_
    diagnostics = in_order([*diagnostics, *context.diagnostics])
    return (None if has_errors(diagnostics) else node), diagnostics
