"""The generated function for random games does what the blocks say: decisions, moves by number, and faults."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from interpreter.backends.python_playout import Playout, playout
from interpreter.ir import statements as st
from interpreter.ir.expressions import Check, Const, Expr, Local, Loop, number
from interpreter.ir.module import Module
from interpreter.ir.runs import MOST_CONDITIONS, runs_of
from interpreter.ir.types import BOOL, COUNT
from interpreter.passes.machine.block_fusion import fuse_blocks
from interpreter.passes.machine.specialisation import specialise_blocks
from interpreter.passes.record import PassRecords
from interpreter.runtime.selection import select, select16, select64
from interpreter.runtime.streams import TooLong
from tests.interpreter.naive_blocks import module_of, run
from tests.interpreter.naive_ir import Fault
from tests.interpreter.python_code import RUNTIME
from tests.interpreter.random_blocks import (
    FEW,
    GROUPS,
    ONE,
    OPENING,
    OTHER,
    SPOT,
    THOSE,
    TRUTH,
    Maker,
    cell,
    op,
)

STOP = st.Stop(-1)
PART = Local(FEW, "part")


def played(module: Module, S: Sequence[Any], first: int = 0) -> tuple[bool, list[Any], int, int, int]:
    """Whether a game ends without a fault, its cells, and how many decisions and moves it had, and at most at once.

    The number of each decision is drawn as a number of 64 bits, of which the highest count.
    """
    printed = Playout(module, first, ((), ()), S, ("ann", "ben"), (), False)
    lines = playout(printed)
    states: list[list[Any]] = []

    def begin() -> list[Any]:
        states.append([*S])
        return states[-1]

    faults: list[int] = []
    names = {
        **RUNTIME, **printed.names, "select": select, "select16": select16, "select64": select64, "TooLong": TooLong,
    }  # fmt: skip
    exec("\n".join(lines), names)
    numbers = [(n * 37 % 64) << 58 for n in range(1, 500)]
    games = names["games"]([(1, numbers, [])], None, None, begin, (Fault, TooLong), faults.append, new, Made)
    (made,) = games
    if faults:
        return False, [], 0, 0, 0
    return True, states[-1], made.decisions, made.choices, made.widest


class Made(SimpleNamespace):
    """What a game comes to."""


def new(made: type[Made], parts: tuple[Any, ...]) -> Made:
    return made(decisions=parts[3], choices=parts[4], widest=parts[5])


def meant(module: Module, S: Sequence[Any]) -> tuple[bool, list[Any], int, int, int]:
    end, cells, counts = run(module, [*S], choose=lambda n, moves: (n * 37 % 64) * moves >> 6)
    if not isinstance(end, int):
        return False, [], 0, 0, 0
    made = [count for count in counts if count]
    return True, cells, len(made), sum(made), max(made, default=0)


def states() -> list[list[Any]]:
    """States in which conditions on the cells hold or not."""
    found = []
    for one in range(4):
        for truth in (False, True):
            for those in (0, 0b10110, 0b00001):
                S = [*OPENING]
                S[ONE.first], S[TRUTH.first], S[THOSE.first] = one, truth, those
                found.append(S)
    return found


def same(*moves: st.Statement, otherwise: st.Block = (STOP,)) -> str:
    """The text of a decision, which the function makes as the blocks say, in all states."""
    made = (st.Store(cell(OTHER), PART), STOP)
    module = module_of(GROUPS, (st.Decide(1, moves, (PART,), made, otherwise),))
    for S in states():
        assert played(module, S) == meant(module, S)
    return "\n".join(playout(Playout(module, 0, ((), ()), OPENING, ("ann", "ben"), (), False)))


def emit(value: int) -> st.Emit:
    return st.Emit((Const(FEW, value),))


def is_(value: int) -> Expr:
    return op(BOOL, "eq", cell(ONE), Const(FEW, value))


def sure(value: Expr, *bounds: int) -> Expr:
    return Check(value.type, "among", value, bounds)


def test_moves_that_are_always_the_same_are_known() -> None:
    text = same(emit(3), emit(0), emit(2))
    assert "out = " not in text and "M0[k]" in text


def test_moves_under_few_conditions_are_looked_up() -> None:
    text = same(st.If(is_(1), (emit(0),)), st.If(cell(TRUTH), (emit(1), st.If(is_(2), (emit(2),)))), emit(3))
    assert "out = M0[" in text


def test_a_condition_that_guards_another_is_tested_before_it() -> None:
    """Alone, the inner one would end the game in a fault."""
    inner = op(BOOL, "eq", sure(cell(ONE), 1, 2), number(2))
    guard = op(BOOL, "gt", cell(ONE), number(0))
    same(st.If(guard, (st.If(op(BOOL, "lt", cell(ONE), number(3)), (st.If(inner, (emit(1),)), emit(2))),)), emit(3))
    first = st.If(cell(TRUTH), (emit(0),))
    same(first, st.If(op(BOOL, "lt", cell(ONE), number(3)), (st.If(guard, (st.If(inner, (emit(1),)),)),)))


def test_a_condition_without_a_move_is_not_lost() -> None:
    """It may end the game in a fault."""
    inner = op(BOOL, "eq", sure(cell(ONE), 0, 1), number(1))
    assert runs_of((st.If(inner, ()), emit(1))) is None
    same(st.If(inner, ()), emit(1))
    same(st.If(cell(TRUTH), (st.If(inner, ()), emit(0))), emit(1))


def test_many_conditions_are_counted() -> None:
    many = [st.If(op(BOOL, "le", cell(ONE), op(COUNT, "sub", number(n), cell(OTHER))), (emit(n % 4),))
            for n in range(MOST_CONDITIONS + 1)]  # fmt: skip
    text = same(*many)
    assert "M0" not in text and "n = " in text


def test_a_move_for_each_member_of_a_set() -> None:
    spot = Local(SPOT, "spot")
    few = st.For((Loop(spot, cell(THOSE)),), (st.Emit((op(FEW, "mod", spot, number(4)),)),))
    assert "SMALL_SETS" in same(few)
    assert "n0" in same(emit(3), few, st.If(cell(TRUTH), (few,)), emit(1))


def test_declining_only_beside_other_moves() -> None:
    spot = Local(SPOT, "spot")
    few = st.For((Loop(spot, cell(THOSE)),), (st.Emit((op(FEW, "mod", spot, number(4)),)),))
    same(few, st.EmitDone(True))
    same(few, st.IfNoMoves((emit(2),)))


def test_of_equal_moves_only_the_first_is_listed() -> None:
    spot = Local(SPOT, "spot")
    half = op(FEW, "mod", spot, number(2))
    once = st.Once(4, (half, cell(TRUTH)), (st.Emit((op(FEW, "mod", spot, number(4)),)),))
    assert "seen4 = set()" in same(st.For((Loop(spot, cell(THOSE)),), (once,)), emit(3))


def test_moves_that_can_only_be_listed() -> None:
    spot = Local(SPOT, "spot")
    odd = st.For((Loop(spot, cell(THOSE)),), (st.If(is_(1), (st.Emit((op(FEW, "mod", spot, number(4)),)),)),))
    assert "out = []" in same(odd, emit(2))


def test_without_moves() -> None:
    same(st.If(is_(9), (emit(1),)), otherwise=(st.Store(cell(OTHER), number(1)), st.Stop(-2)))
    same(otherwise=(st.Store(cell(OTHER), number(1)), st.Stop(-2)))


def test_a_fault_leads_to_the_game_being_replayed() -> None:
    fault = st.Store(cell(OTHER), sure(cell(ONE), 7, 8))
    assert played(module_of(GROUPS, (fault, STOP)), OPENING)[0] is False


def test_endless_rounds_without_a_decision_are_a_fault() -> None:
    endless = (st.Idle(False), st.Goto(0))
    assert played(module_of(GROUPS, endless), OPENING)[0] is False


@pytest.mark.parametrize("seed", range(60))
def test_random_blocks(seed: int) -> None:
    module, before = Maker(seed).module(), Maker(seed).module()
    first = specialise_blocks(module, OPENING, PassRecords())
    fuse_blocks(module, first)
    if any(isinstance(node, st.Leave) for each in module.blocks.values() for node in st.walk(each.body)):
        return  # which only a whole program can catch
    assert played(module, OPENING, first) == meant(before, OPENING)
