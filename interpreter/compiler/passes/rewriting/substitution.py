"""Substitution of values for locals, and new names for locals, which are unique within a function.

INVARIANT: no two expressions of a function bind the same name, so a value can be put anywhere in place of a local, and
an expression moved anywhere its locals are bound, without capturing a name. A definition that is inserted twice would
bind its names twice; each copy gets fresh ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.ir import expressions as ex
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.module import BETWEEN
from interpreter.compiler.ir.types import Opt
from interpreter.compiler.passes.facts.traversal import LEAVES


@dataclass
class Fresh:
    """Makes locals with names that are new in a function; `latest` gives the number of the last one."""

    latest: Callable[[], int]
    last: int = -1

    def local(self, like: ex.Local) -> ex.Local:
        """A fresh local, named after another one."""
        if self.last < 0:
            self.last = self.latest()
        self.last += 1
        return ex.Local(like.type, f"{like.name.partition(BETWEEN)[0]}{BETWEEN}{self.last}", like.source)


def fresh_for(body: st.Block) -> Fresh:
    """Fresh names for a function."""
    return Fresh(lambda: _latest(part for node in st.walk(body) for part in st.expressions(node)))


def fresh_in(node: ex.Expr) -> Fresh:
    """Fresh names for a single expression."""
    return Fresh(lambda: _latest((node,)))


def _latest(parts: Iterable[ex.Expr]) -> int:
    """The highest number of a fresh name in expressions."""
    waiting, last = [*parts], 0
    while waiting:
        node = waiting.pop()
        if isinstance(node, ex.Local):
            number = node.name.partition(BETWEEN)[2]
            if number.isdigit():
                last = max(last, int(number))
        elif type(node) not in LEAVES:
            if type(node) in BINDING:
                waiting += bound(node)
            waiting += ex.children(node)
    return last


BINDING = frozenset({ex.Fold, ex.Let, ex.Lambda})
"""The classes of expressions that bind locals."""


def bound(node: ex.Expr) -> tuple[ex.Local, ...]:
    """The locals that an expression itself binds."""
    match node:
        case ex.Fold():
            return tuple([loop.local for loop in node.loops])
        case ex.Let():
            return (node.local,)
        case ex.Lambda():
            return node.params
        case _:
            return ()


def substituted(node: ex.Expr, values: Mapping[str, ex.Expr], fresh: Fresh | None, then: ex.Change) -> ex.Expr:
    """An expression with values in place of locals, and `fresh` names for those that it binds.

    `then` is applied to every changed node, innermost first.
    """
    if isinstance(node, ex.Local):
        value = values.get(node.name)
        return node if value is None else used_as(value, node)
    if type(node) in LEAVES:
        return node
    if fresh is not None and type(node) in BINDING:
        names = {local.name: fresh.local(local) for local in bound(node)}
        with_fresh_names = binding(node, tuple(names.values()))
        inner_values = {**values, **names}
        return then(ex.rebuilt(with_fresh_names, lambda child: substituted(child, inner_values, fresh, then)))
    new_node = ex.rebuilt(node, lambda child: substituted(child, values, fresh, then))
    return new_node if new_node is node else then(new_node)


def used_as(value: ex.Expr, use: ex.Local) -> ex.Expr:
    """A value in place of a local; where the type of the local excludes none, so does that of the value."""
    if (
        isinstance(value, ex.Local | ex.Cell | ex.Lookup)
        and isinstance(value.type, Opt)
        and not isinstance(use.type, Opt)
    ):
        return replace(value, type=value.type.of)
    return value


def binding(node: ex.Expr, names: tuple[ex.Local, ...]) -> ex.Expr:
    """An expression with the locals that it binds replaced."""
    match node:
        case ex.Fold():
            loops = tuple([ex.Loop(name, loop.over, loop.where) for name, loop in zip(names, node.loops, strict=True)])
            return ex.Fold(node.type, node.word, loops, node.value, node.source)
        case ex.Let():
            return ex.Let(node.type, names[0], node.value, node.body, node.source)
        case ex.Lambda():
            return ex.Lambda(node.type, names, node.body, node.source)
        case _:
            return node


def renamed(block: st.Block, mark: str) -> st.Block:
    """The statements with a mark added to the names of all locals, which no other function uses."""

    def name(local: ex.Local) -> ex.Local:
        return ex.Local(local.type, f"{local.name}{BETWEEN}{mark}", local.source)

    def expression(node: ex.Expr) -> ex.Expr:
        if isinstance(node, ex.Local):
            return name(node)
        bound_locals = bound(node)
        return ex.rebuilt(binding(node, tuple(map(name, bound_locals))) if bound_locals else node, expression)

    def statement(node: st.Statement) -> st.Statement:
        match node:
            case st.Assign():
                node = replace(node, local=name(node.local))
            case st.For():
                node = replace(
                    node, loops=tuple([ex.Loop(name(loop.local), loop.over, loop.where) for loop in node.loops])
                )
            case st.Decide():
                node = replace(node, names=tuple(map(name, node.names)))
            case _:
                pass
        return st.rebuilt(node, expression, inside)

    def inside(nested: st.Block) -> st.Block:
        return tuple([statement(node) for node in nested])

    return inside(block)
