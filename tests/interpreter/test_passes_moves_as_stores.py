"""Moves of pieces between known places as stores to their cells: the same pieces in the same order, the same faults."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import (
    Cell,
    Check,
    Const,
    Expr,
    Group,
    Local,
    Lookup,
    Loop,
    Op,
    Slot,
    Table,
    Zone,
)
from interpreter.compiler.ir.expressions import number as constant
from interpreter.compiler.ir.module import Module
from interpreter.compiler.ir.types import BOOL, PIECE_DOMAIN, PLACE_DOMAIN, Int, Opt, Ref, Seq, Set
from interpreter.compiler.ir.verifier import verify
from interpreter.compiler.passes.facts.accesses import PLACES
from interpreter.compiler.passes.machine.moves_as_stores import moves_as_stores
from interpreter.compiler.passes.record import PassRecords
from tests.interpreter.naive_blocks import module_of, run
from tests.interpreter.tiny_module import line

PIECE, PIECES, ORDER = Ref(PIECE_DOMAIN, 4), Set(PIECE_DOMAIN, 4), Seq(Ref(PIECE_DOMAIN, 4))
PLACE = Ref(PLACE_DOMAIN, 9)
HEAPS, ROWS, STACKS, SINGLE = (
    Group(name, first, 2, PIECES) for first, name in ((0, "heaps"), (2, "rows"), (6, "stacks"), (10, "single"))
)
ROW_ORDER, STACK_ORDER = Group("order of rows", 4, 2, ORDER), Group("order of stacks", 8, 2, ORDER)
FILLED = Group("filled", 12, 1, Set("number", 8))
WHICH = Group("which", 13, 2, Opt(Int(0, 1)))
POSITIONS = Table("positions", {3: 0, 5: 1}, Int(0, 1))
HEAP = Zone("heaps", 0, 2, "heap", HEAPS, None, None, None)
ROW = Zone("rows", 2, 2, "row", ROWS, ROW_ORDER, None, None)
STACK = Zone("stacks", 4, 2, "stack", STACKS, STACK_ORDER, None, None)
ONE = Zone("single", 6, 2, "one", SINGLE, None, FILLED, POSITIONS)
ZONES = (HEAP, ROW, STACK, ONE)
GROUPS = (HEAPS, ROWS, ROW_ORDER, STACKS, STACK_ORDER, SINGLE, FILLED, WHICH)
FIRST = 15
"""The cell with the place of the first piece."""

LAYOUT: Any = SimpleNamespace(place_cells=FIRST, pieces=range(4), places=range(9))


def state(zone: Zone, index: int, pieces: list[int], which: tuple[int | None, int | None] = (0, 1)) -> list[Any]:
    """The pieces in one place, in order from the left or the bottom; the others are in the other heap."""
    S: list[Any] = [0, 0, 0, 0, (), (), 0, 0, (), (), 0, 0, 0, *which, 1, 1, 1, 1]
    others = [piece for piece in range(4) if piece not in pieces]
    S[HEAPS.first + 1] = sum(1 << piece for piece in others)
    S[zone.contents.first + index] |= sum(1 << piece for piece in pieces)
    if zone.order is not None:
        S[zone.order.first + index] = tuple(pieces)
    if zone is ONE and pieces:
        S[FILLED.first] = 1 << (3, 5)[index]
    for piece in pieces:
        S[FIRST + piece] = zone.first + index
    return S


def slot(zone: Zone, index: Expr | int = 0) -> Slot:
    if zone is ONE and isinstance(index, Expr):
        index = Lookup(POSITIONS.type, POSITIONS, (index,))
    return Slot(PLACE, zone, constant(index) if isinstance(index, int) else index)


def cell(group: Group, index: int = 0) -> Cell:
    return Cell(group.type, group, constant(index))


def which(number: int) -> Expr:
    """The index of a place that a note holds; a fault where it holds none."""
    return Check(Int(0, 1), "need", cell(WHICH, number), ())


def changed(*body: st.Statement) -> tuple[Module, Module]:
    """Statements after the pass and before."""
    after, before = (module_of(GROUPS, (*body, st.Stop(-1)), zones=ZONES) for _ in range(2))
    for module in (after, before):
        module.tables[POSITIONS.name] = POSITIONS
    moves_as_stores(after, LAYOUT, PassRecords())
    assert verify(after) == []
    return after, before


def same(S: list[Any], *body: st.Statement) -> Any:
    """How a run ends, which is the same after the pass; so is the state then."""
    after, before = changed(*body)
    assert not [node for node in st.walk(after.blocks[0].body) if isinstance(node, st.Moving)]
    found, meant = run(after, S, places=FIRST), run(before, S, places=FIRST)
    assert found[0] == meant[0]
    if found[0] == -1:  # after a fault nobody looks at the state
        assert found == meant
    return found[0]


def some(origin: Slot, target: Slot, kind: Expr | None = None, bottom: bool = False) -> st.MoveSome:
    return st.MoveSome(constant(1), kind, origin, target, bottom, line(1))


ENDS = [(origin, target) for origin in ZONES for target in ZONES if origin is not target]


@pytest.mark.parametrize("bottom", [False, True])
@pytest.mark.parametrize(("origin", "target"), ENDS, ids=lambda zone: zone.name)
def test_one_piece_between_zones_of_all_shapes(origin: Zone, target: Zone, bottom: bool) -> None:
    for pieces in ([], [2], [3, 1]):
        if origin is not ONE or len(pieces) < 2:
            same(state(origin, 0, pieces), some(slot(origin), slot(target, 1), bottom=bottom))


@pytest.mark.parametrize("bottom", [False, True])
@pytest.mark.parametrize(("origin", "target"), ENDS, ids=lambda zone: zone.name)
def test_all_pieces_between_zones_of_all_shapes(origin: Zone, target: Zone, bottom: bool) -> None:
    for pieces in ([], [2], [3, 0, 1]):
        if origin is not ONE or len(pieces) < 2:
            S = state(origin, 0, pieces)
            same(S, st.MoveSet(cell(origin.contents), slot(target, 1), bottom, line(1)))


def test_pieces_of_a_kind_leave_the_others_in_order() -> None:
    kind = Const(PIECES, 0b1010)
    those = Op(PIECES, "both", (cell(ROWS), kind))
    same(state(ROW, 0, [3, 2, 1]), st.MoveSet(those, slot(HEAP), False, line(1)))
    same(state(HEAP, 0, [3, 2, 1]), some(slot(HEAP), slot(STACK), kind))


def test_what_lies_where_several_are_moved_to_goes_on_the_other_side() -> None:
    onto = (some(slot(HEAP, 1), slot(STACK)), st.MoveSet(cell(ROWS), slot(STACK), False, line(1)))
    same(state(ROW, 0, [3, 1]), *onto)
    same(state(ROW, 0, [3, 1]), onto[0], st.MoveSet(cell(ROWS), slot(STACK), True, line(1)))


def test_a_place_for_one_is_checked_even_if_nothing_is_moved_there() -> None:
    S = state(ONE, 0, [2])
    assert same(S, some(slot(HEAP), slot(ONE, 0))) == ("overfull",)
    assert same(S, some(slot(HEAP, 1), slot(ONE, 0))) == ("overfull",)
    assert same(S, some(slot(HEAP), slot(ONE, 1))) == -1
    assert same(S, st.MoveSet(cell(HEAPS, 1), slot(ONE, 1), False, line(1))) == ("overfull",)


@pytest.mark.parametrize("pieces", [[], [2]])
def test_a_place_that_cannot_be_computed_is_a_fault_even_if_nothing_is_moved(pieces: list[int]) -> None:
    S = state(HEAP, 0, pieces, (0, None))
    assert same(S, some(slot(HEAP), slot(ROW, which(1)))) == ("need", -1)
    assert same(S, st.MoveSet(cell(HEAPS), slot(ROW, which(1)), False, line(1))) == ("need", -1)


def test_a_place_that_depends_on_what_is_moved_is_computed_before() -> None:
    """Where there is nothing left it would be another place."""
    there = Op(Int(0, 1), "to_int", (Op(BOOL, "is_empty", (cell(ROWS, 1),)),))
    for S in (state(ROW, 1, [2]), state(ROW, 1, [2, 3])):
        same(S, some(slot(ROW, 1), slot(STACK, there)), some(slot(ROW, 1), slot(HEAP, there)))
        same(S, st.MoveSet(cell(ROWS, 1), slot(STACK, there), False, line(1)))


def test_a_place_is_computed_once() -> None:
    after, _ = changed(some(slot(HEAP, which(0)), slot(ROW, which(1))))
    checks = [node for node in st.walk(after.blocks[0].body) if any("need" in repr(e) for e in st.expressions(node))]
    assert len(checks) == 2 and all(isinstance(node, st.Assign) for node in checks)


def test_indices_of_places_for_one_are_read_from_the_table_once() -> None:
    """The lookup is kept, as the cell with the filled places needs its key."""
    for index in (3, 5):
        x = Local(Int(3, 5), "x")
        loop = st.For((Loop(x, Const(Seq(x.type), (index,))),), (some(slot(HEAP), slot(ONE, x)),))
        same(state(HEAP, 0, [1, 2]), loop)


def test_moves_between_places_that_are_not_known_stay() -> None:
    place = Local(PLACE, "place")
    several = st.MoveSome(constant(2), None, slot(HEAP), slot(ROW), False, line(1))
    any_place = st.MoveSet(cell(HEAPS), place, False, line(1))
    constant_set = st.MoveSet(Const(PIECES, 0b11), slot(ROW), False, line(1))
    ordered_kind = some(slot(ROW), slot(HEAP), Const(PIECES, 0b1010))
    for move in (several, constant_set, ordered_kind):
        after, _ = changed(move)
        assert after.blocks[0].body[0] == move
    after, _ = changed(st.For((Loop(place, Const(Seq(PLACE), (2, 3))),), (any_place,)))
    assert any_place in [*st.walk(after.blocks[0].body)]


def test_a_shuffle_mixes_the_order() -> None:
    after, _ = changed(st.Shuffle(slot(STACK, 1), line(1)))
    assert after.blocks[0].body[0] == st.Mix(cell(STACK_ORDER, 1), line(1))


def test_the_order_of_pieces_is_read_from_cells() -> None:
    def shown(zone: Zone) -> tuple[Expr, Expr]:
        contents = Op(ORDER, "contents", (slot(zone),))
        front = Op(Opt(PIECE), "nth", (constant(1), slot(zone)))
        local, first = Local(ORDER, "all"), Local(Opt(PIECE), "first")
        after, _ = changed(st.Assign(local, contents), st.Assign(first, front))
        return tuple(node.value for node in after.blocks[0].body[:2])  # type: ignore[union-attr, return-value]

    row, front = shown(ROW)
    assert row == cell(ROW_ORDER) and "item" in repr(front)
    stack, top = shown(STACK)
    assert stack == Op(ORDER, "reversed", (cell(STACK_ORDER),)) and "from_end" in repr(top)


def test_the_cells_of_the_places_of_pieces_are_part_of_the_module() -> None:
    after, _ = changed()
    assert after.cells[PLACES] == Group(PLACES, FIRST, 4, PLACE)
