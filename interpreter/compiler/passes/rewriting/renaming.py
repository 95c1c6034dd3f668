"""Renaming of all locals of statements that are inlined into another function."""

from __future__ import annotations

from dataclasses import replace

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Expr, Local, Loop, rebuilt
from interpreter.compiler.ir.module import BETWEEN
from interpreter.compiler.passes.rewriting.substitution import binding, bound


def renamed(block: st.Block, mark: str) -> st.Block:
    """The statements with a mark added to the names of all locals, which no other function uses."""

    def name(local: Local) -> Local:
        return Local(local.type, f"{local.name}{BETWEEN}{mark}", local.source)

    def expression(node: Expr) -> Expr:
        if isinstance(node, Local):
            return name(node)
        bound_locals = bound(node)
        return rebuilt(binding(node, tuple(map(name, bound_locals))) if bound_locals else node, expression)

    def statement(node: st.Statement) -> st.Statement:
        match node:
            case st.Assign():
                node = replace(node, local=name(node.local))
            case st.For():
                node = replace(
                    node, loops=tuple([Loop(name(loop.local), loop.over, loop.where) for loop in node.loops])
                )
            case st.Decide():
                node = replace(node, names=tuple(map(name, node.names)))
            case _:
                pass
        return st.rebuilt(node, expression, inside)

    def inside(nested: st.Block) -> st.Block:
        return tuple([statement(node) for node in nested])

    return inside(block)
