"""Statements as Python source do what they say, and can be undone."""

from __future__ import annotations

from typing import Any

import pytest

from dsl import ast
from dsl.text.span import Source, Span
from interpreter.compiler.ir.expressions import TRUE, Cell, Check, Expr, Fold, Let, Local, Loop, Table, number
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.ir.statements import (
    Break,
    Continue,
    Count,
    Draw,
    DrawItem,
    Emit,
    EmitDone,
    For,
    Goto,
    Idle,
    If,
    IfNoMoves,
    Insert,
    Leave,
    Mark,
    MoveSet,
    MoveSome,
    Once,
    Perform,
    React,
    Reason,
    Repeat,
    Return,
    Shuffle,
    Statement,
    Stop,
    Store,
    Suspend,
)
from interpreter.compiler.ir.types import Row, Seq
from interpreter.compiler.python.printing import constants, function, source
from interpreter.runtime.primitives import Leave as Left
from tests.interpreter.naive_ir import Fault
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
    text_of,
)

pytestmark = pytest.mark.filterwarnings("error::SyntaxWarning")


class Record:
    """A function that notes how it is called."""

    def __init__(self, gives: Any = None) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self.gives = gives

    def __call__(self, *args: Any) -> Any:
        self.calls.append(args)
        return self.gives.pop(0) if isinstance(self.gives, list) else self.gives


def played(
    *body: Statement, journal: bool = True, kind: Any = "rule", **names: Any
) -> tuple[list[Any], list[Any], Any]:
    """The state and the journal after statements of a rule, and what they return."""
    S, J = list(STATE), list[Any]()
    text = text_of(*body, params=(A, B, O, Q, F, N, T), kind=kind, journal=journal)
    found = called(text, S, J if journal else None, *KNOWN.values(), **names)
    undone = list(S)
    for cell, before in reversed(J):
        if cell >= 0:
            undone[cell] = before
    assert not journal or undone == STATE
    return S, [(cell, payload) for cell, payload in J], found


note = Cell(COUNT, NOTES, number(0))


@pytest.mark.parametrize("journal", [True, False])
@pytest.mark.parametrize(
    "cell, given, where, wanted",
    [
        (note, number(5), 30, 5),
        (note, N, 30, -2),
        (note, op("add", note, number(1), type_=COUNT), 30, 5),
        (note, Check(COUNT, "in_range", op("add", note, N, type_=COUNT), (0, 9), node(5)), 30, 2),
        (Cell(COUNT, NOTES, op("to_int", T, type_=COUNT)), constant(MAYBE, None), 31, None),
        (Cell(COUNT, NOTES, A), op("sub", Cell(COUNT, NOTES, A), N, type_=COUNT), 33, 2),
        (Cell(COUNT, NOTES, Check(COUNT, "need", note, (), node(6))), number(1), 34, 1),
        (note, Fold(Seq(D), "list", (Loop(A, Q),), A), 30, (2, 4)),
        (note, Fold(COUNT, "count", (Loop(A, Q, op("gt", A, N)),), TRUE), 30, 2),
        (note, Let(COUNT, Local(COUNT, "w"), note, op("mul", Local(COUNT, "w"), note, type_=COUNT)), 30, 16),
    ],
)
def test_a_cell_is_written_and_can_be_undone(cell: Cell, given: Expr, where: int, wanted: Any, journal: bool) -> None:
    S, J, _ = played(Store(cell, given), journal=journal)
    assert S[where] == wanted and type(S[where]) is type(wanted)
    assert [changed for changed, _ in J] == ([where] if journal else [])


@pytest.mark.parametrize("journal", [True, False])
def test_a_fault_leaves_the_cell_as_it_was(journal: bool) -> None:
    for word, given in (("in_range", N), ("need", O)):
        S: list[Any] = list(STATE)
        text = text_of(
            Store(note, Check(COUNT, word, given, (0, 9), node(5))), params=(O, N), kind="rule", journal=journal
        )
        with pytest.raises(Fault) as fault:
            called(text, S, None, None, -2)
        assert fault.value.args == (word, 5)
        assert S == STATE


def test_statements_inside_statements() -> None:
    S, J, _ = played(
        For((Loop(A, Q),), (
            If(op("eq", A, number(2)), (Continue(),)),
            Store(note, A),
            Repeat(number(3), (Store(note, op("add", note, number(10), type_=COUNT)), If(T, (Break(),)))),
            If(op("is_none", O), (), (Store(note, number(0)),)),
        )),
    )  # fmt: skip
    assert S[30] == 14 and len(J) == 2


