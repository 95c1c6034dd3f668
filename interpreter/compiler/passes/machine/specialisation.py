"""Specialisation of blocks for values known on entry: the return address of a rule, whose turn it is, the phase.

The course of a game of two seats is one block for both:

    block 8: store me := turn; … decide …: origin = me; if box[origin * 2] > 0: …; store turn := (turn + 1) % 2; go to 8

Specialised from the opening, in which `turn` is the first seat, it is copied for each seat, in which `me` and `turn`
are constants, sums of them are computed in advance, and each copy goes to the other:

    block 15: … origin = red; if box[0] > 0: …; store turn := blue; go to 18
    block 18: … origin = blue; if box[2] > 0: …; store turn := red; go to 15

A rule that several blocks call returns to the block whose number its caller stored. With that number known, it is a
jump to this block: the rule is copied for each caller, without calls or comparisons.

What is known of a cell at the start of a block is what every way to the block stored there: this is an abstract
interpretation from the opening on, whose values are constants or "unknown". The obvious limit, one number of copies for
each block, lets the number of blocks grow with the product of the values of all cells. So values are forgotten that are
not live at the start of the next block (`_live_cells`), which brings equal copies together, and if the blocks still
become too large, first fewer cells are tracked and then none.

Without it small games take 1.1 to 1.4 times the instructions in the machine engine, one 6 times; large ones as many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from sys import maxsize
from typing import assert_never

from dsl.lazy_dataclasses import dataclass
from dsl.text.nouns import counted
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Cell, Const, Expr, Op
from interpreter.compiler.ir.module import Function, Module, left_for
from interpreter.compiler.ir.types import BOOL, Bool, Int, Opaque, Opt, Ref, Row, Seq, Set, Type, bare
from interpreter.compiler.ir.verifying.fitting import holds
from interpreter.compiler.passes.facts.accesses import PLACES, AccessAnalysis
from interpreter.compiler.passes.machine.known_values import (
    LOCAL,
    Fact,
    Facts,
    Known,
    Name,
    Propagation,
    after_assignment,
    joined,
    possible_parts,
    propagated,
    under_condition,
)
from interpreter.compiler.passes.record import COURSE_OF_PLAY, PassRecords
from interpreter.compiler.passes.simplifying.rule_inlining import Sizes
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import Cells, NoteCell, number_in

MAX_VALUES = 16, 3
"""Maximum number of values of a tracked cell; the second limit is tried where the first leads to too many blocks."""

MAX_GROWTH, SMALL_NODES = 2, 2200
"""How many times larger the blocks may become, and the number of nodes that is always allowed; nothing is tracked where
they would become larger.

Some small games are five times as fast. A large one became three times as large, and no faster, where its blocks might
grow further, and none gained from more limits, or from return addresses alone.
"""

MAX_COPIES = 6
"""How many blocks may be made of one on average.

