"""The module of random games: kinds instead of pieces, few large blocks, no marks.

For play step by step in machine code, rules get the same passes but keep their pieces, cells and blocks.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dsl.text.nouns import counted
from interpreter.ir.module import Function, Module
from interpreter.layout.cells import Layout
from interpreter.passes.facts.accesses import AccessAnalysis, called_by
from interpreter.passes.kinds.moves import pieces_by_kind
from interpreter.passes.pipeline import FOR_BLOCKS, FOR_RANDOM_GAMES, MEANINGS
from interpreter.passes.random_games import block_fusion, cells_as_locals, dead_stores, specialisation
from interpreter.passes.random_games.decision_inlining import inline_decisions
from interpreter.passes.random_games.moves_as_stores import moves_as_stores
from interpreter.passes.random_games.results import Results, add_results, results_at_end
from interpreter.passes.record import COURSE_OF_PLAY, PassRecords
from interpreter.passes.simplifying import folding
from interpreter.passes.simplifying.marks import drop_marks
from interpreter.passes.simplifying.rule_inlining import inline_rules


def copied(module: Module) -> Module:
    """A copy of a module whose functions can be changed independently."""
    functions = {name: replace(function) for name, function in module.functions.items()}
    blocks = {number: replace(block) for number, block in module.blocks.items()}
    return Module(functions, dict(module.tables), dict(module.cells), dict(module.zones), blocks, set(module.by_kind))


@dataclass(frozen=True)
class Playouts:
    """A module prepared for random games, its first block, the locals with the results, and the opening position."""

    module: Module
    first: int
    results: Results
    opening: list[Any]


def for_playouts(module: Module, layout: Layout, initial: Sequence[Any], records: PassRecords) -> Playouts:
    """Prepare a module for random games, without the passes that are off according to the records."""
    on = MEANINGS.keys() - records.off
    drop_marks(module)
    add_results(module, len(layout.seats))
    kinds = pieces_by_kind(module, layout, records)
    for name, each in FOR_RANDOM_GAMES.items():
        if name in on:
            each(module, records)
    inline_decisions(module)
    results = results_at_end(module, len(layout.seats))
    inline_rules(module)
    moves_as_stores(module, layout)
    module.functions = _called(module, ())
    _folded(module, records)
    opening = kinds.opening(initial)
    first = specialisation.specialise_blocks(module, opening, records)
    if block_fusion.NAME in on:
        block_fusion.fuse_blocks(module, first)
    _folded(module, records)
    if block_fusion.NAME in on:
        block_fusion.fuse_blocks(module, first)
        records.applied(block_fusion.NAME, COURSE_OF_PLAY, None, f"{counted(len(module.blocks), 'part')} left")
    for name, each in FOR_BLOCKS.items():
        if name in on:
            each(module, records)
    module.functions = _called(module, ())
    if dead_stores.NAME in on:
        dead_stores.drop_dead_stores(module, records, results)
    if cells_as_locals.NAME in on:
        cells_as_locals.cells_as_locals(module, records)
    return Playouts(module, first, results, opening)


def _folded(module: Module, records: PassRecords) -> None:
    if folding.NAME not in records.off:
        folding.fold(module, records)


def for_steps(module: Module, records: PassRecords) -> None:
    """Prepare a module for play step by step in machine code; its cells stay those of the game."""
    drop_marks(module)
    for name, each in FOR_RANDOM_GAMES.items():
        if name not in records.off:
            each(module, records)
    module.functions = _called(module, ("moves", "apply", "criterion"))


def _called(module: Module, kinds: Collection[str]) -> dict[str, Function]:
    """The functions of these kinds, and those that they or the blocks call, directly or not."""
    found: dict[str, Function] = {}
    accesses = AccessAnalysis(module)
    waiting = set[str]().union(*(accesses.block(block.body).calls for block in module.blocks.values()))
    waiting |= {name for name, function in module.functions.items() if function.kind in kinds}
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = module.functions[name]
            waiting |= {*called_by(found[name]), *accesses.block(found[name].body).calls}
    return {name: function for name, function in module.functions.items() if name in found}
