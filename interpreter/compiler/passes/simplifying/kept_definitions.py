"""Definitions without arguments that search are computed once in a position: until a cell that they read has changed.

A value is kept together with the values of the cells that it was computed from, and used as long as they are equal. So
nothing has to be told of changes: it is right whatever is stored, undone or supposed. An error is not kept, so that it
occurs each time. Comparing cells is not free, so only what several places ask for, or a loop, is kept.

Without it, a game that asks for the closed areas of its board in many places has 0.85 of its speed in Python, and 0.7
in the machine engine, where `machine/value_slots.py` prints it; `reused_searches.py` also saves calls within a block.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Call, Counted, Expr, Fold, children, walk
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.passes.facts.accesses import AccessAnalysis, calls_in
from interpreter.compiler.passes.facts.traversal import functions, subject_of
from interpreter.compiler.passes.record import PassRecords
from interpreter.compiler.passes.simplifying.constants import searches

NAME = "kept definitions"

MAX_COMPARED_CELLS = 128
"""Comparing more cells than this may take longer than a search."""


def kept_definitions(module: Module, records: PassRecords) -> None:
    """Mark the definitions whose last value is kept."""
    accesses, times = AccessAnalysis(module), _times_asked(module)
    searching = {name for name, node in module.functions.items() if node.constant}
    for name, function in module.functions.items():
        if function.kind != "define" or function.params or function.constant or not searches(function, searching):
            continue
        searching.add(name)
        read = accesses.function(name)
        if read.everything or not read.reads or times[name] < 2 or _is_counted(module, function):
            continue
        if not read.reads <= module.cells.keys():
            records.refused(NAME, subject_of(function), function.source, "it depends on where single pieces lie")
            continue
        groups = sorted((module.cells[group] for group in read.reads), key=lambda group: group.first)
        if sum(group.count for group in groups) > MAX_COMPARED_CELLS:
            records.refused(NAME, subject_of(function), function.source, "it depends on too many cells")
            continue
        function.kept_for = tuple(groups)
        names = ", ".join(group.name for group in groups)
        reason = f"it is computed again only when one of these has changed: {names}"
        records.applied(NAME, subject_of(function), function.source, reason)


def _times_asked(module: Module) -> Counter[str]:
    """How many places ask for each definition; a loop counts as several."""
    times: Counter[str] = Counter()
    for function in functions(module):
        for node, is_repeated in _with_loops(function.body, False):
            for value in st.expressions(node):
                _count_calls(value, is_repeated, times)
    return times


def _with_loops(block: st.Block, is_repeated: bool) -> Iterator[tuple[st.Statement, bool]]:
    """The statements of a block and those inside, each with whether it is in a loop."""
    for node in block:
        yield node, is_repeated
        for inner in st.blocks(node):
            yield from _with_loops(inner, is_repeated or isinstance(node, st.For | st.Repeat))


def _count_calls(node: Expr, is_repeated: bool, times: Counter[str]) -> None:
    if isinstance(node, Call):
        times[node.function] += 2 if is_repeated else 1
    for child in children(node):
        _count_calls(child, is_repeated or isinstance(node, Fold), times)


def _is_counted(module: Module, function: Function) -> bool:
    """True if evaluating a definition is counted for coverage."""
    waiting, seen = [function.name], {function.name}
    while waiting:
        body = module.functions[waiting.pop()].body
        for node in st.walk(body):
            if isinstance(node, st.Count) or any(isinstance(part, Counted) for value in st.expressions(node)
                                                 for part in walk(value)):  # fmt: skip
                return True
        waiting += calls_in(body) - seen
        seen |= calls_in(body)
    return False