def test_a_loop_iterates_over_the_set_at_its_beginning() -> None:
    holds = op("has", Cell(PIECES, BOARD, number(0)), A)
    pieces = Cell(PIECES, BOARD, number(0))
    everything = constant(PIECES, 0b111)
    kept = (Store(pieces, everything),)
    S, _, _ = played(
        *kept,
        For((Loop(A, everything, holds),), (
            Store(pieces, constant(PIECES, 0)), Store(note, op("add", note, number(1), type_=COUNT)),
        )),
        For((Loop(A, everything), Loop(B, pieces)), (Store(note, number(99)),)),
    )  # fmt: skip
    assert S[30] == 7


def test_a_loop_over_loose_pieces_is_noted() -> None:
    loops = (Loop(A, Q), Loop(B, F))
    S, J, _ = played(For(loops, (Store(note, B),), True, node(9)))
    assert [entry for entry in J if entry[0] < 0] == [(-3, (9, [(2, 0), (2, 2), (4, 0), (4, 2)])), (-3, None)]
    assert len(J) == 6
    _, J, _ = played(For(loops[:1], (), True, node(9)))
    assert J == [(-3, (9, [2, 4])), (-3, None)]
    assert played(For(loops, (Store(note, B),), True, node(9)), journal=False)[0] == S


def test_reasons_and_marks_stand_in_the_journal() -> None:
    _, J, _ = played(
        Reason(note, N, (A, O), node(4)), Reason(note, number(0), (), node(5)), Mark("at", node(6), (B,)),
        Reason(note, op("add", N, number(2), type_=COUNT), (), node(7)),
    )  # fmt: skip
    assert J == [(-2, (4, 30, -2, (3, None))), (-1, ("at", 6, 0, (17,)))]
    assert played(Reason(note, N, (A, O), node(4)), Mark("at", node(6), (B,)), journal=False)[1] == []


def test_what_moves_pieces_is_called() -> None:
    names = {
        name: Record() for name in ("move_set", "move_some", "move_kind", "insert", "shuffle", "pick", "draw_item")
    }
    dice = Table("Dˑdie", ((1, 2), ("1", "2")), COUNT)
    S, _, _ = played(
        MoveSet(Q, A, False, node(1)), MoveSet(Q, A, True, node(2)), MoveSome(N, None, A, B, False, node(3)),
        MoveSome(N, Q, A, B, True, node(4)), Insert(O, A, B, False, node(5)), Shuffle(A, node(6)),
        Draw(Cell(COUNT, NOTES, A), dice, "roll", "", node(7)),
        DrawItem(Cell(COUNT, NOTES, A), op("list", N, A, type_=Seq(COUNT)), node(8)), Dˑdie="table", **names,
    )  # fmt: skip
    J = names["shuffle"].calls[0][1]
    assert names["move_set"].calls == [(S, J, 20, 3, 1), (S, J, 20, 3, 2, True)]
    assert names["move_some"].calls == [(S, J, -2, 3, 17, 3)]
    assert names["move_kind"].calls == [(S, J, -2, 20, 3, 17, 4, True)]
    assert names["insert"].calls == [(S, J, None, 3, 17, False, 5)]
    assert names["shuffle"].calls == [(S, J, 3, 6)]
    assert names["pick"].calls == [(S, J, 33, "table", "roll", "", 7)]
    assert names["draw_item"].calls == [(S, J, 33, (-2, 3), 8)]


def test_rules_and_reactions_are_carried_out() -> None:
    rule, react = Record(), Record()
    S, J, _ = played(
        Perform("rˑgo", (A, note)), React("react"), Count(7), rˑgo=rule, react=react, branch_taken=Record()
    )
    assert rule.calls == [(S, J, 3, 4)] and react.calls == [(S, J)]


def test_a_reaction_tells_what_has_happened() -> None:
    when = Function("when", "wˑfull", (), (
        For((Loop(A, constant(FEW, 6)),), (
            If(op("gt", A, number(1)), (Store(note, A), Return(op("row", A, type_=Row((D,)))))),
        )),
        Return(constant(MAYBE, None)),
    ), calls=("full",))  # fmt: skip
    S = list(STATE)
    assert called("\n".join(function(when, True)).replace("wˑfull", "f"), S, None) == ("full", (2,))
    react = function(Function("react", "f", (), (), calls=("wˑone", "wˑtwo")), True)
    endless = Record()
    assert (
        called(
            "\n".join(react),
            S,
            None,
            wˑone=Record([0, ("one", ()), 0]),
            wˑtwo=Record([("two", ()), 0]),
            endless=endless,
        )
        is None
    )
    assert not endless.calls
    with pytest.raises(IndexError):
        called("\n".join(react), S, None, wˑone=Record([("one", ())] * 1500), wˑtwo=Record(), endless=endless)
    assert len(endless.calls) == 1 and len(endless.calls[0][0]) > 1000


