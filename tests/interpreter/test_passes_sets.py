"""Conditions as sets: what is gone through is cut down at once, where nobody can notice."""

from __future__ import annotations

from random import Random

import pytest

from interpreter.compiler.ir.expression_text import expression_text
from interpreter.compiler.ir.expressions import (
    TRUE,
    Call,
    Check,
    Choice,
    Const,
    Counted,
    Expr,
    Fold,
    Let,
    Loop,
    Table,
    number,
)
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.ir.statements import Emit, For, If, Return
from interpreter.compiler.ir.types import BOOL, COUNT, Int, Opt, Seq, Set
from interpreter.compiler.ir.verifier import verify
from interpreter.compiler.passes.loops.conditions_as_sets import conditions_as_sets
from tests.interpreter.pass_outcomes import same_outcomes
from tests.interpreter.random_ir import Maker
from tests.interpreter.single import passed
from tests.interpreter.spots import (
    EVERY,
    FAILS,
    FILLED,
    GOAL,
    HERE_SPOT,
    MAN,
    NEAR,
    NEED,
    NUMBERS,
    ODD,
    OWNER,
    PARAMS,
    PIECE,
    PIECES,
    PILE,
    POSITION,
    ROW,
    SCORE,
    SEAT,
    SHUT_SET,
    SIDE,
    SPOT,
    SPOTS,
    E,
    K,
    N,
    P,
    S,
    X,
    Y,
    Z,
    agrees,
    both,
    cell,
    condition,
    either,
    has,
    kind,
    look,
    module,
    moves,
    no,
    op,
    text,
    those,
)

# ---------------------------------------------------------------- conditions that are sets


@pytest.mark.parametrize(
    "condition, found",
    [
        (has(SHUT_SET, X), "shut"),
        (no(has(SHUT_SET, X)), "{0..5} - shut"),
        (op("eq", X, HERE_SPOT), "{here}"),
        (no(op("eq", HERE_SPOT, X)), "{0..5} - {here}"),
        (op("eq", X, cell(GOAL)), "{goal}"),
        (look(ODD, X), "{1, 3, 5}"),
        (op("eq", look(ROW, X), number(2)), "{3, 4, 5}"),
        (op("lt", look(ROW, X), number(2)), "{0, 1, 2}"),
        (op("eq", look(ROW, X), E), "Hˑrow[e]"),
        (op("eq", P, look(SIDE, X)), "Hˑside[p]"),
        (op("eq", look(OWNER, X), P), "Hˑowner[p]"),
        (op("is_none", look(OWNER, X)), "{1}"),
        (has(Const(SPOTS, 0b11), look(SIDE, X)), "{0..5}"),
        (op("is_empty", cell(MAN, X)), "{0..5} - man filled"),
        (op("is_none", op("first", cell(MAN, X), type_=Opt(PIECE))), "{0..5} - man filled"),
        (kind(), "with_kind(10, man filled, k)"),
        (no(kind()), "{0..5} - with_kind(10, man filled, k)"),
        (both(has(SHUT_SET, X), kind()), "with_kind(10, shut & man filled, k)"),
        (either(has(SHUT_SET, X), op("eq", X, HERE_SPOT)), "shut | {here}"),
        (either(no(has(SHUT_SET, X)), has(S, X)), "{0..5} - (shut - s)"),
        (no(both(has(SHUT_SET, X), no(has(S, X)))), "{0..5} - (shut - s)"),
        (either(op("eq", E, number(1)), has(S, X)), "{0..5} if e = 1 else s"),
        (op("in_list", X, op("list", HERE_SPOT, cell(GOAL), type_=Seq(Opt(SPOT)))), "{here} | {goal}"),
        (Let(BOOL, Y, HERE_SPOT, op("eq", X, Y)), "let y_2: Spot = here in {y_2}"),
        (Let(BOOL, N, look(ROW, X), op("eq", N, number(2))), "{3, 4, 5}"),
        (op("eq", E, number(1)), "{0..5} if e = 1 else {}"),
        (op("eq", Check(Int(1, 2), "in_range", look(ROW, X), (1, 2)), number(2)), "{3, 4, 5}"),
        (has(Call(SPOTS, "f_safe", ()), X), "f_safe()"),
        (has(those(kind(Y), SHUT_SET, Y), X), "with_kind(10, shut & man filled, k)"),
    ],
)  # fmt: skip
def test_conditions_that_are_sets_in_the_member_cut_what_is_gone_through(condition: Expr, found: str) -> None:
    assert text(those(condition)) == found


@pytest.mark.parametrize(
    "condition",
    [
        op("gt", cell(SCORE, X), number(3)),  # each has its own
        has(look(NEAR, X), HERE_SPOT),
        Call(BOOL, "f_word", (X,)),
        op("eq", look(SIDE, X), Choice(Opt(SEAT), has(S, X), P, Const(Opt(SEAT), None))),
        op("is_empty", cell(MAN, op("sub", number(5), X, type_=COUNT))),  # another place
        op("is_empty", cell(PILE, X)),
        op("eq", look(OWNER, X), op("nth_member", E, Const(Set("Player", 2), 3), type_=Opt(SEAT))),  # both may be none
        has(Check(SPOTS, "subset", SHUT_SET, (1, 2)), X),  # there may be no member
        has(Call(SPOTS, "f_fails", ()), X),
        has(Counted(SPOTS, SHUT_SET, 1, None), X),
        either(has(SHUT_SET, X), FAILS),
        op("eq", Check(Int(1, 1), "in_range", look(ROW, X), (1, 1)), number(2)),
    ],
)
def test_other_conditions_are_tested_for_each_member(condition: Expr) -> None:
    before = those(condition, S)
    found = passed(conditions_as_sets, before, module())
    assert found == before


