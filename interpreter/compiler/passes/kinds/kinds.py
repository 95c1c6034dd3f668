"""Moves of pieces as stores to the cells of their kinds.

Sixteen equal men are sixteen bits in the cell of each place. Which of them stands where makes no difference to any rule
(`reads.py` finds out whether), so it is enough to keep one set of places for each kind, or a number where a place holds
many. `move 1 from box to slot[c]` becomes

    if box by kind[0] > 0:                                   the first kind of which the box has a piece
      store box by kind[0] := box by kind[0] - 1
      if not is_empty(slot filled & {c}): fault …
      store slot by kind[0] := slot by kind[0] | {c}
      store slot filled := slot filled | {c}
    else if box by kind[1] > 0: …

What this is good for is reading, not moving: all places with a piece of a seat are one cell, `slot by kind[seat]`,
where `with_kind` went through the filled places. Of many kinds, those with the same value are asked for together: the
men of a seat are `slot by kind[0] | slot by kind[2] | … if seat = 0 else slot by kind[1] | …`.

Without it most board games take 1.6 to 8 times the instructions in the machine engine, but one with stacks of many
equal pieces two thirds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dsl import ast
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import (
    Cell,
    Const,
    Expr,
    Local,
    Lookup,
    Op,
    Slot,
    Table,
    Zone,
    not_empty,
    number,
    rebuilt,
)
from interpreter.compiler.ir.module import Module
from interpreter.compiler.passes.kinds.layout import Kinds, KindZone, all_of, any_of, keep_kinds, playing, zone_types
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
from interpreter.runtime.layout import Layout

NAME = "kinds"

MAX_TESTED = 4
"""The number of kinds up to which a piece is looked for kind by kind, without asking whether there is one."""


def pieces_by_kind(module: Module, layout: Layout, records: PassRecords) -> Kinds:
    """Keep kinds instead of pieces, in the zones where no rule distinguishes pieces of a kind."""
    if NAME in records.off:
        return keep_kinds(module, layout, ())
    facts = individuals(module, layout)
    for name, declared in layout.model.pieces.items():
        if name in facts.reasons:
            source, reason = facts.reasons[name]
            records.refused(NAME, name, source, reason)
        else:
            records.applied(NAME, name, declared.declaration)
    free = [
        name for name in module.zones
        if zone_types(layout, name) and not zone_types(layout, name) & facts.reasons.keys()
    ]  # fmt: skip
    kinds = keep_kinds(module, layout, free)
    zones = {kind_zone.zone.contents.name: kind_zone.zone for kind_zone in kinds.zones.values()}
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

    def _place_key(self, out: list[st.Statement], kind_zone: KindZone, index: Expr, name: str) -> Expr:
        """A local with the index of a place, which is used several times."""
        return self._given(out, place_key(kind_zone, self._expression(index)), name)

    def _given(self, out: list[st.Statement], value: Expr, name: str) -> Expr:
        """A local with a value that is used several times."""
        if isinstance(value, Const | Local):
            return value
        self.fresh += 1
        local = Local(value.type, f"{name}ˑkinds{self.fresh}")
        out.append(st.Assign(local, value))
        return local

    def _fixed(self, out: list[st.Statement], kind_set: Expr) -> Expr:
        """A set of pieces by kind whose keys are computed now, as later moves may change them."""
        match kind_set:
            case Lookup(keys=(key,)):
                return replace(kind_set, keys=(self._given(out, self._expression(key), "key"),))
            case Op():
                return rebuilt(kind_set, lambda part: self._fixed(out, part))
            case _:
                return kind_set

    def _move_set(self, pieces: Expr, target: Slot, source: ast.Node) -> list[st.Statement]:
        cell, filters = parts_of(self.zones, pieces)
        start, end = self.kinds.zones[self.zones[cell.group.name].name], self.kinds.zones[target.zone.name]
        out: list[st.Statement] = []
        origin, goal = (
            self._place_key(out, start, cell.index, "origin"),
            self._place_key(out, end, target.index, "target"),
        )
        single = start.zone.shape == "one"
        # `move all of colour[first card] …` kind by kind: moving the first kind may change which card is first.
        if not single:  # the first move may change the keys
            filters = [(self._fixed(out, kind_set), included) for kind_set, included in filters]
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
            chain = _chain(branches)
            if len(branches) > MAX_TESTED and start.zone.filled is not None:  # most moves capture nothing
                chain = [st.If(Op(ir.BOOL, "has", (filled_cell(start.zone), origin)), tuple(chain), (), source)]
            return [*out, *chain]
        return [*out, *(st.If(condition, tuple(body)) for condition, body in branches)]

    def _move_some(
        self, count: Expr, kind: Expr | None, origin: Slot, target: Slot, source: ast.Node
    ) -> list[st.Statement]:  # fmt: skip
        start, end = self.kinds.zones[origin.zone.name], self.kinds.zones[target.zone.name]
        out: list[st.Statement] = []
        origin_key, goal = (
            self._place_key(out, start, origin.index, "origin"),
            self._place_key(out, end, target.index, "target"),
        )
        filters = [] if kind is None else [(kind, True)]
        if isinstance(count, Const) and count.value == 1:
            branches = []
            for place, kind_number in enumerate(start.kinds):
                if kind_number in end.kinds:
                    condition = all_of(
                        [
                            passes_filters(self.kinds, self.zones, kind_number, filters),
                            present(start, origin_key, place),
                        ]
                    )
                    branches.append(
                        (condition, self._moved(start, origin_key, end, goal, kind_number, number(1), source))
                    )
            return [*out, *_chain(branches, self._checked(end, goal, source))]
        filters = [(self._fixed(out, kind_set), included) for kind_set, included in filters]
        remaining = self._given(out, self._expression(count), "left")
        if not isinstance(remaining, Local):
            self.fresh += 1
            remaining, value = Local(ir.COUNT, f"leftˑkinds{self.fresh}"), remaining
            out.append(st.Assign(remaining, value))
        for place, kind_number in enumerate(start.kinds):
            if kind_number in end.kinds:
                out.append(self._up_to(remaining, start, origin_key, end, goal, place, kind_number, filters, source))
        return out

    def _up_to(
        self, remaining: Local, start: KindZone, origin_key: Expr, end: KindZone, goal: Expr, place: int, kind: int,
        filters: list[tuple[Expr, bool]], source: ast.Node,
    ) -> st.Statement:  # fmt: skip
        """Move as many pieces of a kind as there are, up to the number left to move."""
        self.fresh += 1
        amount = Local(ir.COUNT, f"amountˑkinds{self.fresh}")
        some = Op(ir.BOOL, "gt", (remaining, number(0)))
        condition = all_of(
            [some, passes_filters(self.kinds, self.zones, kind, filters), present(start, origin_key, place)]
        )
        number_there: Expr = number(1) if start.places is not None else count_cell(start, origin_key, place)
        body = [
            st.Assign(amount, Op(ir.COUNT, "least", (remaining, number_there))),
            st.Assign(remaining, Op(ir.COUNT, "sub", (remaining, amount))),
            *self._moved(start, origin_key, end, goal, kind, amount, source),
        ]
        return st.If(condition, tuple(body), (), source)

    def _one(self, out: list[st.Statement], kind_zone: KindZone, index: Expr) -> Expr:
        """The set with one place of a zone for single pieces."""
        assert kind_zone.places is not None
        single = operation(Op(kind_zone.places.type, "single", (index,)))
        return self._given(out, single, "one")

    def _checked(
        self, end: KindZone, goal: Expr, source: ast.Node, place_set: Expr | None = None
    ) -> list[st.Statement]:  # fmt: skip
        """The fault of a place for one that is not free, even if nothing is moved there; `place_set` is it as a set."""
        if end.zone.shape != "one":
            return []
        index = goal if end.places is None or end.zone.positions is None else _position(end.zone.positions, goal)
        place = Slot(ir.Ref(ir.PLACE_DOMAIN, len(self.kinds.layout.places)), end.zone, index)
        return [st.If(_taken(end, goal, place_set), (st.Overfull(place, source),), (), source)]

    def _moved(
        self, start: KindZone, origin: Expr, end: KindZone, goal: Expr, kind: int, amount: Expr, source: ast.Node
    ) -> list[st.Statement]:
        """Stores that move pieces of a kind from one place to another."""
        out: list[st.Statement] = []
        start_number, end_number = start.kinds.index(kind), end.kinds.index(kind)
        if start.places is not None:
            place_set = self._one(out, start, origin)
            _change(out, sets_cell(start, number(start_number)), "minus", place_set, source)
            _change(out, filled_cell(start.zone), "minus", place_set, source)
        else:
            cell = count_cell(start, origin, start_number)
            out.append(st.Store(cell, Op(ir.COUNT, "sub", (cell, amount)), source))
        if end.places is not None:
            place_set = self._one(out, end, goal)
            out += self._checked(end, goal, source, place_set)
            _change(out, sets_cell(end, number(end_number)), "union", place_set, source)
            _change(out, filled_cell(end.zone), "union", place_set, source)
        else:
            out += self._checked(end, goal, source)
            cell = count_cell(end, goal, end_number)
            out.append(st.Store(cell, Op(ir.COUNT, "add", (cell, amount)), source))
        return out


def _position(positions: Table, value: Expr) -> Expr:
    """The position of a place in its zone, from its index."""
    if isinstance(value, Const):
        return number(positions.content[value.value])
    return Lookup(positions.type, positions, (value,))


def _taken(end: KindZone, goal: Expr, place_set: Expr | None) -> Expr:
    """Whether there is a piece at a place for one."""
    if end.zone.filled is not None and place_set is not None:
        there_now = Op(end.zone.filled.type, "both", (filled_cell(end.zone), place_set))
        return not_empty(there_now)
    if end.zone.filled is not None:
        return Op(ir.BOOL, "has", (filled_cell(end.zone), goal))
    return any_of([present(end, goal, place) for place in range(len(end.kinds))])


def _change(out: list[st.Statement], cell: Cell, name: str, kind_set: Expr, source: ast.Node) -> None:
    out.append(st.Store(cell, Op(cell.type, name, (cell, kind_set)), source))


# INVARIANT: equal pieces are numbered consecutively (`Layout`), and kinds are tried in the order of their pieces. So
# the first piece of a place is of the same kind as with pieces; which of the equal pieces it is, nobody can tell.
def _chain(
    branches: Sequence[tuple[Expr, list[st.Statement]]], otherwise: Sequence[st.Statement] = ()
) -> list[st.Statement]:
    """A chain of conditions, of which the first that holds decides."""
    statements: list[st.Statement] = list(otherwise)
    for condition, body in reversed(branches):
        if isinstance(condition, Const):
            statements = list(body) if condition.value else statements
        else:
            statements = [st.If(condition, tuple(body), tuple(statements))]
    return statements
