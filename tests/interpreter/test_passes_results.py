"""The numbers that decide who wins, computed for all seats where a game is over."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Call, Cell, Const, Expr, Group, Local, number, walk
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.ir.types import BOOL, COUNT, Int, Ref, Row
from interpreter.compiler.ir.verifier import verify
from interpreter.compiler.passes.machine.results import MAX_INLINED_SIZE, RESULTS, add_results, me_of, results_at_end
from interpreter.compiler.passes.simplifying.rule_inlining import Sizes
from interpreter.runtime.layout import ME
from tests.interpreter.naive_blocks import Run, module_of
from tests.interpreter.tiny_module import op

SEATS = 2
PLAYER, POINT = Ref("Player", SEATS), Int(0, 9)
ACTING = Group("me", ME, 1, PLAYER)
POINTS, LUCK = Group("points", 2, SEATS, POINT), Group("luck", 4, SEATS, BOOL)
S: list[Any] = [0, 1, 3, 5, True, False]
"""The second seat is to act."""

P = Local(PLAYER, "p")


def cell(group: Group, index: Expr | int = 0) -> Cell:
    return Cell(group.type, group, number(index) if isinstance(index, int) else index)


MINE = cell(ACTING)


def criterion(name: str, *body: st.Statement | Expr, result: Any = POINT) -> Function:
    (*before, last) = body
    end = last if isinstance(last, st.Return) else st.Return(last)
    return Function("criterion", name, (), (*before, end), result)  # type: ignore[arg-type]


OVER: st.Block = (st.Stop(-1),)


def module(*functions: Function, acting: bool = True, body: st.Block = OVER) -> Module:
    groups = [POINTS, LUCK, *[ACTING] * acting]
    found = module_of(groups, body)
    found.functions = {each.name: each for each in functions}
    return found


def results(given: Module) -> list[list[Any]]:
    """The numbers of each seat when the game is over."""
    locals_of = results_at_end(given, SEATS)
    assert verify(given) == []
    run = Run(given, [*S])
    run.from_block(0)
    return [[run.names[local.name] for local in numbers] for numbers in locals_of]


BY_POINTS = criterion("k_points", cell(POINTS, MINE))
BY_LUCK = criterion("k_luck", cell(LUCK, MINE), result=BOOL)


@pytest.mark.parametrize("together", [False, True])
def test_numbers_of_all_seats_and_criteria(together: bool) -> None:
    given = module(BY_POINTS, BY_LUCK)
    if together:
        add_results(given, SEATS)
        assert given.functions[RESULTS].result == Row((POINT, BOOL, POINT, BOOL))
    assert results(given) == [[3, True], [5, False]]


def test_together_no_seat_has_to_act() -> None:
    given = module(BY_POINTS)
    add_results(given, SEATS)
    results_at_end(given, SEATS)
    used = [part for node in st.walk(given.blocks[0].body) for value in st.expressions(node) for part in walk(value)]
    assert MINE not in used and not any(isinstance(node, st.Store) for node in given.blocks[0].body)


def test_one_by_one_each_seat_acts_in_turn() -> None:
    given = module(BY_POINTS)
    results_at_end(given, SEATS)
    first, *_ = given.blocks[0].body
    assert isinstance(first, st.Assign) and first.value == MINE
    stores = [node for node in given.blocks[0].body if isinstance(node, st.Store)]
    in_turn = [st.Store(MINE, Const(PLAYER, seat)) for seat in range(SEATS)]
    assert stores == [*in_turn, st.Store(MINE, first.local)], "the acting seat is not who acted before"


def test_definitions_that_are_given_the_seat() -> None:
    define = Function("define", "f_points", (P,), (st.Return(op(POINT, "least", cell(POINTS, P), number(4))),), POINT)
    given = module(criterion("k_points", Call(POINT, "f_points", (MINE,))), define)
    add_results(given, SEATS)
    assert RESULTS in given.functions and results(given) == [[3], [4]]


def test_definitions_that_look_at_whose_turn_it_is() -> None:
    """They cannot be asked for all seats at once."""
    define = Function("define", "f_mine", (), (st.Return(cell(POINTS, MINE)),), POINT)
    asking = Function("define", "f_asking", (), (st.Return(Call(POINT, "f_mine", ())),), POINT)
    for name in ("f_mine", "f_asking"):
        given = module(criterion("k_points", Call(POINT, name, ())), define, asking)
        add_results(given, SEATS)
        assert RESULTS not in given.functions
        assert results(given) == [[3], [5]]


def test_criteria_of_several_statements() -> None:
    x = Local(POINT, "x")
    branching = criterion("k_points", st.If(cell(LUCK, MINE), (st.Return(number(9)),)), cell(POINTS, MINE))
    assigned = criterion("k_points", st.Assign(x, cell(POINTS, MINE)), x)
    for each, meant in ((branching, [[9], [5]]), (assigned, [[3], [5]])):
        given = module(each)
        add_results(given, SEATS)
        assert RESULTS not in given.functions and results(given) == meant


def test_large_definitions_are_still_asked() -> None:
    total: Expr = cell(POINTS, P)
    for _ in range(MAX_INLINED_SIZE):
        total = op(COUNT, "add", total, number(1))
    define = Function("define", "f_large", (P,), (st.Return(total),), COUNT)
    given = module(criterion("k_points", Call(COUNT, "f_large", (MINE,)), result=COUNT), define)
    add_results(given, SEATS)
    assert Sizes().of(given.functions[RESULTS].body) < MAX_INLINED_SIZE
    assert results(given) == [[3 + MAX_INLINED_SIZE], [5 + MAX_INLINED_SIZE]]


def test_without_criteria_there_are_no_numbers() -> None:
    given = module()
    add_results(given, SEATS)
    assert results(given) == [[], []]


def test_rules_that_never_ask_who_acts() -> None:
    given = module(criterion("k_points", cell(POINTS, 1)), acting=False)
    assert me_of(given) is None
    add_results(given, SEATS)
    assert results(given) == [[5], [5]]


def test_numbers_are_computed_only_where_a_game_is_over() -> None:
    given = module(BY_POINTS, body=(st.Goto(1),))
    given.blocks[1] = Function("block", "b1", (), (st.Stop(-1),), number=1)
    results_at_end(given, SEATS)
    assert given.blocks[0].body == (st.Goto(1),)
    assert len(given.blocks[1].body) > 1 and given.blocks[1].body[-1] == st.Stop(-1)
