"""Expressions as Python source compute what they mean, and read well."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from interpreter.compiler.ir.expressions import (
    FALSE,
    TRUE,
    Call,
    Cell,
    Check,
    Choice,
    Const,
    Counted,
    Expr,
    Fold,
    Group,
    Lambda,
    Let,
    Local,
    Logic,
    Lookup,
    Loop,
    Op,
    Slot,
    Table,
    number,
)
from interpreter.compiler.ir.statements import Assign, Block, For, If, Return
from interpreter.compiler.ir.types import BOOL, Opaque, Opt, Ref, Row, Seq
from interpreter.compiler.python.expressions import expression
from interpreter.compiler.python.printing import question
from interpreter.runtime.bitset import bits
from tests.interpreter.naive_ir import value
from tests.interpreter.python_code import (
    BOARD,
    COUNT,
    FEW,
    KNOWN,
    MAYBE,
    NOTES,
    PIECES,
    RUNTIME,
    STATE,
    ZONE,
    A,
    B,
    D,
    F,
    N,
    O,
    Q,
    T,
    called,
    constant,
    node,
    op,
    outcome,
    text_of,
)
from tests.interpreter.random_ir import Maker
from tests.support.long_run import one_in

pytestmark = pytest.mark.filterwarnings("error::SyntaxWarning")


def forms(maker: Maker, node: Expr) -> dict[str, tuple[str, Any]]:
    """Functions that compute an expression in all kinds of places, and what they do to its value."""
    params, kind = tuple(maker.names), node.type
    gives, each, all_ = maker.local(kind), maker.local(Ref("d", 2)), Const(maker.set, 3)
    loop = For((Loop(each, all_),), (Assign(gives, node),))
    found: dict[str, tuple[str, Any]] = {
        "expression": (f"f = {question(params, node)}", lambda it: it),
        "return": (text_of(Return(node), params=params), lambda it: it),
        "assign": (text_of(Assign(gives, node), Return(gives), params=params), lambda it: it),
        "listed": (
            text_of(Return(Fold(Seq(kind), "list", (Loop(each, all_),), node)), params=params), lambda it: (it, it),
        ),
        "looped": (text_of(Assign(gives, node), loop, Return(gives), params=params), lambda it: it),
    }  # fmt: skip
    if kind == BOOL:
        yes, no = Return(number(1)), Return(number(2))
        tests: dict[str, Block] = {
            "if": (If(node, (yes,)), no), "if else": (If(node, (yes,), (no,)),),
            "if not": (If(Op(BOOL, "not", (node,)), (no,)), yes), "if if": (If(node, (If(node, (yes,)),)), no),
        }  # fmt: skip
        found |= {name: (text_of(*body, params=params), lambda it: 1 if it else 2) for name, body in tests.items()}
    if kind == maker.set:
        bound = maker.local(maker.ref)
        listed = Fold(Seq(maker.ref), "list", (Loop(bound, node),), Op(maker.int, "add", (bound, number(1))))
        found["gone through"] = (text_of(Return(listed), params=params), lambda it: tuple(x + 1 for x in bits(it)))
        alone = question(params, Fold(Seq(maker.ref), "list", (Loop(bound, node),), bound))
        found["gone through alone"] = (f"f = {alone}", bits)
    return found


@pytest.mark.parametrize("seed", one_in(3, range(150)))
def test_expressions_have_the_value_that_they_are_meant_to_have_wherever_they_stand(seed: int) -> None:
    random = Random(seed)
    maker = Maker(random, random.choice([4, 12]))
    tables = {table.name: table.content for table in (*maker.tables.values(), maker.partial, maker.deep)}
    for _ in range(8):
        node = maker.make(random.choice(maker.kinds), random.randint(1, 4))
        for name, (text, then) in forms(maker, node).items():
            known = {**RUNTIME, **tables}
            exec(text, known)
            for _ in range(3):
                S, values = maker.state(), [maker.content(local.type) for local in maker.names]
                names = dict(zip([local.name for local in maker.names], values, strict=True))
                meant = outcome(value, node, names, S)
                if not isinstance(meant, tuple):
                    meant = then(meant)
                got = outcome(known["f"], S, *values)
                assert got == meant, f"{name}: {got} instead of {meant}\n{text}\n{node}"
                assert type(got) is type(meant), f"{name}\n{text}"


def computed(expr: Expr, **names: Any) -> Any:
    """The value of an expression with the names above."""
    params = tuple(Local(local.type, local.name) for local in (A, B, O, Q, F, N, T))
    text = f"f = {question(params, expr)}"
    return called(text, STATE, *{**KNOWN, **names}.values())


@pytest.mark.parametrize(
    "expr, wanted",
    [
        (op("mod", N, number(5), type_=COUNT), 3),
        (op("div", N, number(5), type_=COUNT), -1),
        (op("neg", op("div", op("neg", N, type_=COUNT), number(5), type_=COUNT), type_=COUNT), 0),
        (op("div", op("mul", N, number(4), type_=COUNT), op("add", N, number(5), type_=COUNT), type_=COUNT), -3),
        (op("mul", number(2), op("div", number(7), number(4), type_=COUNT), type_=COUNT), 2),
        (op("sub", N, op("sub", N, number(1), type_=COUNT), type_=COUNT), 1),
        (op("mul", number(2), op("mod", number(7), number(4), type_=COUNT), type_=COUNT), 6),
        (op("neg", number(-3), type_=COUNT), 3),
        (op("has", Q, N), False),
        (op("has", Q, O), False),
        (op("has", Q, constant(D, 4)), True),
        (op("has", Q, constant(MAYBE, None)), False),
        (op("has", Q, number(-1)), False),
        (op("not", op("has", Q, O)), True),
        (op("is_empty", op("minus", Q, Q, type_=PIECES)), True),
        (op("single", O, type_=PIECES), 0),
        (op("single", constant(MAYBE, None), type_=PIECES), 0),
        (op("or_empty", Local(Opt(PIECES), "o"), type_=PIECES), 0),
        (op("first", Q, type_=MAYBE), 2),
        (op("first", constant(PIECES, 0), type_=MAYBE), None),
        (op("last", Q, type_=MAYBE), 4),
        (op("last", constant(PIECES, 0), type_=MAYBE), None),
        (op("end", Q, type_=COUNT), 5),
        (op("end", constant(PIECES, 0), type_=COUNT), 0),
        (op("nth_member", number(3), Q, type_=MAYBE), None),
        (op("select", Q, number(1), type_=D), 4),
        (op("size", constant(PIECES, 7), type_=COUNT), 3),
        (op("eq", O, constant(MAYBE, None)), True),
        (op("is_empty", op("list", type_=Seq(D))), True),
        (op("not", op("is_empty", op("list", A, type_=Seq(D)))), True),
        (op("add", Slot(D, ZONE, A), number(1), type_=COUNT), 9),
        (op("mul", number(2), Slot(D, ZONE, A), type_=COUNT), 16),
        (Slot(D, ZONE, number(4)), 9),
        (op("eq", T, FALSE), False),
        (op("eq", FALSE, T), False),
        (op("not", op("eq", T, FALSE)), True),
        (op("eq", Q, constant(PIECES, 0)), False),
        (op("eq", op("list", A, type_=Seq(D)), Fold(Seq(D), "list", (Loop(B, constant(PIECES, 8)),), B)), True),
        (op("list", type_=Seq(D)), ()),
        (op("list", A, type_=Seq(D)), (3,)),
        (op("length", op("span", number(2), N, type_=Seq(COUNT)), type_=COUNT), 0),
        (op("in_list", O, op("list", A, O, type_=Seq(MAYBE))), True),
        (op("take", Q, N, type_=Seq(D)), []),
        (op("take", Q, number(1), type_=Seq(D)), [2]),
        (op("as_set", op("list", O, A, type_=Seq(MAYBE)), type_=PIECES), 8),
        (op("as_set", op("list", type_=Seq(D)), type_=PIECES), 0),
        (op("nth_of", number(-1), op("list", A, B, type_=Seq(D)), type_=MAYBE), 17),
        (op("item", op("list", A, B, type_=Seq(D)), number(1), type_=D), 17),
        (op("part", op("row", A, op("row", B, type_=Row((D,))), type_=Row((D, D))), number(1), type_=D), (17,)),
        (op("least", A, B, N, type_=COUNT), -2),
        (op("greatest", A, type_=COUNT), 3),
        (op("to_int", op("has", Q, constant(D, 4)), type_=COUNT), 1),
        (op("same_pieces", Q, op("list", constant(PIECES, 4), Q, type_=Seq(PIECES)), FALSE), True),
        (op("same_pieces", op("list", B, type_=Seq(D)), op("list", Q, type_=Seq(PIECES)), TRUE), False),
        (op("singles", F, type_=Opaque("groups")), [(0,), (2,)]),
        (op("picks", op("singles", F, type_=Seq(D)), constant(FEW, 1), number(2), type_=Seq(D)), [2]),
        (op("lines_in", op("list", F, Q, type_=Seq(PIECES)), Q, type_=Seq(PIECES)), (0b10100,)),
        (Fold(Seq(Row((D,))), "list", (Loop(A, op("all_packings", op("list", F, type_=Seq(FEW)), type_=Seq(FEW))),), A),
         [(), (0b101,)]),
        (op("length", op("all_packings", op("list", F, type_=Seq(FEW)), type_=Seq(FEW)), type_=COUNT), 2),
        (Fold(Seq(PIECES), "sets", (Loop(A, constant(PIECES, 7)),), op("both", Q, F, type_=PIECES)), (4,)),
        (Fold(COUNT, "max", (Loop(A, constant(PIECES, 0)),), A), 0),
        (Fold(COUNT, "min", (Loop(A, Q),), A), 2),
        (Fold(MAYBE, "highest", (Loop(A, Q, op("gt", A, N)),), number(1)), 2),
        (Fold(MAYBE, "lowest", (Loop(A, constant(PIECES, 0)),), A), None),
        (Fold(PIECES, "set", (Loop(A, F),), A), 0b101),
        (Fold(BOOL, "any", (Loop(A, F),), TRUE), True),
        (Fold(COUNT, "count", (Loop(A, F),), TRUE), 2),
        (Cell(PIECES, BOARD, op("add", A, number(2), type_=COUNT)), 32),
        (Cell(PIECES, BOARD, op("add", A, number(-12), type_=COUNT)), 0),
        (Cell(PIECES, Group("low", 0, 20, PIECES), B), 1 << 7),
        (Lookup(MAYBE, Table("Tens", tuple(range(0, 200, 10)), D), (O,)), None),
        (Lookup(D, Table("Tens", tuple(range(0, 200, 10)), D), (A,)), 30),
        (Lookup(FEW, Table("Some", {3: 9}, FEW, True, 0), (A,)), 9),
        (Lookup(FEW, Table("Some", {3: 9}, FEW, True, 0), (B,)), 0),
        (Check(D, "need", Cell(Opt(D), NOTES, number(0)), ()), 4),
        (op("not", op("not", T)), True),
        (Lambda(Opaque("worth"), (), A), None),
    ],
)  # fmt: skip
def test_operations_give_what_they_say(expr: Expr, wanted: Any) -> None:
    known = {"Tens": tuple(range(0, 200, 10)), "Some": {3: 9}}
    params = (A, B, O, Q, F, N, T)
    for text in (f"f = {question(params, expr)}", text_of(Return(expr), params=params)):
        got = called(text, STATE, *KNOWN.values(), **known)
        if isinstance(expr, Lambda):
            got = got() - 3 or None
        if isinstance(wanted, tuple | list):
            got, wanted = tuple(got), tuple(wanted)
        assert got == wanted and isinstance(got, type(wanted)), text


@pytest.mark.parametrize(
    "expr, text",
    [
        (op("not", op("not", T)), "_t"),
        (op("not", op("lt", N, A)), "(_n >= _a)"),
        (op("not", Logic(BOOL, "and", (T, op("eq", A, B)))), "(not (_t and _a == _b))"),
        (op("not", op("is_none", O)), "(_o is not None)"),
        (op("not", op("is_empty", Q)), "(_q != 0)"),
        (Choice(COUNT, op("not", op("is_empty", Q)), N, number(-1)), "(_n if _q else -1)"),
        (Choice(COUNT, op("has", Q, A), N, number(-1)), "(_n if _q >> _a & 1 else -1)"),
        (op("has", Q, A), "(_q >> _a & 1 == 1)"),
        (op("eq", T, TRUE), "_t"),
        (op("add", op("mul", A, number(3), type_=COUNT), number(-4), type_=COUNT), "(_a * 3 - 4)"),
        (Cell(PIECES, BOARD, op("add", A, number(2), type_=COUNT)), "S[12 + _a]"),
        (op("contents", A, type_=Seq(D)), "contents(S, _a)"),
        (op("handfuls", op("singles", F, type_=Seq(D)), A, B, type_=Seq(FEW)),
         "handfuls(singles(SMALL_SETS[_f]), _a, _b, 77)"),
        (Call(COUNT, "fˑworth", (A, op("neg", N, type_=COUNT))), "fˑworth(S, _a, -_n)"),
        (Check(COUNT, "one_of", N, (4, 5, 6), node(5), "Colour"), "one_of(_n, (4, 5, 6), 'Colour', 5)"),
        (Check(PIECES, "subset", Q, (0, 3), node(5)), "subset(_q, 9, 5)"),
        (Counted(COUNT, N, 12, None), "branch_value(12, _n)"),
        (Counted(BOOL, T, 13, 14), "branch_condition(13, _t)"),
        (op("sees_note", A, number(31)), "sees_note(S, _a, 31)"),
        (op("replayed", op("best_sets", op("list", F, type_=Seq(FEW)), Lambda(Opaque("worth"), (A,), A)),
            Lambda(Opaque("worth"), (B,), N)),
         "branch_packing(best_sets((_f,), lambda _a: _a, 77), lambda _b: _n)"),
        (op("objective", op("row", Fold(Seq(COUNT), "list", (Loop(A, Q),), number(1))), op("row", Q),
            Lambda(Opaque("worth"), (A, B), N)),
         "Objective((tuple([1 for _a in bits(_q)]),), (_q,), lambda _a, _b: _n)"),
    ],
)  # fmt: skip
def test_texts_are_as_people_would_write_them(expr: Expr, text: str) -> None:
    assert expression(expr) == text


def test_an_operation_without_python_is_named() -> None:
    with pytest.raises(AssertionError, match="unheard_of"):
        expression(op("unheard_of", Q, Q))


@pytest.mark.parametrize(
    "index, kind, text",
    [
        (A, Q, "places_with(S, _f, 10, _q)"),
        (op("add", A, number(2), type_=COUNT), Q, "places_with(S, _f, 12, _q)"),
        (A, Cell(PIECES, BOARD, A), "sum([1 << _a for _a in SMALL_SETS[_f] if S[10 + _a] & S[10 + _a]])"),
        (B, Q, "sum([1 << _a for _a in SMALL_SETS[_f] if S[10 + _b] & _q])"),
    ],
)  # fmt: skip
def test_the_places_where_a_piece_lies_are_found_by_one_function(index: Expr, kind: Expr, text: str) -> None:
    lies = op("not", op("is_empty", op("both", Cell(PIECES, BOARD, index), kind, type_=PIECES)))
    found = Fold(FEW, "set", (Loop(A, F, lies),), A)
    assert expression(found) == text
    names = {**KNOWN, "q": 0b11101}
    wanted = value(found, names, STATE)
    assert computed(found, q=0b11101) == wanted
    assert called(text_of(Return(found), params=(A, B, O, Q, F, N, T)), STATE, *names.values()) == wanted


def test_a_name_is_bound_where_python_allows_no_walrus() -> None:
    inner = Let(PIECES, F, op("both", Q, F, type_=PIECES), op("union", F, Q, type_=PIECES))
    outer = Fold(COUNT, "sum", (Loop(A, Let(PIECES, F, Q, inner)),), A)
    assert computed(Choice(COUNT, T, outer, N)) == 6
