"""Building a program: layout, lowering, passes, generated Python, and the functions that the generated code calls."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Collection
from functools import partial
from itertools import count

from dsl.checker.recursion import room_for_recursion
from dsl.garbage import uncollected
from dsl.model import Model
from interpreter.compiler.ir.module import Module
from interpreter.compiler.lowering.program import lower
from interpreter.compiler.passes.pipeline import run_passes
from interpreter.compiler.passes.record import PassRecords
from interpreter.compiler.passes.simplifying.marks import drop_marks
from interpreter.compiler.python.printing import cells, constants, listing, source
from interpreter.engine.evaluation import Evaluation
from interpreter.engine.opening import count_pieces, opening_cells
from interpreter.engine.program import Program
from interpreter.engine.sight import listed_when_acting, seen_when_acting
from interpreter.errors import PlayError
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import Namespace, NoteCell
from interpreter.runtime.graphs.calls import GraphCalls
from interpreter.runtime.layout import Layout, finish, plan
from interpreter.runtime.node_table import NodeTable
from interpreter.runtime.primitives import Runtime
from interpreter.runtime.subset_calls import SubsetCalls

__all__ = ["build", "cells", "counted_layout", "for_play", "for_tracing", "listing"]

SMALL_SETS = tuple(tuple(bits(mask)) for mask in range(1 << 8))
"""The members of every set of small numbers."""

NUMBERS = count(1)

Prepare = Callable[[Module], PassRecords]


def for_play(module: Module, off: Collection[str] = ()) -> PassRecords:
    """Prepare a module for play: without marks, and fast but for the passes that are switched off."""
    drop_marks(module)
    return run_passes(module, off)


def for_tracing(module: Module) -> PassRecords:
    """Prepare a module for a trace, which shows every statement as written in the rules."""
    return PassRecords()


def build(
    model: Model, seats: tuple[str, ...], options: dict[str, str], prepare: Prepare = for_play, solo: bool = False,
    more: Namespace | None = None,
) -> Program:  # fmt: skip
    """Compile a checked game; with `solo`, actions and phases can be started by themselves, as examples do.

    `prepare` changes the lowered rules before they become Python. `more` are functions that it makes them call; with
    these, it also changes the definitions that say how many pieces there are. Raises PlayError if the state would be
    too large, the rules are nested too deeply to compile, or the pieces are too many or do not fit their homes.
    """
    try:
        with room_for_recursion(), uncollected():
            return _build(model, seats, options, prepare, solo, more or {})
    except RecursionError as fault:
        message = "rules are nested too deeply to compile: name parts of them with `define` or `step`"
        raise PlayError(message, model.file.header.span.location) from fault


def _build(
    model: Model, seats: tuple[str, ...], options: dict[str, str], prepare: Prepare, solo: bool, more: Namespace
) -> Program:  # fmt: skip
    nodes = NodeTable((model.file, *model.examples))
    layout = _counted(model, seats, options, nodes, prepare, more)
    finish(layout)
    chance = _reserve_chance(layout)
    lowered, solo_decisions = lower(layout, chance, solo)
    as_lowered = lowered.module.copied()
    records = prepare(lowered.module)
    text = source(lowered.module)
    runtime = Runtime(layout, nodes)
    called = _called(runtime)
    names = called | constants(lowered.module) | more
    _execute(text, f"<{model.file.header.title.value} {next(NUMBERS)}>", names)
    initial = opening_cells(lowered, names)
    decided = sorted(lowered.decisions)
    program = Program(
        model, layout, runtime, lowered, records, text, as_lowered, called, names, initial,
        [names[f"b{number}"] for number in range(len(lowered.module.blocks))],
        {number: names[f"m{number}"] for number in decided},
        {number: names[f"a{number}"] for number in decided},
        nodes, solo_decisions, Evaluation(lowered, names),
    )  # fmt: skip
    names["fully_seen"] = partial(seen_when_acting, program)
    names["by_standing"] = partial(listed_when_acting, program)
    names["PROGRAM"] = program  # so that a running function knows its program
    return program


def _unchanged(module: Module) -> None:
    """Definitions evaluated once need no passes."""


def _reserve_chance(layout: Layout) -> list[str]:
    """Reserve cells for the options left to chance; gives their names."""
    options = layout.model.options.items()
    chance = [name for name, option in options if option.by_chance and layout.options[name] == "random"]
    for name in chance:
        layout.first_note[f"option {name}"] = NoteCell(layout.take())
    return chance


def _execute(text: str, filename: str, names: Namespace) -> None:
    """Define the generated functions; tracebacks and profiles show their lines."""
    try:
        code = compile(text, filename, "exec")
    except (SyntaxError, MemoryError) as fault:  # what Python raises where too much is nested
        raise RecursionError(str(fault)) from fault
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    exec(code, names)


def counted_layout(model: Model, seats: tuple[str, ...], options: dict[str, str]) -> Layout:
    """The pieces of a game with these seats and options; its rules are not compiled. Raises PlayError as `build`."""
    return _counted(model, seats, options, NodeTable((model.file,)), _unchanged, {})


def _counted(
    model: Model, seats: tuple[str, ...], options: dict[str, str], nodes: NodeTable,
    prepare: Callable[[Module], object], more: Namespace,
) -> Layout:  # fmt: skip
    layout = plan(model, seats, options)
    count_pieces(layout, _called(Runtime(layout, nodes)) | more, prepare if more else _unchanged)
    return layout


def _called(runtime: Runtime) -> Namespace:
    """The functions and constants that generated code uses, by name."""
    functions = runtime.names() | GraphCalls(runtime.location_of).names() | SubsetCalls(runtime).names()
    return functions | {"SMALL_SETS": SMALL_SETS}
