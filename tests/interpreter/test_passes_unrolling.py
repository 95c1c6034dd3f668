"""Small fixed sets are not gone through: the same is computed for each member, in the same order."""

from __future__ import annotations

from random import Random

import pytest

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import (
    FALSE,
    TRUE,
    Cell,
    Check,
    Choice,
    Const,
    Expr,
    Fold,
    Let,
    Local,
    Logic,
    Lookup,
    Loop,
    Op,
    children,
    number,
)
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.ir.types import BOOL, COUNT, Int, Opt, Seq, Set
from interpreter.compiler.passes.loops.unrolling import COPIES, MAX_UNROLLED_VALUES, unroll
from interpreter.compiler.passes.record import PassRecords
from interpreter.compiler.passes.simplifying.folding import folded
from tests.interpreter.inside_out import bottom_up
from tests.interpreter.pass_outcomes import bound_names, problems, same_outcomes
from tests.interpreter.random_ir import Maker
from tests.interpreter.single import passed
from tests.interpreter.tiny_module import (
    FIELD,
    MAN,
    NUMBERS,
    PIECES,
    PLACE,
    PLAYER,
    PLAYERS,
    POINTS,
    C,
    P,
    T,
    X,
    cell,
    op,
)
from tests.support.long_run import one_in

BOTH = Const(PLAYERS, 0b11)
RED, BLUE = Const(PLAYER, 0), Const(PLAYER, 1)
FEW, MANY = Const(NUMBERS, (1 << MAX_UNROLLED_VALUES) - 1), Const(NUMBERS, (1 << MAX_UNROLLED_VALUES + 1) - 1)


def has(index: Expr) -> Expr:
    return op(BOOL, "has", cell(FIELD, index), C)


def fold(word: str, value: Expr, *loops: Loop) -> Fold:
    return Fold(BOOL if word == "any" else COUNT, word, loops, value)  # type: ignore[arg-type]


def to_int(condition: Expr) -> Op:
    return op(COUNT, "to_int", condition)


def add(one: Expr, other: Expr) -> Op:
    return op(COUNT, "add", one, other)


def either(*parts: Expr) -> Logic:
    return Logic(BOOL, "or", parts)


def both(*parts: Expr) -> Logic:
    return Logic(BOOL, "and", parts)


LINES = Const(Seq(PLACE), (3, 1))
ODD = op(BOOL, "over")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (fold("any", TRUE, Loop(P, BOTH, has(P))), either(has(RED), has(BLUE))),
        (fold("any", has(P), Loop(P, BOTH, ODD)), either(both(ODD, has(RED)), both(ODD, has(BLUE)))),
        (fold("any", has(T), Loop(T, LINES)), either(has(Const(PLACE, 3)), has(Const(PLACE, 1)))),
        (fold("any", has(P), Loop(P, Const(PLAYERS, 0b10))), has(BLUE)),
        (fold("count", TRUE, Loop(P, BOTH, has(P))), add(to_int(has(RED)), to_int(has(BLUE)))),
        (fold("count", has(P), Loop(P, BOTH, ODD)),
         add(to_int(both(ODD, has(RED))), to_int(both(ODD, has(BLUE))))),
        (fold("sum", cell(POINTS, P), Loop(P, BOTH)), add(cell(POINTS, RED), cell(POINTS, BLUE))),
        (fold("sum", cell(POINTS, P), Loop(P, BOTH, has(P))),
         add(*[Choice(COUNT, has(each), cell(POINTS, each), number(0)) for each in (RED, BLUE)])),
        (fold("max", cell(POINTS, P), Loop(P, BOTH)), op(COUNT, "greatest", cell(POINTS, RED), cell(POINTS, BLUE))),
        (fold("min", cell(POINTS, P), Loop(P, BOTH)), op(COUNT, "least", cell(POINTS, RED), cell(POINTS, BLUE))),
        (fold("min", cell(POINTS, P), Loop(P, Const(PLAYERS, 0b10))), cell(POINTS, BLUE)),
        (fold("max", cell(POINTS, P), Loop(P, Const(PLAYERS, 0))), number(0)),
        (fold("any", op(BOOL, "eq", T, X), Loop(X, op(Seq(COUNT), "span", number(-1), number(0)))),
         either(op(BOOL, "eq", T, number(-1)), op(BOOL, "eq", T, number(0)))),
        (fold("any", has(X), Loop(X, op(Seq(PLACE), "list", T, Const(PLACE, 2)))),
         either(has(T), has(Const(PLACE, 2)))),
    ],
)  # fmt: skip
def test_each_member_has_a_part_of_its_own(before: Expr, after: Expr) -> None:
    assert passed(unroll, before) == after


def test_what_becomes_known_is_folded() -> None:
    men = op(COUNT, "size", Lookup(PIECES, MAN, (P,)))
    assert passed(unroll, fold("sum", men, Loop(P, BOTH))) == number(4)
    assert passed(unroll, fold("any", op(BOOL, "eq", P, RED), Loop(P, BOTH))) == TRUE


def test_parts_that_may_fail_are_reached_as_before() -> None:
    failing = Check(BOOL, "need", Cell(Opt(BOOL), POINTS, P), ())
    found = passed(unroll, fold("any", failing, Loop(P, BOTH, has(P))))
    parts = [Check(BOOL, "need", Cell(Opt(BOOL), POINTS, each), ()) for each in (RED, BLUE)]
    assert found == either(both(has(RED), parts[0]), both(has(BLUE), parts[1]))


