"""Ambiguous values that a definition returns: the type of its result, written after its name, decides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dsl import ast
from dsl.checker.context import Context


def suggest_result_type(context: Context, node: ast.Define, first: int) -> None:
    """Say in the diagnostics from number `first` on how to declare the type, where an ambiguous value is the result."""
    returned = {value.span: form for case in node.cases for value, form in _returned(case.value, "")}
    for place, diagnostic in enumerate(context.diagnostics[first:], first):
        form = returned.get(diagnostic.span)
        if diagnostic.code != "E0205" or form is None:
            continue
        name = diagnostic.span.text.partition("(")[0]
        symbols = (*context.values.get(name, ()), *context.families.get(name, ()))
        owners = dict.fromkeys(getattr(symbol.type, "name", "") for symbol in symbols)
        types = " or ".join(f"`-> {form}{owner}`" for owner in owners if " " not in owner)
        helps = (f"declare the type of the result, after `{_head(node)}`: {types}", *diagnostic.helps)
        context.diagnostics[place] = replace(diagnostic, helps=helps[:4])


def _head(node: ast.Define) -> str:
    """The name of a definition, with brackets if it has parameters."""
    return f"{node.name}(…)" if node.parameters else node.name


def _returned(node: ast.Expression, form: str) -> Iterator[tuple[ast.Expression, str]]:
    """The words that are the result of an expression, or members of it, with what is before their type."""
    match node:
        case ast.Name() | ast.Call():
            yield node, form
        case ast.Either():
            yield from _returned(node.then, form)
            yield from _returned(node.otherwise, form)
        case ast.SetOf() if not form:
            for item in node.items:
                yield from _returned(item, "several ")
        case _:
            pass
