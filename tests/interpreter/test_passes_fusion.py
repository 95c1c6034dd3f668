"""Merging of blocks: every run stays the same."""

from __future__ import annotations

import pytest

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Const, Expr, Local, Loop, number
from interpreter.compiler.ir.module import Module
from interpreter.compiler.ir.types import BOOL, COUNT
from interpreter.compiler.ir.verifier import verify
from interpreter.compiler.passes.machine.fusion import MAX_DUPLICATED_SIZE, NAME, fuse_blocks
from interpreter.compiler.passes.record import PassRecords
from interpreter.engine.machine.games import rules_of
from interpreter.play.game import load
from tests.interpreter.naive_blocks import module_of, run
from tests.interpreter.random_blocks import (
    BLOCKS,
    FEW,
    GROUPS,
    LEFT,
    ONE,
    OPENING,
    OTHER,
    PAIR,
    SPOT,
    THOSE,
    TRUTH,
    Maker,
    cell,
    op,
)

STOP = st.Stop(-1)


def is_(value: int) -> Expr:
    return op(BOOL, "eq", cell(ONE), Const(FEW, value))


def set_other(value: int) -> st.Store:
    return st.Store(cell(OTHER), Const(FEW, value))


def large(*end: st.Statement) -> st.Block:
    """Statements that are too many to be duplicated."""
    fewer = st.Store(cell(LEFT), op(COUNT, "sub", cell(LEFT), number(1)))
    return (*[fewer] * MAX_DUPLICATED_SIZE, *end)


def fused(*bodies: st.Block) -> dict[int, st.Block]:
    """The blocks after the pass, which does not change any run of theirs."""
    module, before = module_of(GROUPS, *bodies), module_of(GROUPS, *bodies)
    fuse_blocks(module)
    assert verify(module) == []
    for one in range(4):
        for truth in (False, True):
            S = [*OPENING]
            S[LEFT.first], S[ONE.first], S[TRUTH.first] = 20 * MAX_DUPLICATED_SIZE, one, truth
            assert run(module, S) == run(before, S)
    return {number_: block.body for number_, block in module.blocks.items()}


def test_a_block_with_one_predecessor_is_inlined_at_the_jump() -> None:
    assert fused((set_other(1), st.Goto(1)), large(STOP)) == {0: (set_other(1), *large(STOP))}


def test_unreachable_blocks_are_dropped() -> None:
    assert fused((STOP,), (st.Goto(2),), (st.Goto(1),)) == {0: (STOP,)}


def test_a_small_block_is_duplicated() -> None:
    found = fused((st.If(is_(1), (set_other(1), st.Goto(1)), (set_other(2), st.Goto(2))),), large(st.Goto(3)),
                  large(set_other(3), st.Goto(3)), (set_other(0), STOP))  # fmt: skip
    assert found.keys() == {0}


def test_a_large_block_with_several_predecessors_stays() -> None:
    again = large(st.If(op(BOOL, "eq", cell(LEFT), number(0)), (STOP,), (st.Goto(1),)))
    assert fused((set_other(1), st.Goto(1)), again) == {0: (set_other(1), st.Goto(1)), 1: again}


def test_a_branch_that_falls_through_continues_after_the_statement() -> None:
    """A jump that other branches share must not skip what follows the whole statement."""
    inner = st.If(is_(1), (st.Goto(1),), (st.If(is_(2), (st.Goto(1),), (set_other(1),)),))
    found = fused((st.If(cell(TRUTH), (inner,)), set_other(2), st.If(is_(3), (st.Goto(1),), (STOP,))), large(STOP))
    assert set_other(2) in found[0]


def test_what_follows_a_branch_that_jumps_belongs_to_the_other_one() -> None:
    found = fused((st.If(is_(1), (st.Goto(1),)), set_other(2), STOP), large(set_other(3), STOP))
    (test,) = found[0][:1]
    assert isinstance(test, st.If) and test.otherwise[:1] == (set_other(2),)


def test_jumps_out_of_loops_keep_their_target_a_block() -> None:
    loop = st.For((Loop(Local(SPOT, "x"), cell(THOSE)),), (st.If(is_(1), (st.Leave(1),)),))
    assert fused((loop, STOP), large(STOP))[1] == large(STOP)


def test_a_jump_out_of_all_rules_is_an_ordinary_one_outside_of_loops() -> None:
    found = fused((set_other(1), st.Leave(1)), large(STOP))
    assert found == {0: (set_other(1), *large(STOP))}


def test_decisions_have_branches_too() -> None:
    part = Local(FEW, "part")
    made = (st.Store(cell(PAIR), part), st.Goto(1))
    decide = st.Decide(1, (st.If(is_(1), (st.Emit((number(1),)),)),), (part,), made, (set_other(2), st.Goto(2)))
    found = fused((decide,), large(STOP), large(set_other(3), STOP))
    assert found == {
        0: (st.Decide(1, decide.moves, (part,), (made[0], *large(STOP)), (set_other(2), *large(set_other(3), STOP))),)
    }


@pytest.mark.parametrize("seed", range(60))
def test_runs_of_random_blocks_stay_the_same(seed: int) -> None:
    module, before = Maker(seed).module(), Maker(seed).module()
    fuse_blocks(direct(module))
    direct(before)
    assert verify(module) == []
    assert len(module.blocks) <= BLOCKS
    for choice in range(3):
        assert run(module, OPENING, choose=lambda n, moves, choice=choice: (n * choice) % moves) == run(
            before, OPENING, choose=lambda n, moves, choice=choice: (n * choice) % moves
        )


def direct(module: Module) -> Module:
    """The module with constant jump targets, which is all that the pass gets."""

    def inside(block: st.Block) -> st.Block:
        return tuple([
            st.Goto(1) if isinstance(node, st.Goto) and not isinstance(node.block, int)
            else st.rebuilt(node, lambda part: part, inside)
            for node in block
        ])  # fmt: skip

    for block in module.blocks.values():
        block.body = inside(block.body)
    return module


def test_records_and_switching_it_off() -> None:
    game = load("nim")
    on, off = PassRecords(), PassRecords(off=frozenset({NAME}))
    fused, apart = (rules_of(game.program, records).module.blocks for records in (on, off))
    (record,) = [each for each in on.entries if each.name == NAME]
    assert record.applied and record.reason.startswith(str(len(fused)))
    assert not [each for each in off.entries if each.name == NAME]
    assert len(apart) > len(fused)