def test_nested_loops_are_unrolled_from_the_outside() -> None:
    inner = fold("any", op(BOOL, "eq", X, P), Loop(X, Const(NUMBERS, 0b101)))
    assert passed(unroll, fold("any", inner, Loop(P, BOTH))) == TRUE
    several = fold("count", op(BOOL, "has", cell(FIELD, P), X), Loop(P, BOTH, ODD), Loop(X, Const(NUMBERS, 0b101)))
    found = passed(unroll, several)
    one = op(BOOL, "has", cell(FIELD, RED), number(2))
    assert not bound_names(found) and any(node == to_int(one) for node in _walk(found))


def test_names_bound_inside_are_new_for_each_copy() -> None:
    inner = fold("sum", cell(POINTS, P), Loop(C, cell(FIELD, P)))
    names = bound_names(passed(unroll, op(COUNT, "add", fold("sum", inner, Loop(P, BOTH)), inner)))
    assert len(names) == 3 and len(set(names)) == 3
    named = Let(COUNT, X, cell(POINTS, P), add(X, X))
    names = bound_names(passed(unroll, fold("sum", named, Loop(P, BOTH))))
    assert len(names) == 2 and len(set(names)) == 2


STAYS = {
    "more members": fold("any", has(X), Loop(X, MANY)),
    "what is known only in play": fold("any", has(P), Loop(P, cell(POINTS))),
    "pieces in order": fold("any", has(P), Loop(C, op(Seq(PLACE), "contents", T))),
    "a long list": fold("any", has(X), Loop(X, op(Seq(COUNT), "span", number(0), number(MAX_UNROLLED_VALUES)))),
    "a list of what is computed": fold("any", has(X), Loop(X, op(Seq(COUNT), "list", add(X, X)))),
    "the highest of some": fold("max", cell(POINTS, P), Loop(P, BOTH, has(P))),
    "the highest of several": fold("max", cell(POINTS, P), Loop(P, BOTH), Loop(X, Const(NUMBERS, 3))),
    "a loop that is not fixed": fold("any", has(P), Loop(P, BOTH), Loop(C, cell(FIELD, P))),
    "a set": Fold(PIECES, "set", (Loop(P, BOTH),), cell(POINTS, P)),
    "the first": Fold(Opt(PLAYER), "first", (Loop(P, BOTH, has(P)),), P),
}


@pytest.mark.parametrize("name", STAYS)
def test_other_loops_stay(name: str) -> None:
    assert passed(unroll, STAYS[name]) is STAYS[name]


def test_there_is_a_limit_to_copies_of_copies() -> None:
    names = [Local(Int(0, 5), f"n{place}") for place in range(4)]
    node: Expr = Op(BOOL, "in_list", (op(Seq(COUNT), "list", *names), cell(POINTS)))
    for name in names:
        node = fold("any", node, Loop(name, FEW))
    found = passed(unroll, node)
    assert len(bound_names(found)) == COPIES == sum(isinstance(each, Fold) for each in _walk(found))
    several = fold("any", node, *[Loop(Local(Int(0, 5), f"m{place}"), FEW) for place in range(4)])
    assert isinstance(passed(unroll, several), Fold)


def test_all_functions_of_a_module_are_gone_through() -> None:
    condition = fold("any", TRUE, Loop(P, BOTH, has(P)))
    rule = Function("rule", "r", (C,), (st.If(condition, (st.Store(cell(POINTS), number(1)),)),))
    plain = Function("define", "f", (C,), (st.Return(has(P)),), BOOL)
    records = PassRecords()
    unroll(Module({"r": rule, "f": plain}), records)
    assert rule.body == (st.If(either(has(RED), has(BLUE)), (st.Store(cell(POINTS), number(1)),)),)
    assert [(record.name, record.subject, record.applied) for record in records.entries] == [
        ("unrolling", "rule r", True)
    ]


@pytest.mark.parametrize("seed", one_in(3, range(120)))
def test_expressions_keep_their_values_and_faults(seed: int) -> None:
    random = Random(seed)
    maker = Maker(random, 3)
    for _ in range(15):
        node = _over_constants(maker, maker.make(random.choice(maker.kinds), random.randint(2, 4)))
        for before in (node, folded(node)):
            after = passed(unroll, before)
            same_outcomes(maker, before, after)
            if not problems(maker, before):
                assert problems(maker, after) == []
            assert len(bound_names(after)) == len(set(bound_names(after)))


def _over_constants(maker: Maker, node: Expr) -> Expr:
    """The expression with constants in place of some sets."""

    def change(part: Expr) -> Expr:
        if part.type == maker.set and maker.random.random() < 0.5:
            return Const(part.type, maker.content(part.type))
        return part

    return bottom_up(node, change)


def _walk(node: Expr) -> list[Expr]:
    return [node, *[inner for child in children(node) for inner in _walk(child)]]


def test_the_members_of_sets_of_numbers_are_numbers() -> None:
    found = passed(unroll, fold("sum", X, Loop(X, Const(Set("number", 8), 0b110))))
    assert found == number(3)
    assert passed(unroll, fold("count", TRUE, Loop(X, Const(NUMBERS, 0b110), FALSE))) == number(0)
