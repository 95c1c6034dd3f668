"""The passes in the order in which they run, each with the name by which it can be switched off."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from interpreter.compiler.ir.module import Module
from interpreter.compiler.passes.kinds import kinds
from interpreter.compiler.passes.loops import conditions_as_sets, hoisting, narrowing, objectives, unrolling
from interpreter.compiler.passes.machine import (
    fusion,
    lookup_tables,
    moves_as_stores,
    reused_searches,
    sets_of_moves,
    specialisation,
)
from interpreter.compiler.passes.places import joined_places, lines_at_once, straight_lines
from interpreter.compiler.passes.record import PassRecords
from interpreter.compiler.passes.simplifying import constants, folding, inlining, kept_definitions, rule_inlining

Pass = Callable[[Module, PassRecords], None]

PASSES: Mapping[str, Pass] = {
    constants.NAME: constants.constants,
    objectives.NAME: objectives.describe,
    kept_definitions.NAME: kept_definitions.kept_definitions,
    inlining.NAME: inlining.inline,
    folding.NAME: folding.fold,
    narrowing.NAME: conditions_as_sets.conditions_as_sets,
    unrolling.NAME: unrolling.unroll,
    hoisting.NAME: hoisting.hoisting,
}

AT_ONCE: Mapping[str, Pass] = {
    lines_at_once.NAME: lines_at_once.lines_at_once,
    straight_lines.NAME: straight_lines.enclosing,
    joined_places.NAME: joined_places.reaching,
}
"""Passes that pay off only over many games: conditions evaluated for all places at once."""

FIRST = (constants.NAME, objectives.NAME, kept_definitions.NAME, inlining.NAME, folding.NAME)

FOR_THE_MACHINE: Mapping[str, Pass] = {**{name: PASSES[name] for name in FIRST}, **AT_ONCE, **PASSES}
"""The passes over rules, definitions and decisions for the machine engine, in their order."""

FOR_BLOCKS: Mapping[str, Pass] = {
    sets_of_moves.NAME: sets_of_moves.sets_of_moves,
    reused_searches.NAME: reused_searches.reused_searches,
    lookup_tables.NAME: lookup_tables.lookup_tables,
}
"""The passes over the blocks of the machine engine, after these have been merged."""

MEANINGS: Mapping[str, str] = {
    constants.NAME: "a definition that searches and depends on nothing that changes is computed once",
    kept_definitions.NAME: "a definition without arguments that searches is computed once in a position",
    objectives.NAME: "the best row of `the … with highest …` is built place by place, without listing all rows",
    inlining.NAME: "a small definition is inserted where it is used, which saves a call",
    folding.NAME: "anything that is the same in every position is computed before the game begins",
    narrowing.NAME: "a condition selects all members that satisfy it at once; they are not tested one by one",
    unrolling.NAME: "a loop over a few members that never change is written out member by member",
    hoisting.NAME: "a value that is the same for all members of a loop is computed once, before the loop",
    kinds.NAME: "in the machine engine: only the number of pieces of each kind in a place is kept, not the pieces",
    lines_at_once.NAME: "in the machine engine: a line is searched for from all places at once",
    straight_lines.NAME: "in the machine engine: places enclosed on straight lines are found for all places at once",
    joined_places.NAME: "in the machine engine: whether places are connected is found without finding all groups",
    rule_inlining.NAME: "in the machine engine: a small action or step is inserted where it is used",
    moves_as_stores.NAME: "in the machine engine: a move between known places stores only what it changes",
    sets_of_moves.NAME: "in the machine engine: moves are counted and one is selected without listing them",
    reused_searches.NAME: "in the machine engine: results of searches are reused until they may have changed",
    lookup_tables.NAME: "in the machine engine: expressions that depend on few values are looked up in tables",
    specialisation.NAME: "in the machine engine: code is generated per known value, such as whose turn it is",
    fusion.NAME: "in the machine engine: consecutive parts of the game are joined",
}
"""All passes that can be switched off, each with what it does, for authors of rules."""


def _ignore(name: str) -> None:
    """The callback of callers that have none."""


def run_passes(
    module: Module, off: Collection[str] = (), passes: Mapping[str, Pass] = PASSES,
    report: Callable[[str], object] = _ignore,
) -> PassRecords:  # fmt: skip
    """Run all passes except those switched off; returns their records. `report` is called with the name of each."""
    records = PassRecords(off=frozenset(off))
    for name, run_pass in passes.items():
        if name not in off:
            run_pass(module, records)
            report(name)
    return records
