"""The checker: turns a syntax tree into a checked model, stage by stage."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dsl import ast
from dsl.boards import Board
from dsl.checker.cascading_errors import without_cascading
from dsl.checker.clauses.expanding import expanded
from dsl.checker.context import Context
from dsl.checker.flow.calls import citations, cycles, me_without_acting_seat
from dsl.checker.flow.chasing import chases
from dsl.checker.flow.depth import depths
from dsl.checker.flow.endings import endless_phases, endless_turns, teams_of_all, ties
from dsl.checker.flow.hypotheses import hypotheses
from dsl.checker.flow.positions import idle_positions, self_reading_positions
from dsl.checker.flow.repeated_searches import repeated_searches
from dsl.checker.flow.simultaneous import simultaneous
from dsl.checker.grouping import grouped
from dsl.checker.information_flow.leaks import leaks
from dsl.checker.logic.reachability import impossible_moves, unreachable_cases
from dsl.checker.recursion import room_for_recursion
from dsl.checker.symbol_stage import names
from dsl.checker.types.component_types import shapes
from dsl.checker.types.declarations import check_rules, typer_of
from dsl.checker.types.examples import all_examples
from dsl.checker.types.undetermined import undetermined_types
from dsl.checker.unused.idle_parameters import idle_parameters
from dsl.checker.unused.unused import unused_declarations
from dsl.checker.unused.unused_zones import idle_zones, pieces_without_home, pieces_without_place
from dsl.checker.words import display_names, missing_words, raw_notes
from dsl.diagnostics import Diagnostic, has_errors, in_order
from dsl.model import Model

Stage = tuple[str, Callable[[Context], None]]

# Before all of them come the names and the nesting depth.
# Each stage may rely on the results of the earlier ones. A strict stage runs only on a model without errors.
STAGES: list[Stage] = [
    ("shapes", shapes),
    ("rules", lambda context: check_rules(typer_of(context))),
    ("cycles", cycles),
    ("hypotheses", hypotheses),
    ("positions", self_reading_positions),
    ("loops at once", simultaneous),
    ("turns without end", endless_turns),
    ("me without acting seat", me_without_acting_seat),
    ("examples", all_examples),
    ("citations", citations),
    ("words", display_names),
]
STRICT_STAGES: list[Stage] = [
    ("undetermined types", undetermined_types),
    ("leaks", leaks),
    ("unreachable cases", unreachable_cases),
    ("impossible moves", impossible_moves),
    ("pieces without place", pieces_without_place),
    ("pieces without home", pieces_without_home),
    ("idle zones", idle_zones),
    ("idle positions", idle_positions),
    ("pieces that chase each other", chases),
    ("searches in loops", repeated_searches),
    ("phases never over", endless_phases),
    ("ties", ties),
    ("teams of all seats", teams_of_all),
    ("unused declarations", unused_declarations),
    ("parameters without effect", idle_parameters),
    ("missing words", missing_words),
    ("raw notes", raw_notes),
]


def check(
    file: ast.GameFile,
    companion: ast.ExamplesFile | None = None,
    items: dict[str, str] | None = None,
    board: Board | None = None,
    begun: Callable[[str], None] = lambda stage: None,
    languages: Sequence[ast.Names] = (),
    variants: Sequence[ast.VariantFile] = (),
    lost: frozenset[str] = frozenset(),
) -> tuple[Model | None, list[Diagnostic]]:
    """Check a game with its companion file of examples; `items` are its rulebook items by id, `board` its board.

    `begun` is called with the name of each stage. `languages` are the words from files of languages; `variants`
    those that are applied already: words may be about what they have removed. `lost` are names of declarations that
    could not be read. Return the model, or None if there is an error, and all diagnostics in source order.
    """
    ready = expanded(file, companion)
    if ready.diagnostics:
        return None, in_order(ready.diagnostics)
    as_written, file, companion = file, ready.file, ready.companion
    course = tuple(d for part in file.parts for d in part.declarations if isinstance(d, ast.Phase))
    setup = tuple(s for part in file.parts for s in part.statements)
    model = Model(
        file, as_written, items=items, course=course, setup=setup, board=board, unwritten=ready.unwritten,
        languages=tuple(languages), variants=tuple(variants),
    )  # fmt: skip
    context = Context(model, lost=lost)
    if companion is not None:
        model.examples += companion.examples
    with room_for_recursion():
        _run_stages(context, begun)
    diagnostics = in_order(grouped(in_order(without_cascading(context)), model))
    return (None if has_errors(diagnostics) else model), diagnostics


def _run_stages(context: Context, begun: Callable[[str], None]) -> None:
    """Run all stages; if definitions and steps are nested too deeply, skip those that would recurse into them."""
    names(context)
    depths(context)
    if any(diagnostic.code == "E0346" for diagnostic in context.diagnostics):
        return
    for name, stage in STAGES:
        begun(name)
        stage(context)
    if not has_errors(context.diagnostics):
        for name, stage in STRICT_STAGES:
            begun(name)
            stage(context)
            if stage is undetermined_types and has_errors(context.diagnostics):
                return  # the other stages know the type of everything