def test_a_zone_whose_index_is_not_the_position_of_the_place_has_filled_places_as_well() -> None:
    over = Const(NUMBERS, 0b1111100000)
    by_table = look(POSITION, N)
    shifted = op("add", N, number(-5), type_=COUNT)
    for index in (by_table, shifted):
        assert text(those(op("is_empty", cell(PILE, index)), over, N)) == "{5..9} - pile filled"
    lying = no(op("is_empty", op("both", cell(PILE, shifted), K, type_=PIECES)))
    assert text(those(lying, over, N)) == "with_kind(21, pile filled & {5..9}, k)"
    assert text(those(op("is_empty", cell(PILE, op("add", N, number(-4), type_=COUNT))), over, N)).startswith("set(")


def test_sets_of_pieces_of_which_equal_ones_count_once_are_cut_before() -> None:
    hand = cell(MAN, HERE_SPOT)
    loop = For((Loop(Z, op("distinct", hand, type_=Seq(PIECE))),), (If(has(K, Z), (Emit((Z,)),)),))
    assert moves(loop) == "for z_3: piece in distinct(man[here] & k):\n  emit move z_3()"


# ---------------------------------------------------------------- order


def left(*conditions: Expr, over: Expr = S) -> str:
    """What is left of a search, without the values that it finds."""
    found = passed(conditions_as_sets, those(both(*conditions), over), module())
    agrees(those(both(*conditions), over), found)
    return expression_text(found)


def test_conditions_move_past_those_that_cannot_fail() -> None:
    score = op("gt", cell(SCORE, X), number(3))
    assert left(score, has(SHUT_SET, X)) == "set(x_1 for x_1 in s & shut where score[x_1] > 3)"


def test_conditions_do_not_move_past_those_that_may_fail() -> None:
    assert left(FAILS, has(SHUT_SET, X)).endswith("where need(goal) = x_1 and x_1 in shut)")
    found = left(has(SHUT_SET, X), FAILS, look(ODD, X))
    assert found == "set(x_1 for x_1 in s & shut where need(goal) = x_1 and odd[x_1])"


def test_the_first_condition_may_fail_where_it_is_sure_to_be_tested() -> None:
    assert left(FAILS, over=EVERY) == "{need(goal)}"
    assert left(op("eq", NEED, HERE_SPOT), over=EVERY) == "{0..5} if need(goal) = here else {}"
    assert "where" in left(either(has(SHUT_SET, X), FAILS), over=EVERY)
    assert left(look(ODD, X), FAILS, over=EVERY) == "set(x_1 for x_1 in {1, 3, 5} where need(goal) = x_1)"
    assert left(FAILS, look(ODD, X), over=EVERY).endswith("{need(goal)} where odd[x_1])")


def test_what_is_gone_through_is_computed_even_if_nothing_in_it_can_hold() -> None:
    over = Check(SPOTS, "subset", SHUT_SET, (1, 2, 3))
    found = left(op("eq", E, number(1)), has(S, X), over=over)
    assert found == "set(x_1 for x_1 in subset(shut, {1, 2, 3}) & s where e = 1)"


def test_what_has_a_value_only_under_a_condition_is_not_computed_before_it() -> None:
    short, over = Table("short", (1, 2), Int(1, 2)), Check(SPOTS, "subset", SHUT_SET, (1, 2, 3))
    guard, needs_guard = op("lt", E, number(2)), op("eq", look(ROW, X), look(short, E))
    node = those(both(guard, needs_guard), over)
    assert passed(conditions_as_sets, node, module()) == node
    assert expression_text(passed(conditions_as_sets, those(both(guard, needs_guard), S), module())) == (
        "s & Hˑrow[short[e]] if e < 2 else {}"
    )


# ---------------------------------------------------------------- at random


@pytest.mark.parametrize("seed", range(60))
def test_random_expressions_have_the_same_values_and_faults(seed: int) -> None:
    random = Random(seed)
    maker = Maker(random, random.choice([4, 12]))
    for _ in range(8):
        tables = (*maker.tables.values(), maker.partial, maker.deep)
        mod = Module({}, {table.name: table for table in tables}, {g.name: g for g in maker.groups.values()})
        node = maker.make(random.choice(maker.kinds), random.randint(2, 5))
        found = passed(conditions_as_sets, node, mod)
        same_outcomes(maker, node, found)


@pytest.mark.parametrize("seed", range(40))
def test_random_conditions_hold_for_the_same_members(seed: int) -> None:
    random = Random(seed)
    for _ in range(12):
        where, over = condition(random, random.randint(0, 3)), random.choice([S, SHUT_SET, EVERY, cell(FILLED)])
        more = (Loop(Y, look(NEAR, X)),) if random.random() < 0.3 else ()
        word, type_, found = random.choice([
            ("set", SPOTS, X), ("any", BOOL, TRUE), ("count", COUNT, TRUE), ("first", Opt(SPOT), X),
            ("sum", COUNT, cell(SCORE, X)), ("max", COUNT, cell(SCORE, X)),
        ])  # fmt: skip
        node = Fold(type_, word, (Loop(X, over, where), *more), found)  # type: ignore[arg-type]
        mod = module()
        after = passed(conditions_as_sets, node, mod)
        agrees(node, after)
        mod.functions["f"] = Function("define", "f", PARAMS, (Return(after),), after.type)
        assert verify(mod) == []
