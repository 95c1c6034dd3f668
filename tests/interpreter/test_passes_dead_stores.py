"""Dead stores are dropped, to cells and locals, unless computing the value may end in a fault."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter import load
from interpreter.ir import statements as st
from interpreter.ir.expressions import Check, Const, Expr, Group, Local, Loop, number
from interpreter.ir.module import Function, Module
from interpreter.ir.types import BOOL, COUNT, Set
from interpreter.ir.verifier import verify
from interpreter.passes.machine.dead_stores import NAME, drop_dead_stores
from interpreter.passes.machine.results import Results
from interpreter.passes.record import COURSE_OF_PLAY, PassRecords
from interpreter.random_games import random_games
from tests.interpreter.naive_blocks import module_of, run
from tests.interpreter.random_blocks import (
    BLOCKS,
    FEW,
    GROUPS,
    ONE,
    OPENING,
    OTHER,
    PAIR,
    SPOT,
    SPOTS,
    THOSE,
    TRUTH,
    Maker,
    cell,
    op,
)
from tests.interpreter.tiny_module import line

STOP = st.Stop(-1)
X, Y, SUM = Local(SPOT, "x"), Local(FEW, "y"), Local(COUNT, "sum")


def put(group: Group, value: int = 1) -> st.Store:
    return st.Store(cell(group), Const(FEW, value))


def sure(value: Expr, *bounds: int) -> Check:
    """A value that ends the game in a fault where it is not within bounds."""
    return Check(value.type, "among", value, bounds)


def left(*body: st.Statement, results: Results = (), functions: tuple[Function, ...] = ()) -> st.Block:
    """What is left of a block."""
    module = module_of(GROUPS, (*body, STOP))
    module.functions = {each.name: each for each in functions}
    drop_dead_stores(module, PassRecords(), results)
    assert verify(module) == []
    return module.blocks[0].body[:-1]


def test_stores_to_cells_that_nothing_reads_are_dropped() -> None:
    test = st.If(cell(TRUTH), (put(ONE),))
    assert left(put(OTHER), put(ONE), test) == (st.If(cell(TRUTH), ()),)


def test_stores_to_cells_that_something_reads_are_kept() -> None:
    copied = st.Store(cell(OTHER), cell(ONE))
    test = st.If(op(BOOL, "eq", cell(OTHER), number(1)), (STOP,))
    assert left(put(ONE), copied, test) == (put(ONE), copied, test)


def test_definitions_read_cells() -> None:
    function = Function("define", "f_one", (), (st.Return(cell(ONE)),), FEW)
    assert left(put(ONE), put(OTHER), functions=(function,)) == (put(ONE),)


def test_a_cell_that_is_read_only_to_change_it_is_dropped() -> None:
    assert left(st.Store(cell(ONE), op(FEW, "sub", number(3), cell(ONE)))) == ()


def test_not_if_changing_it_may_end_in_a_fault() -> None:
    more = st.Store(cell(ONE), sure(op(FEW, "add", cell(ONE), number(1)), 0, 1, 2, 3))
    assert left(put(ONE), more) == (put(ONE), more)


def test_locals_that_nothing_reads_are_dropped_one_after_the_other() -> None:
    first, second = st.Assign(Y, cell(ONE)), st.Assign(SUM, op(COUNT, "add", Y, number(1)))
    assert left(first, second) == ()
    assert left(put(ONE), first, st.Assign(SUM, sure(Y, 0))) == (put(ONE), first, st.Assign(SUM, sure(Y, 0)))


def test_locals_with_the_results_are_kept() -> None:
    given = st.Assign(SUM, op(COUNT, "add", cell(ONE), number(1)))
    assert left(put(ONE), given, results=((SUM,),)) == (put(ONE), given)


def test_reasons_of_scores_are_dropped() -> None:
    reason = st.Reason(cell(PAIR), number(1), (cell(ONE),), line(1))
    assert left(reason) == ()


def test_loops_are_dropped_with_the_last_statement_in_them() -> None:
    loop = st.For((Loop(X, cell(THOSE)),), (put(ONE),))
    assert left(loop) == ()
    assert left(st.For((Loop(X, cell(THOSE)),), (st.For((Loop(Local(SPOT, "z"), cell(THOSE)),), (put(ONE),)),))) == ()


def test_loops_whose_sets_may_end_in_a_fault_are_kept_without_a_body() -> None:
    those = Check(SPOTS, "subset", cell(THOSE), (0, 1, 2))
    over, where = (st.For(loops, (put(ONE),)) for loops in (
        (Loop(X, those),), (Loop(X, cell(THOSE), op(BOOL, "eq", sure(X, 0, 4), X)),),
    ))  # fmt: skip
    for loop in (over, where):
        (found,) = left(loop)
        assert found == st.For(loop.loops, ())
        module, before = module_of(GROUPS, (loop, STOP)), module_of(GROUPS, (loop, STOP))
        drop_dead_stores(module, PassRecords(), ())
        assert run(module, OPENING)[0] == run(before, OPENING)[0] != -1  # those have members beyond the bounds


def test_nothing_is_dropped_where_any_cell_may_be_read() -> None:
    """Who is ahead may depend on all cells."""
    module = module_of(GROUPS, (put(ONE), st.Assign(Local(Set("Player", 2), "won"), op(THOSE.type, "winners")), STOP))
    before = module.blocks[0].body
    drop_dead_stores(module, PassRecords(), ())
    assert module.blocks[0].body == before


@pytest.mark.parametrize("seed", range(60))
def test_what_is_read_stays_the_same_in_random_blocks(seed: int) -> None:
    module, before = Maker(seed).module(), Maker(seed).module()
    drop_dead_stores(module, PassRecords(), ())
    assert verify(module) == [] and len(module.blocks) == BLOCKS
    (end, S, decisions), (meant_end, meant, meant_decisions) = run(module, OPENING), run(before, OPENING)
    assert (end, decisions) == (meant_end, meant_decisions)
    written = {
        node.cell.group.name
        for block in module.blocks.values() for node in st.walk(block.body) if isinstance(node, st.Store)
    }  # fmt: skip
    assert all(_of(group, S) == _of(group, meant) for group in GROUPS if group.name in written)


def _of(group: Group, S: list[Any]) -> list[Any]:
    return S[group.first : group.first + group.count]


def records_of(module: Module) -> PassRecords:
    records = PassRecords()
    drop_dead_stores(module, records, ())
    return records


def test_records_and_switching_it_off() -> None:
    (record,) = records_of(module_of(GROUPS, (put(ONE), put(OTHER), STOP))).entries
    assert (record.name, record.subject, record.applied) == (NAME, COURSE_OF_PLAY, True)
    assert record.reason == "2 statements removed"
    assert records_of(module_of(GROUPS, (STOP,))).entries == []
    game = load("nim")
    assert [each for each in random_games(game.program).records.entries if each.name == NAME]
    assert not [each for each in random_games(game.without(NAME).program).records.entries if each.name == NAME]
