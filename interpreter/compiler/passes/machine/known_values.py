"""Propagation of constants: the known values of cells and locals at a point, or the few possible ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Cell, Const, Expr, Local, Op, rebuilt
from interpreter.compiler.ir.runs import DECLINED
from interpreter.compiler.ir.types import BOOL, Opt, bare
from interpreter.compiler.ir.verifying.fitting import holds as fits
from interpreter.compiler.passes.facts.traversal import LEAVES
from interpreter.compiler.passes.simplifying.folding import simplified

LOCAL, ONE_OF = -1, -2
"""In place of the index of a cell: the value of a local, and its possible values."""

Name = tuple[str, int]
"""A cell by its group and index, or a local by its name."""

Known = Mapping[Name, Any]
"""Known values of cells and locals."""


def joined(one: dict[Name, Any] | None, other: dict[Name, Any] | None) -> dict[Name, Any] | None:
    """What is known where two branches join; a branch that is None never reaches the join."""
    if one is None or other is None:
        return other if one is None else one
    return {name: value for name, value in one.items() if name in other and other[name] == value}


def after_assignment(known: dict[Name, Any], name: Name, value: Expr) -> dict[Name, Any]:
    """What is known after an assignment to a cell or local."""
    if isinstance(value, Const) and not isinstance(value.value, tuple):
        return {**known, name: value.value}
    return {other: old for other, old in known.items() if other != name}


def possible_parts(moves: st.Block, names: Sequence[Local]) -> dict[Name, Any]:
    """The possible values of the parts of a move, where all are constant."""
    emitted = [node for node in st.walk(moves) if isinstance(node, st.Emit)]
    if any(isinstance(node, st.EmitDone) for node in st.walk(moves)):
        emitted.append(st.Emit((DECLINED,)))
    found: dict[Name, Any] = {}
    for place, local in enumerate(names):
        parts = [node.move[place] if place < len(node.move) else None for node in emitted]
        values = frozenset(part.value for part in parts if isinstance(part, Const))
        if parts and all(isinstance(part, Const) for part in parts):
            found |= _one_of(local, values)
    return found


def _one_of(local: Local, values: frozenset[Any]) -> dict[Name, Any]:
    return {(local.name, ONE_OF): values} | ({(local.name, LOCAL): next(iter(values))} if len(values) == 1 else {})


def under_condition(condition: Expr, holds: bool, known: Known) -> dict[Name, Any]:
    """What is known in a branch, from the condition that leads there."""
    match condition:
        case Op(name="eq", args=(Local() as local, Const(value=value))) if (local.name, ONE_OF) in known:
            values = known[local.name, ONE_OF]
            return {**known, **_one_of(local, values & {value} if holds else values - {value})}
        case _:
            return dict(known)


def propagated(node: Expr, known: Known) -> Expr:
    """An expression with known values propagated into it."""
    match node:
        case Op(name="eq", args=(Local(name=name), Const(value=value))) if value not in known.get(
            (name, ONE_OF), (value,)
        ):
            return Const(BOOL, False, node.source)
        case Cell(group=group):
            index = propagated(node.index, known)
            if isinstance(index, Const) and (group.name, index.value) in known:
                return _constant(node, known[group.name, index.value])
            return node if index is node.index else Cell(node.type, group, index, node.source)
        case Local(name=name):
            return _constant(node, known[name, LOCAL]) if (name, LOCAL) in known else node
        case _ if type(node) in LEAVES:
            return node
        case _:
            found = rebuilt(node, lambda child: propagated(child, known))
            return node if found is node else simplified(found)


def _constant(node: Cell | Local, value: Any) -> Expr:
    """A constant in place of a cell or local; one that is none where the type excludes that is never read."""
    if value is None:
        return Const(node.type, None, node.source) if isinstance(node.type, Opt) else node
    type_ = bare(node.type)
    return Const(type_, value, node.source) if fits(type_, value) else node
