"""Elimination of common subexpressions in blocks, which change the state: searches are not repeated needlessly.

A search that a statement is sure to evaluate first is assigned to a local if it occurs again before anything it depends
on has changed. For example, a game ends if a seat has no move, and otherwise lists the same moves:

    if is_empty(free & enclosing(…)): go to 5          known = free & enclosing(…)
    decide …:                                     →    if is_empty(known): go to 5
      for c in free & enclosing(…): emit c             decide …: for c in known: emit c

`shared_values.py` does this for functions that change nothing. Here a store in between may change the result, so the
uses are followed statement by statement, up to the first write to a cell that the search reads (`Replacement`).

Without it two games of long searches take 1.3 times the instructions in the machine engine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import field

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Choice, Expr, Fold, Lambda, Let, Local, Logic, children, locals_of
from interpreter.compiler.ir.identity import IdentityMap
from interpreter.compiler.ir.module import Module
from interpreter.compiler.passes.facts.accesses import AccessAnalysis
from interpreter.compiler.passes.facts.effects import effect_test
from interpreter.compiler.passes.facts.traversal import LEAVES, changed_parts
from interpreter.compiler.passes.loops.costs import COSTLY, Costs, what
from interpreter.compiler.passes.loops.narrowing import quoted
from interpreter.compiler.passes.record import PassRecords
from interpreter.compiler.passes.rewriting.substitution import Fresh, bound, fresh_for

NAME = "reused searches"


def reused_searches(module: Module, records: PassRecords) -> None:
    """Reuse the results of searches in the blocks of a module."""
    accesses, costs, numbers = AccessAnalysis(module), Costs(effect_test(module)), Numbers()
    for block in module.blocks.values():
        at = SearchReuse(accesses, costs, numbers, fresh_for(block.body), records)
        at.count(block.body)
        block.body = at.block(block.body)


def searches_in(node: Expr, costs: Costs) -> Iterator[Expr]:
    """The searches in an expression, and what contains them."""
    if type(node) not in LEAVES and costs.of(node).cost >= COSTLY:
        yield node
        for child in children(node):
            yield from searches_in(child, costs)


class Numbers:
    """A number for each expression, which equal ones share: each part of an expression is looked at once."""

    def __init__(self) -> None:
        self._numbers: IdentityMap[Expr, int] = IdentityMap()
        self._numbers_by_key: dict[object, int] = {}

    def of(self, node: Expr) -> int:
        """The number of an expression."""
        shared_number = self._numbers.get(node)
        if shared_number is None:
            names = node.name if isinstance(node, Local) else tuple([local.name for local in bound(node)])
            key = type(node), what(node), names, *map(self.of, children(node))
            shared_number = self._numbers.keep(node, self._numbers_by_key.setdefault(key, len(self._numbers_by_key)))
        return shared_number


@dataclass
class SearchReuse:
    """Reuses searches in one block; `times` is how often each occurs in it."""

    accesses: AccessAnalysis
    costs: Costs
    numbers: Numbers
    fresh: Fresh
    records: PassRecords
    times: Counter[int] = field(default_factory=Counter)

    def count(self, block: st.Block) -> None:
        """Count the searches in a block."""
        for node in st.walk(block):
            for part in st.expressions(node):
                self.times.update(map(self.numbers.of, searches_in(part, self.costs)))

    def block(self, block: st.Block) -> st.Block:
        """Statements without repeated searches."""
        out: list[st.Statement] = []
        remaining = list(block)
        while remaining:
            node = remaining.pop(0)
            reuse = self._reused(node, remaining)
            if reuse is not None:
                out.append(reuse[0])
                node, *remaining = reuse[1]
            out.append(self._inside(node) if st.blocks(node) else node)
        return tuple(out)

    def _inside(self, node: st.Statement) -> st.Statement:
        """A statement with those inside it rewritten, except for the moves of decisions, which must stay countable."""
        if isinstance(node, st.Decide):
            two = self.block(node.made), self.block(node.otherwise)
            return st.Decide(node.point, node.moves, node.names, *two, node.source)
        return st.rebuilt(node, inside=self.block)

    def _reused(self, node: st.Statement, following: list[st.Statement]) -> tuple[st.Assign, list[st.Statement]] | None:
        """The assignment of a search that is sure to be evaluated first, and the statements that use its local."""
        if not isinstance(node, st.If | st.Assign | st.Store | st.For):
            return None
        for value in self._evaluated_first(st.expressions(node)[0]):
            if self.times[self.numbers.of(value)] < 2 or not self.costs.of(value).movable:
                continue
            local = self.fresh.local(Local(value.type, "known"))
            replacement = Replacement(self.accesses, value, local)
            statements, _ = replacement.block((node, *following))
            if replacement.times > 1:
                self._record(value)
                return st.Assign(local, value, value.source), list(statements)
        return None

    def _record(self, value: Expr) -> None:
        if value.source is not None:
            self.records.applied(NAME, f"expression {value.source.number}", value.source, f"{quoted(value)} is kept")

    def _evaluated_first(self, node: Expr) -> Iterator[Expr]:
        """The searches that an expression is sure to evaluate before any effect, the largest first."""
        if type(node) in LEAVES or self.costs.of(node).cost < COSTLY:
            return
        if not isinstance(node, Local):
            yield node
        match node:
            case Logic():
                yield from self._evaluated_first(node.parts[0])
            case Choice():
                yield from self._evaluated_first(node.condition)
            case Fold():
                yield from self._evaluated_first(node.loops[0].over)
            case Let():
                yield from self._evaluated_first(node.value)
            case Lambda():
                return
            case _:
                for child in children(node):
                    yield from self._evaluated_first(child)


@dataclass
class Replacement:
    """Replaces an expression by a local, as long as nothing changes that it depends on."""

    accesses: AccessAnalysis
    value: Expr
    local: Local
    times: int = 0

    def __post_init__(self) -> None:
        accesses = self.accesses.expression(self.value)
        self.reads, self.everything = accesses.reads, accesses.everything
        self.names = locals_of(self.value)

    def expression(self, node: Expr) -> Expr:
        """An expression with the local in it."""
        if node == self.value:
            self.times += 1
            return self.local
        return node if type(node) in LEAVES else changed_parts(node, self.expression)

    def block(self, block: st.Block) -> tuple[st.Block, bool]:
        """Statements with the local in them, and whether it is still valid after them."""
        out: list[st.Statement] = []
        for place, node in enumerate(block):
            new_node, same = self._statement(node)
            out.append(new_node)
            if not same:
                return (*out, *block[place + 1 :]), False
        return tuple(out), True

    def _statement(self, node: st.Statement) -> tuple[st.Statement, bool]:
        inside = [*st.blocks(node)]
        # INVARIANT: at every use the cells that the search reads are as they were when it was computed. In a loop whose
        # body writes one of them, that holds in the first iteration only, even for uses before the write.
        if isinstance(node, st.For | st.Repeat) and not all(map(self._unchanged_by, inside)):
            return st.rebuilt(node, self.expression), False  # a later iteration would see the change
        same = self._preserves(node)
        ends = list[bool]()

        def within(block: st.Block) -> st.Block:
            statements, end = self.block(block)
            ends.append(end)
            return statements

        new_node = st.rebuilt(node, self.expression, within)
        return new_node, same and all(ends)

    def _unchanged_by(self, block: st.Block) -> bool:
        return all(self._preserves(node) for node in st.walk(block))

    def _preserves(self, node: st.Statement) -> bool:
        """Whether a statement, without those inside it, preserves everything that the expression depends on."""
        writes = self.accesses.statement(node).writes
        if writes & self.reads or (writes and self.everything):
            return False
        return not (isinstance(node, st.Assign) and node.local.name in self.names)
