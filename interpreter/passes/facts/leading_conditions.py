"""Conditions at the start of a loop, under which all of its body stands."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.ir import statements as st
from interpreter.ir.expressions import Expr, both, conjuncts


def leading_tests(body: st.Block) -> list[st.If]:
    """The conditions in one another under which all of a body stands."""
    found: list[st.If] = []
    while len(body) == 1 and isinstance(body[0], st.If) and not body[0].otherwise:
        found.append(body[0])
        body = body[0].then
    return found


def with_conditions_kept(tests: list[st.If], kept: Callable[[Expr], bool]) -> st.Block:
    """What stands under the last of these conditions, under those of them that are kept."""
    body = tests[-1].then
    for test in reversed(tests):
        parts = conjuncts(test.condition)
        left = [part for part in parts if kept(part)]
        if left:
            condition = test.condition if len(left) == len(parts) else both(left)
            body = (st.If(condition, body, (), test.source),)
    return body
