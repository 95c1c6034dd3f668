"""A module of the intermediate representation, made by hand, with a little of everything in it."""

from __future__ import annotations

from dsl import ast
from dsl.text.span import Source, Span
from interpreter.compiler.ir import expressions as ex
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import (
    FALSE,
    NOTHING,
    TRUE,
    Cell,
    Const,
    Expr,
    Fold,
    Local,
    Lookup,
    Loop,
    Op,
    number,
)
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.ir.types import BOOL, COUNT, Int, Opt, Ref, Row, Seq, Set, Type

RULES = Source("somewhere/tiny.rules", "".join(f"line {n}\n" for n in range(1, 40)))
PLAYER, PIECE, PLACE = Ref("Player", 2), Ref("piece", 6), Ref("place", 5)
PIECES, PLAYERS, NUMBERS = Set("piece", 6), Set("Player", 2), Set("number", 64)
NAMES = {"Player": ("red", "blue")}


def line(number_: int) -> ast.Node:
    """A node of the rules in a line."""
    start = RULES.line_starts[number_ - 1]
    return ast.Number(span=Span(RULES, start, start + 4), number=number_, value=0)


def name_of(domain: str, value: int) -> str:
    return NAMES[domain][value] if domain in NAMES else str(value)


MAN = ex.Table("M_man", (3, 12), PIECES)
NEXT = ex.Table("N_field", ((1, None), (None, 0)), Opt(PLACE))
WORTH = ex.Table("T_worth", {2: 5, 7: 9}, Int(0, 9), partial=True, missing=0)
FACES = ex.Table("D_die", ((1, 2, 3), ("1", "2", "3")), Int(1, 3))
ME = ex.Group("me", 0, 1, PLAYER)
BACK = ex.Group("return", 1, 1, COUNT)
FIELD = ex.Group("field", 2, 4, PIECES)
OWNER = ex.Group("owner", 6, 2, Opt(PLAYER))
DIE = ex.Group("die", 8, 1, Opt(Int(1, 3)))
POINTS = ex.Group("points", 9, 2, Int(-100, 100))
FIVE, SIX = number(5), number(6)
BOX_CELL = ex.Group("box", 11, 1, PIECES)
BOX = ex.Zone("box", 0, 1, "heap", BOX_CELL, None, None, None)
SQUARE = ex.Zone("field", 1, 4, "heap", FIELD, None, None, None)
P, C, T, X = Local(PLAYER, "p"), Local(PIECE, "c"), Local(PLACE, "to"), Local(Int(0, 9), "x")


def cell(group: ex.Group, index: Expr | int = 0) -> Cell:
    return Cell(group.type, group, number(index) if isinstance(index, int) else index)


def slot(zone: ex.Zone, index: Expr | int = 0) -> ex.Slot:
    return ex.Slot(PLACE, zone, number(index) if isinstance(index, int) else index)


def op(type_: Type, name: str, *args: Expr) -> Op:
    return Op(type_, name, args)


def place(value: int) -> Const:
    return Const(PLACE, value)


def other(seat: Expr) -> Op:
    """The seat after a seat."""
    return op(PLAYER, "mod", op(COUNT, "add", seat, number(1)), number(2))


def won() -> Function:
    men = Lookup(PIECES, MAN, (other(P),))
    left = op(PIECES, "both", cell(FIELD, 3), men)
    bare = op(BOOL, "is_empty", left)
    seat = op(BOOL, "eq", P, cell(ME))
    there = op(BOOL, "not", op(BOOL, "has", cell(FIELD), Const(PIECE, 2)))
    some = Fold(BOOL, "any", (Loop(C, cell(FIELD), op(BOOL, "has", men, C)),), TRUE)
    body = (
        st.If(bare, (st.Return(TRUE, line(6)),), source=line(6)),
        st.If(ex.Logic(BOOL, "and", (seat, ex.Logic(BOOL, "or", (there, some)))), (st.Return(FALSE),), source=line(7)),
        st.Return(op(BOOL, "le", cell(POINTS, P), op(COUNT, "size", Const(PIECES, 0b101111))), line(8)),
    )
    return Function("define", "f_won", (P,), body, BOOL, source=line(5))


