"""The checker: turns a syntax tree into a checked model, stage by stage."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dsl import ast
from dsl.boards import Board
from dsl.checker.clauses.expanding import expanded
from dsl.checker.clauses.interrupts import cues
from dsl.checker.context import Context
from dsl.checker.example_memory import ExampleMemory
from dsl.checker.flow.calls import citations, cycles, me_without_acting_seat
from dsl.checker.flow.chasing import chases, simultaneous
from dsl.checker.flow.endings import depths, endless_phases, endless_turns, teams_of_all, ties
from dsl.checker.flow.hypotheses import hypotheses, idle_positions, self_reading_positions
from dsl.checker.flow.repeated_searches import repeated_searches
from dsl.checker.flow.self_calls import self_calls
from dsl.checker.grouping import grouped
from dsl.checker.information_flow.leaks import leaks
from dsl.checker.logic.reachability import impossible_moves, unreachable_cases
from dsl.checker.names.declarations import collect, declarations, header, predeclared
from dsl.checker.recursion import room_for_recursion
from dsl.checker.types.board_types import alternatives, type_board
from dsl.checker.types.component_types import shapes
from dsl.checker.types.constructors import clashes, family_types, has_families
from dsl.checker.types.declarations import check_rules, typer_of
from dsl.checker.types.examples import all_examples
from dsl.checker.types.grid_types import grid_types, sizes
from dsl.checker.types.infer import undetermined_types
from dsl.checker.types.type_declarations import by_players, option, type_list, type_table
from dsl.checker.unused.unused import (
    idle_parameters,
    idle_zones,
    pieces_without_home,
    pieces_without_place,
    unused_declarations,
)
from dsl.checker.words import display_names, missing_words, raw_notes
from dsl.diagnostics import Diagnostic, has_errors, in_order
from dsl.lazy_dataclasses import dataclass
from dsl.model import Model

Stage = tuple[str, Callable[[Context], None]]

# Before all of them come the names and the nesting depth.
# Each stage may rely on the results of the earlier ones. A strict stage runs only on a model without errors.
STAGES: list[Stage] = [
    ("shapes", shapes),
    ("rules", lambda context: check_rules(typer_of(context))),
    ("interrupts", cues),
    ("cycles", cycles),
    ("calls of itself", self_calls),
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


@dataclass(frozen=True)
class WrittenGame:
    """Everything that is written about a game, and is checked together.

    `companion` has its examples; `items` are its rulebook items by id, `board` its board, `languages` the words from
    files of languages. `variants` are those that are applied already: words may be about what they have removed. `lost`
    are names of declarations that could not be read.
    """

    file: ast.GameFile
    companion: ast.ExamplesFile | None = None
    items: dict[str, str] | None = None
    board: Board | None = None
    languages: Sequence[ast.Names] = ()
    variants: Sequence[ast.VariantFile] = ()
    lost: frozenset[str] = frozenset()


def check(
    file: ast.GameFile, companion: ast.ExamplesFile | None = None, *, items: dict[str, str] | None = None,
    board: Board | None = None, variants: Sequence[ast.VariantFile] = (),
) -> tuple[Model | None, list[Diagnostic]]:  # fmt: skip
    """Check a game as `examined` does; return the model, or None if there is an error, and all diagnostics."""
    model, diagnostics = examined(WrittenGame(file, companion, items, board, variants=variants))
    return (None if has_errors(diagnostics) else model), diagnostics


def examined(
    game: WrittenGame, on_stage: Callable[[str], None] = lambda stage: None,
    example_memory: ExampleMemory | None = None,
) -> tuple[Model | None, list[Diagnostic]]:  # fmt: skip
    """Check a game.

    `on_stage` is called with the name of each stage. `example_memory` spares checking examples again that it knows from
    an earlier check of the game, and takes in the others. Return the model, with its tables as far as errors allow, and
    all diagnostics in source order; None if there are errors in clauses, which come before everything else.
    """
    ready = expanded(game.file, game.companion)
    if ready.diagnostics:
        return None, in_order(ready.diagnostics)
    file = ready.file
    course = tuple(d for part in file.parts for d in part.declarations if isinstance(d, ast.Phase))
    setup = tuple(s for part in file.parts for s in part.statements)
    model = Model(
        file, game.file, items=game.items, course=course, setup=setup, board=game.board, unwritten=ready.unwritten,
        languages=tuple(game.languages), variants=tuple(game.variants),
    )  # fmt: skip
    context = Context(model, lost=game.lost, example_memory=example_memory)
    if ready.companion is not None:
        model.examples += ready.companion.examples
    with room_for_recursion():
        _run_stages(context, on_stage)
    return model, in_order(grouped(in_order(without_cascading(context)), model))


def _run_stages(context: Context, on_stage: Callable[[str], None]) -> None:
    """Run all stages; if definitions and steps are nested too deeply, skip those that would recurse into them."""
    names(context)
    depths(context)
    if any(diagnostic.code == "E0346" for diagnostic in context.diagnostics):
        return
    for name, stage in STAGES:
        on_stage(name)
        stage(context)
    if not has_errors(context.diagnostics):
        for name, stage in STRICT_STAGES:
            on_stage(name)
            stage(context)
            if stage is undetermined_types and has_errors(context.diagnostics):
                return  # the other stages know the type of everything


# ---------------- suppression of cascading errors: diagnostics that only follow from another one
# That is a condition reported as never holding because it compares with none something that never is none: `if
# score[me] is none: …` gives E0343, and from that follows that the branch is never reached (E0503) or the action
# never possible (E0504). Both are true, but who corrects the first is rid of the other.
#
# Most cascades never begin: what was reported has the type `UNKNOWN`, which fits everything, and the strict stages
# run only on a model without errors. E0343 is a warning, so here both are found in one run.


NEVER_NONE, NEVER_HOLDS = "E0343", frozenset({"E0503", "E0504"})


def without_cascading(context: Context) -> list[Diagnostic]:
    """Return the diagnostics without the cascading ones."""
    never_none = [diagnostic.span for diagnostic in context.diagnostics if diagnostic.code == NEVER_NONE]
    return [
        diagnostic
        for diagnostic in context.diagnostics
        if diagnostic.code not in NEVER_HOLDS or not any(span.is_inside(diagnostic.span) for span in never_none)
    ]


# ---------------- the first stage: create a symbol for every declaration


def names(context: Context) -> None:
    """Give each declaration its symbol; report names declared twice and required declarations that are missing."""
    model = context.model
    predeclared(context)
    header(context)
    everything = list(declarations(model.file))
    from_board = [node for node in everything if isinstance(node, ast.TypeBoard) and node.source.function is None]
    needing_none = [node for node in everything if isinstance(node, ast.TypeBoard) and node.source.function is not None]
    alternatives(context, from_board)
    sizes(context, needing_none)
    for node in everything:
        match node:
            case ast.TypeList() if not has_families(node):
                type_list(context, node)
            case ast.TypeTable():
                type_table(context, node)
            case _:
                pass
    for node in from_board:
        type_board(context, node)
    grid_types(context, needing_none)
    family_types(context, everything)
    for node in everything:
        match node:
            case ast.ByPlayers():
                by_players(context, node)
            case ast.Option():
                option(context, node)
            case _:
                collect(context, node)
    clashes(context)
    for statement in model.nodes:
        if isinstance(statement, ast.Assignment) and isinstance(statement.target, ast.Name):
            context.assigned.add(statement.target.name)
    if not model.course:
        helps = ["add a phase: `phase main, turns from …:`"]
        context.error("E0401", "the game has no phase", model.file.header, helps)
    if model.winner is None:
        helps = ["add `winner highest …` to `== scoring ==`"]
        context.error("E0402", "nobody can win: the game has no `winner`", model.file.header, helps)
