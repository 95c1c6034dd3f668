"""Splitting of groups of cells whose indices are all constant into groups of one cell."""

from __future__ import annotations

from dataclasses import replace

from interpreter.ir import statements as st
from interpreter.ir.expressions import Cell, Const, Expr, Group, number, rebuilt, walk
from interpreter.ir.module import Module
from interpreter.passes.facts.accesses import PLACES, AccessAnalysis, cells_of_zones
from interpreter.passes.rewriting.functions import functions


def split_groups(module: Module) -> None:
    """Give each cell of a group that is only accessed by constant indices a group of its own."""
    together: set[str] = {PLACES}
    if any(PLACES in each.reads | each.writes for each in map(AccessAnalysis(module).body, functions(module))):
        together |= cells_of_zones(module)
    for function in functions(module):
        for node in st.walk(function.body):
            cells = [part for value in st.expressions(node) for part in walk(value) if isinstance(part, Cell)]
            if isinstance(node, st.Store | st.Draw | st.Mix | st.Reason):
                cells.append(node.cell)
            together |= {cell.group.name for cell in cells if not isinstance(cell.index, Const)}
    parts: dict[tuple[str, int], Group] = {}

    def apart(cell: Cell) -> Cell:
        if cell.group.name in together or cell.group.count == 1:
            return cell
        assert isinstance(cell.index, Const)
        key = cell.group.name, cell.index.value
        if key not in parts:
            name = f"{cell.group.name} #{cell.index.value}"
            parts[key] = Group(name, cell.group.first + cell.index.value, 1, cell.group.type)
        return Cell(cell.type, parts[key], number(0), cell.source)

    def expression(node: Expr) -> Expr:
        node = rebuilt(node, expression)
        return apart(node) if isinstance(node, Cell) else node

    def statement(node: st.Statement) -> st.Statement:
        node = st.rebuilt(node, expression, inside)
        if isinstance(node, st.Store | st.Draw | st.Mix | st.Reason):
            return replace(node, cell=apart(node.cell))
        return node

    def inside(block: st.Block) -> st.Block:
        return tuple(map(statement, block))

    for function in functions(module):
        function.body = inside(function.body)
    for name, _ in parts:
        module.cells.pop(name, None)
    module.cells.update({group.name: group for group in parts.values()})