def moves(*body: Statement) -> list[tuple[int, ...]]:
    text = text_of(*body, params=(), kind="moves")
    found: list[tuple[int, ...]] = called(text, STATE)
    return found


def test_moves_are_listed() -> None:
    few, more = constant(FEW, 3), Cell(PIECES, BOARD, A)
    emit = Emit((number(0), A, B))
    assert moves(For((Loop(A, few), Loop(B, more, op("ge", B, A))), (emit,))) == [(0, 0, 0), (0, 1, 1)]
    assert moves(For((Loop(A, few),), (Emit((number(2),)),)), IfNoMoves((Emit((number(3),)),))) == [(2,), (2,)]
    assert moves(IfNoMoves((Emit((number(3),)),)), EmitDone(True)) == [(3,), (-1,)]
    once = Once(1, (op("mod", A, number(2)),), (Emit((A,)),), (Emit((number(9),)),))
    assert moves(For((Loop(A, constant(FEW, 0b1111)),), (once,))) == [(0,), (1,), (9,), (9,)]
    assert moves(*[Once(group, (number(1),), (Emit((number(group),)),)) for group in (1, 2, 1)]) == [(1,), (2,)]
    assert moves(EmitDone(True)) == []
    assert moves(EmitDone(False)) == [(-1,)]
    assert moves(For((Loop(A, few), Loop(B, few)), (emit, Break())), Emit((number(1),))) == [(0, 0, 0), (1,)]


def test_a_move_is_made() -> None:
    move = Local(Row((COUNT, D)), "move")
    function_ = Function("apply", "f", (move,), (
        Idle(True),
        If(op("eq", op("part", move, number(0), type_=COUNT), number(1)), (
            Perform("rˑgo", (op("part", move, number(1), type_=D),)), Goto(7),
        )),
        Goto(Cell(COUNT, NOTES, number(4))),
    ))  # fmt: skip
    text, go, S = "\n".join(function(function_, True)), Record(), list(STATE)
    S[3] = 5
    assert called(text, S, None, (1, 8), rˑgo=go) == 7
    assert go.calls == [(S, None, 8)] and S[3] == 0
    assert called(text, S, None, (2,)) == STATE[34]


def blocks(*body: Statement, **names: Any) -> tuple[list[Any], Any]:
    S, J = list(STATE), list[Any]()
    found = called(text_of(*body, kind="block"), S, J, **names)
    return S, found


def test_blocks_say_where_to_go_on() -> None:
    S, found = blocks(Suspend(7, 9, note), m7=Record([[(0,)]]))
    assert found == -1 and S[0] == 7 and S[4] == [(0,)] and S[30] == 4
    S, found = blocks(Suspend(7, 9, note), m7=Record([[]]))
    assert found == 9 and S[0] == 0 and S[30] is None
    S, found = blocks(Stop(-2))
    assert found == -1 and S[0] == -2 and S[4] == []
    with pytest.raises(Left) as left:
        blocks(Leave(5), Leave=Left)
    assert left.value.point == 5
    idle = Record()
    S, _ = blocks(Idle(False, node(8)), idle=idle)
    assert S[3] == 1 and idle.calls == [(1, 8)]


def test_the_whole_program_is_one_text() -> None:
    loop = For((Loop(A, Q),), (Store(note, A),))
    rule = Function("rule", "rˑgo", (Q,), (loop,))
    first, last = (Function("block", f"b{place}", (), (Goto(7),), number=place) for place in (1, 3))
    tables, cells = {"Tab": Table("Tab", (1, 2), COUNT)}, {"notes": NOTES, "board": BOARD}
    module = Module({"rˑgo": rule}, tables, cells, blocks={3: last, 1: first})
    text = source(module)
    assert text.startswith("# The cells of the state:\n# 10..29 board: Set(d:20)\n# 30..34 notes: Int(-9..99)?\n")
    assert text.index("def rˑgo(S, J, _q)") < text.index("def b1(S, J)") < text.index("def b3(S, J)")
    names = {**RUNTIME, **constants(module)}
    exec(text, names)
    assert names["Tab"] == (1, 2)
    assert names["b3"](STATE, None) == 7
    assert "J.append" not in source(module, journal=False)


def test_a_function_states_its_location_in_the_rules() -> None:
    span = Span(Source("games/go.rules", "a\n\nb"), 3, 4)
    rule = Function("rule", "rˑgo", (), (), source=ast.Number(span=span, number=4, value=1))
    assert "# games/go.rules:3\ndef rˑgo(S, J):\n pass\n" in source(Module({"rˑgo": rule}))
