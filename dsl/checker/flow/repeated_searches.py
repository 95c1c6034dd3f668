"""Searches that nested loops of statements repeat in every iteration, although the result stays the same.

In conditions and values the compiler computes what stays the same only once, unless it may fail
(`searches_in_folds.py`). Between statements it does not, as these change the state; which of them changes what a search
reads is known here.
"""

from __future__ import annotations

from collections.abc import Iterator

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.flow.changes import Changes
from dsl.checker.flow.endings import symbols_read
from dsl.checker.flow.searches_in_folds import CHANGING, depends_on_state, searches_in_folds
from dsl.symbols import BuiltinSymbol, DefineSymbol

SEARCHING = frozenset({"groups", "reach", "path", "paths", "trails", "packings", "lines"})
"""The functions that search a whole graph."""

NESTED = 2
"""How many loops nested in a definition make it a search."""


def repeated_searches(context: Context) -> None:
    """Warn of definitions that search, in the innermost of several loops, on whose values they do not depend."""
    changes = Changes(context)
    searches_in_folds(context)
    for node in context.model.nodes:
        if isinstance(node, ast.Action | ast.Step | ast.When | ast.Phase):
            for statement in node.body:
                _in_loops(context, changes, statement, 0)
    for statement in context.model.setup:
        _in_loops(context, changes, statement, 0)


def _in_loops(context: Context, changes: Changes, node: ast.Statement, loops: int) -> None:
    """Look into the statements inside a statement; `loops` is the number of names bound by the loops around it."""
    if isinstance(node, ast.ForEach):
        loops += len(node.binders)
        if loops > 1 and not any(
            isinstance(nested, ast.Loop) for body_statement in node.body for nested in body_statement.walk()
        ):
            for statement in node.body:
                _innermost(context, changes, node, statement)
    elif isinstance(node, ast.EachPlayer | ast.Repeat):
        loops += 1
    for block in ast.blocks(node):
        for nested in block:
            _in_loops(context, changes, nested, loops)


def _innermost(context: Context, changes: Changes, loop: ast.ForEach, statement: ast.Statement) -> None:
    """Report the searches of a statement of the innermost loop that have the same result for all its values."""
    model = context.model
    binders = {binder.number for binder in loop.binders}
    for call in _calls(context, statement):
        symbol = _define(context, call)
        if symbol is None or not _searches(context, symbol):
            continue
        read = {model.refers.get(part.number) for part in call.walk()}
        bound = {name.node.number for name in read if name is not None and name.node is not None}
        bound_inside = {part.number for node in loop.body for part in node.walk()}
        inside = {*symbols_read(context, call)}
        changing = {node for node in inside if isinstance(node, CHANGING)}
        if bound & (binders | bound_inside) or changing & changes.by(loop.body) or not depends_on_state(inside):
            continue
        text = " ".join(call.span.text.split())
        names = ", ".join(f"`{binder.name}`" for binder in loop.binders)
        helps = [f"name it before the loop, `let found = {text}`, and use `found` in the loop"]
        message = f"`{text}` repeats the same search for each {names}, always with the same result"
        context.error("E0514", message, call, helps, severity="warning")


def _calls(context: Context, node: ast.Node) -> Iterator[ast.Name | ast.Call]:
    """The uses of definitions in the expressions of a statement."""
    for child in node.children():
        if isinstance(child, ast.Name | ast.Call) and _define(context, child) is not None:
            yield child
        else:
            yield from _calls(context, child)


def _define(context: Context, node: ast.Name | ast.Call) -> DefineSymbol | None:
    symbol = context.model.refers.get(node.number)
    return symbol if isinstance(symbol, DefineSymbol) else None


def _searches(context: Context, symbol: DefineSymbol) -> bool:
    """True if a definition itself searches a graph or tries all combinations of several values."""
    return any(_deep(part) or _graph(context, part) for part in symbol.declaration.walk())


def _graph(context: Context, node: ast.Node) -> bool:
    symbol = context.model.refers.get(node.number)
    return isinstance(node, ast.Call) and isinstance(symbol, BuiltinSymbol) and symbol.name in SEARCHING


def _deep(node: ast.Node) -> bool:
    """True if a node tries all combinations of several values."""
    return isinstance(node, ast.Quantified | ast.Aggregate) and len(node.binders) >= NESTED
