"""Inlining of rules that are small or called once.

Rules are not recursive, so this terminates.
"""

from __future__ import annotations

from collections import Counter

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Expr, children
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.passes.rewriting.functions import functions
from interpreter.compiler.passes.rewriting.renaming import renamed

SMALLEST = 60
"""Maximum number of nodes of a rule that is duplicated."""


def inline_rules(module: Module) -> None:
    """Inline rules into their callers."""
    calls = Counter(
        node.function for each in functions(module) for node in st.walk(each.body) if isinstance(node, st.Perform)
    )
    done: dict[str, st.Block | None] = {}
    marks = {name: f"r{number}" for number, name in enumerate(module.functions)}

    def body_of(name: str) -> st.Block | None:
        """The body of a rule to be inlined; None if it stays a function."""
        if name not in done:
            function = module.functions[name]
            function.body = inside(function.body)
            small = calls[name] == 1 or size(function.body) <= SMALLEST
            done[name] = _with_parameters(function, marks[name]) if small else None
        return done[name]

    def inside(block: st.Block) -> st.Block:
        return tuple([new for node in block for new in statement(node)])

    def statement(node: st.Statement) -> st.Block:
        if isinstance(node, st.Perform):
            body = body_of(node.function)
            if body is None:
                return (node,)
            count = len(node.args)
            given = zip(body[:count], node.args, strict=True)
            return (*[st.Assign(each.local, arg, node.source) for each, arg in given if isinstance(each, st.Assign)],
                    *body[count:])  # fmt: skip
        if st.blocks(node):
            return (st.rebuilt(node, _same, inside),)
        return (node,)

    for each in functions(module):
        if each.kind in ("rule", "quiet rule"):
            body_of(each.name)
        else:
            each.body = inside(each.body)


def _with_parameters(function: Function, mark: str) -> st.Block:
    """Assignments to the parameters and the body, with all locals renamed."""
    return renamed((*[st.Assign(param, param) for param in function.params], *function.body), mark)


def _same(node: Expr) -> Expr:
    return node


def size(block: st.Block) -> int:
    """The number of nodes of statements."""
    count, waiting = 0, list[Expr]()
    for node in st.walk(block):
        count += 1
        waiting += st.expressions(node)
    while waiting:
        count += 1
        waiting += children(waiting.pop())
    return count
