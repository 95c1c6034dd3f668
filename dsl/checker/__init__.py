"""From the syntax tree to a checked model, in stages one can read."""

from __future__ import annotations

from collections.abc import Callable

from dsl import ast
from dsl.boards import Board
from dsl.checker.cascading_errors import without_follow_ups
from dsl.checker.context import Context
from dsl.checker.flow.calls import circles, citations, nobody_acts, questions_in_reactions
from dsl.checker.flow.chasing import chases
from dsl.checker.flow.depth import depths
from dsl.checker.flow.endings import endless, never_over, ties
from dsl.checker.grouping import grouped
from dsl.checker.information_flow.leaks import leaks
from dsl.checker.logic.reachability import cases, moves
from dsl.checker.recursion import room_for_recursion
from dsl.checker.symbol_stage import names
from dsl.checker.types.component_types import shapes
from dsl.checker.types.declarations import Bodies
from dsl.checker.types.examples import all_examples
from dsl.checker.unused.unused import left_over
from dsl.checker.unused.unused_zones import idle_zones, pieces_without_home, pieces_without_place
from dsl.diagnostics import Diagnostic, has_errors, in_order
from dsl.model import Model

Stage = tuple[str, Callable[[Bodies], None]]

# Before all of them come the names, and the depth of nesting.
# Each stage may rely on what the ones before it have found. A strict stage runs only on a model without errors.
STAGES: list[Stage] = [
    ("shapes", lambda bodies: shapes(bodies.context)),
    ("rules", lambda bodies: bodies.rules()),
    ("circles", lambda bodies: circles(bodies.context)),
    ("reactions", lambda bodies: questions_in_reactions(bodies.context)),
    ("turns without end", lambda bodies: endless(bodies.context)),
    ("where nobody acts", lambda bodies: nobody_acts(bodies.context)),
    ("examples", lambda bodies: all_examples(bodies.context)),
    ("citations", lambda bodies: citations(bodies.context)),
]
STRICT_STAGES: list[Stage] = [
    ("leaks", lambda bodies: leaks(bodies.context)),
    ("cases", lambda bodies: cases(bodies.context)),
    ("moves", lambda bodies: moves(bodies.context)),
    ("pieces without place", lambda bodies: pieces_without_place(bodies.context)),
    ("pieces without home", lambda bodies: pieces_without_home(bodies.context)),
    ("idle zones", lambda bodies: idle_zones(bodies.context)),
    ("chases", lambda bodies: chases(bodies.context)),
    ("phases never over", lambda bodies: never_over(bodies.context)),
    ("ties", lambda bodies: ties(bodies.context)),
    ("left over", lambda bodies: left_over(bodies.context)),
]


def check(
    file: ast.GameFile,
    companion: ast.ExamplesFile | None = None,
    items: dict[str, str] | None = None,
    board: Board | None = None,
    begun: Callable[[str], None] = lambda stage: None,
) -> tuple[Model | None, list[Diagnostic]]:
    """Check a game with its companion file of examples; `items` are its rulebook items by id, `board` its board.

    `begun` is called with the name of each stage. Gives the model, or None if there is an error, and all findings in
    the order of the text.
    """
    course = tuple(d for part in file.parts for d in part.declarations if isinstance(d, ast.Phase))
    setup = tuple(s for part in file.parts for s in part.statements)
    model = Model(file, items=items, course=course, setup=setup, board=board)
    bodies = Bodies(Context(model))
    if companion is not None:
        model.examples += companion.examples
    with room_for_recursion():
        _go_through(bodies, begun)
    findings = in_order(grouped(in_order(without_follow_ups(bodies.context)), model))
    return (None if has_errors(findings) else model), findings


def _go_through(bodies: Bodies, begun: Callable[[str], None]) -> None:
    """All stages; where definitions and steps use one another too deeply, none that would follow them."""
    names(bodies.context)
    depths(bodies.context)
    if any(finding.code == "E0346" for finding in bodies.context.diagnostics):
        return
    for name, stage in STAGES:
        begun(name)
        stage(bodies)
    if not has_errors(bodies.context.diagnostics):
        for name, stage in STRICT_STAGES:
            begun(name)
            stage(bodies)
