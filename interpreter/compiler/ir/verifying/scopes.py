"""Problems of locals: uses before their definition, outside of their scope, or with another type."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Expr, Fold, Lambda, Let, Local, Loop, children
from interpreter.compiler.ir.module import Function
from interpreter.compiler.ir.statements import Block, Statement
from interpreter.compiler.ir.types import Type
from interpreter.compiler.ir.verifying.fitting import fits, narrowed

Scope = dict[str, Type]
"""The locals that are defined on every path to a point, with their types."""

Problem = tuple[Statement | None, str]


def local_problems(function: Function) -> Iterator[Problem]:
    """Problems of the locals of a function, each with its statement."""
    scope: Scope = {}
    for param in function.params:
        if param.name in scope:
            yield None, f"there are two parameters {param.name}"
        scope[param.name] = param.type
    yield from _block(function.body, scope)


def _block(block: Block, scope: Scope) -> Iterator[Problem]:
    """Problems of statements; the locals defined after them are added to `scope`."""
    for node in block:
        yield from _statement(node, scope)


def _statement(node: Statement, scope: Scope) -> Iterator[Problem]:
    match node:
        case st.Assign():
            yield from _said(node, _uses(node.value, scope))
            declared = scope.get(node.local.name)
            if declared is None:
                scope[node.local.name] = declared = node.local.type
            elif declared != node.local.type:
                yield node, f"{node.local.name} is {declared}, not {node.local.type}"
            if not fits(node.value.type, declared):
                yield node, f"{node.local.name} is {declared}, not {node.value.type}"
        case st.If():
            yield from _said(node, _uses(node.condition, scope))
            then, otherwise = dict(scope), dict(scope)
            yield from _block(node.then, then)
            yield from _block(node.otherwise, otherwise)
            scope |= _behind(node, then, otherwise)
        case st.For():
            # A body may not be done even once, so nothing that it defines is defined after it; likewise those below.
            nested_scope = dict(scope)
            for loop in node.loops:
                yield from _said(node, _loop(loop, nested_scope))
            yield from _block(node.body, nested_scope)
        case st.Repeat():
            yield from _said(node, _uses(node.times, scope))
            yield from _block(node.body, dict(scope))
        case st.IfNoMoves():
            yield from _block(node.body, dict(scope))
        case st.Once():
            for value in node.values:
                yield from _said(node, _uses(value, scope))
            yield from _block(node.body, dict(scope))
            yield from _block(node.otherwise, dict(scope))
        case st.Decide():
            yield from _block(node.moves, dict(scope))
            yield from _block(node.made, {**scope, **{local.name: local.type for local in node.names}})
            yield from _block(node.otherwise, dict(scope))
        case _:
            yield from _simple(node, scope)


def _simple(node: st.Simple, scope: Scope) -> Iterator[Problem]:
    for value in st.expressions(node):
        yield from _said(node, _uses(value, scope))


def _behind(node: st.If, then: Scope, otherwise: Scope) -> Scope:
    """The locals that are defined after an `if`: in both branches, or in the only one that falls through."""
    # `if over: return 0` and then `x` from the other branch: control comes here from that branch alone.
    if never_falls_through(node.then):
        return otherwise
    if never_falls_through(node.otherwise):
        return then
    return {name: type_ for name, type_ in then.items() if name in otherwise}


def never_falls_through(block: Block) -> bool:
    """Whether control never falls through the end of a block."""
    for node in block:
        match node:
            case _ if isinstance(node, st.Last):
                return True
            case st.Decide() if never_falls_through(node.made) and never_falls_through(node.otherwise):
                return True
            case st.If() if node.otherwise and never_falls_through(node.then) and never_falls_through(node.otherwise):
                return True
            case _:
                continue
    return False


# ---------------------------------------------------------------- expressions


def _said(node: Statement, problems: Iterator[str]) -> Iterator[Problem]:
    yield from ((node, problem) for problem in problems)


def _uses(node: Expr, scope: Scope) -> Iterator[str]:
    """Problems of the locals in an expression."""
    match node:
        case Local():
            declared = scope.get(node.name)
            if declared is None:
                yield f"{node.name} is not defined here"
            elif not narrowed(declared, node.type):
                yield f"{node.name} is {declared}, not {node.type}"
        case Fold():
            nested_scope = dict(scope)
            for loop in node.loops:
                yield from _loop(loop, nested_scope)
            yield from _uses(node.value, nested_scope)
        case Let():
            yield from _uses(node.value, scope)
            nested_scope = dict(scope)
            yield from _bound(node.local, nested_scope)
            yield from _uses(node.body, nested_scope)
        case Lambda():
            nested_scope = dict(scope)
            for param in node.params:
                yield from _bound(param, nested_scope)
            yield from _uses(node.body, nested_scope)
        case _:
            for child in children(node):
                yield from _uses(child, scope)


def _loop(loop: Loop, scope: Scope) -> Iterator[str]:
    """Problems of a loop; its variable is added to the scope."""
    yield from _uses(loop.over, scope)
    yield from _bound(loop.local, scope)
    if loop.where is not None:
        yield from _uses(loop.where, scope)


def _bound(local: Local, scope: Scope) -> Iterator[str]:
    # INVARIANT: what an expression binds is bound once on a path. Passes substitute values for locals and rely on it: a
    # second local of this name would capture those in the value.
    if local.name in scope:
        yield f"{local.name} is defined already"
    scope[local.name] = local.type
