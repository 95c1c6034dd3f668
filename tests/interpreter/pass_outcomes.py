"""Expressions before and after a pass: the same values, the same faults."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from interpreter.compiler.ir.expressions import Expr, Fold, Lambda, Let, Local, children
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.ir.statements import Return
from interpreter.compiler.ir.verifier import verify
from tests.interpreter.inside_out import in_block
from tests.interpreter.naive_ir import Fault, value
from tests.interpreter.random_ir import Maker


def outcome(run: Callable[[], Any]) -> Any:
    """A value, or the fault in which computing it ends."""
    try:
        return run()
    except Fault as fault:
        return fault.args


def same_outcomes(maker: Maker, before: Expr, after: Expr, functions: dict[str, Any] | None = None) -> None:
    """Both expressions give the same in some states."""
    for _ in range(4):
        S, values = maker.state(), [maker.content(local.type) for local in maker.names]
        names = {**(functions or {}), **dict(zip([local.name for local in maker.names], values, strict=True))}
        meant, got = (outcome(partial(value, node, names, S)) for node in (before, after))
        assert got == meant and isinstance(got, bool) == isinstance(meant, bool), (
            f"{got}, not {meant}\n{before}\n{after}"
        )


def problems(maker: Maker, node: Expr, *others: Function) -> list[str]:
    """What the verifier has against an expression as the value of a definition."""
    tables = (*maker.tables.values(), maker.partial, maker.deep)
    asking = Function("define", "f", tuple(maker.names), (Return(node),), node.type)
    functions = [replace(each, body=in_block(each.body, _from_nowhere)) for each in (asking, *others)]
    return verify(
        Module(
            {function.name: function for function in functions},
            {table.name: table for table in tables},
            {group.name: group for group in maker.groups.values()},
        )
    )


def _from_nowhere(node: Expr) -> Expr:
    return replace(node, source=None)


def bound_names(node: Expr) -> list[str]:
    """The names that an expression binds, one for each place where it does."""
    own: list[Local] = []
    match node:
        case Fold():
            own = [loop.local for loop in node.loops]
        case Let():
            own = [node.local]
        case Lambda():
            own = list(node.params)
    return [*[local.name for local in own], *[name for child in children(node) for name in bound_names(child)]]
