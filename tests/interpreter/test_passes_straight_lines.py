"""Places that see others over straight lines: the same places as one by one, and what they enclose."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expression_text import expression_text
from interpreter.compiler.ir.expressions import (
    TRUE,
    Check,
    Const,
    Expr,
    Fold,
    Let,
    Local,
    Lookup,
    Loop,
    Op,
    Table,
    both,
)
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.ir.types import BOOL, Opt
from interpreter.compiler.passes.places.straight_lines import enclosing
from interpreter.compiler.passes.record import PassRecords
from tests.interpreter.grid_tables import BOARDS, Board, agreed, board, name_of
from tests.interpreter.single import passed

STRAIGHT = [
    each for each in BOARDS
    if each.grid.form != "ring" and not (each.grid.form != "track" and each.grid.columns == 2 and each.grid.rows > 1)
]  # fmt: skip


class Asked:
    """Conditions about lines on a board."""

    def __init__(self, given: Board) -> None:
        self.board, self.table = given, given.between()
        self.place, self.places = given.place, given.places
        self.c, self.x, self.y = (Local(given.place, name) for name in "cxy")
        self.ends, self.over, self.where = (Local(given.places, name) for name in ("ends", "over", "where"))
        self.module, self.params = Module(tables={"W": self.table}), (self.ends, self.over, self.where, self.c)

    def between(self, turned: bool = False) -> Lookup:
        keys = (self.x, self.c) if turned else (self.c, self.x)
        return Lookup(self.places, self.table, keys)

    def op(self, name: str, *args: Expr) -> Op:
        return Op(self.places, name, args)

    def all_over(self, turned: bool = False) -> list[Expr]:
        return [some(self.between(turned)), empty(self.op("minus", self.between(turned), self.over))]

    def seen(self, *conditions: Expr) -> Expr:
        where = both(list(conditions) or self.all_over())
        return Fold(BOOL, "any", (Loop(self.x, self.ends, where),), TRUE)

    def enclosed(self, *conditions: Expr) -> Expr:
        loops = (Loop(self.x, self.ends, both(list(conditions) or self.all_over())), Loop(self.y, self.between()))
        return Fold(self.places, "set", loops, self.y)

    def check(self, before: Expr) -> set[Any]:
        """Compare before and after on random sets and for all places."""
        after = passed(enclosing, before, self.module)
        random, found = Random(1), set()
        for density in (0.1, 0.3, 0.6, 0.9):
            ends, where = self.board.some(random, 0.3), self.board.some(random, 0.5)
            over = self.board.some(random, density)
            if random.random() < 0.5:
                over &= ~ends
            for place in self.board.numbers:
                values = {"ends": ends, "over": over, "where": where, "c": place}
                found.add(agreed(before, after, self.module, values, self.params))
        return found


def some(node: Expr) -> Expr:
    return Op(BOOL, "not", (empty(node),))


def empty(node: Expr) -> Expr:
    return Op(BOOL, "is_empty", (node,))


@pytest.mark.parametrize("given", BOARDS, ids=name_of)
def test_what_places_see(given: Board) -> None:
    asked = Asked(given)
    for before in (asked.seen(), asked.seen(*asked.all_over(turned=True))):
        asked.check(before)
        assert ("seen_over" in expression_text(passed(enclosing, before, asked.module))) == (given in STRAIGHT)


@pytest.mark.parametrize("given", BOARDS, ids=name_of)
def test_what_a_place_encloses(given: Board) -> None:
    asked = Asked(given)
    asked.check(asked.enclosed())
    after = expression_text(passed(enclosing, asked.enclosed(), asked.module))
    assert ("enclosed(" in after) == (given in STRAIGHT)


@pytest.mark.parametrize("given", BOARDS, ids=name_of)
def test_whether_any_place_sees(given: Board) -> None:
    asked = Asked(given)
    asked.c = Local(given.place, "place")
    loops = (Loop(asked.c, asked.where), Loop(asked.x, asked.ends, both(asked.all_over())))
    asked.check(Fold(BOOL, "any", loops, TRUE))


def test_other_words_for_the_same() -> None:
    asked = Asked(board("grid", 5, 5))
    passed_over = asked.between()
    nothing = Const(asked.places, 0)
    for conditions in (
        [some(passed_over), empty(asked.op("both", passed_over, asked.over))],
        [some(passed_over), Op(BOOL, "eq", (asked.op("both", passed_over, asked.over), passed_over))],
        [some(passed_over), Op(BOOL, "eq", (passed_over, asked.op("both", asked.over, passed_over)))],
        [Op(BOOL, "not", (Op(BOOL, "eq", (passed_over, nothing)),)), empty(asked.op("minus", passed_over, asked.over))],
        [Let(BOOL, Local(asked.places, "held"), asked.over, both([
            some(passed_over), empty(asked.op("minus", passed_over, Local(asked.places, "held"))),
        ]))],
        [*asked.all_over(), Op(BOOL, "has", (asked.where, asked.x))],
    ):  # fmt: skip
        before = asked.seen(*conditions)
        assert asked.check(before) == {True, False}
        assert "seen_over" in expression_text(passed(enclosing, before, asked.module))


def refusals() -> list[tuple[str, Any]]:
    def only_one_condition(asked: Asked) -> Expr:
        return asked.seen(asked.all_over()[1])

    def two_sets(asked: Asked) -> Expr:
        return asked.seen(*asked.all_over(), empty(asked.op("minus", asked.between(), asked.where)))

    def ends_of_the_place(asked: Asked) -> Expr:
        near = Lookup(asked.places, asked.table, (asked.c, Const(asked.place, 0)))
        return Fold(BOOL, "any", (Loop(asked.x, near, both(asked.all_over())),), TRUE)

    def ends_that_fail(asked: Asked) -> Expr:
        sure = Check(asked.places, "subset", asked.ends, (0, 1))
        return Fold(BOOL, "any", (Loop(asked.x, sure, both(asked.all_over())),), TRUE)

    def perhaps_no_place(asked: Asked) -> Expr:
        asked.c = Local(Opt(asked.place), "c")
        passed_over = Lookup(Opt(asked.places), asked.table, (asked.c, asked.x))
        return asked.seen(some(passed_over), empty(asked.op("minus", passed_over, asked.over)))

    def both_ends_the_same(asked: Asked) -> Expr:
        asked.c = asked.x
        return asked.seen()

    def another_line(asked: Asked) -> Expr:
        other = Lookup(asked.places, asked.table, (asked.x, Const(asked.place, 0)))
        return asked.seen(some(asked.between()), empty(asked.op("minus", other, asked.over)))

    found = [only_one_condition, two_sets, ends_of_the_place, ends_that_fail, perhaps_no_place]
    return [(each.__name__, each) for each in (*found, both_ends_the_same, another_line)]


@pytest.mark.parametrize(("_", "make"), refusals())
def test_what_prevents_it(_: str, make: Any) -> None:
    asked = Asked(board("grid", 5, 5))
    before = make(asked)
    assert passed(enclosing, before, asked.module) == before


def test_other_tables_of_sets() -> None:
    """A table need not be one of straight lines."""
    asked = Asked(board("grid", 4, 4))
    rows = tuple({**row, **({15: 0b110} if place == 0 else {})} for place, row in enumerate(asked.table.content))
    asked.table = Table("W", rows, asked.places, True, 0)
    asked.module = Module(tables={"W": asked.table})
    assert passed(enclosing, asked.seen(), asked.module) == asked.seen()


def records(given: Board) -> list[tuple[bool, str]]:
    asked = Asked(given)
    params = (asked.ends, asked.over, asked.c)
    asked.module.functions["f"] = Function("define", "f", params, (st.Return(asked.seen()),), BOOL)
    found = PassRecords()
    enclosing(asked.module, found)
    return [(each.applied, each.reason) for each in found.entries]


def test_what_it_says() -> None:
    assert records(board("grid", 8, 8)) == [(True, "")]
    assert records(board("ring", 8)) == [(False, "lines of this board bend or form loops")]
