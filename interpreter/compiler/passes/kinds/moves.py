"""Moves of pieces as stores to the cells of their kinds.

Pieces of a kind that no rule tells apart (`reads.py` finds out which) lead to the same games in whatever order they
lie, so their numbers are enough. Without it most board games have a tenth to six tenths of their speed in the machine
engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dsl import ast
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import Cell, Const, Expr, Local, Lookup, Op, Slot, Table, Zone, number, rebuilt
from interpreter.compiler.ir.module import Module
from interpreter.compiler.passes.kinds.kinds import Kinds, KindZone, all_of, any_of, keep_kinds, playing, zone_types
from interpreter.compiler.passes.kinds.reads import counted_set, individuals
from interpreter.compiler.passes.kinds.rewriting import (
    count_cell,
    parts_of,
    passes_filters,
    place_key,
    present,
    rewritten,
    sets_cell,
)
from interpreter.compiler.passes.loops.filters import filled_cell
from interpreter.compiler.passes.record import PassRecords
from interpreter.compiler.passes.simplifying.folding_operations import operation
from interpreter.runtime.layout.cells import Layout

NAME = "kinds"


def pieces_by_kind(module: Module, layout: Layout, records: PassRecords) -> Kinds:
    """Keep kinds instead of pieces, in the zones where no rule distinguishes pieces of a kind."""
    if NAME in records.off:
        return keep_kinds(module, layout, ())
    found = individuals(module, layout)
    for name, declared in layout.model.pieces.items():
        if name in found.reasons:
            source, reason = found.reasons[name]
            records.refused(NAME, name, source, reason)
        else:
            records.applied(NAME, name, declared.declaration)
    free = [
        name for name in module.zones
        if zone_types(layout, name) and not zone_types(layout, name) & found.reasons.keys()
    ]  # fmt: skip
    kinds = keep_kinds(module, layout, free)
    zones = {kept.zone.contents.name: kept.zone for kept in kinds.zones.values()}
    rewriting = KindMoves(kinds, zones)
    if free:
        for function in playing(module, layout):
            function.body = rewriting.block(function.body)
    return kinds


class KindMoves:
    """Rewrites the statements of a module in terms of kinds."""

    def __init__(self, kinds: Kinds, zones: dict[str, Zone]) -> None:
        self.kinds, self.zones = kinds, zones
        self.fresh = 0

    def block(self, block: st.Block) -> st.Block:
        """The statements of a block."""
        return tuple(new for node in block for new in self._statement(node))

    def _expression(self, node: Expr) -> Expr:
        return rewritten(self.kinds, self.zones, node)

    def _statement(self, node: st.Statement) -> Sequence[st.Statement]:
        match node:
            case st.MoveSet(pieces, Slot() as target) if counted_set(self.zones, pieces) is not None:
                return self._move_set(pieces, target, node.source)
            case st.MoveSome(origin=Slot() as origin, target=Slot() as target) if origin.zone.name in self.kinds.zones:
                return self._move_some(node.count, node.kind, origin, target, node.source)
            case _:
                return (st.rebuilt(node, self._expression, self.block),)

    def _place_key(self, out: list[st.Statement], kept: KindZone, index: Expr, name: str) -> Expr:
        """A local with the index of a place, which is used several times."""
        return self._given(out, place_key(kept, self._expression(index)), name)

    def _given(self, out: list[st.Statement], found: Expr, name: str) -> Expr:
        """A local with a value that is used several times."""
        if isinstance(found, Const | Local):
            return found
        self.fresh += 1
        local = Local(found.type, f"{name}ˑkinds{self.fresh}")
        out.append(st.Assign(local, found))
        return local

    def _fixed(self, out: list[st.Statement], those: Expr) -> Expr:
        """A set of pieces by kind whose keys are computed now, as later moves may change them."""
        match those:
            case Lookup(keys=(key,)):
                return replace(those, keys=(self._given(out, self._expression(key), "key"),))
            case Op():
                return rebuilt(those, lambda part: self._fixed(out, part))
            case _:
                return those

    def _move_set(self, pieces: Expr, target: Slot, source: ast.Node) -> list[st.Statement]:
        cell, filters = parts_of(self.zones, pieces)
        start, end = self.kinds.zones[self.zones[cell.group.name].name], self.kinds.zones[target.zone.name]
        out: list[st.Statement] = []
        origin, goal = (
            self._place_key(out, start, cell.index, "origin"),
            self._place_key(out, end, target.index, "target"),
        )
        single = start.zone.shape == "one"
        if not single:  # the first move may change the keys
            filters = [(self._fixed(out, those), wanted) for those, wanted in filters]
        branches: list[tuple[Expr, list[st.Statement]]] = []
        for place, kind in enumerate(start.kinds):
            if kind not in end.kinds:
                continue
            condition = all_of([passes_filters(self.kinds, self.zones, kind, filters), present(start, origin, place)])
            body: list[st.Statement] = []
            every = number(1) if single else self._given(body, count_cell(start, origin, place), "every")
            body += self._moved(start, origin, end, goal, kind, every, source)
            branches.append((condition, body))
        if single:
            return [*out, *_chain(branches)]
        return [*out, *(st.If(condition, tuple(body)) for condition, body in branches)]

    def _move_some(
        self, count: Expr, kind: Expr | None, origin: Slot, target: Slot, source: ast.Node
    ) -> list[st.Statement]:  # fmt: skip
        start, end = self.kinds.zones[origin.zone.name], self.kinds.zones[target.zone.name]
        out: list[st.Statement] = []
        here, goal = (
            self._place_key(out, start, origin.index, "origin"),
            self._place_key(out, end, target.index, "target"),
        )
        filters = [] if kind is None else [(kind, True)]
        if isinstance(count, Const) and count.value == 1:
            branches = []
            for place, each in enumerate(start.kinds):
                if each in end.kinds:
                    condition = all_of(
                        [passes_filters(self.kinds, self.zones, each, filters), present(start, here, place)]
                    )
                    branches.append((condition, self._moved(start, here, end, goal, each, number(1), source)))
            return [*out, *_chain(branches, self._checked(end, goal, source))]
        filters = [(self._fixed(out, those), wanted) for those, wanted in filters]
        left = self._given(out, self._expression(count), "left")
        if not isinstance(left, Local):
            self.fresh += 1
            left, value = Local(ir.COUNT, f"leftˑkinds{self.fresh}"), left
            out.append(st.Assign(left, value))
        for place, each in enumerate(start.kinds):
            if each in end.kinds:
                out.append(self._up_to(left, start, here, end, goal, place, each, filters, source))
        return out

    def _up_to(
        self, left: Local, start: KindZone, here: Expr, end: KindZone, goal: Expr, place: int, kind: int,
        filters: list[tuple[Expr, bool]], source: ast.Node,
    ) -> st.Statement:  # fmt: skip
        """Move as many pieces of a kind as there are, up to the number left to move."""
        self.fresh += 1
        amount = Local(ir.COUNT, f"amountˑkinds{self.fresh}")
        some = Op(ir.BOOL, "gt", (left, number(0)))
        condition = all_of([some, passes_filters(self.kinds, self.zones, kind, filters), present(start, here, place)])
        number_there: Expr = number(1) if start.places is not None else count_cell(start, here, place)
        body = [
            st.Assign(amount, Op(ir.COUNT, "least", (left, number_there))),
            st.Assign(left, Op(ir.COUNT, "sub", (left, amount))),
            *self._moved(start, here, end, goal, kind, amount, source),
        ]
        return st.If(condition, tuple(body), (), source)

    def _one(self, out: list[st.Statement], kept: KindZone, index: Expr) -> Expr:
        """The set with one place of a zone for single pieces."""
        assert kept.places is not None
        found = operation(Op(kept.places.type, "single", (index,)))
        return self._given(out, found, "one")

    def _checked(
        self, end: KindZone, goal: Expr, source: ast.Node, one: Expr | None = None
    ) -> list[st.Statement]:  # fmt: skip
        """The fault of a place for one that is not free, even if nothing is moved there; `one` is it as a set."""
        if end.zone.shape != "one":
            return []
        index = goal if end.places is None or end.zone.positions is None else _position(end.zone.positions, goal)
        place = Slot(ir.Ref(ir.PLACE_DOMAIN, len(self.kinds.layout.places)), end.zone, index)
        return [st.If(_taken(end, goal, one), (st.Overfull(place, source),), (), source)]

    def _moved(
        self, start: KindZone, origin: Expr, end: KindZone, goal: Expr, kind: int, amount: Expr, source: ast.Node
    ) -> list[st.Statement]:
        """Stores that move pieces of a kind from one place to another."""
        out: list[st.Statement] = []
        before, after = start.kinds.index(kind), end.kinds.index(kind)
        if start.places is not None:
            one = self._one(out, start, origin)
            _change(out, sets_cell(start, number(before)), "minus", one, source)
            _change(out, filled_cell(start.zone), "minus", one, source)
        else:
            cell = count_cell(start, origin, before)
            out.append(st.Store(cell, Op(ir.COUNT, "sub", (cell, amount)), source))
        if end.places is not None:
            one = self._one(out, end, goal)
            out += self._checked(end, goal, source, one)
            _change(out, sets_cell(end, number(after)), "union", one, source)
            _change(out, filled_cell(end.zone), "union", one, source)
        else:
            out += self._checked(end, goal, source)
            cell = count_cell(end, goal, after)
            out.append(st.Store(cell, Op(ir.COUNT, "add", (cell, amount)), source))
        return out


def _position(positions: Table, value: Expr) -> Expr:
    """The position of a place in its zone, from its index."""
    if isinstance(value, Const):
        return number(positions.content[value.value])
    return Lookup(positions.type, positions, (value,))


def _taken(end: KindZone, goal: Expr, one: Expr | None) -> Expr:
    """Whether there is a piece at a place for one."""
    if end.zone.filled is not None and one is not None:
        there_now = Op(end.zone.filled.type, "both", (filled_cell(end.zone), one))
        return Op(ir.BOOL, "not", (Op(ir.BOOL, "is_empty", (there_now,)),))
    if end.zone.filled is not None:
        return Op(ir.BOOL, "has", (filled_cell(end.zone), goal))
    return any_of([present(end, goal, place) for place in range(len(end.kinds))])


def _change(out: list[st.Statement], cell: Cell, name: str, those: Expr, source: ast.Node) -> None:
    out.append(st.Store(cell, Op(cell.type, name, (cell, those)), source))


def _chain(
    branches: Sequence[tuple[Expr, list[st.Statement]]], otherwise: Sequence[st.Statement] = ()
) -> list[st.Statement]:
    """A chain of conditions, of which the first that holds decides."""
    found: list[st.Statement] = list(otherwise)
    for condition, body in reversed(branches):
        if isinstance(condition, Const):
            found = list(body) if condition.value else found
        else:
            found = [st.If(condition, tuple(body), tuple(found))]
    return found
