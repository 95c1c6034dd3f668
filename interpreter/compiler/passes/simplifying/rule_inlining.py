"""Inlining of rules that are small or called once.

Rules are not recursive, so this terminates; the locals of a copy get names of their own. Without it small games take
1.05 to 1.2 times the instructions in the machine engine, large ones as many.
"""

from __future__ import annotations

from collections import Counter

from dsl.text.nouns import counted
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Expr, children, walk
from interpreter.compiler.ir.identity import IdentityMap
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.passes.facts.traversal import functions
from interpreter.compiler.passes.record import COURSE_OF_PLAY, PassRecords
from interpreter.compiler.passes.rewriting.substitution import renamed

NAME = "rule inlining"

MAX_RULE_SIZE = 60
"""Maximum number of nodes of a rule that is duplicated."""


def inline_rules(module: Module, records: PassRecords) -> None:
    """Inline rules into their callers."""
    calls = Counter(
        node.function for caller in functions(module) for node in st.walk(caller.body) if isinstance(node, st.Perform)
    )
    inlined_bodies: dict[str, st.Block | None] = {}
    marks = {name: f"r{number}" for number, name in enumerate(module.functions)}

    def body_of(name: str) -> st.Block | None:
        """The body of a rule to be inlined; None if it stays a function."""
        if name not in inlined_bodies:
            function = module.functions[name]
            function.body = inside(function.body)
            small = calls[name] == 1 or has_at_most(function.body, MAX_RULE_SIZE)
            inlined_bodies[name] = _with_parameters(function, marks[name]) if small else None
        return inlined_bodies[name]

    def inside(block: st.Block) -> st.Block:
        return tuple([new for node in block for new in statement(node)])

    def statement(node: st.Statement) -> st.Block:
        if isinstance(node, st.Perform):
            body = body_of(node.function)
            if body is None:
                return (node,)
            count = len(node.args)
            parameters = zip(body[:count], node.args, strict=True)
            assignments = [
                st.Assign(parameter.local, arg, node.source)
                for parameter, arg in parameters if isinstance(parameter, st.Assign)
            ]  # fmt: skip
            return (*assignments, *body[count:])
        if st.blocks(node):
            return (st.rebuilt(node, inside=inside),)
        return (node,)

    for caller in functions(module):
        if caller.kind in ("rule", "quiet rule"):
            body_of(caller.name)
        else:
            caller.body = inside(caller.body)
    inlined_count = sum(calls[name] for name, body in inlined_bodies.items() if body is not None)
    if inlined_count:
        records.applied(NAME, COURSE_OF_PLAY, None, f"in {counted(inlined_count, 'place')}")


def _with_parameters(function: Function, mark: str) -> st.Block:
    """Assignments to the parameters and the body, with all locals renamed."""
    return renamed((*[st.Assign(param, param) for param in function.params], *function.body), mark)


class Sizes:
    """Numbers of nodes; those of an expression are counted once."""

    def __init__(self) -> None:
        self._sizes: IdentityMap[Expr, int] = IdentityMap()

    def of(self, block: st.Block) -> int:
        """The number of nodes of statements."""
        count = 0
        for node in st.walk(block):
            count += 1
            for value in st.expressions(node):
                count += self._sizes.get(value) or self._sizes.keep(value, sum(1 for _ in walk(value)))
        return count


def has_at_most(block: st.Block, nodes: int) -> bool:
    """Whether statements have at most this number of nodes."""
    values = list[Expr]()
    for node in st.walk(block):
        nodes -= 1
        if nodes < 0:
            return False
        values += st.expressions(node)
    while values and nodes >= 0:
        nodes -= 1
        values += children(values.pop())
    return nodes >= 0
