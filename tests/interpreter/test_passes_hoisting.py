"""What is computed again and again is computed once, and nothing that may fail is computed where it was not."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from interpreter.compiler.ir.expression_text import expression_text
from interpreter.compiler.ir.expressions import (
    Call,
    Cell,
    Check,
    Choice,
    Const,
    Counted,
    Expr,
    Fold,
    Local,
    Loop,
    Table,
    number,
)
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.ir.printing import block_text
from interpreter.compiler.ir.statements import Block, Emit, For, If, Return, Store
from interpreter.compiler.ir.types import COUNT
from interpreter.compiler.ir.verifier import verify
from interpreter.compiler.passes.loops.conditions_as_sets import conditions_as_sets
from interpreter.compiler.passes.loops.hoisting import expression_hoisted, hoisting
from interpreter.compiler.passes.record import PassRecords
from tests.interpreter.inside_out import in_block
from tests.interpreter.pass_outcomes import problems, same_outcomes
from tests.interpreter.random_ir import Maker
from tests.interpreter.spots import (
    EVERY,
    FAILS,
    FILLED,
    GOAL,
    HERE_SPOT,
    MAN,
    MOVE,
    NEAR,
    NEED,
    SCORE,
    SHUT,
    SHUT_SET,
    SPOT,
    SPOTS,
    E,
    K,
    S,
    X,
    Y,
    agrees,
    both,
    cell,
    condition,
    either,
    has,
    look,
    loop,
    module,
    no,
    op,
    run,
    same_moves,
    some,
    those,
)

MINE = op("with_kind", number(10), cell(FILLED), K, type_=SPOTS)
ASKED = Call(SPOTS, "f_safe", ())
FAILING = Call(SPOTS, "f_fails", ())
HIGH = op("gt", cell(SCORE, X), E)
FEW = Const(SPOTS, 0b101)


def hoisted(*body: Any, kind: Any = "define") -> str:
    """The text of a function after the pass."""
    return block_text(run(kind, *body, by=hoisting)[0])


def value_of(node: Expr) -> str:
    """The text of an expression after the pass."""
    found = expression_hoisted(node, module())
    agrees(node, found)
    return re.sub(r"ˑ(\d+): [^=]*=", r"ˑ\1 =", expression_text(found))


# ---------------------------------------------------------------- loops


def test_what_does_not_depend_on_the_member_is_computed_before_the_search() -> None:
    assert value_of(those(both(HIGH, has(MINE, X)), S)) == (
        "let heldˑ1 = with_kind(10, man filled, k) in set(x_1 for x_1 in s where score[x_1] > e and x_1 in heldˑ1)"
    )


def test_what_is_gone_through_is_computed_once_anyway() -> None:
    for node in (those(HIGH, MINE), those(HIGH, op("both", MINE, S, type_=SPOTS))):
        assert expression_hoisted(node, module()) == node


def test_what_depends_on_the_member_stays_in_the_search() -> None:
    inner = some(Loop(Y, S, op("eq", cell(SCORE, Y), cell(SCORE, X))))
    assert expression_hoisted(those(inner, S), module()) == those(inner, S)


def test_searches_in_searches_are_moved_as_far_out_as_possible() -> None:
    inner = some(Loop(Y, S, both(op("lt", cell(SCORE, Y), cell(SCORE, X)), has(MINE, Y))))
    assert value_of(those(inner, S)).startswith("let heldˑ1 = with_kind(10, man filled, k) in set(x_1 for x_1 in s")
    around = op("with_kind", number(10), look(NEAR, X), K, type_=SPOTS)
    other = some(Loop(Y, S, both(op("lt", cell(SCORE, Y), E), has(around, Y))))
    assert "> e and (let heldˑ1 = with_kind(10, near[x_1], k) in any(" in value_of(those(both(HIGH, other), S))


def test_cheap_expressions_are_not_worth_it() -> None:
    node = those(both(HIGH, has(op("both", SHUT_SET, S, type_=SPOTS), X)), S)
    assert expression_hoisted(node, module()) == node
    dear = op("both", op("both", SHUT_SET, S, type_=SPOTS), look(NEAR, HERE_SPOT), type_=SPOTS)
    assert value_of(those(both(HIGH, has(dear, X)), S)).startswith("let heldˑ1 = shut & s & near[here] in set(")


def test_neighbouring_conditions_move_together_and_are_computed_only_as_far_as_necessary() -> None:
    node = those(either(op("eq", E, number(1)), op("is_empty", ASKED), HIGH), S)
    assert value_of(node).startswith("let heldˑ1 = e = 1 or is_empty(f_safe()) in set(")


@pytest.mark.parametrize(
    "condition",
    [
        has(FAILING, X),
        has(Check(SPOTS, "subset", op("both", MINE, S, type_=SPOTS), (1, 2)), X),
        has(Counted(SPOTS, op("both", ASKED, S, type_=SPOTS), 1, None), X),
    ],
)
def test_what_may_fail_or_is_counted_stays_where_it_is(condition: Expr) -> None:
    shown = expression_text(expression_hoisted(those(both(HIGH, condition), S), module()))
    assert ("subset" in shown or "counted" in shown or "f_fails" in shown) and " > e and x_1 in " in shown


def test_it_is_said_why_something_is_computed_again() -> None:
    body = loop(If(HIGH, (If(has(FAILING, X), (MOVE,)),)))
    (entry,) = run("moves", body, by=hoisting)[1].entries
    assert (entry.name, entry.applied) == ("hoisting", False)
    assert entry.reason == "this is computed again for each member, because it may end the game in a fault"


def test_what_is_multiplied_stays_where_it_is_checked() -> None:
    size = op("size", MINE, type_=COUNT)
    checked = Check(COUNT, "product", op("mul", size, E, type_=COUNT), ())
    shown = expression_text(expression_hoisted(Fold(COUNT, "sum", (Loop(X, S),), checked), module()))
    assert shown.endswith("= size(with_kind(10, man filled, k)) in sum(product(heldˑ1 * e) for x_1 in s)")


def test_what_has_a_value_only_under_a_condition_stays_under_it() -> None:
    short = Table("short", (1, 2), SPOT)
    goal = Cell(SPOT, GOAL, number(0))
    for guarded_ in (look(NEAR, look(short, E)), look(NEAR, goal)):
        wanted = op("both", op("both", guarded_, S, type_=SPOTS), SHUT_SET, type_=SPOTS)
        node = those(both(HIGH, has(wanted, X)), S)
        assert expression_hoisted(node, module()) == node


# ---------------------------------------------------------------- the same more than once


def test_what_is_sure_to_be_computed_and_comes_again_is_held() -> None:
    left, right = op("both", MINE, S, type_=SPOTS), op("minus", SHUT_SET, MINE, type_=SPOTS)
    assert value_of(op("minus", left, right, type_=SPOTS)) == (
        "let onceˑ1 = with_kind(10, man filled, k) in (onceˑ1 & s) - (shut - onceˑ1)"
    )


def test_what_differs_only_in_the_names_of_members_is_the_same() -> None:
    one, other = those(HIGH, S), those(op("gt", cell(SCORE, Y), E), S, Y)
    both_of_them = op("both", op("union", one, S, type_=SPOTS), other, type_=SPOTS)
    assert value_of(op("minus", SHUT_SET, both_of_them, type_=SPOTS)) == (
        "let onceˑ1 = set(y_2 for y_2 in s where score[y_2] > e) in shut - ((onceˑ1 | s) & onceˑ1)"
    )


def test_the_larger_of_two_is_held_if_the_smaller_is_only_part_of_it() -> None:
    large = those(both(HIGH, has(MINE, X)), MINE)
    shown = value_of(op("minus", large, op("both", S, large, type_=SPOTS), type_=SPOTS))
    assert shown.startswith("let onceˑ1 =") and shown.count("set(") == 1 and shown.count("with_kind") == 1


def test_what_may_not_be_computed_at_all_is_not_held_above_the_condition() -> None:
    node = both(op("eq", E, number(1)), has(MINE, HERE_SPOT))
    twice = either(node, both(op("eq", E, number(2)), no(has(MINE, HERE_SPOT))))
    assert expression_hoisted(twice, module()) == twice
    inside = both(op("eq", E, number(1)), op("eq", op("both", MINE, S, type_=SPOTS), MINE))
    assert value_of(inside) == "e = 1 and (let onceˑ1 = with_kind(10, man filled, k) in onceˑ1 & s = onceˑ1)"


def test_both_ways_of_a_choice_are_sure() -> None:
    node = Choice(SPOTS, op("eq", E, number(1)), MINE, op("both", MINE, S, type_=SPOTS))
    assert value_of(node) == "let onceˑ1 = with_kind(10, man filled, k) in onceˑ1 if e = 1 else onceˑ1 & s"


# ---------------------------------------------------------------- statements


def test_statements_hold_what_later_ones_compute_again() -> None:
    body = If(op("is_empty", MINE), (Return(Const(SPOTS, 0)),)), Return(op("both", MINE, S, type_=SPOTS))
    assert hoisted(*body) == (
        "onceˑ1: Set(Spot:6) = with_kind(10, man filled, k)\nif is_empty(onceˑ1): return {}\nreturn onceˑ1 & s"
    )
    late = If(op("eq", E, number(1)), (Return(MINE),)), Return(op("both", MINE, S, type_=SPOTS))
    assert "once" not in hoisted(*late)


def test_loops_over_moves_hold_what_does_not_depend_on_them() -> None:
    wanted = op("with_kind", number(10), cell(FILLED), cell(MAN, HERE_SPOT), type_=SPOTS)
    inner = For((Loop(Y, look(NEAR, X)),), (If(has(wanted, Y), (Emit((number(0), X, Y)),)),))
    body = (For((Loop(X, wanted),), (inner,)),)
    after, records = run("moves", *body, by=hoisting)
    assert block_text(after) == (
        "onceˑ1: Set(Spot:6) = with_kind(10, man filled, man[here])\nfor x_1: Spot in onceˑ1:\n"
        "  for y_2: Spot in near[x_1]:\n    if y_2 in onceˑ1: emit move 0(x_1, y_2)"
    )
    same_moves(body, after)
    assert {(entry.name, entry.applied) for entry in records.entries} == {("hoisting", True)}


def inner_loop(*tests: Expr, over: Expr = FEW) -> Any:
    body: Any = Emit((number(0), X, Y))
    for test in reversed(tests):
        body = If(test, (body,))
    return For((Loop(Y, over),), (body,))


def test_inner_loops_that_do_not_depend_on_outer_ones_are_listed_before() -> None:
    own = op("gt", cell(SCORE, Y), number(3))
    between = op("lt", cell(SCORE, X), cell(SCORE, Y))
    body = (loop(If(op("gt", cell(SCORE, X), number(2)), (inner_loop(own, between),))),)
    after, _ = run("moves", *body, by=hoisting)
    assert block_text(after).splitlines() == [
        "allˑ2: Seq(Spot) = list(y_2ˑ1 for y_2ˑ1 in {0, 2} where score[y_2ˑ1] > 3)",
        "if not is_empty(allˑ2):",
        "  for x_1: Spot in shut:",
        "    if score[x_1] > 2:",
        "      for y_2: Spot in allˑ2:",
        "        if score[x_1] < score[y_2]: emit move 0(x_1, y_2)",
    ]
    same_moves(body, after)


def test_loops_are_begun_all_the_same_where_something_in_them_may_fail() -> None:
    own = op("gt", cell(SCORE, Y), number(3))
    body = (loop(If(FAILS, (inner_loop(own),))),)
    after, _ = run("moves", *body, by=hoisting)
    assert block_text(after).startswith("allˑ2: Seq(Spot) = list(") and "is_empty" not in block_text(after)
    same_moves(body, after)


@pytest.mark.parametrize(
    "inner",
    [
        inner_loop(op("eq", NEED, Y)),
        inner_loop(op("eq", NEED, Y), op("gt", cell(SCORE, Y), number(3))),
        inner_loop(op("lt", cell(SCORE, X), cell(SCORE, Y))),
        inner_loop(op("gt", cell(SCORE, Y), number(3)), over=look(NEAR, X)),
        inner_loop(),
    ],
)
def test_inner_loops_that_may_fail_or_depend_on_others_are_not_listed(inner: Any) -> None:
    body = (loop(inner),)
    assert run("moves", *body, by=hoisting)[0] == body


def test_rules_that_change_something_stay_as_they_are() -> None:
    body = (loop(Store(cell(SHUT), op("both", MINE, MINE, type_=SPOTS))),)
    assert run("rule", *body, by=hoisting)[0] == body


def test_in_rules_only_the_loops_inside_an_expression_share_a_value() -> None:
    searching = those(both(HIGH, has(MINE, X)), S)
    text = hoisted(loop(Store(cell(SHUT), searching)), kind="rule")
    assert text.startswith("for x_1: Spot in shut:\n  store shut := let held")
    assert "= with_kind(10, man filled, k) in set(x_1 for x_1 in s where score[x_1] > e and x_1 in held" in text


# ---------------------------------------------------------------- at random


@pytest.mark.parametrize("seed", range(40))
def test_random_expressions_have_the_same_values_and_faults(seed: int) -> None:
    random = Random(seed)
    maker = Maker(random, random.choice([4, 12]))
    tables = (*maker.tables.values(), maker.partial, maker.deep)
    mod = Module({}, {table.name: table for table in tables}, {group.name: group for group in maker.groups.values()})
    for _ in range(8):
        node = maker.make(random.choice(maker.kinds), random.randint(2, 6))
        found = expression_hoisted(node, mod)
        same_outcomes(maker, node, found)
        assert len(problems(maker, found)) <= len(problems(maker, node))


def random_body(random: Random, outer: list[Local], depth: int) -> Block:
    """Loops and conditions in one another, with moves."""
    fresh = Local(SPOT, f"x_{random.randrange(10, 10**9)}")
    spot = random.choice([*outer, fresh])
    over = random.choice([SHUT_SET, EVERY, cell(FILLED), *[look(NEAR, one) for one in outer]])
    inner: Block = (Emit((number(0), *outer, fresh)),)
    if depth:
        inner = random_body(random, [*outer, fresh], depth - 1)
    for _ in range(random.randrange(3)):
        test = in_block((If(condition(random, 2), inner),), lambda node: spot if node == X else node)
        inner = (*test, *random_body(random, outer, depth - 1)) if depth and random.random() < 0.2 else test
    return (For((Loop(fresh, over),), inner),)


@pytest.mark.parametrize("seed", range(60))
def test_random_moves_are_the_same(seed: int) -> None:
    random = Random(seed)
    body = random_body(random, [], random.randrange(3))
    mod, records = module(Function("moves", "m", (), body)), PassRecords()
    for each in (conditions_as_sets, hoisting):
        each(mod, records)
        assert [problem for problem in verify(mod) if "is not defined here" not in problem] == []
        same_moves(body, mod.functions["m"].body)
