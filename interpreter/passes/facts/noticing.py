"""Whether an expression may be computed earlier, more often or less often than the rules say.

Not if it can be noticed that it is computed; and not where the rules have not yet made sure that it has a value.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.ir import statements as st
from interpreter.ir.expressions import Ask, Cell, Check, Const, Counted, Expr, Lookup, Op, children
from interpreter.ir.module import Module
from interpreter.ir.operations import FAILING
from interpreter.ir.types import Int, Opt, Ref, Set, bare
from interpreter.passes.facts.bodies import LEAVES

Noticed = Callable[[Expr], bool]


def noticing(module: Module) -> Noticed:
    """The test for the expressions of a module: it may end the game in a fault, or is counted for coverage.

    What the definitions that are asked do is looked up at most once each.
    """
    known: dict[str, bool] = {}

    def asked(name: str) -> bool:
        found = known.get(name)
        if found is None:
            known[name] = True  # for those that ask themselves
            function = module.functions.get(name)
            found = known[name] = function is None or function.kind == "hypothesis" or in_block(function.body)
        return found

    def in_block(block: st.Block) -> bool:
        return any(isinstance(node, st.Count) or any(map(noticed, st.expressions(node))) for node in st.walk(block))

    def noticed(node: Expr) -> bool:
        kind = type(node)
        if kind in LEAVES:
            return False
        if kind is Check or kind is Counted:
            return True
        if isinstance(node, Op) and node.name in FAILING:
            return True
        if isinstance(node, Ask) and asked(node.function):
            return True
        return any(map(noticed, children(node)))

    return noticed


def guarded(node: Expr) -> bool:
    """Whether an expression has a value only where the rules have made sure of that, by a condition before it."""
    return type(node) not in LEAVES and (guarded_itself(node) or any(map(guarded, children(node))))


def guarded_itself(node: Expr) -> bool:
    """Whether that is so even if the parts of the expression have values."""
    match node:
        case Cell():
            return isinstance(node.group.type, Opt) and not isinstance(node.type, Opt)
        case Lookup():
            return _may_lack(node)
        case Op():
            return node.name in ("item", "select")
        case _:
            return False


def _may_lack(node: Lookup) -> bool:
    """Whether a table may have no entry for a key."""
    table, optional = node.table, isinstance(node.type, Opt)
    if isinstance(table.type, Opt) and not optional:
        return True
    if len(node.keys) > 1 or not isinstance(table.content, tuple) or isinstance(node.keys[0], Const):
        return False
    key, length = bare(node.keys[0].type), len(table.content)
    inside = isinstance(key, Ref) and key.width <= length
    inside = inside or (isinstance(key, Int) and key.low >= 0 and key.high < length)
    inside = inside or (isinstance(key, Set) and 1 << key.width <= length)
    return not inside or (not optional and None in table.content)
