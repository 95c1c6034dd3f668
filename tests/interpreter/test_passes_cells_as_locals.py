"""Cells that only blocks access become locals, and every run stays the same."""

from __future__ import annotations

import pytest

from interpreter import load
from interpreter.ir import statements as st
from interpreter.ir.expressions import Call, Cell, Const, Expr, Group, Local, Zone, number, walk
from interpreter.ir.module import Function, Module
from interpreter.ir.types import BOOL, COUNT, PIECE_DOMAIN, Int, Set
from interpreter.ir.verifier import verify
from interpreter.passes.machine.cells_as_locals import MOST_ARGUMENTS, NAME, cells_as_locals
from interpreter.passes.machine.group_splitting import split_groups
from interpreter.passes.record import COURSE_OF_PLAY, PassRecords
from interpreter.random_games import random_games
from tests.interpreter.naive_blocks import module_of, run
from tests.interpreter.random_blocks import (
    FEW,
    GROUPS,
    ONE,
    OPENING,
    OTHER,
    PAIR,
    THOSE,
    TRUTH,
    Maker,
    cell,
    op,
)
from tests.interpreter.tiny_module import FACES, line, slot

STOP = st.Stop(-1)


def put(group: Group, value: int, index: int = 0) -> st.Store:
    return st.Store(cell(group, index), Const(FEW, value))


def copy(group: Group, value: Expr) -> st.Store:
    return st.Store(cell(group), value)


def kept(*body: st.Statement, functions: tuple[Function, ...] = (), groups: tuple[Group, ...] = GROUPS) -> Module:
    """A block and functions after the pass; a run stays the same."""
    after, before = (module_of(groups, (*body, STOP)) for _ in range(2))
    for module in (after, before):
        module.functions = {each.name: Function(each.kind, each.name, each.params, each.body, each.result)
                            for each in functions}  # fmt: skip
    cells_as_locals(after, PassRecords())
    assert verify(after) == []
    opening = [*OPENING, *[0] * 20]
    assert run(after, opening) == run(before, opening)
    return after


def own(module: Module) -> set[str]:
    """The groups that blocks keep themselves, of those that are used."""
    used = set()
    for node in st.walk(module.blocks[0].body):
        cells = [part for value in st.expressions(node) for part in walk(value) if isinstance(part, Cell)]
        used |= {each.group for each in [*cells, *([node.cell] if isinstance(node, st.Store) else [])]}
    assert all(module.cells[group.name] == group for group in used)
    return {group.name for group in used if group.own}


def define(name: str, value: Expr, *params: Local) -> Function:
    return Function("define", name, params, (st.Return(value),), value.type)


# ---- splitting groups


def test_a_group_with_constant_indices_only_is_split() -> None:
    module = module_of(GROUPS, (put(PAIR, 2, 1), copy(ONE, cell(PAIR, 0)), STOP))
    split_groups(module)
    assert PAIR.name not in module.cells
    one, other = module.cells["pair #0"], module.cells["pair #1"]
    assert (one.first, other.first, one.count, one.type) == (PAIR.first, PAIR.first + 1, 1, FEW)
    assert module.blocks[0].body[:2] == (st.Store(cell(other), Const(FEW, 2)), copy(ONE, cell(one)))
    assert verify(module) == []


def test_a_group_with_a_computed_index_is_not_split() -> None:
    by_number = copy(OTHER, Cell(FEW, PAIR, op(COUNT, "to_int", cell(TRUTH))))
    assert own(kept(put(PAIR, 2, 1), by_number)) == {PAIR.name, TRUTH.name, OTHER.name}


def test_nor_is_one_that_a_function_indexes() -> None:
    which = Local(Int(0, 1), "which")
    asked = copy(ONE, Call(FEW, "f_of", (number(1),)))
    module = kept(put(PAIR, 2, 1), asked, functions=(define("f_of", Cell(FEW, PAIR, which), which),))
    assert PAIR.name in module.cells and own(module) == {ONE.name}


# ---- which cells blocks keep


def test_blocks_keep_cells_that_nothing_else_accesses() -> None:
    assert own(kept(put(ONE, 1), copy(OTHER, cell(ONE)))) == {ONE.name, OTHER.name}


def test_the_reason_of_a_score_names_the_cell_that_blocks_keep() -> None:
    assert own(kept(put(ONE, 2), st.Reason(cell(ONE), number(1), (), line(1)))) == {ONE.name}


def test_what_a_function_changes_stays_in_the_state() -> None:
    change = Function("quiet rule", "quiet_change", (), (put(ONE, 3),))
    assert own(kept(put(OTHER, 1), st.Perform(change.name, ()), copy(OTHER, cell(ONE)), functions=(change,))) == {
        OTHER.name
    }


def test_what_a_rule_reads_stays_in_the_state() -> None:
    rule = Function("quiet rule", "quiet_read", (), (st.If(cell(TRUTH), (put(OTHER, 3),)),))
    assert own(kept(copy(TRUTH, Const(BOOL, True)), st.Perform(rule.name, ()), functions=(rule,))) == set()


