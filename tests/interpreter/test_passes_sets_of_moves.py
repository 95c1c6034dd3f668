"""Loop nests over moves as sets of places, one per alternative: the same moves in the same order."""

from __future__ import annotations

from random import Random

import pytest

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import (
    Call,
    Cell,
    Check,
    Choice,
    Const,
    Expr,
    Group,
    Local,
    Lookup,
    Loop,
    Op,
    Table,
    number,
)
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.ir.runs import runs_of
from interpreter.compiler.ir.types import BOOL, Int, Opt, Ref, Set
from interpreter.compiler.ir.verifier import verify
from interpreter.compiler.passes.machine.sets_of_moves import MAX_ALTERNATIVES, NAME, sets_of_moves
from interpreter.compiler.passes.record import PassRecords
from interpreter.engine.machine.games import rules_of
from interpreter.play.game import load
from tests.interpreter.naive_blocks import Run, module_of
from tests.interpreter.tiny_module import line, op

WIDTH = 4
SPOT, SPOTS = Ref("Spot", WIDTH * WIDTH), Set("Spot", WIDTH * WIDTH)
WAY, WAYS = Ref("Way", 4), Set("Way", 4)
STEPS = (-1, 1, -WIDTH, WIDTH)
OWN, OTHER = Group("own", 0, 1, SPOTS), Group("other", 1, 1, SPOTS)
TURN, ALLOWED = Group("turn", 2, 1, BOOL), Group("allowed", 3, 1, Set("Way", 4))
GROUPS = (OWN, OTHER, TURN, ALLOWED)


def _beside(place: int, step: int) -> int | None:
    row, column = divmod(place, WIDTH)
    row, column = row + step // WIDTH * (abs(step) > 1), column + step * (abs(step) == 1)
    return row * WIDTH + column if 0 <= row < WIDTH and 0 <= column < WIDTH else None


BESIDE = Table(
    "beside", tuple(tuple(_beside(place, step) for step in STEPS) for place in range(WIDTH**2)), Opt(SPOT)
)  # fmt: skip
C, D = Local(SPOT, "c"), Local(WAY, "d")
PARTS = (Local(SPOT, "part0"), Local(WAY, "part1"))


def cell(group: Group) -> Cell:
    return Cell(group.type, group, number(0))


def in_(value: Expr, group: Group) -> Op:
    return op(BOOL, "has", cell(group), value)


def every(type_: Set) -> Const:
    return Const(type_, (1 << type_.width) - 1)


STEP = Lookup(Opt(SPOT), BESIDE, (C, D))
FREE = op(BOOL, "not", in_(STEP, OWN))
TO_OTHER = in_(STEP, OTHER)


def nest(*conditions: Expr, over: Expr | None = None, alternatives: Expr | None = None) -> st.Statement:
    """`for c in own: for d in ways: if …: emit (c, d)`."""
    body: st.Block = (st.Emit((C, D)),)
    for condition in reversed(conditions):
        body = (st.If(condition, body),)
    inner = st.For((Loop(D, alternatives or every(WAYS)),), body, False, line(3))
    return st.For((Loop(C, over or cell(OWN)),), (inner,), False, line(2))


def rewritten(*moves: st.Statement, functions: tuple[Function, ...] = ()) -> tuple[st.Block, PassRecords]:
    """The moves of a decision after the pass, which are the same; and what is recorded."""

    def module() -> Module:
        decide = st.Decide(4, moves, PARTS, (st.Stop(-1),), (st.Stop(-2),), line(1))
        found = module_of(GROUPS, (decide,))
        found.tables["beside"] = BESIDE
        found.functions = {each.name: each for each in functions}
        return found

    after, before, records = module(), module(), PassRecords()
    sets_of_moves(after, records)
    assert verify(after) == []
    random = Random(5)
    for _ in range(25):
        S = [random.getrandbits(16) & random.getrandbits(16), random.getrandbits(16), random.random() < 0.5,
             random.getrandbits(4)]  # fmt: skip
        assert _legal(after, S) == _legal(before, S)
    (decide,) = after.blocks[0].body
    assert isinstance(decide, st.Decide)
    return decide.moves, records


def _legal(module: Module, S: list[object]) -> object:
    run = Run(module, [*S])
    run.from_block(0)
    return run.decisions


def refused(*moves: st.Statement, functions: tuple[Function, ...] = ()) -> list[str]:
    found, records = rewritten(*moves, functions=functions)
    assert found == moves and not any(each.applied for each in records.entries)
    return [each.reason for each in records.entries]


