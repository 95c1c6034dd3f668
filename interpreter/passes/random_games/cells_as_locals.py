"""Scalar replacement: cells that only blocks access become local variables of the generated function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from interpreter.ir import statements as st
from interpreter.ir.expressions import Call, Cell, Expr, Group, Local, number, rebuilt
from interpreter.ir.module import Function, Module
from interpreter.ir.naming import named
from interpreter.passes.facts.accesses import PLACES, AccessAnalysis, Accesses, cells_of_zones
from interpreter.passes.random_games.group_splitting import split_groups
from interpreter.passes.record import COURSE_OF_PLAY, PassRecords

NAME = "local variables"

MOST_ARGUMENTS = 6
"""Maximum number of cells passed to a definition as arguments."""


def cells_as_locals(module: Module, records: PassRecords) -> None:
    """Keep cells in locals where no function writes them; definitions get those they read as arguments."""
    split_groups(module)
    accesses = AccessAnalysis(module)
    blocks = Accesses()
    for block in module.blocks.values():
        blocks.add(accesses.block(block.body))
    if blocks.everything:
        return
    functions = {name: accesses.function(name) for name in module.functions}
    of_zones = cells_of_zones(module) if PLACES in blocks.reads | blocks.writes else frozenset[str]()
    own = {name: group for name, group in module.cells.items() if name not in of_zones}
    for name, accessed in functions.items():
        arguments = module.functions[name].kind == "define"
        for group in list(own):
            if group in accessed.writes or (group in accessed.reads and not (arguments and own[group].count == 1)):
                del own[group]
    if any(_by_chance(node) for function in module.functions.values() for node in st.walk(function.body)):
        for block in module.blocks.values():
            for node in filter(_by_chance, st.walk(block.body)):
                if isinstance(node, st.Draw):
                    own.pop(node.cell.group.name, None)
    own = {name: replace(group, own=True) for name, group in own.items()}
    while True:
        needs = {name: sorted(own.keys() & accessed.reads) for name, accessed in functions.items()}
        most = max(needs.values(), key=len, default=[])
        if len(most) <= MOST_ARGUMENTS:
            break
        for group in most:
            del own[group]
    if own:
        records.applied(NAME, COURSE_OF_PLAY, None, f"{len(own)} of {len(module.cells)}")
    module.cells.update(own)
    rewriting = _LocalCells(own, {name: [own[group] for group in groups] for name, groups in needs.items()})
    for function in module.functions.values():
        rewriting.function(function)
    for block in module.blocks.values():
        block.body = rewriting.block(block.body, {})


def _by_chance(node: st.Statement) -> bool:
    """Whether a statement draws random numbers."""
    return isinstance(node, st.Draw | st.Mix | st.Shuffle)


class _LocalCells:
    """Replaces accesses to the state by accesses to locals."""

    def __init__(self, own: Mapping[str, Group], needs: Mapping[str, list[Group]]) -> None:
        self.own, self.needs = own, needs

    def function(self, function: Function) -> None:
        """Add a parameter to a function for each cell that it reads."""
        groups = self.needs[function.name]
        arguments = {group.name: Local(group.type, named("cell", group.first)) for group in groups}
        function.params = (*function.params, *arguments.values())
        function.body = self.block(function.body, arguments)

    def block(self, block: st.Block, arguments: Mapping[str, Local]) -> st.Block:
        """Rewritten statements; `arguments` are the parameters that hold cells."""

        def expression(node: Expr) -> Expr:
            node = rebuilt(node, expression)
            match node:
                case Cell(group=group) if group.name in arguments:
                    return arguments[group.name]
                case Cell(group=group) if group.name in self.own:
                    return replace(node, group=self.own[group.name])
                case Call(function=name):
                    return replace(
                        node, args=(*node.args, *[self._argument(group, arguments) for group in self.needs[name]])
                    )
                case _:
                    return node

        def statement(node: st.Statement) -> st.Statement:
            match node:
                case st.Store(cell=cell) | st.Draw(cell=cell) | st.Mix(cell=cell) | st.Reason(cell=cell) if (
                    cell.group.name in self.own
                ):
                    node = replace(node, cell=replace(cell, group=self.own[cell.group.name]))
                case st.Goto(block=Cell() as cell) if cell.group.name in self.own:
                    node = replace(node, block=replace(cell, group=self.own[cell.group.name]))
                case _:
                    pass
            return st.rebuilt(node, expression, inside)

        def inside(inner: st.Block) -> st.Block:
            return tuple(map(statement, inner))

        return inside(block)

    def _argument(self, group: Group, arguments: Mapping[str, Local]) -> Expr:
        return arguments.get(group.name) or Cell(group.type, group, number(0))
