"""Propagation of constants: the known values of cells and locals at a point, or the few possible ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Cell, Const, Expr, Local, Op, rebuilt, walk
from interpreter.compiler.ir.identity import IdentityMap
from interpreter.compiler.ir.runs import DECLINED
from interpreter.compiler.ir.types import BOOL, Opt, bare
from interpreter.compiler.ir.verifying.fitting import holds as fits
from interpreter.compiler.passes.facts.traversal import LEAVES
from interpreter.compiler.passes.simplifying.folding import simplified
from interpreter.runtime.cells import StoredValue

LOCAL, ONE_OF = -1, -2
"""In place of the index of a cell: the value of a local, and its possible values."""

Name = tuple[str, int]
"""A cell by its group and index, or a local by its name."""

Fact = StoredValue | frozenset[StoredValue]
"""A value; in `ONE_OF` the possible ones."""

Facts = dict[Name, Fact]
"""What is known of cells and locals at a point of the code."""

Known = Mapping[Name, Fact]
"""The same, where it is only read."""


# A value that differs between two branches is unknown behind them; there are no sets of possible values, except for the
# parts of a move (`ONE_OF`): which action it is, is tested by `if part0 = 0: … else if part0 = 1: …`, and each test
# leaves fewer actions, so that the last one is not tested.
def joined(first: Facts | None, second: Facts | None) -> Facts | None:
    """What is known where two branches join; a branch that is None never reaches the join."""
    if first is None or second is None:
        return second if first is None else first
    return {name: value for name, value in first.items() if name in second and second[name] == value}


def after_assignment(facts: Facts, name: Name, value: Expr) -> Facts:
    """What is known after an assignment to a cell or local."""
    if isinstance(value, Const) and not isinstance(value.value, tuple):
        return {**facts, name: value.value}
    return {other_name: old for other_name, old in facts.items() if other_name != name}


def possible_parts(moves: st.Block, names: Sequence[Local]) -> Facts:
    """The possible values of the parts of a move, where all are constant."""
    emitted = [node for node in st.walk(moves) if isinstance(node, st.Emit)]
    if any(isinstance(node, st.EmitDone) for node in st.walk(moves)):
        emitted.append(st.Emit((DECLINED,)))
    facts: Facts = {}
    for place, local in enumerate(names):
        parts = [node.move[place] if place < len(node.move) else None for node in emitted]
        values = frozenset(part.value for part in parts if isinstance(part, Const))
        if parts and all(isinstance(part, Const) for part in parts):
            facts |= _one_of(local, values)
    return facts


def _one_of(local: Local, values: frozenset[StoredValue]) -> Facts:
    return {(local.name, ONE_OF): values} | ({(local.name, LOCAL): next(iter(values))} if len(values) == 1 else {})


def _possible(facts: Known, name: str) -> frozenset[StoredValue] | None:
    """The possible values of a local; None if nothing is known of them."""
    values = facts.get((name, ONE_OF))
    return values if isinstance(values, frozenset) else None


def _is_excluded(facts: Known, name: str, value: StoredValue) -> bool:
    values = _possible(facts, name)
    return values is not None and value not in values


def under_condition(condition: Expr, holds: bool, facts: Known) -> Facts:
    """What is known in a branch, from the condition that leads there."""
    match condition:
        case Op(name="eq", args=(Local() as local, Const(value=value))):
            values = _possible(facts, local.name)
            if values is None:
                return dict(facts)
            return {**facts, **_one_of(local, values & {value} if holds else values - {value})}
        case _:
            return dict(facts)


def propagated(node: Expr, facts: Known) -> Expr:
    """An expression with known values propagated into it."""
    match node:
        case Op(name="eq", args=(Local(name=name), Const(value=value))) if _is_excluded(facts, name, value):
            return Const(BOOL, False, node.source)
        case Cell(group=group):
            index = propagated(node.index, facts)
            if isinstance(index, Const) and (group.name, index.value) in facts:
                return _constant(node, facts[group.name, index.value])
            return node if index is node.index else Cell(node.type, group, index, node.source)
        case Local(name=name):
            return _constant(node, facts[name, LOCAL]) if (name, LOCAL) in facts else node
        case _ if type(node) in LEAVES:
            return node
        case _:
            new_node = rebuilt(node, lambda child: propagated(child, facts))
            return node if new_node is node else simplified(new_node)


class Propagation:
    """Propagates known values into the same expressions many times: those that mention none are kept as they are."""

    def __init__(self) -> None:
        self._names: IdentityMap[Expr, frozenset[Name]] = IdentityMap()

    def propagated(self, node: Expr, facts: Known) -> Expr:
        """An expression with known values propagated into it."""
        if type(node) in LEAVES and not isinstance(node, Local):
            return node
        names = self._names.get(node)
        if names is None:
            names = self._names.keep(node, frozenset(_names_in(node)))
        return node if facts.keys().isdisjoint(names) else propagated(node, facts)


def _names_in(node: Expr) -> Iterator[Name]:
    """Everything whose known value would change an expression."""
    for part in walk(node):
        match part:
            case Local(name=name):
                yield name, LOCAL
                yield name, ONE_OF
            case Cell(group=group, index=Const(value=value)):
                yield group.name, value
            case _:
                pass


def _constant(node: Cell | Local, value: Fact) -> Expr:
    """A constant in place of a cell or local; one that is none where the type excludes that is never read."""
    if value is None:
        return Const(node.type, None, node.source) if isinstance(node.type, Opt) else node
    type_ = bare(node.type)
    return Const(type_, value, node.source) if fits(type_, value) else node
