"""Removal of marks, which only traces need."""

from __future__ import annotations

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Local, Loop
from interpreter.compiler.ir.module import Module
from interpreter.compiler.passes.facts.traversal import functions


def drop_marks(module: Module) -> None:
    """Remove the marks from all functions, with the values computed only for them."""
    for function in functions(module):
        function.body = _without_marks(function.body)


def _without_marks(block: st.Block) -> st.Block:
    statements: list[st.Statement] = []
    for node in block:
        match node:
            case st.Mark():
                continue
            case st.For(loops=(Loop(over=Local()),)) if _only_marks(node.body):
                continue
            case st.If() | st.For() | st.Repeat() | st.IfNoMoves() | st.Once():
                statements.append(st.rebuilt(node, inside=_without_marks))
            case _:
                statements.append(node)
    return tuple(statements)


def _only_marks(block: st.Block) -> bool:
    """Whether a loop over values that are known already does nothing else."""
    return all(isinstance(node, st.Mark | st.If) for node in st.walk(block))
