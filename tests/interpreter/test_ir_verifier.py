"""The verifier of the intermediate representation: each problem it knows, put into a module that has none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

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
    number,
)
from interpreter.compiler.ir.module import Module
from interpreter.compiler.ir.types import BOOL, COUNT, Int, Opt, Row, Seq, Set
from interpreter.compiler.ir.verifier import verify
from tests.interpreter.tiny_module import (
    BACK,
    BOX,
    DIE,
    FIELD,
    FIVE,
    MAN,
    ME,
    NUMBERS,
    OWNER,
    PIECE,
    PIECES,
    PLACE,
    PLAYER,
    PLAYERS,
    POINTS,
    SIX,
    SQUARE,
    C,
    P,
    T,
    X,
    cell,
    go,
    good,
    line,
    op,
    place,
    slot,
    won,
)


def test_a_good_module_has_no_problems() -> None:
    assert verify(good()) == []


Change = Callable[[Module], None]


def body(name: str, *new: st.Statement, behind: bool = False) -> Change:
    """Put statements before (or behind) those of a function."""

    def change(module: Module) -> None:
        function = module.functions[name]
        function.body = (*function.body, *new) if behind else (*new, *function.body)

    return change


def only(name: str, *new: st.Statement) -> Change:
    """Replace the statements of a function."""

    def change(module: Module) -> None:
        module.functions[name].body = new

    return change


def value(node: Expr) -> Change:
    """An expression computed first in a rule that has the place `to` as its parameter."""
    return body("r_go", st.Assign(Local(node.type, "tried"), node))


def first_block(*new: st.Statement) -> Change:
    """Replace the statements of block 0."""

    def change(module: Module) -> None:
        module.blocks[0].body = new

    return change


def field(part: str, name: str | int, new: Any) -> Change:
    """Put another entry into a part of the module, none to take it out."""

    def change(module: Module) -> None:
        entries = getattr(module, part)
        if new is None:
            del entries[name]
        else:
            entries[name] = new

    return change


def changed(name: str, **new: Any) -> Change:
    """Change the fields of a function."""

    def change(module: Module) -> None:
        module.functions[name] = replace(module.functions[name], **new)

    return change


LIST = op(Seq(PIECE), "contents", T)
ROW = op(Row(()), "row")
SOME = Local(Int(0, 5), "some")
OTHER_MAN = ex.Table("M_man", (3, 12), PIECES)
OWN = cell(OWNER)

PROBLEMS: dict[str, tuple[Change, str]] = {
    # operations
    "no such operation": (value(op(COUNT, "plus", SIX, SIX)), "there is no operation plus"),
    "too few arguments": (value(op(COUNT, "add", SIX)), "`add` takes 2 arguments, not 1"),
    "too few of any number": (value(op(COUNT, "least")), "`least` takes 1 arguments or more, not 0"),
    "set in arithmetic": (value(op(COUNT, "add", SIX, cell(FIELD))), "`add` takes Int, not Set(piece:6)"),
    "among any number": (value(op(COUNT, "least", SIX, TRUE)), "`least` takes Int, not Bool"),
    "none in arithmetic": (value(op(COUNT, "add", SIX, cell(DIE))), "`add` takes Int, not Int(1..3)?"),
    "wrong result": (value(op(BOOL, "add", SIX, SIX)), "`add` gives Int, not Bool"),
    "sets of two domains": (value(op(PIECES, "union", cell(FIELD), Const(PLAYERS, 1))), "`union` of Set(piece:6) and"),
    "sets of two widths": (value(op(PIECES, "both", cell(FIELD), Const(Set("piece", 5), 1))), "`both` of Set(piece:6)"),
    "another set as a result": (value(op(PLAYERS, "minus", cell(FIELD), cell(FIELD))), "gives no Set(Player:2)"),
    "two domains compared": (value(op(BOOL, "eq", T, cell(ME))), "place and Player are never equal"),
    "set and number compared": (value(op(BOOL, "eq", SIX, cell(FIELD))), "are never equal"),
    "member of another domain": (value(op(BOOL, "has", cell(FIELD), T)), "has no members of type place"),
    "listed in another domain": (value(op(BOOL, "in_list", T, LIST)), "has no members of type place"),
    "single of another domain": (value(op(PIECES, "single", T)), "has no members of type place"),
    "first of another domain": (value(op(Opt(PLACE), "first", cell(FIELD))), "a member of Set(piece:6) is no place?"),
    "item of another kind": (value(op(BOOL, "item", LIST, SIX)), "a member of Seq(piece) is no Bool"),
    "part of another kind": (value(op(BOOL, "part", op(Row((PLACE,)), "row", T), number(0))), "part 0 of Row(place)"),
    "part beyond the last": (value(op(PLACE, "part", op(Row((PLACE,)), "row", T), number(1))), "has no part 1"),
    "list of two kinds": (value(op(Seq(PLACE), "list", T, SIX)), "Int(6..6) in Seq(place)"),
    "contents of a number": (value(op(Seq(PIECE), "contents", SIX)), "Int(6..6) is no place"),
    # the other expressions
    "constant of another kind": (value(Const(BOOL, 1)), "is no Bool: `true`"),
    "constant too large": (value(Const(PLAYER, 2)), "is no Player"),
    "constant set too wide": (value(Const(PLAYERS, 4)), "is no Set(Player:2)"),
    "logic of numbers": (value(ex.Logic(BOOL, "and", (TRUE, SIX))), "`and` takes Bool, not Int(6..6)"),
    "logic as a number": (value(ex.Logic(COUNT, "or", (TRUE, FALSE))), "gives Bool, not Int"),
    "logic of one": (value(ex.Logic(BOOL, "or", (TRUE,))), "`or` joins fewer than two parts"),
    "choice by a number": (value(ex.Choice(COUNT, SIX, SIX, SIX)), "a condition is Bool, not Int(6..6)"),
    "choice of another type": (value(ex.Choice(COUNT, TRUE, SIX, FALSE)), "Bool is no Int"),
    "choice of none": (value(ex.Choice(PLAYER, TRUE, OWN, cell(ME))), "Player? is no Player"),
    "let of another type": (value(ex.Let(COUNT, SOME, TRUE, SIX)), "Bool where Int(0..5) belongs"),
    "counted condition": (value(ex.Counted(COUNT, SIX, 1, 2)), "a condition is Bool"),
    "function as a value": (value(ex.Lambda(COUNT, (), SIX)), "handed to an operation is no Int"),
    "need of what there is": (value(ex.Check(PLACE, "need", T, ())), "`need` takes what may be none"),
    "need that gives none": (value(ex.Check(OWNER.type, "need", OWN, ())), "`need` of Player? gives no Player?"),
    "range of a set": (value(ex.Check(PIECES, "in_range", cell(FIELD), (0, 1))), "`in_range` takes Int"),
    "one bound": (value(ex.Check(COUNT, "in_range", SIX, (1,))), "`in_range` has two bounds"),
    "among of a set": (value(ex.Check(PIECES, "among", cell(FIELD), (0, 1))), "`among` takes Int or Ref"),
    "subset of a number": (value(ex.Check(COUNT, "subset", SIX, (0, 1))), "`subset` takes Set"),
    "product of a set": (value(ex.Check(PIECES, "product", cell(FIELD), ())), "`product` takes Int"),
    "divisor of a set": (value(ex.Check(PIECES, "divisor", cell(FIELD), ())), "`divisor` takes Int"),
    "check that loses none": (value(ex.Check(PLAYER, "one_of", OWN, (0,))), "`one_of` keeps none"),
    "check of another type": (value(ex.Check(PLACE, "one_of", cell(ME), (0,))), "`one_of` of Player gives no place"),
    # folds
    "fold without a loop": (value(Fold(BOOL, "any", (), TRUE)), "`any` without a loop"),
    "loop through a number": (value(Fold(BOOL, "any", (Loop(C, SIX),), TRUE)), "c cannot go through Int(6..6)"),
    "loop as something else": (value(Fold(BOOL, "any", (Loop(P, cell(FIELD)),), TRUE)), "p is Player, but goes"),
    "loop where a number": (value(Fold(BOOL, "any", (Loop(C, LIST, SIX),), TRUE)), "a condition is Bool"),
    "any as a number": (value(Fold(COUNT, "any", (Loop(C, LIST),), TRUE)), "gives Bool, not Int"),
    "count as a truth": (value(Fold(BOOL, "count", (Loop(C, LIST),), TRUE)), "`count` gives Int, not Bool"),
    "sum of truths": (value(Fold(COUNT, "sum", (Loop(C, LIST),), TRUE)), "`sum` of Bool"),
    "max as a truth": (value(Fold(BOOL, "max", (Loop(C, LIST),), SIX)), "`max` gives Int, not Bool"),
    "set as a number": (value(Fold(COUNT, "set", (Loop(C, LIST),), C)), "`set` gives Set, not Int"),
    "set of another domain": (value(Fold(PLAYERS, "set", (Loop(C, LIST),), C)), "has no members of type piece"),
    "list as a set": (value(Fold(PIECES, "list", (Loop(C, LIST),), C)), "`list` gives Seq, not Set"),
    "list of something else": (value(Fold(Seq(BOOL), "list", (Loop(C, LIST),), C)), "piece in Seq(Bool)"),
    "first for sure": (value(Fold(PIECE, "first", (Loop(C, LIST),), C)), "`first` of piece gives piece or none"),
    "highest by a truth": (value(Fold(Opt(PIECE), "highest", (Loop(C, LIST),), TRUE)), "`highest` of Bool"),
    "lowest as the value": (value(Fold(Opt(COUNT), "lowest", (Loop(C, LIST),), SIX)), "gives piece or none"),
    # what the module holds
    "no such table": (field("tables", "M_man", None), "there is no table M_man: `M_man[(p + 1) % 2]`"),
    "another table": (field("tables", "M_man", OTHER_MAN), "there is another table M_man"),
    "table under another name": (field("tables", "spare", MAN), "table M_man: kept as spare"),
    "table as data": (value(ex.Data(Seq(COUNT), ex.Table("spare", (), COUNT))), "there is no table spare"),
    "table of faces": (body("r_go", st.Draw(cell(DIE), OTHER_MAN, "pick", "x", line(1))), "another table M_man"),
    "draw from a number": (body("r_go", st.DrawItem(cell(DIE), SIX, line(1))), "items are a sequence, not Int(6..6)"),
    "no key": (value(Lookup(PIECES, MAN, ())), "M_man is asked without a key"),
    "key of no number": (value(Lookup(PIECES, MAN, (ROW,))), "a key is Bool, Int, Ref or Set, not Row()"),
    "key that may be none": (value(Lookup(PIECES, MAN, (OWN,))), "a key may be none"),
    "value that may be missing": (
        value(Lookup(COUNT, ex.Table("T_some", {1: 2}, COUNT, partial=True), (SIX,))), "has no value for some keys"),
    "entry of another type": (value(Lookup(BOOL, MAN, (SIX,))), "M_man holds Set(piece:6), not Bool"),
    "entry beyond the last": (value(Lookup(PIECES, MAN, (SIX,))), "M_man has no entry 6"),
    "too many keys": (value(Lookup(PIECES, MAN, (cell(ME), cell(ME)))), "M_man is asked with too many keys"),
    "no such cells": (field("cells", "owner", None), "there is no group of cells owner"),
    "other cells": (field("cells", "die", replace(DIE, type=DIE.type, count=0)), "there is another group of cells die"),
    "cells under another name": (field("cells", "spare", replace(DIE, first=99)), "cells die: kept as spare"),
    "overlapping cells": (field("cells", "more", ex.Group("more", 5, 1, BOOL)), "cells more: overlap with field"),
    "cells before the first": (field("cells", "less", ex.Group("less", -1, 1, BOOL)), "cells less: no range"),
    "zone under another name": (field("zones", "spare", replace(BOX, first=99)), "zone box: kept as spare"),
    "overlapping zones": (field("zones", "more", replace(BOX, name="more", first=2)), "zone more: overlap with field"),
    "zone with too few cells": (field("zones", "box", replace(BOX, count=0)), "has 0 places, but 1 cells box"),
    "row without an order": (field("zones", "box", replace(BOX, shape="row")), "zone box: a row without an order"),
    "heap with an order": (field("zones", "box", replace(BOX, order=DIE)), "zone box: a heap with an order"),
    "several filled cells": (field("zones", "box", replace(BOX, filled=OWNER)), "zone box: 2 cells owner"),
    "no such zone": (field("zones", "box", None), "there is no zone box"),
    "place beyond the last": (value(slot(SQUARE, 4)), "field has 4 places, and none with number 4"),
    "place by a truth": (value(slot(SQUARE, TRUE)), "the number of a place is Int, not Bool"),
    "place as a number": (value(replace(slot(BOX), type=COUNT)), "is no place"),
    "cell beyond the last": (value(cell(FIELD, 4)), "field has 4 cells, and none with number 4"),
    "cell of another type": (value(Cell(BOOL, FIELD, number(0))), "a cell of field is Set(piece:6), not Bool"),
    "cell by a truth": (value(cell(FIELD, TRUE)), "the number of a cell is Int, not Bool"),
    "cell by what may be none": (value(cell(POINTS, OWN)), "the number of a cell is Int, not Player?"),
    "written cell beyond the last": (body("r_go", st.Store(cell(OWNER, 2), NOTHING)), "none with number 2"),
    "value of another type": (body("r_go", st.Store(cell(FIELD), SIX)), "field holds Set(piece:6), not Int(6..6)"),
    "none into a cell": (body("r_go", st.Store(cell(ME), OWN)), "me holds Player, not Player?"),
    "no such definition": (field("functions", "f_won", None), "there is no function f_won: `f_won(me)`"),
    "rule that is asked": (value(ex.Call(BOOL, "quiet_stay", ())), "quiet_stay is a quiet rule, which has no value"),
    "answer of another type": (value(ex.Call(COUNT, "f_won", (cell(ME),))), "Bool where Int"),
    "too many arguments": (value(ex.Call(BOOL, "f_won", (cell(ME), SIX))), "f_won has 1 parameters, not 2"),
    "argument of another type": (value(ex.Call(BOOL, "f_won", (T,))), "f_won takes Player as p, not place"),
    "no such rule": (field("functions", "quiet_stay", None), "there is no function quiet_stay"),
    "definition performed": (body("r_go", st.Perform("f_won", (cell(ME),))), "f_won is a define, not a rule"),
    "argument of a rule": (body("r_go", st.Perform("r_go", (SIX,))), "r_go takes place as to, not Int(6..6)"),
    "no such reactions": (body("r_go", st.React("react_some")), "there is no function react_some"),
    "rule as reactions": (body("r_go", st.React("r_go")), "r_go is a rule, not a react"),
    "no such reaction": (field("functions", "w_end", None), "there is no function w_end"),
    "function under another name": (field("functions", "spare", won()), "kept as spare"),
    "block under another number": (field("blocks", 9, good().blocks[0]), "block 0: kept as 9"),
    "rule as a block": (field("blocks", 9, go()), "kept as a block"),
    "block with parameters": (
        lambda module: setattr(module.blocks[0], "params", (P,)), "is a block, and has parameters"),
    # statements
    "if of a number": (body("r_go", st.If(SIX, ())), "a condition is Bool, not Int(6..6)"),
    "for without loops": (body("r_go", st.For((), ())), "nothing to go through"),
    "for through a number": (body("r_go", st.For((Loop(C, SIX),), ())), "c cannot go through Int(6..6)"),
    "repeat by a set": (body("r_go", st.Repeat(cell(FIELD), ())), "how often to repeat is Int, not Set"),
    "players moved": (body("r_go", st.MoveSet(Const(PLAYERS, 1), T, False, line(1))), "pieces are a Set of them"),
    "moved to a number": (body("r_go", st.MoveSet(cell(FIELD), SIX, False, line(1))), "Int(6..6) is no place"),
    "some moved by a truth": (
        body("r_go", st.MoveSome(TRUE, None, T, T, False, line(1))), "how many to move is Int, not Bool"),
    "kind of players": (body("r_go", st.MoveSome(SIX, Const(PLAYERS, 1), T, T, False, line(1))), "pieces are a Set"),
    "moved from a number": (body("r_go", st.MoveSome(SIX, None, SIX, T, False, line(1))), "Int(6..6) is no place"),
    "place inserted": (body("r_go", st.Insert(T, T, Const(PIECE, 1), True, line(1))), "place is no piece"),
    "inserted beside none": (
        body("r_go", st.Insert(NOTHING, T, Const(Opt(PIECE), None), True, line(1))), "piece? is no piece"),
    "number shuffled": (body("r_go", st.Shuffle(SIX, line(1))), "Int(6..6) is no place"),
    "amount that may be none": (body("r_go", st.Reason(cell(POINTS), cell(DIE), (), line(1))), "an amount is Int"),
    "move of no act": (body("m1", st.Emit((TRUE,))), "a move begins with the number of the act"),
    "value of another kind": (body("f_won", st.Return(SIX)), "f_won gives Bool, not Int(6..6)"),
    # locals
    "unknown local": (value(SOME), "some is not defined here"),
    "local used before": (
        body("r_go", st.Store(cell(POINTS), SOME), st.Assign(SOME, number(1))), "some is not defined here"),
    "local of one way": (
        body("r_go", st.If(TRUE, (st.Assign(SOME, number(1)),)), st.Store(cell(POINTS), SOME)),
        "some is not defined here"),
    "local of a round": (
        body("r_go", st.For((Loop(X, Const(NUMBERS, 1)),), ()), st.Store(cell(POINTS), X)), "x is not defined here"),
    "local of a fold": (
        body("r_go", st.If(Fold(BOOL, "any", (Loop(C, LIST),), TRUE), (st.Assign(Local(PIECE, "other"), C),))),
        "c is not defined here"),
    "inner loop first": (
        value(Fold(BOOL, "any", (Loop(C, op(Seq(PIECE), "contents", Local(PLACE, "at"))),
                                 Loop(Local(PLACE, "at"), Const(Set("place", 5), 1))), TRUE)),
        "at is not defined here"),
    "local of a function": (
        body("r_go", st.Assign(Local(COUNT, "n"), number(1)), st.If(op(BOOL, "lt", Local(COUNT, "n"),
             ex.Let(COUNT, SOME, number(1), SOME)), ()), st.Store(cell(POINTS), SOME)),
        "some is not defined here"),
    "local as something else": (value(Local(PLAYER, "to")), "to is place, not Player"),
    "local bound twice": (value(Fold(BOOL, "any", (Loop(Local(PIECE, "to"), LIST),), TRUE)), "to is defined already"),
    "local of two types": (
        body("r_go", st.Assign(SOME, number(1)), st.Assign(Local(BOOL, "some"), TRUE)), "some is Int(0..5), not Bool"),
    "value for a local": (body("r_go", st.Assign(SOME, TRUE)), "some is Int(0..5), not Bool"),
    "parameters of one name": (changed("f_won", params=(P, P)), "there are two parameters p"),
    # control
    "write in a definition": (body("f_won", st.Store(cell(ME), P)), "Store in a define"),
    "move in a sight": (
        changed("f_won", kind="sight", body=(st.MoveSet(cell(FIELD), place(1), False, line(1)),)),
        "MoveSet in a sight"),
    "shuffle in a criterion": (
        changed("f_won", kind="criterion", body=(st.Shuffle(place(1), line(1)),)), "Shuffle in a criterion"),
    "write in moves": (body("m1", st.Store(cell(ME), cell(ME))), "Store in a moves"),
    "perform in moves": (body("m1", st.Perform("quiet_stay", ())), "Perform in a moves"),
    "emit in a rule": (body("r_go", st.Emit((number(0),))), "Emit in a rule"),
    "return in a rule": (body("r_go", st.Return(SIX), behind=True), "Return in a rule"),
    "go to in a rule": (body("r_go", st.Goto(1), behind=True), "Goto in a rule"),
    "wait in apply": (body("a1", st.If(TRUE, (st.Suspend(1, 2, None),))), "Suspend in a apply"),
    "stop in apply": (body("a1", st.If(TRUE, (st.Stop(-1),))), "Stop in a apply"),
    "no such block": (first_block(st.Goto(7)), "there is no block 7"),
    "left to no block": (first_block(st.Leave(7)), "there is no block 7"),
    "waiting without a block": (first_block(st.Suspend(1, 7, None)), "there is no block 7"),
    "block in a set": (first_block(st.Goto(cell(FIELD))), "the number of a block is Int, not Set"),
    "block in no cell": (first_block(st.Goto(cell(BACK, 1))), "none with number 1"),
    "decision without moves": (field("functions", "m1", None), "decision 1 has no function of kind moves"),
    "decision without apply": (field("functions", "a1", None), "decision 1 has no function of kind apply"),
    "block without an end": (first_block(st.Idle(True)), "block 0, somewhere/tiny.rules:20:1: does not end every path"),
    "block with one end": (first_block(st.If(TRUE, (st.Goto(1),))), "does not end every path in a jump"),
    "block that ends in a loop": (first_block(st.Repeat(SIX, (st.Goto(1),))), "does not end every path in a jump"),
    "apply without an end": (only("a1"), "does not end every path in a jump"),
    "definition without a value": (only("f_won", st.If(TRUE, (st.Return(TRUE),))), "does not return a value on every"),
    "reaction without an answer": (only("w_end"), "does not return a value on every path"),
    "answer of a reaction": (changed("w_end", result=COUNT), "gives the arguments of a reaction or none, not Int"),
    "definition without a type": (changed("f_won", result=None), "has no type of its value"),
    "break outside": (body("r_go", st.Break()), "Break outside of a loop"),
    "continue outside": (body("r_go", st.If(TRUE, (st.Continue(),))), "Continue outside of a loop"),
}  # fmt: skip


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_verifier_finds(name: str) -> None:
    change, message = PROBLEMS[name]
    module = good()
    change(module)
    found = verify(module)
    assert any(message in problem for problem in found), found


def test_a_problem_names_function_location_and_expression() -> None:
    module = good()
    body("f_won", st.If(op(BOOL, "lt", TRUE, SIX), (), source=line(7)))(module)
    location = "define f_won(p: Player) -> Bool, somewhere/tiny.rules:7:1"
    assert verify(module) == [f"{location}: `lt` takes Int, not Bool: `true < 6`"]


@pytest.mark.parametrize(
    "change",
    [
        body("r_go", st.If(TRUE, (st.Assign(SOME, FIVE),), (st.Assign(SOME, FIVE),)),
             st.Store(cell(POINTS), SOME)),
        body("r_go", st.If(TRUE, (st.Assign(SOME, FIVE),), (st.Leave(2),)), st.Store(cell(POINTS), SOME)),
        value(op(PIECES, "union", cell(FIELD), Const(Set("nothing", 0), 0))),
        value(op(NUMBERS, "union", Const(Set("number", 3), 1), Const(NUMBERS, 1))),
        value(op(BOOL, "eq", cell(OWNER), NOTHING)),
        value(op(BOOL, "lt", cell(ME), SIX)),
        body("r_go", st.If(op(BOOL, "is_none", OWN), (), (st.Store(cell(ME), replace(OWN, type=PLAYER)),))),
    ],
    ids=["both ways", "only way that goes on", "empty set", "sets of numbers", "none", "seat as number", "narrowed"],
)  # fmt: skip
def test_nothing_is_wrong_with(change: Change) -> None:
    module = good()
    change(module)
    assert verify(module) == []
