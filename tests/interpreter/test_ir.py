"""The intermediate representation by itself: its text, and rebuilding its nodes."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import get_args

import pytest

from interpreter.compiler.ir import expressions as ex
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expression_text import expression_text
from interpreter.compiler.ir.expressions import TRUE, Const, Expr, Fold, Local, Lookup, Loop, number
from interpreter.compiler.ir.module import Function
from interpreter.compiler.ir.operations import SIGNATURES
from interpreter.compiler.ir.printing import block_text, function_text, module_text
from interpreter.compiler.ir.types import BOOL, COUNT, Int, Opaque, Opt, Row, Seq
from tests.interpreter.tiny_module import (
    BACK,
    BOX,
    DIE,
    FACES,
    FIELD,
    MAN,
    NEXT,
    NUMBERS,
    OWNER,
    PLACE,
    PLAYER,
    PLAYERS,
    POINTS,
    SIX,
    SQUARE,
    P,
    cell,
    good,
    line,
    name_of,
    op,
    slot,
)

GOLDEN = Path(__file__).parent / "golden" / "ir.txt"
UPDATE = bool(os.environ.get("REGELWERK_UPDATE"))


# ---- text


def test_the_text_of_a_module() -> None:
    found = module_text(good(), name_of)
    if UPDATE:
        GOLDEN.write_text(found, encoding="utf-8")
    assert found == GOLDEN.read_text(encoding="utf-8")
    assert module_text(good(), name_of) == found


A, B, D = Local(COUNT, "a"), Local(COUNT, "b"), Local(COUNT, "d")
S, W = Local(NUMBERS, "s"), Local(NUMBERS, "w")
YES, NO = Local(BOOL, "yes"), Local(BOOL, "no")


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (op(COUNT, "sub", A, op(COUNT, "sub", B, D)), "a - (b - d)"),
        (op(COUNT, "sub", op(COUNT, "sub", A, B), D), "a - b - d"),
        (op(COUNT, "mul", op(COUNT, "add", A, B), op(COUNT, "neg", D)), "(a + b) * -d"),
        (op(COUNT, "mul", A, number(-1)), "a * -1"),
        (op(BOOL, "not", op(BOOL, "eq", A, B)), "a != b"),
        (op(BOOL, "not", op(BOOL, "has", S, A)), "a not in s"),
        (op(BOOL, "not", op(BOOL, "is_none", A)), "a is not none"),
        (op(BOOL, "not", ex.Logic(BOOL, "and", (YES, NO))), "not (yes and no)"),
        (ex.Logic(BOOL, "and", (op(BOOL, "not", YES), ex.Logic(BOOL, "or", (YES, NO)))), "not yes and (yes or no)"),
        (ex.Logic(BOOL, "or", (ex.Logic(BOOL, "and", (YES, NO)), YES)), "yes and no or yes"),
        (op(BOOL, "eq", op(BOOL, "lt", A, B), YES), "(a < b) = yes"),
        (op(NUMBERS, "both", S, op(NUMBERS, "union", S, op(NUMBERS, "single", A))), "s & (s | {a})"),
        (op(COUNT, "add", ex.Choice(COUNT, YES, A, B), number(1)), "(a if yes else b) + 1"),
        (ex.Choice(COUNT, YES, A, ex.Choice(COUNT, NO, B, D)), "a if yes else b if no else d"),
        (
            Fold(COUNT, "sum", (Loop(A, S, YES), Loop(B, S)), op(COUNT, "add", A, B)),
            "sum(a + b for a in s where yes, b in s)",
        ),
        (Fold(BOOL, "any", (Loop(A, S, ex.Choice(BOOL, YES, NO, NO)),), TRUE), "any(a in s where (no if yes else no))"),
        (op(Seq(COUNT), "list", A, B), "[a, b]"),
        (op(Row((COUNT,)), "row", A), "(a,)"),
        (op(COUNT, "item", op(Seq(COUNT), "list", A, B), number(1)), "[a, b][1]"),
        (op(COUNT, "size", S), "size(s)"),
        (ex.Lambda(Opaque("test"), (A,), op(BOOL, "lt", A, B)), "(a: Int(0..1000000000)) -> a < b"),
        (ex.Check(COUNT, "among", A, (1, 2, 3, 4, 9)), "among(a, {1..4, 9})"),
        (ex.Check(PLAYER, "one_of", P, (1, 0), domain="Player"), "one_of(p, Player {red, blue})"),
        (slot(SQUARE, A), "@field[a]"),
        (slot(BOX), "@box"),
        (Const(NUMBERS, 0), "{}"),
        (Const(NUMBERS, 0b1000_1001), "{0, 3, 7}"),
        (Const(NUMBERS, (1 << 64) - 1), "{0..63}"),
        (Const(NUMBERS, sum(1 << 2 * n for n in range(32))), "{0, 2, 4, 6, 8, 10, 12, 14, 16, 18, …, 62: 32}"),
        (Const(PLAYERS, 3), "{red, blue}"),
        (Const(Opt(PLAYER), 1), "blue"),
        (Const(Opt(PLAYER), None), "none"),
        (Const(Row((PLAYER, Seq(Int(0, 9)))), (0, (1, 2))), "(red, [1, 2])"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_the_text_of_an_expression(node: Expr, text: str) -> None:
    assert expression_text(node, name_of) == text


def test_hidden_characters_stay_visible() -> None:
    shown = function_text(Function("define", "f\x1b[2J", (), (st.Return(Local(BOOL, "a\u202e")),), BOOL))
    assert "\x1b" not in shown
    assert "\u202e" not in shown


def test_a_location_is_shown_where_the_line_changes() -> None:
    block = (st.Idle(True, line(3)), st.Idle(False, line(3)), st.Goto(1, line(4)), st.Goto(2))
    ends = [text.partition("#")[2].strip() for text in block_text(block).splitlines()]
    assert ends == ["tiny.rules:3", "", "4", ""]


# ---- rebuilding

EXPRESSIONS: list[Expr] = [
    SIX, ex.Data(Seq(COUNT), MAN), A, cell(FIELD, A), slot(SQUARE, A), Lookup(Opt(PLACE), NEXT, (A, B)),
    op(COUNT, "add", A, B), ex.Logic(BOOL, "and", (YES, NO)), ex.Choice(COUNT, YES, A, B),
    Fold(COUNT, "sum", (Loop(A, S, YES), Loop(B, W)), D), ex.Let(COUNT, A, B, D), ex.Call(BOOL, "f_won", (A, B)),
    ex.Check(COUNT, "among", A, (1, 2), line(1), "Rank"), ex.Counted(BOOL, YES, 3, 4),
    ex.Lambda(Opaque("test"), (A,), B),
]  # fmt: skip

INNER = (st.Break(), st.Continue())
STATEMENTS: list[st.Statement] = [
    st.Assign(A, B), st.Store(cell(FIELD, A), B), st.If(YES, INNER, (st.Break(),)),
    st.For((Loop(A, S, YES), Loop(B, W)), INNER, True), st.Repeat(A, INNER), st.Break(), st.Continue(),
    st.MoveSet(S, A, True, line(1)), st.MoveSome(A, S, B, D, True, line(1)), st.MoveSome(A, None, B, D, False, line(1)),
    st.Insert(A, B, D, True, line(1)), st.Overfull(A, line(1)), st.Shuffle(A, line(1)), st.Mix(cell(FIELD, A), line(1)),
    st.Draw(cell(DIE, A), FACES, "pick", "x", line(1)),
    st.DrawItem(cell(FIELD, A), op(Seq(COUNT), "list", A, B), line(1)),
    st.Emit((A, B)), st.EmitDone(True), st.IfNoMoves(INNER), st.Once(1, (A, B), INNER, (st.Break(),)),
    st.Perform("r_go", (A, B)), st.React("react_all"),
    st.Goto(cell(BACK, A)), st.Suspend(1, 2, cell(OWNER, A)), st.Decide(1, INNER, (A, B), INNER, (st.Break(),)),
    st.Stop(-1), st.Leave(2), st.Idle(True), st.Return(A),
    st.Mark("at", line(1), (A, B)), st.Reason(cell(POINTS, A), B, (D,), line(1)),
    st.Announce((A, B), line(1)), st.Count(3),
]  # fmt: skip


def test_there_is_one_of_each_class() -> None:
    assert {type(node) for node in EXPRESSIONS} == set(get_args(ex.Expr))
    assert {type(node) for node in STATEMENTS} == set(get_args(st.Statement))


def class_of(node: object) -> str:
    return type(node).__name__


def marked(node: Expr) -> Expr:
    """Another expression of the same type."""
    return ex.Counted(node.type, node, 99, None)


def _marked_if(wanted: Expr, node: Expr) -> Expr:
    return marked(node) if node is wanted else node


@pytest.mark.parametrize("node", EXPRESSIONS, ids=class_of)
def test_rebuilding_an_expression(node: Expr) -> None:
    assert ex.rebuilt(node, lambda child: child) is node
    new = ex.rebuilt(node, marked)
    assert ex.children(new) == tuple(map(marked, ex.children(node)))
    assert ex.rebuilt(new, lambda child: child.value if isinstance(child, ex.Counted) else child) == node
    assert new.source is node.source
    if not ex.children(node):
        assert new is node


@pytest.mark.parametrize("node", EXPRESSIONS, ids=class_of)
def test_each_child_is_rewritten_separately(node: Expr) -> None:
    inside = ex.children(node)
    for place_, child in enumerate(inside):
        new = ex.rebuilt(node, partial(_marked_if, child))
        assert ex.children(new) == (*inside[:place_], marked(child), *inside[place_ + 1 :])


@pytest.mark.parametrize("node", STATEMENTS, ids=class_of)
def test_rebuilding_a_statement(node: st.Statement) -> None:
    assert st.rebuilt(node, lambda child: child, lambda block: block) is node
    new = st.rebuilt(node, marked, lambda block: tuple(reversed(block)))
    assert st.expressions(new) == tuple(map(marked, st.expressions(node)))
    assert st.blocks(new) == tuple(tuple(reversed(block)) for block in st.blocks(node))
    assert new.source is node.source


def test_every_operation_has_a_signature_of_known_words() -> None:
    words = {"Int", "Bool", "Ref", "Opt", "Set", "Seq", "Row", "Opaque", "any"}
    for name, (takes, gives) in SIGNATURES.items():
        assert {word.removeprefix("*") for word in (*takes, gives)} <= words, name
        assert not any(word.startswith("*") for word in (*takes[:-1], gives)), name
