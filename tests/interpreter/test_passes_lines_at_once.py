"""Whether a set holds a line: found by moving the set, or by a table of small sets, with the same answer."""

from __future__ import annotations

from random import Random

import pytest

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expression_text import expression_text
from interpreter.compiler.ir.expressions import TRUE, Data, Expr, Fold, Local, Loop, Op, Table
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.ir.types import BOOL, Seq, Set
from interpreter.compiler.passes.places.lines_at_once import MAX_SHAPES, SMALL, lines_at_once, shapes_of
from interpreter.compiler.passes.record import PassRecords
from tests.interpreter.grid_tables import BOARDS, Board, agreed, board, name_of
from tests.interpreter.single import passed


def held(table: Table, those: Expr) -> Expr:
    lines = Op(table.type, "lines_in", (Data(table.type, table), those))
    return Op(BOOL, "not", (Op(BOOL, "is_empty", (lines,)),))


def some_line(table: Table, those: Expr) -> Expr:
    lines = Op(table.type, "lines_in", (Data(table.type, table), those))
    return Fold(BOOL, "any", (Loop(Local(those.type, "l"), lines),), TRUE)


def module_of(*tables: Table) -> Module:
    return Module(tables={table.name: table for table in tables})


@pytest.mark.parametrize("given", BOARDS, ids=name_of)
@pytest.mark.parametrize("length", [1, 2, 3, 4, 5, 7])
def test_every_board(given: Board, length: int) -> None:
    random, table, those = Random(length), given.lines(length), Local(given.places, "those")
    answers = set()
    for before in (held(table, those), some_line(table, those), Op(BOOL, "not", (held(table, those),))):
        module = module_of(table)
        after = passed(lines_at_once, before, module)
        for density in (0.2, 0.5, 0.6, 0.8, 0.9, 1.0):
            for _ in range(4):
                names = {"those": given.some(random, density)}
                answers.add(agreed(before, after, module, names, (those,)))
    assert answers == {True, False} or not table.content or length == 1 or len(given.grid) == length


def test_only_lines_of_the_board_count() -> None:
    """Four in a row do not go on at the other rim."""
    given = board("grid", 7, 6)
    table, those = given.lines(4), Local(given.places, "those")
    module = module_of(table)
    before = held(table, those)
    after = passed(lines_at_once, before, module)
    for start in range(given.width - 3):
        for step in (1, 6, 7, 8):
            row = sum(1 << start + step * place for place in range(4)) & given.whole
            agreed(before, after, module, {"those": row}, (those,))


def test_how_it_is_found() -> None:
    given = board("grid", 7, 6)
    table, those = given.lines(4), Local(given.places, "those")
    after = passed(lines_at_once, held(table, those), module_of(table))
    shown = expression_text(after)
    assert shown.count("shift(") == 8 and "lines_in" not in shown
    assert len(shapes_of(table.content)) == 4


def test_small_sets_are_looked_up() -> None:
    given = board("grid", 3, 4)
    assert given.width == SMALL
    table, those = given.lines(3), Local(given.places, "those")
    module = module_of(table)
    after = passed(lines_at_once, held(table, those), module)
    assert expression_text(after) == "heldˑL[those]"
    (known,) = [found for name, found in module.tables.items() if name != "L"]
    assert len(known.content) == 1 << SMALL


def test_no_lines_at_all() -> None:
    given = board("grid", 4, 4)
    table, those = given.lines(5), Local(given.places, "those")
    assert expression_text(passed(lines_at_once, held(table, those), module_of(table))) == "false"


def records(table: Table, those: Expr) -> list[tuple[bool, str]]:
    function = Function("define", "f", (), (st.Return(held(table, those)),), BOOL)
    module = module_of(table)
    module.functions["f"] = function
    found = PassRecords()
    lines_at_once(module, found)
    return [(each.applied, each.reason) for each in found.entries]


def test_what_it_says() -> None:
    big, small = board("grid", 7, 6), board("grid", 3, 3)
    assert records(big.lines(4), Local(big.places, "those")) == [(True, "shifts")]
    assert records(small.lines(3), Local(small.places, "those")) == [(True, "a table of all sets")]


def test_too_many_shapes() -> None:
    """Lines that are no moved copies of each other are looked for one by one."""
    places = Set("Cell", 40)
    lines = tuple(1 | 1 << 2 * place | 1 << 30 + place % 7 for place in range(1, MAX_SHAPES + 2))
    table, those = Table("L", lines, Seq(places)), Local(places, "those")
    before = held(table, those)
    assert passed(lines_at_once, before, module_of(table)) == before
    assert records(table, those) == [(False, "the lines have too many shapes")]


def test_shapes_that_are_no_rows() -> None:
    places = Set("Cell", 40)
    shape = 0b10011
    table = Table("L", tuple(shape << start for start in (0, 1, 2, 5, 6, 7, 20, 35)), Seq(places))
    those = Local(places, "those")
    module, before = module_of(table), held(table, those)
    after = passed(lines_at_once, before, module)
    assert "lines_in" not in expression_text(after)
    for start in range(36):
        agreed(before, after, module, {"those": shape << start}, (those,))
        agreed(before, after, module, {"those": shape << start & ~(1 << start)}, (those,))
