"""Whether an expression may be evaluated earlier, more often or less often than the rules say.

It may not if its evaluation has an effect, nor before the conditions that guarantee that it has a value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from interpreter.compiler.ir import expressions as ex
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.module import Module
from interpreter.compiler.ir.operations import FAILING
from interpreter.compiler.ir.types import Int, Opt, Ref, Set, bare
from interpreter.compiler.passes.facts.traversal import LEAVES

HasEffect = Callable[[ex.Expr], bool]


def effect_test(module: Module) -> HasEffect:
    """A test whether evaluating an expression of a module has an effect: a possible fault, or counting for coverage.

    Called definitions are examined once each.
    """
    effect_by_function: dict[str, bool] = {}

    def call_has_effect(name: str) -> bool:
        effect = effect_by_function.get(name)
        if effect is None:
            effect_by_function[name] = True  # the answer for recursive definitions
            function = module.functions.get(name)
            effect = effect_by_function[name] = (
                function is None or function.kind == "hypothesis" or in_block(function.body)
            )
        return effect

    def in_block(block: st.Block) -> bool:
        return any(isinstance(node, st.Count) or any(map(has_effect, st.expressions(node))) for node in st.walk(block))

    def has_effect(node: ex.Expr) -> bool:
        kind = type(node)
        if kind in LEAVES:
            return False
        if kind is ex.Check or kind is ex.Counted:
            return True
        if isinstance(node, ex.Op) and node.name in FAILING:
            return True
        if isinstance(node, ex.Call) and call_has_effect(node.function):
            return True
        return any(map(has_effect, ex.children(node)))

    return has_effect


def needs_guard(node: ex.Expr) -> bool:
    """Whether an expression has a value only where a condition before it guarantees that."""
    return type(node) not in LEAVES and (needs_guard_itself(node) or any(map(needs_guard, ex.children(node))))


def needs_guard_itself(node: ex.Expr) -> bool:
    """Whether that is the case even if the parts of the expression have values."""
    match node:
        case ex.Cell():
            return isinstance(node.group.type, Opt) and not isinstance(node.type, Opt)
        case ex.Lookup():
            return _may_lack(node)
        case ex.Op():
            return node.name in ("item", "select")
        case (
            ex.Const() | ex.Data() | ex.Local() | ex.Slot() | ex.Logic() | ex.Choice() | ex.Fold() | ex.Let()
            | ex.Call() | ex.Check() | ex.Counted() | ex.Lambda()
        ):  # fmt: skip
            return False
        case _ as never:
            assert_never(never)


def _may_lack(node: ex.Lookup) -> bool:
    """Whether a table may have no entry for a key."""
    table, optional = node.table, isinstance(node.type, Opt)
    if isinstance(table.type, Opt) and not optional:
        return True
    if len(node.keys) > 1 or not isinstance(table.content, tuple) or isinstance(node.keys[0], ex.Const):
        return False
    key, length = bare(node.keys[0].type), len(table.content)
    inside = isinstance(key, Ref) and key.width <= length
    inside = inside or (isinstance(key, Int) and key.low >= 0 and key.high < length)
    inside = inside or (isinstance(key, Set) and 1 << key.width <= length)
    return not inside or (not optional and None in table.content)
