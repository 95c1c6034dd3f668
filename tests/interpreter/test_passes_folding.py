"""Constant folding: what is known is worked out, and what may end the game in a fault stays."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import (
    FALSE,
    NOTHING,
    TRUE,
    Call,
    Check,
    Choice,
    Const,
    Counted,
    Expr,
    Fold,
    Let,
    Local,
    Logic,
    Lookup,
    Loop,
    Op,
    number,
)  # fmt: skip
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.ir.types import BOOL, COUNT, Int, Opt, Row, Seq, Set
from interpreter.compiler.passes.record import PassRecords
from interpreter.compiler.passes.simplifying.folding import fold, folded
from tests.interpreter.inside_out import bottom_up
from tests.interpreter.pass_outcomes import problems, same_outcomes
from tests.interpreter.random_ir import Maker
from tests.interpreter.tiny_module import (
    FIELD,
    MAN,
    NEXT,
    NUMBERS,
    PIECE,
    PIECES,
    PLACE,
    PLAYER,
    POINTS,
    WORTH,
    C,
    P,
    T,
    X,
    cell,
    good,
    op,
)  # fmt: skip
from tests.support.long_run import one_in

ALL, NONE_OF = Const(PIECES, 0b111111), Const(PIECES, 0)
THREE, TWO = number(3), number(2)
Q = Local(BOOL, "q")
MAYBE = Local(Opt(PIECE), "m")
FAILS = Check(BOOL, "need", Local(Opt(BOOL), "b"), ())
FAILING = Check(PIECE, "need", MAYBE, ())
FAILING_SET = Check(PIECES, "subset", cell(FIELD), (1, 2))
ASKED = Call(BOOL, "f", ())


def pieces(value: int) -> Const:
    return Const(PIECES, value)


def both(*parts: Expr) -> Logic:
    return Logic(BOOL, "and", parts)


def either(*parts: Expr) -> Logic:
    return Logic(BOOL, "or", parts)


def negated(part: Expr) -> Op:
    return op(BOOL, "not", part)


CASES: dict[str, tuple[Expr, Expr]] = {
    # numbers
    "sum": (op(COUNT, "add", THREE, TWO), number(5)),
    "sum of sums": (op(COUNT, "add", op(COUNT, "add", X, THREE), TWO), op(COUNT, "add", X, number(5))),
    "constant before": (op(COUNT, "add", THREE, op(COUNT, "sub", X, TWO)), op(COUNT, "add", X, number(1))),
    "nothing added": (op(COUNT, "add", op(COUNT, "sub", X, TWO), TWO), X),
    "rest": (op(PLAYER, "mod", number(-1), TWO), Const(PLAYER, 1)),
    "quotient": (op(COUNT, "div", number(-3), TWO), number(-2)),
    "comparison of a quotient": (op(BOOL, "lt", op(COUNT, "div", op(COUNT, "mod", X, THREE), TWO), TWO), TRUE),
    "comparison of an opposite": (op(BOOL, "gt", op(COUNT, "neg", op(COUNT, "mod", X, THREE)), number(0)), FALSE),
    "comparison of the least": (op(BOOL, "le", op(COUNT, "least", T, TWO), TWO), TRUE),
    "least": (op(COUNT, "least", THREE, TWO), TWO),
    "greatest of one": (op(COUNT, "greatest", X), X),
    "comparison": (op(BOOL, "lt", THREE, TWO), FALSE),
    "comparison by ends": (op(BOOL, "le", number(0), T), TRUE),
    "comparison of a rest": (op(BOOL, "ge", op(PLAYER, "mod", X, TWO), TWO), FALSE),
    # truth
    "not not": (negated(negated(Q)), Q),
    "is true": (op(BOOL, "eq", Q, TRUE), Q),
    "is false": (op(BOOL, "eq", FALSE, Q), negated(Q)),
    "is itself": (op(BOOL, "eq", P, P), TRUE),
    "equal constants": (op(BOOL, "eq", Const(PLACE, 2), NOTHING), FALSE),
    "is none": (op(BOOL, "eq", MAYBE, NOTHING), op(BOOL, "is_none", MAYBE)),
    "never none": (op(BOOL, "is_none", C), FALSE),
    "and true": (both(TRUE, Q, TRUE), Q),
    "and false": (both(Q, FALSE, ASKED), FALSE),
    "or true": (either(Q, TRUE, ASKED), TRUE),
    "or false": (either(FALSE, FALSE), FALSE),
    "and in and": (both(Q, both(ASKED, TRUE), both(Q, FAILS)), both(Q, ASKED, Q, FAILS)),
    "and a fault before false": (both(Q, FAILS, Q, FALSE), both(Q, FAILS, FALSE)),
    "choice": (Choice(BOOL, op(BOOL, "gt", THREE, TWO), Q, FAILS), Q),
    "choice as condition": (Choice(BOOL, ASKED, TRUE, FALSE), ASKED),
    "choice as or": (Choice(BOOL, ASKED, TRUE, Q), either(ASKED, Q)),
    "choice as and": (Choice(BOOL, negated(ASKED), FALSE, Q), both(ASKED, Q)),
    "choice of the same": (Choice(Int(2, 3), Q, TWO, TWO), TWO),
    "choice turned": (Choice(Int(2, 3), negated(Q), TWO, THREE), Choice(Int(2, 3), Q, THREE, TWO)),
    # sets
    "both of everything": (op(PIECES, "both", ALL, cell(FIELD)), cell(FIELD)),
    "both of nothing": (op(PIECES, "both", cell(FIELD), NONE_OF), NONE_OF),
    "both twice": (
        op(PIECES, "both", op(PIECES, "both", pieces(0b1100), cell(FIELD)), pieces(0b110)),
        op(PIECES, "both", cell(FIELD), pieces(0b100)),
    ),
    "union of nothing": (op(PIECES, "union", Const(Set("nothing", 0), 0), cell(FIELD)), cell(FIELD)),
    "union of everything": (op(PIECES, "union", cell(FIELD), ALL), ALL),
    "written out": (op(PIECES, "union", op(PIECES, "single", Const(PIECE, 1)), op(PIECES, "single", Const(PIECE, 4))),
                    pieces(0b10010)),
    "minus nothing": (op(PIECES, "minus", cell(FIELD), NONE_OF), cell(FIELD)),
    "minus everything": (op(PIECES, "minus", cell(FIELD), ALL), NONE_OF),
    "minus of both": (op(PIECES, "minus", op(PIECES, "both", cell(FIELD), pieces(0b111)), pieces(0b1)),
                      op(PIECES, "both", cell(FIELD), pieces(0b110))),
    "numbers have no all": (op(NUMBERS, "both", Local(NUMBERS, "n"), Const(Set("number", 3), 7)),
                            op(NUMBERS, "both", Local(NUMBERS, "n"), Const(Set("number", 3), 7))),
    "has": (op(BOOL, "has", pieces(0b100), Const(PIECE, 2)), TRUE),
    "has none": (op(BOOL, "has", pieces(0b100), NOTHING), FALSE),
    "size": (op(COUNT, "size", pieces(0b101)), TWO),
    "first": (op(Opt(PIECE), "first", pieces(0b110)), Const(PIECE, 1)),
    "first of nothing": (op(Opt(PIECE), "last", NONE_OF), Const(Opt(PIECE), None)),
    "first of a single one": (op(Opt(PIECE), "first", op(PIECES, "single", MAYBE)), MAYBE),
    # lists
    "list": (op(Seq(PLACE), "list", Const(PLACE, 1), Const(PLACE, 2)), Const(Seq(PLACE), (1, 2))),
    # tables
    "entry": (Lookup(PIECES, MAN, (Const(PLAYER, 1),)), pieces(12)),
    "entry of two keys": (Lookup(Opt(PLACE), NEXT, (number(0), number(0))), Const(PLACE, 1)),
    "entry that is none": (Lookup(Opt(PLACE), NEXT, (number(0), number(1))), Const(Opt(PLACE), None)),
    "missing entry": (Lookup(COUNT, WORTH, (number(1),)), number(0)),
    "entry for none": (Lookup(Opt(PIECES), MAN, (NOTHING,)), Const(Opt(PIECES), None)),
    "entry for what is there": (Lookup(Opt(PIECES), MAN, (P,)), Lookup(PIECES, MAN, (P,))),
    # checks
    "need": (Check(PIECE, "need", Const(PIECE, 1), ()), Const(PIECE, 1)),
    "need of what is there": (Check(PIECE, "need", C, ()), C),
    "in range": (Check(COUNT, "in_range", op(COUNT, "add", TWO, TWO), (0, 4)), number(4)),
    "in range by its ends": (Check(COUNT, "in_range", op(COUNT, "mod", X, THREE), (0, 2)), op(COUNT, "mod", X, THREE)),
    "among": (Check(COUNT, "among", THREE, (1, 3)), THREE),
    "none among": (Check(Opt(COUNT), "among", NOTHING, (1, 3)), Const(Opt(COUNT), None)),
    "subset": (Check(PIECES, "subset", pieces(0b110), (1, 2)), pieces(0b110)),
    "product": (Check(COUNT, "product", op(COUNT, "mul", TWO, THREE), ()), number(6)),
    "divisor": (Check(COUNT, "divisor", op(COUNT, "add", TWO, TWO), ()), number(4)),
    "divisor by its ends": (
        Check(COUNT, "divisor", op(COUNT, "greatest", T, TWO), ()), op(COUNT, "greatest", T, TWO),
    ),
    # going through things
    "any of nothing": (Fold(BOOL, "any", (Loop(C, NONE_OF, FAILS),), TRUE), FALSE),
    "sum of nothing": (Fold(COUNT, "sum", (Loop(C, cell(FIELD), FALSE),), X), number(0)),
    "first of no loop": (Fold(Opt(PIECE), "first", (Loop(C, NONE_OF),), C), Const(Opt(PIECE), None)),
    "count of all": (Fold(COUNT, "count", (Loop(C, cell(FIELD), TRUE),), TRUE), op(COUNT, "size", cell(FIELD))),
    "sum of the same": (Fold(COUNT, "sum", (Loop(C, cell(FIELD)),), TWO),
                        op(COUNT, "mul", op(COUNT, "size", cell(FIELD)), TWO)),
    "any of all": (Fold(BOOL, "any", (Loop(C, cell(FIELD)),), TRUE), negated(op(BOOL, "is_empty", cell(FIELD)))),
    "set of all": (Fold(PIECES, "set", (Loop(C, cell(FIELD)),), C), cell(FIELD)),
    "first of all": (Fold(Opt(PIECE), "first", (Loop(C, cell(FIELD)),), C), op(Opt(PIECE), "first", cell(FIELD))),
    # names
    "name of a constant": (Let(COUNT, X, THREE, op(COUNT, "add", X, TWO)), number(5)),
    "name not read": (Let(COUNT, X, op(COUNT, "size", cell(FIELD)), TWO), TWO),
    "only the name": (Let(PIECE, C, FAILING, C), FAILING),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_is_known_is_worked_out(name: str) -> None:
    before, after = CASES[name]
    found = folded(before)
    assert found == after and type(getattr(found, "value", None)) is type(getattr(after, "value", None))


STAYS: dict[str, Expr] = {
    "a check that is violated": Check(COUNT, "in_range", THREE, (0, 2)),
    "a need of none": Check(PIECE, "need", NOTHING, ()),
    "a member that is not allowed": Check(PIECES, "subset", pieces(0b1000), (1, 2)),
    "a product that is too large": Check(COUNT, "product", op(COUNT, "mul", number(10**10), number(10**10)), ()),
    "a product of something and nothing": Check(COUNT, "product", op(COUNT, "mul", X, number(0)), ()),
    "a count that may be any number": Check(COUNT, "in_range", cell(POINTS), (-100, 100)),
    "a local in its range": Check(COUNT, "in_range", X, (0, 9)),
    "what may be none": op(BOOL, "is_none", MAYBE),
    "a fault among nothing": op(PIECES, "both", FAILING_SET, NONE_OF),
    "a fault beside everything": op(PIECES, "union", FAILING_SET, ALL),
    "a fault compared": op(BOOL, "ge", Check(PLAYER, "need", Local(Opt(PLAYER), "w"), ()), number(0)),
    "a fault gone through": Fold(BOOL, "any", (Loop(C, FAILING_SET, FALSE),), TRUE),
    "a fault in a row": op(PIECE, "part", op(Row((PIECE, PIECE)), "row", FAILING, C), number(1)),
    "a fault in a list": op(COUNT, "length", op(Seq(PIECE), "list", FAILING)),
    "a fault under a name": Let(COUNT, C, FAILING, X),
    "a fault before a choice of the same": Choice(COUNT, FAILS, TWO, TWO),
    "what is counted": Choice(BOOL, Counted(BOOL, TRUE, 1, 2), Q, ASKED),
    "an entry that is not there": Lookup(COUNT, MAN, (number(7),)),
    "a divisor that is 0": Check(COUNT, "divisor", number(0), ()),
    "a divisor that may be 0": Check(COUNT, "divisor", op(COUNT, "mod", X, THREE), ()),
    "a quotient of nothing": op(COUNT, "div", THREE, number(0)),
    "a rest of nothing": op(COUNT, "mod", THREE, number(0)),
    "what no set has": op(PIECES, "single", number(-1)),
    "what is read": op(BOOL, "over"),
}  # fmt: skip


@pytest.mark.parametrize("name", STAYS)
def test_what_may_be_noticed_or_is_not_known_stays(name: str) -> None:
    assert folded(STAYS[name]) is STAYS[name]


def test_a_name_stays_unique_where_its_value_is_put_in_place() -> None:
    inner = Fold(COUNT, "sum", (Loop(C, cell(FIELD)),), X)
    assert folded(Let(COUNT, X, P, inner)) == Fold(COUNT, "sum", (Loop(C, cell(FIELD)),), P)


@pytest.mark.parametrize("seed", one_in(3, range(120)))
def test_expressions_keep_their_values_and_faults(seed: int) -> None:
    random = Random(seed)
    maker = Maker(random, random.choice([3, 9]))
    for _ in range(25):
        node = maker.make(random.choice(maker.kinds), random.randint(1, 5))
        known: dict[str, Any] = {local.name: local for local in maker.names if random.random() < 0.5}
        node = _with_constants(maker, node, known)
        after = folded(node)
        same_outcomes(maker, node, after)
        if not problems(maker, node):
            assert problems(maker, after) == []
        assert folded(after) == after


def _with_constants(maker: Maker, node: Expr, known: dict[str, Any]) -> Expr:
    """The expression with constants in place of some locals."""

    def change(part: Expr) -> Expr:
        if isinstance(part, Local) and part.name in known:
            return Const(part.type, maker.content(part.type))
        return part

    return bottom_up(node, change)


# ---------------------------------------------------------------- statements

STORE, OTHER = st.Store(cell(POINTS), THREE), st.Store(cell(POINTS), TWO)


def body_of(*body: st.Statement, source: Any = None) -> tuple[st.Statement, ...]:
    function = Function("rule", "r", (), body, source=source)
    fold(Module({"r": function}), PassRecords())
    return function.body


def test_only_the_branch_that_is_taken_is_left() -> None:
    assert body_of(st.If(op(BOOL, "lt", TWO, THREE), (STORE,), (OTHER,))) == (STORE,)
    assert body_of(st.If(FALSE, (STORE,), (OTHER, STORE)), OTHER) == (OTHER, STORE, OTHER)


def test_nothing_is_left_behind_the_end() -> None:
    assert body_of(st.If(TRUE, (st.Return(TWO),)), st.Return(THREE)) == (st.Return(TWO),)
    assert body_of(st.Goto(1), STORE) == (st.Goto(1),)


def test_empty_loops_are_dropped_unless_recorded_in_the_journal() -> None:
    through = (Loop(C, NONE_OF),)
    assert body_of(st.For(through, (STORE,)), st.Repeat(number(0), (STORE,))) == ()
    assert body_of(st.For(through, (STORE,), True)) == (st.For(through, (STORE,), True),)


def test_a_redundant_condition_is_dropped_unless_it_may_fail() -> None:
    assert body_of(st.If(Q, (), ())) == ()
    assert body_of(st.If(FAILS, (), ())) == (st.If(FAILS, (), ()),)
    assert body_of(st.If(Q, (), (STORE,))) == (st.If(negated(Q), (STORE,)),)


def test_statements_inside_statements_are_folded() -> None:
    inner = st.If(TRUE, (STORE,))
    assert body_of(st.IfNoMoves((inner,)), st.Repeat(X, (inner, st.Break(), OTHER))) == (
        st.IfNoMoves((STORE,)),
        st.Repeat(X, (STORE, st.Break())),
    )


def test_what_has_not_changed_is_kept_and_not_recorded() -> None:
    module = good()
    fold(module, PassRecords())
    before = {name: function.body for name, function in module.functions.items()}
    records = PassRecords()
    fold(module, records)
    assert all(module.functions[name].body is body for name, body in before.items())
    assert records.entries == []


def test_what_has_changed_is_recorded() -> None:
    module = Module({"r": Function("rule", "r", (), (st.If(TRUE, (STORE,)),))})
    records = PassRecords()
    fold(module, records)
    assert [(record.name, record.subject, record.applied) for record in records.entries] == [
        ("folding", "rule r", True)
    ]
