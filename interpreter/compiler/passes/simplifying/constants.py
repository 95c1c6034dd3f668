"""Definitions that depend on nothing but their arguments are computed once for each of these.

Only those that search, such as through the paths of a board: cheap ones are inlined and then optimised in place.

Nothing that they depend on changes, so a value can be kept. Without it a game that searches its board has 0.6 of
its speed in Python; two games take 1.04 and 1.07 times the instructions in the machine engine,
one that searches for each place of its board 1.8 times.
"""

from __future__ import annotations

from collections.abc import Collection

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Call, Expr, Fold, Op, children, walk
from interpreter.compiler.ir.module import NEIGHBOURS, Function, Module, named
from interpreter.compiler.ir.types import Bool, Int, Ref, Set, Type, bare
from interpreter.compiler.passes.facts.accesses import AccessAnalysis
from interpreter.compiler.passes.facts.traversal import subject_of
from interpreter.compiler.passes.record import PassRecords

NAME = "constants"

GRAPH_SEARCHES = frozenset({
    "reach", "near", "groups", "hanging", "path", "all_paths", "all_packings", "best_rows", "best_sets", "lines_in",
    "reach_by", "groups_by", "path_by", "paths_by", "all_trails",
})  # fmt: skip
"""The operations that search a board."""

SEVERAL = 2
"""From this many nested loops on, a definition counts as a search."""


def constants(module: Module, records: PassRecords) -> None:
    """Mark the definitions whose values are kept: those that search, and those that use them."""
    accesses, constant = AccessAnalysis(module), set[str]()
    while more := [
        function for function in module.functions.values()
        if function.name not in constant and _depends_on_arguments(function, accesses) and searches(function, constant)
    ]:  # fmt: skip
        constant |= {function.name for function in more}
    for name in module.functions:
        if name in constant:
            function = module.functions[name]
            function.constant = True
            often = "once for each of its arguments" if function.params else "once"
            records.applied(NAME, subject_of(function), function.source, f"it is computed {often}")


def _depends_on_arguments(function: Function, accesses: AccessAnalysis) -> bool:
    """Whether the value of a definition depends only on its arguments, and these can be distinguished."""
    if function.kind != "define" or not all(_is_key(param.type) for param in function.params):
        return False
    accessed = accesses.function(function.name)
    return not accessed.reads and not accessed.everything


def _is_key(type_: Type) -> bool:
    return isinstance(bare(type_), Bool | Int | Ref | Set)


def searches(function: Function, constant: Collection[str]) -> bool:
    """Whether a definition contains a search, or calls one that does, or evaluates a relation for all places."""
    if function.name.startswith(named(NEIGHBOURS, "")):
        return True
    parts = [part for node in st.walk(function.body) for part in st.expressions(node)]
    inside = [nested for part in parts for nested in walk(part)]
    graphs = any(isinstance(nested, Op) and nested.name in GRAPH_SEARCHES for nested in inside)
    calls = any(isinstance(nested, Call) and nested.function in constant for nested in inside)
    return graphs or calls or any(_depth(part) >= SEVERAL for part in parts)


def _depth(node: Expr) -> int:
    """How many loops an expression nests."""
    levels = len(node.loops) if isinstance(node, Fold) else 0
    return levels + max(map(_depth, children(node)), default=0)