def test_definitions_get_the_cells_they_read_as_arguments_from_their_callers_too() -> None:
    total = define("f_sum", op(Int(0, 6), "add", cell(ONE), cell(OTHER)))
    more = define("f_more", op(BOOL, "gt", Call(Int(0, 6), "f_sum", ()), number(2)))
    module = kept(put(ONE, 2), put(OTHER, 1), copy(TRUTH, Call(BOOL, "f_more", ())), functions=(total, more))
    assert own(module) == {ONE.name, OTHER.name, TRUTH.name}
    params = {name: len(each.params) for name, each in module.functions.items()}
    assert params == {"f_sum": 2, "f_more": 2}
    assert not [part for each in module.functions.values() for node in each.body for value in st.expressions(node)
                for part in walk(value) if isinstance(part, Cell)]  # fmt: skip


def test_definitions_get_few_arguments() -> None:
    many = tuple(Group(f"cell {n}", 8 + n, 1, FEW) for n in range(MOST_ARGUMENTS + 1))
    total: Expr = cell(many[0])
    for group in many[1:]:
        total = op(COUNT, "add", total, cell(group))
    set_all = [put(group, 1) for group in many]
    ask = copy(TRUTH, op(BOOL, "gt", Call(COUNT, "f_sum", ()), number(2)))
    groups = (*GROUPS, *many)
    assert own(kept(*set_all, ask, functions=(define("f_sum", total),), groups=groups)) == {TRUTH.name}


PIECES = Set(PIECE_DOMAIN, 3)
BOX, HAND = (Group(name, 8 + n, 1, PIECES) for n, name in enumerate(("box", "hand")))
ZONES = [Zone(group.name, n, 1, "heap", group, None, None, None) for n, group in enumerate((BOX, HAND))]


@pytest.mark.parametrize("moves", [False, True])
def test_what_lies_in_zones_stays_in_the_state_where_pieces_are_moved(moves: bool) -> None:
    move = st.MoveSome(number(1), None, slot(ZONES[0]), slot(ZONES[1]), False, line(1))
    body = (*[move] * moves, copy(THOSE, cell(BOX)), put(ONE, 1), STOP)
    module = module_of((*GROUPS, BOX, HAND), body, zones=ZONES)
    cells_as_locals(module, PassRecords())
    assert module.cells["box"].own == (not moves) and module.cells["one"].own


def test_cells_that_anything_may_read_stay_in_the_state() -> None:
    """Whether the game is over may depend on any cell."""
    module = module_of(GROUPS, (put(ONE, 1), st.If(op(BOOL, "over"), (STOP,)), STOP))
    cells_as_locals(module, PassRecords())
    assert not any(group.own for group in module.cells.values())


@pytest.mark.parametrize("elsewhere", [False, True])
def test_results_of_chance_stay_in_the_state_where_functions_draw_too(elsewhere: bool) -> None:
    die = Group("die", 8, 1, FEW)
    roll = st.Draw(cell(die), FACES, "roll", "", line(1))
    other = Function("quiet rule", "quiet_roll", (), (st.Draw(cell(ONE), FACES, "roll", "", line(1)),) * elsewhere)
    module = module_of((*GROUPS, die), (roll, copy(OTHER, cell(die)), STOP))
    module.functions[other.name] = other
    cells_as_locals(module, PassRecords())
    assert module.cells["die"].own == (not elsewhere)


def test_a_block_to_return_to_is_kept_too() -> None:
    back = Group("back to", 8, 1, COUNT)
    module = module_of((*GROUPS, back), (st.Store(cell(back), number(1)), st.Goto(cell(back))), (STOP,))
    cells_as_locals(module, PassRecords())
    last = module.blocks[0].body[-1]
    assert isinstance(last, st.Goto) and isinstance(last.block, Cell) and last.block.group.own


@pytest.mark.parametrize("seed", range(40))
def test_runs_of_random_blocks_stay_the_same(seed: int) -> None:
    module, before = Maker(seed).module(), Maker(seed).module()
    cells_as_locals(module, PassRecords())
    assert verify(module) == []
    assert run(module, OPENING) == run(before, OPENING)


def test_records_and_switching_it_off() -> None:
    module, records = module_of(GROUPS, (put(ONE, 1), STOP)), PassRecords()
    cells_as_locals(module, records)
    (record,) = records.entries
    assert (record.name, record.subject, record.applied) == (NAME, COURSE_OF_PLAY, True)
    assert record.reason == f"{len(GROUPS)} of {len(GROUPS)}"
    game = load("nim")
    on, off = random_games(game.program), random_games(game.without(NAME).program)
    assert any(group.own for group in on.prepared.module.cells.values())
    assert not any(group.own for group in off.prepared.module.cells.values())
    assert not [each for each in off.records.entries if each.name == NAME]
