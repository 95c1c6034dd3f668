"""Decisions inlined into blocks: the same legal moves, with the same effects."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Const, Expr, Group, Local, Loop, number
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.ir.runs import DECLINED
from interpreter.compiler.ir.types import BOOL, PART, Int, Opt, Row
from interpreter.compiler.ir.verifier import verify
from interpreter.compiler.passes.machine.decision_inlining import inline_decisions
from tests.interpreter.naive_blocks import module_of, run
from tests.interpreter.random_blocks import FEW, GROUPS, ONE, OPENING, OTHER, SPOT, THOSE, TRUTH, cell, op

STOP, ACT = st.Stop(-1), Int(-1, 3)
CHOSEN = Group("chosen", len(OPENING), 1, Opt(FEW))
X, MOVE = Local(SPOT, "x"), Local(Row((ACT, SPOT)), "move")
MEMBERS = st.For((Loop(X, cell(THOSE)),), (st.Emit((number(0), X)),))


def part(place: int) -> Expr:
    return op(SPOT if place else ACT, "part", MOVE, number(place))


def applied(*acts: tuple[int, st.Statement], last: int = 1) -> st.Block:
    """The effect of each act, then a jump."""
    tests = [st.If(op(BOOL, "eq", part(0), Const(ACT, act)), (node,)) for act, node in acts]
    return (*tests, st.Goto(last))


MADE = applied((0, st.Store(cell(OTHER), op(FEW, "mod", part(1), number(4)))))


def module(
    *moves: st.Statement, made: st.Block = MADE, wait: st.Statement | None = None, end: st.Block = (STOP,)
) -> Module:  # fmt: skip
    wait = wait or st.Suspend(3, 2, None)
    found = module_of((*GROUPS, CHOSEN), (wait,), end, (st.Stop(-2),))
    found.functions = {
        "m3": Function("moves", "m3", (), moves, number=3), "a3": Function("apply", "a3", (MOVE,), made, number=3),
    }  # fmt: skip
    return found


def decided(*moves: st.Statement, made: st.Block = MADE, wait: st.Statement | None = None) -> st.Block:
    """The first block after the pass; games are the same whichever moves are made."""
    after, before = module(*moves, made=made, wait=wait), module(*moves, made=made, wait=wait)
    inline_decisions(after)
    assert verify(after) == [] and after.functions.keys() == {"m3"}, "moves are also listed in play step by step"
    for those in (0, 0b10110):
        for truth in (False, True):
            for number_ in range(4):
                S = [*OPENING, 1]
                S[THOSE.first], S[TRUTH.first] = those, truth

                def choose(_: int, moves: int, number_: int = number_) -> int:
                    return number_ % moves

                assert run(after, S, 0, choose) == run(before, S, 0, choose)
    return after.blocks[0].body


def only(block: st.Block) -> st.Decide:
    (decide,) = block
    assert isinstance(decide, st.Decide)
    return decide


def test_moves_and_what_comes_of_them_stand_in_the_block() -> None:
    decide = only(decided(MEMBERS))
    assert decide.point == 3 and isinstance(decide.moves[0], st.For)
    assert decide.made[-1] == st.Goto(1) and decide.otherwise == (st.Goto(2),)


def test_a_part_that_is_the_same_in_all_moves_is_assigned() -> None:
    decide = only(decided(MEMBERS))
    assert [name.type for name in decide.names] == [PART]  # of the place, not of the act
    assert isinstance(decide.made[0], st.Assign) and decide.made[0].value == number(0)


def test_parts_that_differ_have_names() -> None:
    other = st.Emit((number(1), Const(SPOT, 4)))
    two = applied((0, st.Store(cell(ONE), number(1))), (1, st.Store(cell(OTHER), op(FEW, "mod", part(1), number(4)))))
    assert len(only(decided(MEMBERS, other, made=two)).names) == 2


def test_moves_with_fewer_parts_are_filled_up() -> None:
    short = st.If(cell(TRUTH), (st.Emit((number(1),)),))
    two = applied((1, st.Store(cell(ONE), number(1))))
    decide = only(decided(MEMBERS, short, made=two))
    emitted = [node for node in st.walk(decide.moves) if isinstance(node, st.Emit)]
    assert {len(node.move) for node in emitted} == {2}


def test_without_any_difference_a_move_has_no_parts() -> None:
    decide = only(decided(st.If(cell(TRUTH), (st.Emit((number(2), Const(SPOT, 1))),))))
    assert decide.names == () and [node.move for node in st.walk(decide.moves) if isinstance(node, st.Emit)] == [()]


def test_declining_is_a_move_like_others_where_it_depends_on_none() -> None:
    declined = applied((-1, st.Store(cell(ONE), number(3))), (0, st.Store(cell(OTHER), number(0))))
    decide = only(decided(MEMBERS, st.EmitDone(False), made=declined))
    assert not [node for node in st.walk(decide.moves) if isinstance(node, st.EmitDone)]
    assert any(isinstance(node, st.Emit) and node.move[0] == DECLINED for node in decide.moves)


def test_declining_only_beside_other_moves_tells_the_act_apart() -> None:
    declined = applied((-1, st.Store(cell(ONE), number(3))), (0, st.Store(cell(OTHER), number(0))))
    decide = only(decided(MEMBERS, st.EmitDone(True), made=declined))
    assert isinstance(decide.moves[-1], st.EmitDone) and len(decide.names) == 2


def test_what_would_have_been_chosen_is_none_without_moves() -> None:
    chosen = cell(CHOSEN)
    decide = only(decided(MEMBERS, wait=st.Suspend(3, 2, chosen)))
    assert isinstance(decide.otherwise[0], st.Store) and decide.otherwise[0].cell == chosen


@pytest.mark.parametrize("made_of", [MEMBERS, st.If(cell(TRUTH), (MEMBERS,))])
def test_decisions_under_conditions(made_of: st.Statement) -> None:
    wait = st.If(cell(TRUTH), (st.Suspend(3, 2, None),), (st.Goto(2),))
    (test,) = decided(made_of, wait=wait)
    assert isinstance(test, st.If) and isinstance(test.then[0], st.Decide)


def test_names_of_several_decisions_differ() -> None:
    both = st.If(cell(TRUTH), (st.Suspend(3, 2, None),), (st.Suspend(4, 2, None),))
    given = module(MEMBERS, wait=both)
    given.functions["m4"] = Function("moves", "m4", (), (MEMBERS,), number=4)
    given.functions["a4"] = Function("apply", "a4", (MOVE,), MADE, number=4)
    inline_decisions(given)
    assert verify(given) == []
    names: list[Any] = [node.names for node in st.walk(given.blocks[0].body) if isinstance(node, st.Decide)]
    assert len({local.name for each in names for local in each}) == 2
