"""Whether places are joined: a search from some of them gives the same answer as all groups of joined places."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expression_text import expression_text
from interpreter.compiler.ir.expressions import TRUE, Check, Const, Data, Expr, Fold, Local, Loop, Op, both, number
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.ir.types import BOOL, COUNT, Seq
from interpreter.compiler.passes.places.joined_places import reaching
from interpreter.compiler.passes.record import PassRecords
from interpreter.runtime.graphs import Joining
from interpreter.runtime.graphs.paths import MAX_JOININGS
from tests.interpreter.grid_tables import BOARDS, Board, agreed, board, name_of
from tests.interpreter.single import passed


class Asked:
    """Conditions about groups on a board."""

    def __init__(self, given: Board) -> None:
        self.board, self.table, self.places = given, given.neighbours(), given.places
        self.those, self.one, self.other = (Local(given.places, name) for name in ("those", "one", "other"))
        self.group = Local(given.places, "g")
        self.module = Module(tables={"near": self.table})

    def touched(self, places: Expr) -> Expr:
        return some(Op(self.places, "both", (self.group, places)))

    def any(self, *conditions: Expr, over: Expr | None = None) -> Expr:
        groups = Op(Seq(self.places), "hanging", (Data(Seq(self.places), self.table), over or self.those))
        return Fold(BOOL, "any", (Loop(self.group, groups, both(list(conditions))),), TRUE)


def some(node: Expr) -> Expr:
    return Op(BOOL, "not", (Op(BOOL, "is_empty", (node,)),))


@pytest.mark.parametrize("given", BOARDS, ids=name_of)
def test_every_board(given: Board) -> None:
    asked = Asked(given)
    params = (asked.those, asked.one, asked.other)
    corner = Const(given.place, given.numbers[-1])
    for before in (
        asked.any(asked.touched(asked.one), asked.touched(asked.other)),
        asked.any(asked.touched(asked.one)),
        asked.any(asked.touched(asked.one), Op(BOOL, "has", (asked.group, corner))),
    ):
        after = passed(reaching, before, asked.module)
        assert "hanging" not in expression_text(after)
        random = Random(2)
        for density in (0.2, 0.4, 0.6, 0.8):
            for _ in range(6):
                those, one = given.some(random, density), given.some(random, 0.2)
                names = {"those": those, "one": one, "other": given.some(random, 0.2)}
                agreed(before, after, asked.module, names, params)


@pytest.mark.parametrize("given", BOARDS, ids=name_of)
def test_places_that_are_added_and_taken_away(given: Board) -> None:
    """What is known from before is no more than a help."""
    asked, random = Asked(given), Random(3)
    joining, one, other = Joining(asked.table.content), given.some(random, 0.3), given.some(random, 0.3)
    ends = [(one, other), (other, one), (given.whole, one)]
    those = 0
    for _ in range(150):
        changed = 1 << random.choice(given.numbers)
        those = those ^ changed if random.random() < 0.3 else those | changed
        if random.random() < 0.03:
            those = given.some(random, 0.5)
        start, end = random.choice(ends)
        fresh = Joining(asked.table.content).joined(those, start, end)
        assert joining.joined(those, start, end) == fresh


def test_what_is_kept_is_limited() -> None:
    given = board("grid", 8, 8)
    joining = Joining(given.neighbours().content)
    for place in range(3 * MAX_JOININGS):
        assert joining.joined(given.whole, 1 << place, 1 << 63)
    assert len(joining.reached) <= MAX_JOININGS


def refusals() -> list[tuple[str, Any]]:
    def large_groups(asked: Asked) -> Expr:
        large = Op(BOOL, "gt", (Op(COUNT, "size", (asked.group,)), number(3)))
        return asked.any(asked.touched(asked.one), large)

    def three_sets(asked: Asked) -> Expr:
        return asked.any(*[asked.touched(each) for each in (asked.one, asked.other, asked.those)])

    def every_group(asked: Asked) -> Expr:
        return asked.any()

    def a_fault(asked: Asked) -> Expr:
        sure = Check(asked.places, "subset", asked.one, (0, 1))
        return asked.any(asked.touched(sure), asked.touched(asked.other))

    return [(each.__name__, each) for each in (large_groups, three_sets, every_group, a_fault)]


@pytest.mark.parametrize(("_", "make"), refusals())
def test_what_prevents_it(_: str, make: Any) -> None:
    asked = Asked(board("grid", 4, 4))
    before = make(asked)
    assert passed(reaching, before, asked.module) == before


def records(asked: Asked, *conditions: Expr) -> list[tuple[bool, str]]:
    asked.module.functions["f"] = Function("define", "f", (), (st.Return(asked.any(*conditions)),), BOOL)
    found = PassRecords()
    reaching(asked.module, found)
    return [(each.applied, each.reason) for each in found.entries]


def test_what_it_says() -> None:
    asked = Asked(board("grid", 4, 4))
    large = Op(BOOL, "gt", (Op(COUNT, "size", (asked.group,)), number(3)))
    assert records(asked, asked.touched(asked.one), asked.touched(asked.other)) == [(True, "")]
    reason = "it tests more of a group than whether it has members in two sets"
    assert records(asked, asked.touched(asked.one), large) == [(False, reason)]
