"""Conditions around the whole body of a loop."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Expr, both, conjuncts


def leading_tests(body: st.Block) -> list[st.If]:
    """The nested `if`s around a whole body."""
    tests: list[st.If] = []
    while len(body) == 1 and isinstance(body[0], st.If) and not body[0].otherwise:
        tests.append(body[0])
        body = body[0].then
    return tests


def with_conditions_kept(tests: list[st.If], is_kept: Callable[[Expr], bool]) -> st.Block:
    """The body inside the last of these `if`s, under the conditions that are kept."""
    body = tests[-1].then
    for test in reversed(tests):
        parts = conjuncts(test.condition)
        conditions = [part for part in parts if is_kept(part)]
        if conditions:
            condition = test.condition if len(conditions) == len(parts) else both(conditions)
            body = (st.If(condition, body, (), test.source),)
    return body