def go() -> Function:
    best = Fold(Opt(PIECE), "highest", (Loop(C, cell(FIELD)),), Lookup(COUNT, WORTH, (C,)))
    kept, found = Local(Opt(PIECE), "kept"), Local(PIECES, "found")
    body = (
        st.Mark("enter", line(10), (T,)),
        st.Assign(kept, best, line(11)),
        st.MoveSet(op(PIECES, "or_empty", kept), T, True, line(12)),
        st.For((Loop(X, Const(NUMBERS, 0xFF)), Loop(C, cell(FIELD, X), TRUE)), (
            st.If(op(BOOL, "gt", X, number(3)), (st.Break(),), (st.Continue(),), line(14)),
        ), True, line(13)),
        st.Repeat(ex.Check(Int(1, 3), "need", cell(DIE), ()), (
            st.Reason(cell(POINTS, cell(ME)), number(2), (T,), line(16)),
            st.Store(cell(POINTS, cell(ME)), ex.Check(
                POINTS.type, "in_range", op(COUNT, "add", cell(POINTS, cell(ME)), number(2)), (-100, 100)), line(16)),
        ), line(15)),
        st.If(op(BOOL, "is_none", kept), (st.Assign(found, Const(PIECES, 0)),), (
            st.Assign(found, ex.Let(PIECES, C, ex.Check(PIECE, "need", kept, ()), op(PIECES, "single", C))),
        ), line(17)),
        st.MoveSome(number(1), found, slot(BOX), T, False, line(18)),
        st.Insert(kept, slot(SQUARE, cell(ME)), Const(PIECE, 0), True, line(19)),
        st.Shuffle(place(3), line(20)),
        st.Draw(cell(DIE), FACES, "roll", "", line(21)),
        st.Store(cell(OWNER, 1), NOTHING, line(22)),
        st.Store(cell(OWNER), ex.Choice(Opt(PLAYER), FALSE, NOTHING, Const(PLAYER, 1)), line(23)),
        st.Perform("quiet_stay", (), line(24)),
        st.React("react_all", line(24)),
        st.If(ex.Call(BOOL, "f_won", (cell(ME),)), (st.Leave(2, line(25)),), (
            st.If(ex.Counted(BOOL, TRUE, 3, 4), (st.Count(7),), (st.Idle(True), st.Idle(False))),
        ), line(25)),
    )  # fmt: skip
    return Function("rule", "r_go", (T,), body, source=line(10))


def good() -> Module:
    """A module without a problem."""
    turns = Fold(Seq(PIECE), "list", (Loop(C, op(Seq(PIECE), "contents", T)),), C)
    stay = Function("quiet rule", "quiet_stay", (), (), source=line(28))
    when = Function("when", "w_end", (), (
        st.If(op(BOOL, "over"), (st.Return(op(Row(()), "row")),)), st.Return(Const(Opt(Row(())), None)),
    ), Opt(Row(())), calls=("end",))  # fmt: skip
    react = Function("react", "react_all", (), (), calls=("w_end",))
    moves = Function("moves", "m1", (), (
        st.For((Loop(T, Const(Set("place", 5), 0b11110)),), (
            st.If(op(BOOL, "lt", number(0), op(COUNT, "length", turns)), (st.Emit((number(0), T), line(30)),)),
        ), source=line(30)),
        st.IfNoMoves((st.Emit((number(1),), line(31)),), line(31)),
        st.EmitDone(True, line(32)),
    ), number=1, source=line(29))  # fmt: skip
    move = Local(Row((Int(-1, 1), PLACE)), "move")
    apply = Function("apply", "a1", (move,), (
        st.If(op(BOOL, "eq", op(Int(-1, 1), "part", move, number(0)), number(-1)), (st.Goto(2),)),
        st.Perform("r_go", (op(PLACE, "part", move, number(1)),), line(30)),
        st.Goto(0),
    ), number=1, source=line(29))  # fmt: skip
    blocks = (
        Function("block", "b0", (), (
            st.Store(cell(ME), other(cell(ME)), line(20)), st.Store(cell(BACK), number(2)), st.Goto(1),
        ), number=0, source=line(20)),
        Function("block", "b1", (), (st.Suspend(1, 2, cell(OWNER, 1), line(29)),), number=1),
        Function("block", "b2", (), (
            st.If(op(BOOL, "over"), (st.Stop(-1),), (st.Goto(cell(BACK)),), line(33)),
        ), number=2),
    )  # fmt: skip
    functions = (won(), go(), stay, when, react, moves, apply)
    return Module(
        functions={function.name: function for function in functions},
        tables={table.name: table for table in (MAN, NEXT, WORTH, FACES)},
        cells={group.name: group for group in (ME, BACK, FIELD, OWNER, DIE, POINTS, BOX_CELL)},
        zones={zone.name: zone for zone in (BOX, SQUARE)},
        blocks={block.number: block for block in blocks},
    )
