"""The rules as the machine engine plays them: kinds instead of pieces, few large blocks, no marks.

Every decision begins a block, so that a game can wait there and go on from there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from dsl.lazy_dataclasses import dataclass
from dsl.text.nouns import counted
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.passes.facts.accesses import called_by, calls_in
from interpreter.compiler.passes.kinds.kinds import pieces_by_kind
from interpreter.compiler.passes.kinds.layout import Kinds
from interpreter.compiler.passes.machine import fusion, moves_as_stores, specialisation
from interpreter.compiler.passes.machine.decision_inlining import inline_decisions
from interpreter.compiler.passes.machine.known_values import Fact
from interpreter.compiler.passes.machine.results import Results, add_results, results_at_end
from interpreter.compiler.passes.pipeline import FOR_BLOCKS, FOR_THE_MACHINE, MEANINGS
from interpreter.compiler.passes.record import COURSE_OF_PLAY, PassRecords
from interpreter.compiler.passes.simplifying import folding, rule_inlining
from interpreter.compiler.passes.simplifying.marks import drop_marks
from interpreter.runtime.cells import Cells
from interpreter.runtime.layout import Layout

CALLED_FROM_OUTSIDE = "criterion", "sight"
"""The kinds of functions that are called from outside, as legal moves are: what decides who wins, who sees what."""


@dataclass(frozen=True)
class Waiting:
    """A block that waits for a decision: its point in the program, and the values that cells are known to have."""

    point: int
    cells: Mapping[int, Fact]


@dataclass(frozen=True)
class MachineRules:
    """A module prepared for the machine engine.

    `first` is the block in which a game begins with the cells of `opening`, `results` are the locals with the values of
    the criteria where a game ends, seat by seat, `kinds` give the cells of a state with those of the kinds, and
    `waiting` are the blocks that begin with a decision. The point of such a decision is the number of its block.
    """

    module: Module
    first: int
    results: Results
    opening: Cells
    kinds: Kinds
    waiting: Mapping[int, Waiting]


def for_machine(module: Module, layout: Layout, initial: Cells, records: PassRecords) -> MachineRules:
    """Prepare a module, without the passes that are off according to the records."""
    on = MEANINGS.keys() - records.off
    drop_marks(module)
    add_results(module, len(layout.seats))
    kinds = pieces_by_kind(module, layout, records)
    for name, run_pass in FOR_THE_MACHINE.items():
        if name in on:
            run_pass(module, records)
    inline_decisions(module)
    results = results_at_end(module, len(layout.seats))
    if rule_inlining.NAME in on:
        rule_inlining.inline_rules(module, records)
    if moves_as_stores.NAME in on:
        moves_as_stores.moves_as_stores(module, layout, records)
    module.functions = _called(module, {node.point for node in _statements(module) if isinstance(node, st.Decide)})
    _folded(module, records)
    opening = kinds.opening(initial)
    specialised = specialisation.specialise_blocks(module, opening, records)
    waiting: dict[int, Waiting] = {}
    for number, block in module.blocks.items():
        decision = block.body[0] if block.body else None
        if isinstance(decision, st.Decide):
            block.body = (replace(decision, point=number), *block.body[1:])
            waiting[number] = Waiting(*specialised.origins[number])
    for _ in range(2):
        if fusion.NAME in on:
            fusion.fuse_blocks(module, specialised.first, waiting)
        _folded(module, records)
    if fusion.NAME in on:
        fusion.continue_into(module, waiting)
        records.applied(fusion.NAME, COURSE_OF_PLAY, None, f"{counted(len(module.blocks), 'part')} left")
    for name, run_pass in FOR_BLOCKS.items():
        if name in on:
            run_pass(module, records)
    module.functions = _called(module, {waits.point for waits in waiting.values()})
    return MachineRules(module, specialised.first, results, opening, kinds, waiting)


def _folded(module: Module, records: PassRecords) -> None:
    if folding.NAME not in records.off:
        folding.fold(module, records)


def _statements(module: Module) -> Iterator[st.Statement]:
    for block in module.blocks.values():
        yield from st.walk(block.body)


def _called(module: Module, points: Collection[int]) -> dict[str, Function]:
    """What is called from outside, of the moves those of some decisions, and what that or the blocks call."""
    reachable: dict[str, Function] = {}
    waiting = set[str]().union(*(calls_in(block.body) for block in module.blocks.values()))
    waiting |= {
        name for name, function in module.functions.items()
        if function.kind in CALLED_FROM_OUTSIDE or (function.kind == "moves" and function.number in points)
    }  # fmt: skip
    while waiting:
        name = waiting.pop()
        if name not in reachable:
            reachable[name] = module.functions[name]
            waiting |= {*called_by(reachable[name]), *calls_in(reachable[name].body)}
    return {name: function for name, function in module.functions.items() if name in reachable}