@pytest.mark.parametrize("conditions", [(FREE,), (TO_OTHER,), (FREE, TO_OTHER), (TO_OTHER, in_(C, OTHER))])
def test_places_and_directions(conditions: tuple[Expr, ...]) -> None:
    (loop,), records = rewritten(nest(*conditions))
    assert isinstance(loop, st.For) and len(loop.loops) == 1 and len(loop.body) == len(STEPS)
    found = runs_of((loop,))
    assert found is not None and [len(run.alternatives) for run in found[1]] == [len(STEPS)]
    assert [(each.name, each.subject, each.applied) for each in records.entries] == [(NAME, "decision 4", True)]


def test_what_stands_before_loops_stays_there() -> None:
    moves, _ = rewritten(st.If(cell(TURN), (nest(TO_OTHER),)), st.EmitDone(True))
    assert isinstance(moves[0], st.If) and moves[0].condition == cell(TURN)
    moves, _ = rewritten(nest(FREE), st.IfNoMoves((st.Emit((Const(SPOT, 0), Const(WAY, 0))),)))
    assert isinstance(moves[1], st.IfNoMoves)


def test_ways_that_depend_on_the_position_are_conditions() -> None:
    some = Choice(WAYS, cell(TURN), Const(WAYS, 0b0011), Const(WAYS, 0b1100))
    (loop,), _ = rewritten(nest(TO_OTHER, alternatives=some))
    assert isinstance(loop, st.For) and len(loop.body) == len(STEPS)


def test_definitions_are_looked_into() -> None:
    free = Function("define", "f_free", (C, D), (st.Return(FREE),), BOOL)
    (loop,), records = rewritten(nest(Call(BOOL, "f_free", (C, D))), functions=(free,))
    assert isinstance(loop, st.For) and records.entries[0].applied


def test_one_loop_is_a_set_already() -> None:
    one = st.For((Loop(C, cell(OWN)),), (st.Emit((C, Const(WAY, 1))),), False, line(2))
    assert refused(one) == []


def test_ways_that_are_too_many() -> None:
    x = Local(Int(0, MAX_ALTERNATIVES), "x")
    many = st.For((Loop(x, every(Set("number", MAX_ALTERNATIVES + 1))),), (st.Emit((C, x)),))
    loop = st.For((Loop(C, cell(OWN)),), (many,), False, line(2))
    module = module_of(GROUPS, (st.Decide(4, (loop,), (PARTS[0], x), (st.Stop(-1),), (st.Stop(-2),)),))
    records = PassRecords()
    sets_of_moves(module, records)
    assert [each.reason for each in records.entries] == [f"there are none or more than {MAX_ALTERNATIVES} alternatives"]


def test_ways_that_depend_on_the_place() -> None:
    table = Table("ways_of", tuple(place % 16 for place in range(WIDTH**2)), WAYS)
    loop = nest(TO_OTHER, alternatives=Lookup(WAYS, table, (C,)))
    module = module_of(GROUPS, (st.Decide(4, (loop,), PARTS, (st.Stop(-1),), (st.Stop(-2),)),))
    records = PassRecords()
    sets_of_moves(module, records)
    assert [each.reason for each in records.entries] == ["the alternatives depend on the outermost loop"]


def test_conditions_that_may_end_in_a_fault() -> None:
    """For a set of places all of them would be computed, also where others are false."""
    sure = in_(Check(SPOT, "among", C, tuple(range(16))), OTHER)
    assert refused(nest(FREE, sure)) == ["one of its conditions may end the game in a fault"]


def test_what_is_more_than_a_nest_of_loops() -> None:
    two = st.For((Loop(C, cell(OWN)),), (st.Emit((C, Const(WAY, 0))), st.Emit((C, Const(WAY, 1)))), False, line(2))
    assert refused(two) == ["its moves are not listed by nested loops alone"]


def test_conditions_that_are_not_known_for_all_places_at_once() -> None:
    twice = Lookup(Opt(SPOT), BESIDE, (STEP, D))
    size = op(BOOL, "gt", op(Int(0, 16), "size", op(SPOTS, "minus", cell(OTHER), op(SPOTS, "single", C))), D)
    assert all("is not known for all places at once" in reason for reason in refused(nest(size)))
    assert rewritten(nest(in_(twice, OTHER)))[0]


def test_records_and_switching_it_off() -> None:
    game = load("breakthrough")
    on, off = PassRecords(), PassRecords(off=frozenset({NAME}))
    for records in (on, off):
        rules_of(game.program, records)
    assert any(each.name == NAME and each.applied for each in on.entries)
    assert not any(each.name == NAME for each in off.entries)
