"""The verifier: invariants of modules. A problem is a bug of lowering or of a pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dsl import ast
from dsl.text.visible import visible
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expression_text import expression_text, short
from interpreter.compiler.ir.expressions import Expr, children
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.ir.printing import heading
from interpreter.compiler.ir.statements import Statement
from interpreter.compiler.ir.verifying.control import function_problems, loop_control_problems, statement_problems
from interpreter.compiler.ir.verifying.scopes import local_problems
from interpreter.compiler.ir.verifying.values import expression_problems

MAX_QUOTE_LENGTH = 100


def verify(module: Module) -> list[str]:
    """All problems of a module, each with its function and location in the rules."""
    problems = [
        *_ranges("cells", ((group.first, group.count, group.name) for group in module.cells.values())),
        *_ranges("zone", ((zone.first, zone.count, zone.name) for zone in module.zones.values())),
        *_zones(module),
        *_names(module),
    ]
    for function in _functions(module):
        problems += _in_function(function, module)
    return [visible(problem) for problem in problems]


def _functions(module: Module) -> list[Function]:
    """Functions and blocks, each once."""
    inside = {block.name for block in module.blocks.values()}
    return [*(f for f in module.functions.values() if f.name not in inside), *module.blocks.values()]


# ---------------------------------------------------------------- the module as a whole


def _ranges(what: str, ranges: Iterable[tuple[int, int, str]]) -> Iterator[str]:
    """Overlaps of ranges, given by first number, count and name."""
    end, latest = 0, ""
    for first, count, name in sorted(ranges):
        if count < 0 or first < 0:
            yield f"{what} {name}: no range"
        if first < end:
            yield f"{what} {name}: overlap with {latest}"
        if first + count > end:
            end, latest = first + count, name


def _zones(module: Module) -> Iterator[str]:
    for zone in module.zones.values():
        for group in (zone.contents, zone.order):
            if group is not None and group.count != zone.count:
                yield f"zone {zone.name}: has {zone.count} places, but {group.count} cells {group.name}"
        if (zone.order is not None) != (zone.shape in ("row", "stack")):
            yield f"zone {zone.name}: a {zone.shape} {'with' if zone.order else 'without'} an order"
        if zone.filled is not None and zone.filled.count != 1:
            yield f"zone {zone.name}: {zone.filled.count} cells {zone.filled.name}"


def _names(module: Module) -> Iterator[str]:
    for name, group in module.cells.items():
        if name != group.name:
            yield f"cells {group.name}: kept as {name}"
    for name, zone in module.zones.items():
        if name != zone.name:
            yield f"zone {zone.name}: kept as {name}"
    for name, table in module.tables.items():
        if name != table.name:
            yield f"table {table.name}: kept as {name}"
    for name, function in module.functions.items():
        if name != function.name:
            yield f"{heading(function)}: kept as {name}"
    for number, block in module.blocks.items():
        if block.kind != "block":
            yield f"{heading(block)}: kept as a block"
        elif number != block.number:
            yield f"{heading(block)}: kept as {number}"


# ---------------------------------------------------------------- one function


def _in_function(function: Function, module: Module) -> Iterator[str]:
    for problem in function_problems(function, module):
        yield _said(function, function.source, problem)
    for place, problem in (*local_problems(function), *loop_control_problems(function.body)):
        yield _said(function, None if place is None else _source(place), problem)
    for node in st.walk(function.body):
        for problem in statement_problems(node, function, module):
            yield _said(function, _source(node), problem)
        for value in st.expressions(node):
            for expression, source in _walk(value, _source(node)):
                for problem in expression_problems(expression, module):
                    quoted = short(expression_text(expression), MAX_QUOTE_LENGTH)
                    yield _said(function, source, f"{problem}: `{quoted}`")


def _walk(node: Expr, source: ast.Node | None) -> Iterator[tuple[Expr, ast.Node | None]]:
    """An expression and all its parts, each with the node of the rules it, or what it is part of, came from."""
    source = node.source or source
    yield node, source
    for child in children(node):
        yield from _walk(child, source)


def _source(node: Statement) -> ast.Node | None:
    return node.node if isinstance(node, st.Mark) else node.source


def _said(function: Function, source: ast.Node | None, problem: str) -> str:
    node = source or function.source
    location = "" if node is None else f", {node.span.location}"
    return f"{heading(function)}{location}: {problem}"
