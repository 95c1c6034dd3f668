"""Changing every expression of a body, from the inside out."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Expr, rebuilt

Change = Callable[[Expr], Expr]


def bottom_up(node: Expr, change: Change) -> Expr:
    """The expression with every node changed, those inside it first."""
    return change(rebuilt(node, lambda child: bottom_up(child, change)))


def in_block(block: st.Block, change: Change) -> st.Block:
    """The statements with every expression in them changed by `bottom_up`."""

    def inside(node: Expr) -> Expr:
        return bottom_up(node, change)

    return tuple([st.rebuilt(node, inside, lambda inner: in_block(inner, change)) for node in block])
