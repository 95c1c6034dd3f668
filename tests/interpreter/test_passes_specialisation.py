"""Specialisation of blocks for known values: conditions on them are decided, and every run stays the same."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Const, Expr, Group, Local, Loop, Zone, number
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.ir.types import BOOL, COUNT, PIECE_DOMAIN, Set
from interpreter.compiler.ir.verifier import verify
from interpreter.compiler.passes.machine.specialisation import MAX_GROWTH, NAME, SMALL_NODES, specialise_blocks
from interpreter.compiler.passes.record import PassRecords
from interpreter.compiler.passes.simplifying.rule_inlining import Sizes
from interpreter.engine.machine.games import rules_of
from interpreter.play.game import load
from tests.interpreter.naive_blocks import module_of, run
from tests.interpreter.random_blocks import (
    BACK,
    FEW,
    GROUPS,
    LEFT,
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
from tests.interpreter.tiny_module import line, slot

STOP = st.Stop(-1)
ON, OFF = Const(BOOL, True), Const(BOOL, False)


def is_(value: int, group: Group = ONE) -> Expr:
    return op(BOOL, "eq", cell(group), Const(FEW, value))


def put(group: Group, value: int) -> st.Store:
    return st.Store(cell(group), Const(FEW, value))


def fewer() -> st.Store:
    """A change of a cell with too many values to be tracked."""
    return st.Store(cell(LEFT), op(COUNT, "sub", cell(LEFT), number(1)))


def unknown(group: Group = OTHER) -> st.Block:
    """A store of a value that is not known."""
    return fewer(), st.Store(cell(group), op(FEW, "mod", cell(LEFT), number(4)))


def specialised(
    *bodies: st.Block, off: frozenset[str] = frozenset(), opening: list[Any] = OPENING
) -> tuple[Module, int, PassRecords]:  # fmt: skip
    """The module after the pass, its first block, and what is recorded; runs from the opening stay the same."""
    module, before, records = module_of(GROUPS, *bodies), module_of(GROUPS, *bodies), PassRecords(off=off)
    first = specialise_blocks(module, opening, records).first
    assert verify(module) == []
    assert run(module, opening, first) == run(before, opening)
    return module, first, records


def conditions(module: Module) -> list[Expr]:
    return [
        node.condition for block in module.blocks.values() for node in st.walk(block.body) if isinstance(node, st.If)
    ]


def test_a_condition_on_a_stored_constant_is_decided_in_the_next_block() -> None:
    module, *_ = specialised((put(ONE, 2), st.Goto(1)), (st.If(is_(2), (*unknown(), STOP), (st.Goto(0),)),))
    assert conditions(module) == []


def test_a_block_is_made_for_each_value_it_begins_with() -> None:
    module, *_ = specialised(
        (*unknown(ONE), st.If(is_(3), (st.Store(cell(TRUTH), ON),), (st.Store(cell(TRUTH), OFF),)), st.Goto(1)),
        (st.If(cell(TRUTH), (put(OTHER, 1),), (put(OTHER, 2),)), STOP),
    )  # fmt: skip
    assert cell(TRUTH) in conditions(module)  # it is not known where both ways meet
    module, *_ = specialised(
        (*unknown(ONE), st.If(is_(3), (st.Store(cell(TRUTH), ON), st.Goto(1)), (st.Store(cell(TRUTH), OFF),)),
         st.Goto(1)),
        (st.If(cell(TRUTH), (put(OTHER, 1),), (put(OTHER, 2),)), STOP),
    )  # fmt: skip
    assert conditions(module) == [is_(3)] and len(module.blocks) == 3


def test_what_is_not_read_before_it_is_written_makes_no_difference() -> None:
    module, *_ = specialised(
        (*unknown(ONE), st.If(is_(3), (put(OTHER, 1), st.Goto(1)), (put(OTHER, 2), st.Goto(1)))),
        (*unknown(OTHER), st.If(is_(2, OTHER), (STOP,), (st.Stop(-2),))),
    )  # fmt: skip
    assert len(module.blocks) == 2


def test_a_rule_returns_to_where_it_was_called() -> None:
    module, *_ = specialised(
        (st.Store(cell(BACK), number(1)), st.Goto(3)),
        (st.Store(cell(BACK), number(2)), st.Goto(3)),
        (STOP,),
        (*unknown(), st.Goto(cell(BACK))),
    )
    assert all(
        isinstance(node.block, int)
        for block in module.blocks.values() for node in st.walk(block.body) if isinstance(node, st.Goto)
    )  # fmt: skip
    assert len(module.blocks) == 5  # the rule stands in two places


def test_where_a_rule_returns_to_is_tested_if_it_is_not_known() -> None:
    back = st.If(is_(1), (st.Store(cell(BACK), number(1)),), (st.Store(cell(BACK), number(2)),))
    module, *_ = specialised((*unknown(ONE), back, st.Goto(cell(BACK))), (STOP,), (st.Stop(-2),))
    assert op(BOOL, "eq", cell(BACK), Const(COUNT, 1)) in conditions(module)


def test_cells_that_never_change_are_known_everywhere() -> None:
    left = st.If(op(BOOL, "gt", cell(LEFT), number(10)), (put(ONE, 1),), (put(ONE, 2),))
    module, *_ = specialised((left, st.Goto(1)), (left, STOP))
    assert conditions(module) == []
    module, *_ = specialised((left, st.Goto(1)), (left, fewer(), st.If(is_(2), (STOP,), (st.Goto(1),))))
    assert left.condition in conditions(module)


def test_what_another_function_changes_is_not_known() -> None:
    bodies = ((put(ONE, 2), st.Perform("quiet_change", ()), st.If(is_(2), (st.Stop(-2),), (STOP,))),)
    change = Function("quiet rule", "quiet_change", (), (put(ONE, 1),))
    module = module_of(GROUPS, *bodies)
    module.functions[change.name] = change
    first = specialise_blocks(module, OPENING, PassRecords()).first
    assert run(module, OPENING, first)[0] == -1


PIECES = Set(PIECE_DOMAIN, 3)
BOX, HAND = (Group(name, 8 + n, 1, PIECES) for n, name in enumerate(("box", "hand")))
ZONES = [Zone(group.name, n, 1, "heap", group, None, None, None) for n, group in enumerate((BOX, HAND))]


@pytest.mark.parametrize("known_to_be_full", [False, True])
def test_cells_of_zones_are_not_known_after_moves(known_to_be_full: bool) -> None:
    """A move may change the cells of any zone."""
    move = st.MoveSome(number(3), None, slot(ZONES[0]), slot(ZONES[1]), False, line(1))
    empty = op(BOOL, "is_empty", cell(BOX))
    start = (st.Store(cell(BOX), Const(PIECES, 0b111)),) if known_to_be_full else ()
    body = (*start, st.If(empty, (st.Stop(-3),)), move, st.If(empty, (STOP,), (st.Stop(-2),)))
    groups = (*GROUPS, BOX, HAND)
    module, before = (module_of(groups, body, zones=ZONES) for _ in range(2))
    opening = [*OPENING, 0b111, 0, 0, 0, 0]
    first = specialise_blocks(module, opening, PassRecords()).first
    assert run(module, opening, first, places=10) == run(before, opening, places=10)
    assert run(module, opening, first, places=10)[0] == -1


def test_what_changes_in_a_loop_is_not_known_in_it() -> None:
    other = st.If(is_(1), (put(ONE, 2),), (put(ONE, 3),))
    module, *_ = specialised((put(ONE, 1), st.Repeat(cell(PAIR, 1), (other,)), st.If(is_(3), (STOP,), (st.Stop(-2),))))
    assert conditions(module) == [is_(1), is_(3)]


def test_a_short_loop_in_which_a_known_cell_changes_is_unrolled() -> None:
    x = Local(SPOT, "x")
    other = st.If(is_(1), (put(ONE, 2),), (put(ONE, 3),))
    loop = st.For((Loop(x, Const(SPOTS, 0b101)),), (other,))
    module, *_ = specialised((put(ONE, 1), loop, st.If(is_(3), (STOP,), (st.Stop(-2),))))
    assert conditions(module) == []
    unrelated = st.For((Loop(x, Const(SPOTS, 0b101)),), (st.Store(cell(THOSE), op(SPOTS, "single", x)),))
    module, *_ = specialised((put(ONE, 1), unrelated, STOP))
    assert any(isinstance(node, st.For) for block in module.blocks.values() for node in block.body)


def test_the_only_value_of_a_part_of_the_move_is_known() -> None:
    part = Local(FEW, "part")
    made = (st.If(op(BOOL, "eq", part, Const(FEW, 1)), (STOP,), (st.Stop(-2),)),)

    def decide(*values: int) -> st.Decide:
        return st.Decide(1, tuple([st.Emit((Const(FEW, value),)) for value in values]), (part,), made, (STOP,))

    assert conditions(specialised((decide(1),))[0]) == []
    assert conditions(specialised((decide(2, 3),))[0]) == []  # none of which is 1
    assert len(conditions(specialised((decide(1, 3),))[0])) == 1


def test_fewer_cells_are_tracked_where_there_would_be_too_many_blocks() -> None:
    flags = [Group(f"flag{n}", 8 + n, 1, BOOL) for n in range(12)]
    opening = [*OPENING, *[False] * len(flags)]
    bodies: list[st.Block] = []
    for n, flag in enumerate(flags):
        test = st.If(op(BOOL, "gt", cell(LEFT), number(n)), (st.Store(cell(flag), ON),), ())
        bodies.append((test, st.If(is_(n % 4), (st.Store(cell(flag), OFF), st.Goto(n + 1))), st.Goto(n + 1)))
    ends = [st.If(cell(flag), unknown(ONE), unknown()) for flag in flags]
    again = st.If(op(BOOL, "le", cell(LEFT), number(0)), (STOP,), (st.Goto(0),))
    bodies.append((*ends, again))
    module, before = (module_of((*GROUPS, *flags), *bodies) for _ in range(2))
    first = specialise_blocks(module, opening, PassRecords()).first
    assert run(module, opening, first) == run(before, opening)
    own, grown = (sum(Sizes().of(block.body) for block in each.blocks.values()) for each in (before, module))
    assert grown <= max(MAX_GROWTH * own, SMALL_NODES)


@pytest.mark.parametrize("off", [False, True])
@pytest.mark.parametrize("seed", range(60))
def test_runs_of_random_blocks_stay_the_same(seed: int, off: bool) -> None:
    module, before = Maker(seed).module(), Maker(seed).module()
    first = specialise_blocks(module, OPENING, PassRecords(off=frozenset([NAME] if off else []))).first
    assert verify(module) == []
    for choice in range(3):

        def choose(n: int, moves: int, choice: int = choice) -> int:
            return n * choice % moves

        assert run(module, OPENING, first, choose) == run(before, OPENING, 0, choose)


def test_records_and_switching_it_off() -> None:
    bodies = ((st.Store(cell(BACK), number(1)), put(ONE, 2), st.Goto(cell(BACK))), (st.If(is_(2), (STOP,), (STOP,)),))
    *_, records = specialised(*bodies)
    assert [(each.name, each.applied, each.reason) for each in records.entries] == [
        (NAME, True, f"2 parts instead of {len(bodies)}")
    ]
    module, _, records = specialised(*bodies, off=frozenset({NAME}))
    assert conditions(module) == [is_(2)] and records.entries == []
    rules_of(load("nim").program, without := PassRecords(off=frozenset({NAME})))
    assert not [each for each in without.entries if each.name == NAME]
