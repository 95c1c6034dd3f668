"""Whether chance can affect a game after the first decision, judged by the rules alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from dsl import ast
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Cell, Const
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.passes.facts.accesses import called_by
from interpreter.engine.program import Program

CHANCE = st.Shuffle | st.Mix | st.Draw
"""The statements whose result is random."""


def chance_in_play(program: Program) -> ast.Node | None:
    """The first rule found that uses chance after the first decision; None if play is deterministic from there on.

    A shuffle during setup, before any decision, is not chance in play. The analysis is conservative: a rule is assumed
    to return to every place to which it can return.
    """
    reached = _Reached(program.as_lowered)
    found = reached.after_decisions()
    return None if found is None else found.source


class _Reached:
    """The statements that can be reached in a module, by functions and blocks."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.seen: set[tuple[str, str, int]] = set()

    def after_decisions(self) -> st.Shuffle | st.Mix | st.Draw | None:
        """A random statement that can follow a decision."""
        first = list(self._statements([self.module.blocks[0]]))
        points = _points(first)
        self.seen.clear()
        moves = {one.number: one for one in self.module.functions.values() if one.kind == "apply"}
        known = set(points)
        while points:
            after = list(self._statements([moves[point] for point in points]))
            random = next((node for node in after if isinstance(node, CHANCE)), None)
            if random is not None:
                return random
            points = _points(after) - known
            known |= points
        return None

    def _statements(self, functions: list[Function]) -> Iterator[st.Statement]:
        """The statements of functions, and of those that follow, up to the next decisions."""
        waiting = list(functions)
        while waiting:
            function = waiting.pop()
            known = function.kind, function.name, function.number
            if known in self.seen:
                continue
            self.seen.add(known)
            waiting += [self.module.functions[name] for name in called_by(function)]
            for node in st.walk(function.body):
                yield node
                waiting += self._next(node)

    def _next(self, node: st.Statement) -> list[Function]:
        """The functions and blocks to which a statement leads."""
        match node:
            case st.Perform(function=name) | st.React(function=name):
                return [self.module.functions[name]]
            case st.Goto(block=Cell() as cell):
                return [self.module.blocks[number] for number in self._returns[cell.group.name]]
            case st.Goto(block=int() as number) | st.Leave(block=number):
                return [self.module.blocks[number]]
            case st.Suspend(otherwise=number):
                return [self.module.blocks[number]]
            case _:
                return []

    @cached_property
    def _returns(self) -> dict[str, set[int]]:
        """The possible return blocks for each cell with a return address."""
        nodes = [node for function in _functions(self.module) for node in st.walk(function.body)]
        cells = {
            node.block.group.name for node in nodes if isinstance(node, st.Goto) and isinstance(node.block, Cell)
        }  # fmt: skip
        found: dict[str, set[int]] = {name: set() for name in cells}
        for node in nodes:
            if isinstance(node, st.Store) and node.cell.group.name in cells and isinstance(node.value, Const):
                found[node.cell.group.name].add(node.value.value)
        return found


def _points(statements: Iterable[st.Statement]) -> set[int]:
    """The decisions among statements."""
    return {node.point for node in statements if isinstance(node, st.Suspend)}


def _functions(module: Module) -> Iterator[Function]:
    yield from module.functions.values()
    yield from module.blocks.values()
