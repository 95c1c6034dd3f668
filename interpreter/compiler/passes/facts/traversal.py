"""Traversal of function bodies that keeps what does not change, and effects of expressions."""

from __future__ import annotations

from collections.abc import Callable
from operator import is_

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import (
    Call,
    Cell,
    Change,
    Check,
    Choice,
    Const,
    Counted,
    Data,
    Expr,
    Fold,
    Lambda,
    Local,
    Logic,
    Op,
    Slot,
    children,
    rebuilt,
)
from interpreter.compiler.ir.identity import IdentityMap
from interpreter.compiler.ir.module import Function
from interpreter.compiler.ir.naming import BETWEEN
from interpreter.compiler.ir.operations import FAILING

LEAVES = frozenset({Const, Local, Data})
"""The classes of expressions without parts."""

WITHOUT = frozenset({
    st.Break, st.Continue, st.EmitDone, st.React, st.Suspend, st.Stop, st.Leave, st.Idle, st.Count, st.Goto, st.Mark,
})  # fmt: skip
"""The classes of statements without expressions; and marks, whose values are plain names."""


def changed_block(block: st.Block, change: Change) -> st.Block:
    """The statements with their expressions rewritten; the same block if nothing changes."""

    def inside(nested: st.Block) -> st.Block:
        return changed_block(nested, change)

    statements = [node if type(node) in WITHOUT else changed(node, change, inside) for node in block]
    return block if all(map(is_, statements, block)) else tuple(statements)


def changed(node: st.Statement, change: Change, inside: Callable[[st.Block], st.Block]) -> st.Statement:
    """The statement with its expressions and the statements inside rewritten; the same statement if nothing changes.

    Expressions without parts are kept.
    """
    if type(node) in WITHOUT:
        return node
    parts, within = st.expressions(node), st.blocks(node)
    new_parts = [part if type(part) in LEAVES else change(part) for part in parts]
    new_within = [inside(block) for block in within]
    if all(map(is_, new_parts, parts)) and all(map(is_, new_within, within)):
        return node
    by_part: IdentityMap[Expr, list[Expr]] = IdentityMap()
    by_block: IdentityMap[st.Block, st.Block] = IdentityMap()
    for part, new_part in zip(parts, new_parts, strict=True):
        (by_part.get(part) or by_part.keep(part, [])).append(new_part)
    for block, new_block in zip(within, new_within, strict=True):
        by_block.keep(block, new_block)

    def new(part: Expr) -> Expr:
        replacements = by_part.get(part)
        return replacements.pop(0) if replacements else part

    def new_inside(block: st.Block) -> st.Block:
        replacement = by_block.get(block)
        return block if replacement is None else replacement

    return st.rebuilt(node, new, new_inside)


def changed_parts(node: Expr, change: Change) -> Expr:
    """The expression with its parts rewritten, except those without parts; the same expression if nothing changes."""
    if isinstance(node, Op):  # the most frequent class
        args = [arg if type(arg) in LEAVES else change(arg) for arg in node.args]
        return node if all(map(is_, args, node.args)) else Op(node.type, node.name, tuple(args), node.source)
    if isinstance(node, (Cell, Slot)) and type(node.index) in LEAVES:
        return node
    return rebuilt(node, change)


def subject_of(function: Function) -> str:
    """The name of a function in records."""
    if function.kind in ("moves", "apply"):
        return f"decision {function.number}"
    if function.kind == "block":
        return f"block {function.number}"
    return f"{function.kind} {name_of(function)}"


def name_of(function: Function) -> str:
    """The name that a function has in the rules."""
    return function.name.partition(BETWEEN)[2] or function.name


# ---------------------------------------------------------------- effects of expressions


def may_have_effect(node: Expr) -> bool:
    """Whether evaluating an expression may have an effect: it may end the game in a fault, or is counted for coverage.

    Any call may have one.
    """
    kind = type(node)
    if kind in LEAVES:
        return False
    if kind is Check or kind is Counted or kind is Call or (isinstance(node, Op) and node.name in FAILING):
        return True
    return any(map(may_have_effect, children(node)))


def simple(node: Expr) -> bool:
    """Whether an expression is trivial to evaluate again."""
    return isinstance(node, Local | Const) or (isinstance(node, Cell) and isinstance(node.index, Const))


def computed_first(node: Expr, name: str, has_effect: Callable[[Expr], bool] = may_have_effect) -> bool:
    """Whether an expression is sure to read a local, and before any effect."""
    match node:
        case Local():
            return node.name == name
        case Logic():
            return computed_first(node.parts[0], name, has_effect)
        case Choice():
            return computed_first(node.condition, name, has_effect)
        case Fold():
            return computed_first(node.loops[0].over, name, has_effect)
        case Lambda():
            return False
        case _:
            for child in children(node):
                if computed_first(child, name, has_effect):
                    return True
                if has_effect(child):
                    return False
            return False
