"""Conditions on a step from a place as sets that are moved, and moves by their ways: the same places, in order."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expression_text import expression_text
from interpreter.compiler.ir.expressions import (
    Call,
    Cell,
    Check,
    Choice,
    Const,
    Data,
    Expr,
    Fold,
    Group,
    Local,
    Logic,
    Lookup,
    Loop,
    Op,
    Table,
    both,
    number,
)
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.ir.printing import block_text
from interpreter.compiler.ir.runs import runs_of
from interpreter.compiler.ir.types import BOOL, Int, Opaque, Opt, Ref, Seq, Set
from interpreter.compiler.ir.verifier import verify
from interpreter.compiler.passes.loops.conditions_as_sets import conditions_as_sets
from interpreter.compiler.passes.machine.sets_of_moves import MAX_ALTERNATIVES, sets_of_moves
from interpreter.compiler.passes.places.preimages import MAX_STEPS_TO_PLACES
from interpreter.compiler.passes.record import PassRecords
from interpreter.compiler.python.printing import constants
from tests.interpreter.grid_tables import BOARDS, Board, agreed, board, name_of
from tests.interpreter.python_code import called, text_of
from tests.interpreter.single import passed


class Asked:
    """Conditions about steps on a board."""

    def __init__(self, given: Board) -> None:
        self.board, self.steps, self.places = given, given.steps(), given.places
        count = len(given.grid.ways)
        self.way, self.ways = Ref("Way", count), Set("Way", count)
        self.c, self.d = Local(given.place, "c"), Local(self.way, "d")
        self.own, self.those, self.free = (Local(given.places, name) for name in ("own", "those", "free"))
        self.module = Module(tables={"N": self.steps})
        self.params = (self.own, self.those, self.free)

    def step(self, way: Expr) -> Expr:
        return Lookup(Opt(self.board.place), self.steps, (self.c, way))

    def into(self, way: Expr, those: Expr) -> Expr:
        return Op(BOOL, "has", (those, self.step(way)))

    def names(self, random: Random) -> dict[str, Any]:
        return {local.name: self.board.some(random, random.random()) for local in self.params}


def negation(node: Expr) -> Expr:
    return Op(BOOL, "not", (node,))


# ---------------------------------------------------------------- conditions


@pytest.mark.parametrize("given", BOARDS, ids=name_of)
def test_steps_in_a_direction(given: Board) -> None:
    asked, random = Asked(given), Random(4)
    for way in range(len(given.grid.ways)):
        d = Const(asked.way, way)
        two_on = Op(Opt(given.place), "steps_on", (Data(Opaque("steps"), asked.steps), asked.c, d, number(2)))
        for condition in (
            asked.into(d, asked.those),
            negation(asked.into(d, asked.those)),
            Op(BOOL, "has", (asked.those, two_on)),
            both([negation(Op(BOOL, "is_none", (asked.step(d),))), negation(asked.into(d, asked.those))]),
            Logic(BOOL, "or", (asked.into(d, asked.those), Op(BOOL, "has", (asked.free, asked.c)))),
        ):
            before = Fold(given.places, "set", (Loop(asked.c, asked.own, condition),), asked.c)
            after = passed(conditions_as_sets, before, asked.module)
            assert "set(" not in expression_text(after)
            for _ in range(8):
                agreed(before, after, asked.module, asked.names(random), asked.params)


def test_the_rim_is_not_crossed() -> None:
    given = board("grid", 8, 8)
    asked = Asked(given)
    east = Const(asked.way, list(given.grid.ways).index("east"))
    before = Fold(given.places, "set", (Loop(asked.c, asked.own, asked.into(east, asked.those)),), asked.c)
    after = passed(conditions_as_sets, before, asked.module)
    names = {"own": given.whole, "those": sum(1 << 8 * row for row in range(8)), "free": 0}
    assert agreed(before, after, asked.module, names, asked.params) == 0
    assert "shift(those, -1)" in expression_text(after)


def test_values_that_are_no_steps() -> None:
    """Where members lead to many distances there is no set to be moved."""
    given = board("grid", 4, 4)
    asked = Asked(given)
    turned = Table("turned", tuple(15 - place for place in range(16)), given.place)
    asked.module.tables["turned"] = turned
    condition = Op(BOOL, "has", (asked.those, Lookup(given.place, turned, (asked.c,))))
    before = Fold(given.places, "set", (Loop(asked.c, asked.own, condition),), asked.c)
    assert passed(conditions_as_sets, before, asked.module) == before


@pytest.mark.parametrize(("columns", "rows"), [(7, 6), (3, 3), (2, 9), (1, 4), (6, 1)])
@pytest.mark.parametrize("operation", ["minus", "both"])
def test_columns(columns: int, rows: int, operation: str) -> None:
    """Of numbers those whose column is full, or has a place of a set."""
    given = board("grid", columns, rows)
    asked, random = Asked(given), Random(5)
    n, numbers = Local(Int(1, columns), "n"), Set("number", columns + 1)
    content = {each + 1: sum(1 << each + row * columns for row in range(rows)) for each in range(columns)}
    asked.module.tables["H"] = table = Table("H", content, given.places, True, 0)
    column = Lookup(given.places, table, (n,))
    empty = Op(BOOL, "is_empty", (Op(given.places, operation, (column, asked.those)),))
    over = Const(numbers, (1 << columns + 1) - 2)
    for condition in (empty, negation(empty)):
        before = Fold(numbers, "set", (Loop(n, over, condition),), n)
        after = passed(conditions_as_sets, before, asked.module)
        assert ("set(" in expression_text(after)) == (rows > MAX_STEPS_TO_PLACES)
        for _ in range(20):
            agreed(before, after, asked.module, asked.names(random), asked.params)
        agreed(before, after, asked.module, {"own": 0, "those": given.whole, "free": 0}, asked.params)


@pytest.mark.parametrize(("columns", "rows"), [(5, 5), (3, 4), (9, 9), (1, 4), (6, 1)])
@pytest.mark.parametrize("operation", ["minus", "both"])
def test_what_lies_beside_places(columns: int, rows: int, operation: str) -> None:
    """At the rim of a board the sets of neighbours have other shapes than within it, but the same steps lead there."""
    given = board("grid", columns, rows)
    asked, random = Asked(given), Random(7)
    beside = []
    for place in range(columns * rows):
        row, column = divmod(place, columns)
        near = [(row, column - 1), (row, column + 1), (row - 1, column), (row + 1, column)]
        beside.append(sum(1 << r * columns + c for r, c in near if 0 <= r < rows and 0 <= c < columns))
    beside[columns * rows // 2] = 0  # a place without neighbours
    asked.module.tables["beside"] = table = Table("beside", tuple(beside), given.places)
    near_place = Lookup(given.places, table, (asked.c,))
    empty = Op(BOOL, "is_empty", (Op(given.places, operation, (near_place, asked.those)),))
    for condition in (empty, negation(empty)):
        before = Fold(given.places, "set", (Loop(asked.c, asked.own, condition),), asked.c)
        after = passed(conditions_as_sets, before, asked.module)
        assert "set(" not in expression_text(after)
        for _ in range(20):
            agreed(before, after, asked.module, asked.names(random), asked.params)
        agreed(before, after, asked.module, {"own": given.whole, "those": 0, "free": 0}, asked.params)


# ---------------------------------------------------------------- moves


CELLS = ("own", "those", "free")


class Moves(Asked):
    """Decisions whose moves are steps: the sets are cells of the state."""

    def __init__(self, given: Board) -> None:
        super().__init__(given)
        for place, name in enumerate(CELLS):
            self.module.cells[name] = Group(name, place, 1, given.places)
        self.own, self.those, self.free = (self.cell(name) for name in CELLS)  # type: ignore[assignment]

    def cell(self, name: str) -> Cell:
        return Cell(self.places, self.module.cells[name], number(0))

    def all_ways(self) -> Const:
        return Const(self.ways, (1 << len(self.board.grid.ways)) - 1)

    def emit(self) -> st.Emit:
        return st.Emit((self.c, self.d))

    def decided(self, *moves: st.Statement) -> tuple[st.Block, list[tuple[bool, str]]]:
        """The moves of a decision after the pass, and what it says."""
        names = (Local(self.board.place, "part1"), Local(self.way, "part2"))
        decide = st.Decide(1, moves, names, (st.Goto(0),), (st.Stop(-1),))
        self.module.blocks[0] = Function("block", "b0", (), (decide,), number=0)
        found = PassRecords()
        sets_of_moves(self.module, found)
        assert verify(self.module) == []
        (after,) = self.module.blocks[0].body
        assert isinstance(after, st.Decide)
        return after.moves, [(each.applied, each.reason) for each in found.entries]

    def same(self, before: st.Block, after: st.Block) -> None:
        random = Random(6)
        texts = [text_of(*block, kind="moves") for block in (before, after)]
        for _ in range(12):
            state = [self.board.some(random, random.random()) for _ in CELLS]
            meant, got = (called(text, state, **constants(self.module)) for text in texts)
            assert got == meant


def nest(asked: Moves, *conditions: Expr, over: Expr | None = None) -> st.For:
    body: st.Block = (asked.emit(),)
    for condition in reversed(conditions):
        body = (st.If(condition, body),)
    return st.For((Loop(asked.c, asked.own),), (st.For((Loop(asked.d, over or asked.all_ways()),), body),))


@pytest.mark.parametrize("given", BOARDS, ids=name_of)
def test_moves_in_all_directions(given: Board) -> None:
    asked = Moves(given)
    conditions = (
        negation(Op(BOOL, "is_none", (asked.step(asked.d),))),
        negation(asked.into(asked.d, asked.own)),
        Logic(BOOL, "or", (Op(BOOL, "eq", (asked.d, Const(asked.way, 0))), asked.into(asked.d, asked.those))),
    )
    before = (nest(asked, *conditions),)
    after, said = asked.decided(*before)
    assert said == [(True, "")] and after != before and runs_of(after) is not None
    asked.same(before, after)


def test_moves_with_two_loops_at_once() -> None:
    asked = Moves(board("hexes", 5, 4))
    loops = (Loop(asked.c, asked.own), Loop(asked.d, asked.all_ways(), asked.into(asked.d, asked.free)))
    before = (st.For(loops, (asked.emit(),)),)
    after, said = asked.decided(*before)
    assert said == [(True, "")]
    asked.same(before, after)


def test_moves_under_a_condition_and_one_after_the_other() -> None:
    asked = Moves(board("grid", 5, 5))
    some = negation(Op(BOOL, "is_empty", (asked.those,)))
    before = (
        st.If(some, (nest(asked, asked.into(asked.d, asked.those)),)),
        nest(asked, asked.into(asked.d, asked.free), over=Const(asked.ways, 0b10010001)),
    )
    after, said = asked.decided(*before)
    assert said == [(True, ""), (True, "")]
    asked.same(before, after)


def test_how_it_reads() -> None:
    asked = Moves(board("grid", 8, 8))
    north = Const(asked.ways, 0b11)
    after, _ = asked.decided(nest(asked, asked.into(asked.d, asked.free), over=north))
    shown = block_text(after)
    assert shown.startswith("for c: Cell in own & shift(free, -8) | own & (shift(free, -9) & {")
    assert shown.count("emit move c") == 2 and "N[" not in shown


def test_ways_that_depend_on_the_place() -> None:
    """Kings have other ways than men: a way is taken from where it is among the ways."""
    asked = Moves(board("grid", 6, 6))
    king = Op(BOOL, "has", (asked.those, asked.c))
    ways = Choice(asked.ways, king, asked.all_ways(), Const(asked.ways, 0b10000011))
    before = (nest(asked, asked.into(asked.d, asked.free), over=ways),)
    after, said = asked.decided(*before)
    assert said == [(True, "")]
    asked.same(before, after)


def test_definitions_are_looked_into() -> None:
    asked = Moves(board("grid", 6, 6))
    body = (
        st.If(Op(BOOL, "eq", (asked.d, Const(asked.way, 2))), (st.Return(asked.into(asked.d, asked.those)),)),
        st.Return(asked.into(asked.d, asked.free)),
    )
    asked.module.functions["f"] = Function("define", "f", (asked.c, asked.d), body, BOOL)
    after, said = asked.decided(nest(asked, Call(BOOL, "f", (asked.c, asked.d))))
    assert said == [(True, "")] and "f(" not in block_text(after)
    meant = Choice(
        BOOL, Op(BOOL, "eq", (asked.d, Const(asked.way, 2))), asked.into(asked.d, asked.those),
        asked.into(asked.d, asked.free),
    )  # fmt: skip
    asked.same((nest(asked, meant),), after)


def test_single_sets_stay_as_they_are() -> None:
    asked = Moves(board("grid", 6, 6))
    before = st.For((Loop(asked.c, asked.own),), (st.Emit((asked.c,)),))
    assert asked.decided(before) == ((before,), [])


def refusals() -> list[tuple[str, Any, str]]:
    def one_by_one(asked: Moves) -> st.Statement:
        beside = Op(asked.places, "both", (asked.own, near(asked)))
        return nest(asked, Op(BOOL, "eq", (Op(Int(0, 64), "size", (beside,)), number(1))))

    def near(asked: Moves) -> Expr:
        table = asked.board.neighbours()
        asked.module.tables["near"] = table
        return Lookup(asked.places, table, (asked.c,))

    def other_ways(asked: Moves) -> st.Statement:
        table = Table("ways", tuple([1, 3] * 12 + [1]), asked.ways)
        asked.module.tables["ways"] = table
        return nest(asked, over=Lookup(asked.ways, table, (asked.c,)))

    def a_fault(asked: Moves) -> st.Statement:
        there = Check(asked.board.place, "need", asked.step(asked.d), ())
        return nest(asked, Op(BOOL, "has", (asked.free, there)))

    def a_list(asked: Moves) -> st.Statement:
        each = Local(asked.board.place, "e")
        listed = Fold(Seq(asked.board.place), "list", (Loop(each, asked.own),), each)
        return st.For((Loop(asked.c, listed), Loop(asked.d, asked.all_ways())), (asked.emit(),))

    def too_many(asked: Moves) -> st.Statement:
        n = Local(Int(0, MAX_ALTERNATIVES), "n")
        over = Const(Set("number", MAX_ALTERNATIVES), (1 << MAX_ALTERNATIVES) - 1)
        return st.For((Loop(asked.c, asked.own), Loop(asked.d, asked.all_ways()), Loop(n, over)), (asked.emit(),))

    return [
        ("one by one", one_by_one, "this is not known for all places at once"),
        ("other ways", other_ways, "the alternatives depend on the outermost loop"),
        ("a fault", a_fault, "one of its conditions may end the game in a fault"),
        ("a list", a_list, "its outermost loop does not iterate over a set"),
        ("too many", too_many, "there are none or more than 12 alternatives"),
    ]


@pytest.mark.parametrize(("_", "make", "reason"), refusals())
def test_what_prevents_it(_: str, make: Any, reason: str) -> None:
    asked = Moves(board("grid", 5, 5))
    before = make(asked)
    after, said = asked.decided(before)
    assert after == (before,) and said == [(False, reason)]
