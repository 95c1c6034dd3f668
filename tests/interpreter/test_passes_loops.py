"""Loops that are not necessary, shorter, or gone through with fewer tests."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dsl import ast
from dsl.text.span import Source, Span
from interpreter.compiler.ir.expression_text import expression_text
from interpreter.compiler.ir.expressions import TRUE, Check, Const, Expr, Fold, Loop, number
from interpreter.compiler.ir.statements import Assign, Block, For, If, Return, Store
from interpreter.compiler.ir.types import BOOL, COUNT, Opt, Seq, Set
from interpreter.compiler.passes.loops.conditions_as_sets import conditions_as_sets
from tests.interpreter.single import passed
from tests.interpreter.spots import (
    DIGIT,
    EVERY,
    FAILS,
    HERE,
    HERE_SPOT,
    MOVE,
    NEAR,
    NEED,
    NUMBERS,
    ODD,
    OWNER,
    ROW,
    SCORE,
    SHUT,
    SHUT_SET,
    SIDE,
    SPOT,
    SPOTS,
    E,
    K,
    N,
    S,
    X,
    Y,
    Z,
    agrees,
    both,
    cell,
    has,
    kind,
    look,
    loop,
    module,
    moves,
    no,
    op,
    run,
    some,
    those,
)

# ---------------------------------------------------------------- folds without a loop


NEAR_SHUT = op("both", look(NEAR, X), SHUT_SET, type_=SPOTS)
HELD = Loop(X, S, has(SHUT_SET, X))


@pytest.mark.parametrize(
    "node, found",
    [
        (some(HELD), "not is_empty(s & shut)"),
        (no(some(HELD)), "is_empty(s & shut)"),
        (some(Loop(X, S), value=has(SHUT_SET, X)), "not is_empty(s & shut)"),
        (Fold(COUNT, "count", (HELD,), TRUE), "size(s & shut)"),
        (Fold(COUNT, "count", (Loop(X, S),), has(SHUT_SET, X)), "size(s & shut)"),
        (Fold(Opt(SPOT), "first", (HELD,), X), "first(s & shut)"),
        (Fold(Opt(SPOT), "highest", (HELD,), X), "last(s & shut)"),
        (Fold(COUNT, "sum", (HELD,), number(3)), "size(s & shut) * 3"),
        (Fold(COUNT, "sum", (HELD,), number(1)), "size(s & shut)"),
        (Fold(COUNT, "sum", (HELD,), E), "size(s & shut) * e"),
        (some(Loop(X, S), Loop(Y, NEAR_SHUT)), "not is_empty(s & (shift(shut, 1) & {1..5} | shift(shut, -1)))"),
        (some(Loop(X, S), Loop(Y, look(NEAR, X))), "not is_empty(s)"),
        (some(HELD, Loop(Y, look(NEAR, X), has(K, Z))),
         "any(x_1 in s & shut where not is_empty(near[x_1] if z_3 in k else {}))"),
        (some(Loop(X, S), Loop(Y, SHUT_SET)), "not is_empty(s if not is_empty(shut) else {})"),
        (Fold(COUNT, "count", (Loop(X, S), Loop(Y, look(NEAR, X), has(SHUT_SET, Y))), TRUE),
         "sum(size(near[x_1] & shut) for x_1 in s)"),
        (Fold(SPOTS, "set", (Loop(X, S), Loop(Y, NEAR_SHUT)), X), "s & (shift(shut, 1) & {1..5} | shift(shut, -1))"),
        (op("is_empty", Fold(SPOTS, "set", (Loop(X, S),), look(SIDE, X))), "is_empty(s)"),
        (op("size", those(op("gt", cell(SCORE, X), E), S), type_=COUNT), "count(x_1 in s where score[x_1] > e)"),
        (Fold(COUNT, "sum", (Loop(X, those(op("gt", cell(SCORE, Y), E), S, Y), has(SHUT_SET, X)),), cell(SCORE, X)),
         "sum(score[x_1] for x_1 in s & shut where score[x_1] > e)"),
        (Fold(COUNT, "count", (Loop(N, op("span", number(1), E, type_=Seq(DIGIT))),), TRUE), "length(span(1, e))"),
    ],
)  # fmt: skip
def test_folds_that_need_no_loop_have_none(node: Expr, found: str) -> None:
    mod = module()
    changed = passed(conditions_as_sets, node, mod)
    assert expression_text(changed) == found
    if "z_3" not in found:
        agrees(node, changed)


MAY_FAIL = those(op("eq", NEED, Y), S, Y)


@pytest.mark.parametrize(
    "node",
    [
        op("is_empty", MAY_FAIL),  # all of the set is looked at before it is known
        op("first", MAY_FAIL, type_=Opt(SPOT)),
        some(Loop(X, MAY_FAIL, op("gt", cell(SCORE, X), E))),
        Fold(COUNT, "sum", (Loop(X, S),), Check(COUNT, "in_range", E, (1, 2))),
        Fold(COUNT, "count", (Loop(X, S), Loop(Y, SHUT_SET)), Check(COUNT, "in_range", E, (1, 2))),
        Fold(SPOTS, "set", (Loop(X, S), Loop(Y, look(NEAR, X))), Y),
        op("is_empty", Fold(Set("Player", 2), "set", (Loop(X, S),), look(OWNER, X))),  # some have none
        Fold(SPOTS, "set", (Loop(X, op("list", HERE_SPOT, E, type_=Seq(SPOT))),), X),
    ],
)
def test_loops_stay_where_a_fault_or_a_value_would_be_lost(node: Expr) -> None:
    assert passed(conditions_as_sets, node, module()) == node


def test_what_is_filtered_by_what_may_fail_is_found_first() -> None:
    node = some(Loop(X, MAY_FAIL, kind()))
    found = passed(conditions_as_sets, node, module())
    assert "set(y_2 for y_2 in s where need(goal) = y_2)" in expression_text(found)
    agrees(node, found)


# ---------------------------------------------------------------- bounds


@pytest.mark.parametrize(
    "condition, found",
    [
        (op("le", N, E), "span(1, least(8, e))"),
        (op("lt", N, E), "span(1, least(8, e + -1))"),
        (op("ge", N, E), "span(greatest(1, e), 8)"),
        (op("lt", E, N), "span(greatest(1, e + 1), 8)"),
        (both(op("le", E, N), op("le", N, op("size", S, type_=COUNT))), "span(greatest(1, e), least(8, size(s)))"),
    ],
)
def test_numbers_are_gone_through_as_far_as_a_bound_allows(condition: Expr, found: str) -> None:
    for over in (Const(NUMBERS, 0b111111110), Const(Seq(DIGIT), tuple(range(1, 9)))):
        node = Fold(COUNT, "sum", (Loop(N, over, condition),), N)
        changed = passed(conditions_as_sets, node, module())
        assert expression_text(changed) == f"sum(n_4 for n_4 in {found})"
        agrees(node, changed)


def test_numbers_with_gaps_and_later_bounds_that_may_fail_are_tested() -> None:
    gaps = Fold(COUNT, "sum", (Loop(N, Const(NUMBERS, 0b1011), op("le", N, E)),), N)
    assert passed(conditions_as_sets, gaps, module()) == gaps
    need = look(ROW, NEED)
    two = Fold(COUNT, "sum", (Loop(N, Const(NUMBERS, 0b110), both(op("le", N, E), op("ge", N, need))),), N)
    shown = expression_text(passed(conditions_as_sets, two, module()))
    assert shown.endswith("span(1, least(2, e)) where n_4 >= row[need(goal)])")


# ---------------------------------------------------------------- statements


HAPPENED: Block = (Store(cell(HERE), X), Return(op("row", type_=BOOL)))


def test_conditions_at_the_start_of_a_loop_over_moves_belong_to_it() -> None:
    inner = If(op("gt", cell(SCORE, X), number(3)), (If(no(has(cell(SHUT), X)), (MOVE,)),))
    assert moves(loop(If(look(ODD, X), (inner,)), over=EVERY)) == (
        "for x_1: Spot in {1, 3, 5} - shut:\n  if score[x_1] > 3: emit move 0(x_1)"
    )


def test_conditions_behind_something_else_in_a_loop_stay() -> None:
    body = (Assign(Y, HERE_SPOT), If(look(ODD, X), (MOVE,)))
    for kept in (body, (If(look(ODD, X), (MOVE,), (MOVE,)),), (If(look(ODD, X), (MOVE,)), MOVE)):
        assert "odd[x_1]" in moves(loop(*kept))


def test_conditions_for_all_members_stand_before_the_loop() -> None:
    assert moves(loop(If(op("eq", HERE_SPOT, Const(SPOT, 2)), (MOVE,)))) == (
        "if here = 2:\n  for x_1: Spot in shut:\n    emit move 0(x_1)"
    )


def test_loops_that_change_something_keep_the_conditions_in_their_bodies() -> None:
    change = Store(cell(SHUT), Const(SPOTS, 3))
    assert "if odd[x_1]" in moves(loop(If(look(ODD, X), (change,))), kind="rule")
    found = moves(For((Loop(X, EVERY, look(ODD, X)),), (change,), True), kind="rule")
    assert found.startswith("for all listed x_1: Spot in {1, 3, 5}:")


def test_reactions_cut_their_loops_where_what_happens_ends_them() -> None:
    assert "in shut & {1, 3, 5}" in moves(loop(If(look(ODD, X), HAPPENED)), kind="when")
    assert "if odd[x_1]" in moves(loop(If(look(ODD, X), HAPPENED[:1])), kind="when")


def test_it_is_said_what_was_done_and_why_not() -> None:
    rules = Source("tiny.rules", "score[x] > 3 and here is in goal")
    first, second = (ast.Number(span=Span(rules, *ends), number=1, value=0) for ends in ((0, 12), (17, 32)))
    more = replace(op("gt", cell(SCORE, X), number(3)), source=first)
    goal = ast.Number(span=Span(rules, 28, 32), number=2, value=0)
    need = replace(FAILS, args=(replace(NEED, source=goal), X))
    done = run("moves", loop(If(look(ODD, X), (If(more, (If(replace(need, source=second), (MOVE,)),)),))))[1].entries
    assert [(entry.name, entry.subject, entry.applied) for entry in done] == [
        ("conditions as sets", "decision 0", True), ("conditions as sets", "decision 0", False),
        ("conditions as sets", "decision 0", False),
    ]  # fmt: skip
    assert [entry.reason for entry in done[1:]] == [
        "tested one by one, because `score[x] > 3` is not known for all values of `x` at once",
        "tested one by one, because `goal` may be none",
    ]
