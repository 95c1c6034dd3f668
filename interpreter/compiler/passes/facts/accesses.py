"""The cells that functions read and write, including the functions they call.

Functions access groups of cells, not single cells: `score[red] := 3` writes `score`. Moves of pieces write all cells of
zones at once, whatever zones they are about, since which pieces lie where is kept in several groups.

INVARIANT: this errs on the side of more. A pass that keeps a value across a statement relies on every cell that the
statement may write being listed.

Steps call each other in circles. The accesses of a function are therefore collected from the bodies of all functions
that it reaches, each once. Adding up those of the functions it calls, and keeping them, would keep for one inside of a
circle only what had been found when the circle was entered.
"""

from __future__ import annotations

from dataclasses import field
from typing import assert_never

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.ir import expressions as ex
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.identity import IdentityMap
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.ir.operations import READING

ANYTHING = frozenset({
    "fully_seen", "by_standing", "sees_piece", "sees_place", "sees_note", "over", "winners", "moves", "player",
})  # fmt: skip
"""The operations that may read any cell."""

PLACES = "places of pieces"
"""The name of the group with the place of each piece."""


@dataclass
class Accesses:
    """The names of the groups of cells that statements read and write; `everything`: they may read any cell."""

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    everything: bool = False
    calls: set[str] = field(default_factory=set)

    def add(self, more: Accesses) -> None:
        """Add the accesses of other statements."""
        self.reads |= more.reads
        self.writes |= more.writes
        self.everything = self.everything or more.everything


def cells_of_zones(module: Module) -> frozenset[str]:
    """The groups of cells that moves of pieces write, and that operations on the order of pieces read."""
    zones = [zone for name, zone in module.zones.items() if name not in module.by_kind]
    groups = [group for zone in zones for group in (zone.contents, zone.order, zone.filled) if group is not None]
    return frozenset({PLACES, *[group.name for group in groups]})


class AccessAnalysis:
    """The accesses of the functions of a module, each computed once."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.of_zones = cells_of_zones(module)
        self.bodies: dict[str, Accesses] = {}
        self.by_function: dict[str, Accesses] = {}
        self.statements: IdentityMap[st.Statement, Accesses] = IdentityMap()
        self.statements_with_calls: IdentityMap[st.Statement, Accesses] = IdentityMap()

    def function(self, name: str) -> Accesses:
        """The accesses of a function and of those that it calls, directly or not."""
        if name not in self.by_function:
            accesses, waiting, seen = Accesses(), [name], {name}
            while waiting:
                body = self._body(waiting.pop())
                accesses.add(body)
                supposed = {call for call in body.calls - seen if self.module.functions[call].kind == "hypothesis"}
                for call in supposed:
                    accesses.add(self._unchanging(call))
                waiting += body.calls - seen - supposed
                seen |= body.calls
            self.by_function[name] = accesses
        return self.by_function[name]

    def _unchanging(self, name: str) -> Accesses:
        """The accesses of a hypothesis as its callers see them: it works on a copy of the state."""
        accesses = self.function(name)
        return Accesses(accesses.reads, set(), accesses.everything)

    def _body(self, name: str) -> Accesses:
        """The accesses of a function itself, and the functions it calls."""
        if name not in self.bodies:
            function = self.module.functions[name]
            accesses = self.bodies[name] = Accesses(calls={*called_by(function)})
            for node in st.walk(function.body):
                self._own(node, accesses)
        return self.bodies[name]

    def body(self, function: Function) -> Accesses:
        """The accesses of a function or block, including calls."""
        return self.block(function.body, called_by(function))

    def block(self, block: st.Block, calls: tuple[str, ...] = ()) -> Accesses:
        """The accesses of statements, including calls."""
        accesses = Accesses()
        for node in st.walk(block):
            self._own(node, accesses)
        self._called(accesses, calls)
        return accesses

    def expression(self, node: ex.Expr) -> Accesses:
        """The accesses of an expression, including calls."""
        accesses = Accesses()
        self._read(node, accesses)
        self._called(accesses)
        return accesses

    def statement(self, node: st.Statement) -> Accesses:
        """The accesses of a statement without those inside it, including calls."""
        accesses = self.statements_with_calls.get(node)
        if accesses is None:
            accesses = self.statements_with_calls.keep(node, Accesses())
            self._own(node, accesses)
            self._called(accesses)
        return accesses

    def _called(self, accesses: Accesses, calls: tuple[str, ...] = ()) -> None:
        for name in (*calls, *accesses.calls):
            supposed = self.module.functions[name].kind == "hypothesis"
            accesses.add(self._unchanging(name) if supposed else self.function(name))

    def _own(self, node: st.Statement, accesses: Accesses) -> None:
        direct = self.statements.get(node) or self.statements.keep(node, self._of_statement(node))
        accesses.add(direct)
        accesses.calls |= direct.calls

    def _of_statement(self, node: st.Statement) -> Accesses:
        """The accesses of a statement without those inside it, and without those of functions that it calls."""
        accesses = Accesses()
        for part in st.expressions(node):
            self._read(part, accesses)
        if isinstance(node, st.Moving):
            accesses.writes |= self.of_zones
            accesses.reads |= self.of_zones
        elif isinstance(node, st.Changing):
            _of_change(node, accesses)
        elif isinstance(node, st.Goto) and isinstance(node.block, ex.Cell):
            accesses.reads.add(node.block.group.name)
        elif isinstance(node, st.Suspend) and node.chosen is not None:
            accesses.writes.add(node.chosen.group.name)
        return accesses

    def _read(self, node: ex.Expr, accesses: Accesses) -> None:
        for part in ex.walk(node):
            match part:
                case ex.Cell():
                    accesses.reads.add(part.group.name)
                case ex.Call():
                    accesses.calls.add(part.function)
                # It reads attributes of pieces, which are constant; their order is in its arguments.
                case ex.Op(name="same_pieces"):
                    pass
                case ex.Op(name=name) if name in READING:
                    accesses.everything = accesses.everything or name in ANYTHING
                    accesses.reads |= self.of_zones
                case (
                    ex.Const() | ex.Data() | ex.Local() | ex.Slot() | ex.Lookup() | ex.Op() | ex.Logic()
                    | ex.Choice() | ex.Fold() | ex.Let() | ex.Check() | ex.Counted() | ex.Lambda()
                ):  # fmt: skip
                    pass
                case _ as never:
                    assert_never(never)


def _of_change(node: st.Store | st.Mix | st.Draw | st.DrawItem | st.Perform | st.React, accesses: Accesses) -> None:
    match node:
        case st.Store(cell=cell) | st.Draw(cell=cell) | st.DrawItem(cell=cell):
            accesses.writes.add(cell.group.name)
        case st.Mix(cell=cell):
            accesses.writes.add(cell.group.name)
            accesses.reads.add(cell.group.name)
        case st.Perform(function=name) | st.React(function=name):
            accesses.calls.add(name)
        case _ as never:
            assert_never(never)


def called_by(function: Function) -> tuple[str, ...]:
    """The functions that a function calls without a statement: the reactions that `react` tries."""
    return function.calls if function.kind == "react" else ()


def calls_in(block: st.Block) -> set[str]:
    """The functions that statements call themselves."""
    names, waiting = set[str](), list[ex.Expr]()
    for node in st.walk(block):
        if isinstance(node, st.Perform | st.React):
            names.add(node.function)
        waiting += st.expressions(node)
    while waiting:
        value = waiting.pop()
        if isinstance(value, ex.Call):
            names.add(value.function)
        waiting += ex.children(value)
    return names
