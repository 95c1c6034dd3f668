"""Building a program from layout, generated Python, and the functions that the generated code calls."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from dsl.checker.recursion import room_for_recursion
from dsl.model import Model
from interpreter.compile.assembly import actions_alone, course_of_play, whole_source
from interpreter.compile.opening import count_pieces, opening_cells, small_sets
from interpreter.compile.points import Points
from interpreter.decisions import FREE_POINT, OVER_POINT
from interpreter.errors import PlayError
from interpreter.graphs.calls import GraphCalls
from interpreter.layout.cells import Layout, finish, plan
from interpreter.program import Program
from interpreter.runtime.primitives import Runtime
from interpreter.runtime.subset_calls import SubsetCalls
from interpreter.visibility.sight import offered


def build(
    model: Model, seats: tuple[str, ...], options: dict[str, str], traced: bool = False, solo: bool = False,
    emitter: Callable[[Layout, bool], Points] = Points,
) -> Program:  # fmt: skip
    """Compile a checked game; with `solo`, actions and phases can be started by themselves, as examples do.

    `emitter` makes the code emitter for a layout, traced or not. Raises PlayError if the state would be too large, the
    rules are nested too deeply to compile, or the pieces are too many or do not fit their homes.
    """
    with room_for_recursion():
        return _build(model, seats, options, traced, solo, emitter)


def _build(
    model: Model, seats: tuple[str, ...], options: dict[str, str], traced: bool, solo: bool,
    emitter: Callable[[Layout, bool], Points],
) -> Program:  # fmt: skip
    layout = plan(model, seats, options)
    nodes = {node.number: node for root in (model.file, *model.examples) for node in root.walk()}

    count_pieces(model, layout, emitter(layout, False), _called(Runtime(layout, nodes)))
    finish(layout)
    chance = [name for name, option in model.options.items() if option.by_chance and options[name] == "random"]
    for name in chance:
        cell = layout.take()
        layout.first_note[f"option {name}"] = cell
    points = emitter(layout, traced)
    points.phase_cell = layout.take()
    points.begins_cell = layout.take() if solo else None
    start = points.new_block()
    points.over_block = points.new_block()
    points.free_block = points.new_block()
    points.ending(points.over_block, OVER_POINT)
    points.ending(points.free_block, FREE_POINT)
    course_of_play(points, start, chance)
    found = actions_alone(points) if solo else {}
    points.emit_waiting()
    source = whole_source(points)
    runtime = Runtime(layout, nodes)
    names = _called(runtime)
    names.update(points.tables, OVER=points.over_block, SMALL_SETS=small_sets())
    try:
        code = compile(source, "<rules>", "exec")
    except (SyntaxError, MemoryError, RecursionError):
        message = "rules are nested too deeply to compile: name parts of them with `define` or `step`"
        raise PlayError(message, model.file.header.span.location) from None
    exec(code, names)
    initial = opening_cells(points, names)
    decided = sorted(points.decisions)
    program = Program(
        model, layout, runtime, points, source, names, initial,
        [names[f"b{number}"] for number in range(len(points.blocks))],
        {number: names[f"m{number}"] for number in decided},
        {number: names[f"a{number}"] for number in decided},
        nodes, found,
    )  # fmt: skip
    names["offered"] = partial(offered, program)
    names["PROGRAM"] = program  # so that a running function knows its program
    return program


def _called(runtime: Runtime) -> dict[str, Any]:
    """The functions that generated code calls, by name."""
    return runtime.names() | GraphCalls(runtime.location_of).names() | SubsetCalls(runtime).names()
