"""Traversal of function bodies that keeps what does not change, and effects of expressions."""

from __future__ import annotations

from collections.abc import Callable
from operator import is_
from typing import get_args

from interpreter.compiler.ir import expressions as ex
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.module import BETWEEN, Function, Module
from interpreter.compiler.ir.operations import FAILING
from interpreter.compiler.ir.parts import has_parts

LEAVES = frozenset({class_ for class_ in get_args(ex.Expr) if not has_parts(class_)})
"""The classes of expressions without parts."""

WITHOUT = frozenset({st.Mark, *(class_ for class_ in get_args(st.Statement) if not has_parts(class_))})
"""The classes of statements without parts; and marks, whose values are plain names."""


def changed_block(block: st.Block, change: ex.Change) -> st.Block:
    """The statements with their expressions rewritten; the same block if nothing changes."""
    return _changed_block(block, _except_leaves(change))


def _changed_block(block: st.Block, change: ex.Change) -> st.Block:
    def inside(nested: st.Block) -> st.Block:
        return _changed_block(nested, change)

    statements = [node if type(node) in WITHOUT else st.rebuilt(node, change, inside) for node in block]
    return block if all(map(is_, statements, block)) else tuple(statements)


def changed(node: st.Statement, change: ex.Change, inside: Callable[[st.Block], st.Block]) -> st.Statement:
    """The statement with its expressions and the statements inside rewritten; the same statement if nothing changes.

    Expressions without parts are kept.
    """
    return node if type(node) in WITHOUT else st.rebuilt(node, _except_leaves(change), inside)


def _except_leaves(change: ex.Change) -> ex.Change:
    """A rewriting that keeps expressions without parts."""
    return lambda node: node if type(node) in LEAVES else change(node)


def changed_parts(node: ex.Expr, change: ex.Change) -> ex.Expr:
    """The expression with its parts rewritten, except those without parts; the same expression if nothing changes."""
    if type(node) is ex.Op:  # the most frequent class
        args = [arg if type(arg) in LEAVES else change(arg) for arg in node.args]
        return node if all(map(is_, args, node.args)) else ex.Op(node.type, node.name, tuple(args), node.source)
    if isinstance(node, (ex.Cell, ex.Slot)) and type(node.index) in LEAVES:
        return node
    return ex.rebuilt(node, change)


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


def may_have_effect(node: ex.Expr) -> bool:
    """Whether evaluating an expression may have an effect: it may end the game in a fault, or is counted for coverage.

    A call may have one.
    """
    kind = type(node)
    if kind in LEAVES:
        return False
    if kind is ex.Check or kind is ex.Counted or kind is ex.Call or (isinstance(node, ex.Op) and node.name in FAILING):
        return True
    return any(map(may_have_effect, ex.children(node)))


def simple(node: ex.Expr) -> bool:
    """Whether an expression is trivial to evaluate again."""
    return isinstance(node, ex.Local | ex.Const) or (isinstance(node, ex.Cell) and isinstance(node.index, ex.Const))


# `x := 6 / n; return n > 0 and x > 1` must fail for n = 0, and `return n > 0 and 6 / n > 1` does not. So a value that
# may fail is only put in place of its local if it is evaluated there in any case, and nothing else may fail before it.
def computed_first(node: ex.Expr, name: str, has_effect: Callable[[ex.Expr], bool] = may_have_effect) -> bool:
    """Whether an expression is sure to read a local, and before any effect."""
    match node:
        case ex.Local():
            return node.name == name
        case ex.Logic():
            return computed_first(node.parts[0], name, has_effect)
        case ex.Choice():
            return computed_first(node.condition, name, has_effect)
        case ex.Fold():
            return computed_first(node.loops[0].over, name, has_effect)
        case ex.Lambda():
            return False
        case _:
            for child in ex.children(node):
                if computed_first(child, name, has_effect):
                    return True
                if has_effect(child):
                    return False
            return False


def functions(module: Module) -> list[Function]:
    """All functions and blocks of a module."""
    return [*module.functions.values(), *module.blocks.values()]