No game has more where its blocks stay small enough. To find out that they do not took a third of the time of preparing
a small game.
"""

MAX_CELLS = 12
"""Maximum number of cells of a tracked group."""

MAX_ITERATIONS = 6
"""Maximum number of iterations of a loop that is unrolled because a known cell changes in it."""


NAME = "specialisation"


@dataclass(frozen=True)
class Specialised:
    """The first block, and for each block the one it was made of and the values known on entry, by cell."""

    first: int
    origins: Mapping[int, tuple[int, Mapping[int, Fact]]]


def specialise_blocks(module: Module, opening: Cells, records: PassRecords) -> Specialised:
    """Specialise the blocks of a module, starting from the values in the opening.

    If the pass is switched off, no cell is tracked.
    """
    accesses, targets = AccessAnalysis(module), _labels(module)
    on = NAME not in records.off
    sizes, propagated = Sizes(), Propagation().propagated
    total_size = sum(sizes.of(block.body) for block in module.blocks.values())
    fixed = _constant_cells(module, accesses, opening) if on else {}
    limits = MAX_VALUES if on else ()
    tracked = dict.fromkeys(_tracked_groups(module, targets, values) for values in limits)
    for names in (*tracked, frozenset[str]()):
        most = max(total_size * MAX_GROWTH, SMALL_NODES) if names else maxsize
        live = _live_cells(module, accesses, targets, names)
        first = {
            (name, i): opening[NoteCell(group.first + i)]
            for name, group in module.cells.items() if name in names
            for i in range(group.count) if holds(group.type, opening[group.first + i])
        }  # fmt: skip
        making = _Specialiser(module, accesses, targets, names, most, live, fixed, propagated, sizes)
        specialised = making.run(first)
        if specialised is None:
            continue
        if names:
            reason = f"{counted(len(specialised), 'part')} instead of {len(module.blocks)}"
            records.applied(NAME, COURSE_OF_PLAY, None, reason)
        module.blocks = specialised
        origins = {
            number: (old, {module.cells[name].first + i: value for (name, i), value in facts})
            for (old, facts), number in making.numbers.items()
        }
        return Specialised(next(iter(origins)), origins)
    raise AssertionError("there is no limit where no cell is tracked")


# A game with one phase still says `store phase := 0` before each repetition, and 0 is its value in the opening. Stores
# of the opening's value change nothing: such a cell is a constant of the whole game, and the stores are dropped.
def _constant_cells(module: Module, accesses: AccessAnalysis, opening: Cells) -> Facts:
    """The cells that nothing changes, with their values."""
    changing: set[str] = {PLACES}
    for name in module.functions:
        changing |= accesses.function(name).writes
    changed: set[Name] = set()
    for block in module.blocks.values():
        for node in st.walk(block.body):
            match node:
                case st.Store(cell=Cell(group=group, index=Const(value=index)), value=Const(value=value)):
                    if value != opening[group.first + index]:
                        changed.add((group.name, index))
                case st.Store(cell=Cell(group=group, index=Const(value=index))):
                    changed.add((group.name, index))
                case _:
                    changing |= accesses.statement(node).writes
    return {
        (group.name, i): opening[NoteCell(group.first + i)]
        for group in module.cells.values() if group.name not in changing and group.count <= MAX_CELLS
        for i in range(group.count)
        if (group.name, i) not in changed and holds(group.type, opening[group.first + i])
    }  # fmt: skip


def _labels(module: Module) -> dict[str, set[int]]:
    """The blocks to return to, by the name of the group that holds their number."""
    groups = {
        node.block.group.name
        for block in _bodies(module) for node in st.walk(block)
        if isinstance(node, st.Goto) and isinstance(node.block, Cell)
    }  # fmt: skip
    labels: dict[str, set[int]] = {name: set() for name in groups}
    for block in _bodies(module):
        for node in st.walk(block):
            if isinstance(node, st.Store) and node.cell.group.name in groups:
                assert isinstance(node.value, Const)
                labels[node.cell.group.name].add(node.value.value)
    return labels


def _bodies(module: Module) -> Iterable[st.Block]:
    yield from (block.body for block in module.blocks.values())
    yield from (function.body for function in module.functions.values())


def _tracked_groups(module: Module, targets: Mapping[str, object], values: int) -> frozenset[str]:
    """The groups whose cells have at most `values` values, and those that hold return addresses."""
    return frozenset(
        group.name
        for group in module.cells.values()
        if group.name in targets or (group.count <= MAX_CELLS and _values(group.type) <= values)
    )


def _values(type_: Type) -> int:
    """The number of values of a type."""
    match bare(type_):
        case Bool():
            return 2
        case Int(low, high):
            return high - low + 1
        case Ref(width=width):
            return width
        case Set(width=width):
            return 1 << min(width, 16)
        case Opt() | Seq() | Row() | Opaque():
            return 10**9
        case _ as never:
            assert_never(never)


@dataclass
class _Specialiser:
    """Makes the specialised blocks.

    `nodes_left` is how many nodes they may still have; `fixed` are the cells that nothing changes. `numbers` holds the
    number of each new block by its old number and the known values.
    """

    module: Module
    accesses: AccessAnalysis
    targets: Mapping[str, set[int]]
    cells: frozenset[str]
    nodes_left: int
    live: Mapping[int, frozenset[str]]
    fixed: Known
    propagated: Callable[[Expr, Known], Expr]
    sizes: Sizes
    numbers: dict[tuple[int, frozenset[tuple[Name, Fact]]], int] = field(default_factory=dict)
    worklist: list[tuple[int, int, Facts]] = field(default_factory=list)
    depth: int = 0

    def run(self, first: Known) -> dict[int, Function] | None:
        """All reachable blocks; None if they are too large."""
        specialised: dict[int, Function] = {}
        self.number(0, first)
        self._add_leave_targets(*(function.body for function in self.module.functions.values()))
        while self.worklist:
            number, old, facts = self.worklist.pop()
            block = self.module.blocks[old]
            body, _ = self.block(block.body, {**self.fixed, **facts})
            self.nodes_left -= self.sizes.of(body)
            if self.nodes_left < len(self.worklist) or len(self.numbers) > MAX_COPIES * len(self.module.blocks):
                return None
            specialised[number] = Function("block", f"b{number}", (), body, None, number, (), block.source)
        return specialised

    def number(self, old: int, facts: Known) -> int:
        """The number of a block specialised for known values; without any it keeps its number."""
        live = self.live[old]
        # INVARIANT: a copy exists for each old block and each combination of known values that are live there, and for
        # no other; two jumps with the same key share it. Facts about locals never cross a block: a local lives in one
        # block.
        relevant = {name: value for name, value in facts.items() if name[0] in live and name not in self.fixed}
        key = old, frozenset(relevant.items())
        if key not in self.numbers:
            self.numbers[key] = len(self.module.blocks) + len(self.numbers) if relevant else old
            self.worklist.append((self.numbers[key], old, relevant))
        return self.numbers[key]

    def _add_leave_targets(self, *bodies: st.Block) -> None:
        for target in left_for(bodies):
            self.number(target, {})

    def block(self, block: st.Block, facts: Facts) -> tuple[st.Block, Facts | None]:
        """Specialised statements, and what is known after them; None if control never gets there."""
        statements: list[st.Statement] = []
        facts_after: Facts | None = facts
        for node in block:
            new, facts_after = self.statement(node, facts)
            statements += new
            if facts_after is None:
                break
            facts = facts_after
        return tuple(statements), facts_after

    def statement(self, node: st.Statement, facts: Facts) -> tuple[st.Block, Facts | None]:
        """A specialised statement, and what is known after it."""
        match node:
            case st.Goto(block=int() as target):
                return (st.Goto(self.number(target, facts), node.source),), None
            case st.Goto(block=Cell() as cell):
                return self._return_jumps(cell, facts, node), None
            # What is known in the middle of a loop that is not unrolled is not followed. The jump keeps the number of
            # its target, which is that of the copy without known values; `_loop` has asked for it.
            case st.Leave() if self.depth:
                return (node,), None
            case st.Leave(block=target):
                return (st.Goto(self.number(target, facts), node.source),), None
            case st.Stop():
                return (node,), None
            case st.If():
                return self._if(node, facts)
            case st.Decide():
                moves, _ = self.block(node.moves, dict(facts))
                consequences, facts_made = self.block(node.made, {**facts, **possible_parts(moves, node.names)})
                otherwise, facts_idle = self.block(node.otherwise, dict(facts))
                decision = st.Decide(node.point, moves, node.names, consequences, otherwise, node.source)
                return (decision,), joined(facts_made, facts_idle)
            case st.For() | st.Repeat() | st.IfNoMoves() | st.Once():
                return self._loop(node, facts)
            case st.Assign(local=local):
                value = self.propagated(node.value, facts)
                return (st.Assign(local, value, node.source),), after_assignment(facts, (local.name, LOCAL), value)
            case st.Store():
                return self._store(node, facts)
            case _:
                changed = st.rebuilt(node, lambda part: self.propagated(part, facts))
                return (changed,), self._invalidated(self.accesses.statement(node).writes, facts)

    def _invalidated(self, written: set[str], facts: Facts) -> Facts:
        """What is still known after some groups may have changed."""
        if not written:
            return facts
        return {name: value for name, value in facts.items() if name[1] < 0 or name[0] not in written}

    def _store(self, node: st.Store, facts: Facts) -> tuple[st.Block, Facts]:
        value, index = self.propagated(node.value, facts), self.propagated(node.cell.index, facts)
        group = node.cell.group
        new = st.Store(Cell(node.cell.type, group, index, node.cell.source), value, node.source)
        if not isinstance(index, Const):
            return (new,), self._invalidated({group.name}, facts)
        name = group.name, index.value
        if name in self.fixed:
            return (), facts  # nothing but stores of the value that it has anyway
        if group.name not in self.cells:
            return (new,), {other_name: old for other_name, old in facts.items() if other_name != name}
        return (new,), after_assignment(facts, name, value)

    def _return_jumps(self, cell: Cell, facts: Known, node: st.Goto) -> st.Block:
        """A jump to the block whose number a cell holds, which is one of few."""
        name = cell.group.name, 0
        if name in facts:
            return (st.Goto(self.number(number_in(facts[name]), facts), node.source),)
        *others, last = sorted(self.targets[cell.group.name])
        jumps: st.Block = (st.Goto(self.number(last, facts), node.source),)
        for target in reversed(others):
            returns_there = Op(BOOL, "eq", (cell, Const(cell.type, target)))
            jumps = (st.If(returns_there, (st.Goto(self.number(target, facts), node.source),), jumps, node.source),)
        return jumps

    def _if(self, node: st.If, facts: Facts) -> tuple[st.Block, Facts | None]:
        condition = self.propagated(node.condition, facts)
        if isinstance(condition, Const):
            return self.block(node.then if condition.value else node.otherwise, facts)
        then, facts_then = self.block(node.then, under_condition(condition, True, facts))
        otherwise, facts_otherwise = self.block(node.otherwise, under_condition(condition, False, facts))
        return (st.If(condition, then, otherwise, node.source),), joined(facts_then, facts_otherwise)

    def _loop(
        self, node: st.For | st.Repeat | st.IfNoMoves | st.Once, facts: Facts
    ) -> tuple[st.Block, Facts | None]:  # fmt: skip
        """A loop: cells that change in it are not known in it, unless it is unrolled."""
        body = tuple([statement for nested_block in st.blocks(node) for statement in nested_block])
        changing = self.accesses.block(body).writes & (self.cells | {name for name, _ in self.fixed})
        if isinstance(node, st.For):
            iterations = _iterations(node, facts)
            if iterations is not None and (changing or len(iterations) == 1):
                return self._unrolled(node, iterations, facts)
        self._add_leave_targets(body)
        assigned = {(statement.local.name, LOCAL) for statement in st.walk(body) if isinstance(statement, st.Assign)}
        facts = {name: value for name, value in facts.items() if name[0] not in changing and name not in assigned}
        loop = self._inside(node, facts)
        return (loop,), facts

    def _inside(self, node: st.For | st.Repeat | st.IfNoMoves | st.Once, facts: Facts) -> st.Statement:
        looping = not isinstance(node, st.IfNoMoves | st.Once)

        def inside(body: st.Block) -> st.Block:
            return self.block(body, dict(facts))[0]

        self.depth += looping
        loop = st.rebuilt(node, lambda part: self.propagated(part, facts), inside)
        self.depth -= looping
        return loop

    def _unrolled(
        self, node: st.For, iterations: list[int], facts: Facts
    ) -> tuple[st.Block, Facts | None]:  # fmt: skip
        (loop,) = node.loops
        statements: list[st.Statement] = []
        facts_after: Facts | None = facts
        for value in iterations:
            assert facts_after is not None
            body, facts_after = self.block(
                (st.Assign(loop.local, Const(loop.local.type, value)), *node.body), facts_after
            )
            statements += body
            if facts_after is None:
                break
        return tuple(statements), facts_after


def _iterations(node: st.For, facts: Known) -> list[int] | None:
    """The values of the variable of a loop; None if they are unknown or too many, or it cannot be unrolled."""
    if len(node.loops) > 1 or node.loops[0].where is not None:
        return None
    if any(isinstance(nested, st.Break | st.Continue) for nested in st.walk(node.body)):
        return None
    over = propagated(node.loops[0].over, facts)
    match over:
        case Const(type=Set(), value=mask) if mask.bit_count() <= MAX_ITERATIONS:
            return bits(mask)
        case Op(name="span", args=(Const(value=low), Const(value=high))) if high - low < MAX_ITERATIONS:
            return list(range(low, high + 1))
        case _:
            return None


# ---------------------------------------------------------------- liveness


def _live_cells(
    module: Module, accesses: AccessAnalysis, targets: Mapping[str, set[int]], cells: frozenset[str]
) -> dict[int, frozenset[str]]:  # fmt: skip
    """The tracked groups that are live at the start of each block."""
    first: dict[int, set[str]] = {}
    written: dict[int, set[str]] = {}
    successors: dict[int, set[int]] = {}
    for number, block in module.blocks.items():
        reads, writes = set[str](), set[str]()
        for node in block.body:
            accessed = accesses.block((node,))
            reads |= (cells if accessed.everything else accessed.reads & cells) - writes
            if isinstance(node, st.Store) and node.cell.group.count == 1:
                writes.add(node.cell.group.name)
        first[number], written[number], successors[number] = reads, writes, _successors(block.body, targets)
    live = {number: set(reads) for number, reads in first.items()}
    changed = True
    while changed:
        changed = False
        for number in live:
            more = set[str]().union(*(live[target] for target in successors[number])) - written[number] - live[number]
            if more:
                live[number] |= more
                changed = True
    return {number: frozenset(names) for number, names in live.items()}


def _successors(body: st.Block, targets: Mapping[str, set[int]]) -> set[int]:
    """The successors of a block."""
    successors: set[int] = set()
    for node in st.walk(body):
        if isinstance(node, st.Jump):
            match node:
                case st.Goto(block=int() as target) | st.Leave(block=target):
                    successors.add(target)
                case st.Goto(block=cell):
                    assert isinstance(cell, Cell)
                    successors |= targets[cell.group.name]
                case st.Suspend() | st.Stop():
                    pass  # decisions are inlined already: what follows one is inside it
                case _ as never:
                    assert_never(never)
    return successors
