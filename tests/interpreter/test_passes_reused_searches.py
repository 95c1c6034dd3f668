"""Searches in blocks are not made again where nothing has changed that their values depend on."""

from __future__ import annotations

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import (
    Cell,
    Check,
    Choice,
    Const,
    Expr,
    Fold,
    Group,
    Local,
    Logic,
    Lookup,
    Loop,
    Op,
    Table,
    number,
)
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.ir.printing import block_text
from interpreter.compiler.ir.types import BOOL, Int, Ref, Set
from interpreter.compiler.ir.verifier import verify
from interpreter.compiler.passes.machine.fusion import continue_into
from interpreter.compiler.passes.machine.reused_searches import reused_searches
from interpreter.compiler.passes.record import PassRecords

SPOT, SPOTS = Ref("Spot", 6), Set("Spot", 6)
OWN, OTHER, SCORE = (Group(name, place, 1, kind) for place, (name, kind) in enumerate(
    (("own", SPOTS), ("other", SPOTS), ("score", Int(0, 99)))
))  # fmt: skip
NEAR = Table("near", (0b10, 0b101, 0b1010, 0b10100, 0b101000, 0b10000), SPOTS)
C, D = Local(SPOT, "c"), Local(SPOT, "d")


def cell(group: Group) -> Cell:
    return Cell(group.type, group, number(0))


def search(group: Group = OWN) -> Expr:
    """The places of a set beside others of it."""
    near = Op(SPOTS, "both", (Lookup(SPOTS, NEAR, (C,)), cell(group)))
    return Fold(SPOTS, "set", (Loop(C, cell(group), some(near)),), C)


def some(node: Expr) -> Expr:
    return Op(BOOL, "not", (Op(BOOL, "is_empty", (node,)),))


def stored(group: Group, value: Expr) -> st.Store:
    return st.Store(cell(group), value)


def changed(*body: st.Statement) -> tuple[str, st.Block]:
    """The statements after the pass, as text."""
    block = Function("block", "b0", (), (*body, st.Stop(-1)), number=0)
    groups = {group.name: group for group in (OWN, OTHER, SCORE)}
    module = Module({}, {"near": NEAR}, groups, {}, {0: block})
    reused_searches(module, PassRecords())
    assert verify(module) == []
    return block_text(block.body), block.body


ONE = stored(SCORE, number(1))


def test_a_search_that_comes_again() -> None:
    shown, _ = changed(st.If(some(search()), (stored(OTHER, search()),)))
    assert shown.count("set(") == 1


def test_the_other_branch_and_what_follows() -> None:
    shown, _ = changed(st.If(some(search()), (ONE,), (stored(OTHER, search()),)), stored(OTHER, search()))
    assert shown.count("set(") == 1


def test_a_change_in_between() -> None:
    shown, _ = changed(st.If(some(search()), (stored(OWN, Const(SPOTS, 1)), stored(OTHER, search()))))
    assert shown.count("set(") == 2


def test_a_change_of_something_else() -> None:
    shown, _ = changed(st.If(some(search()), (stored(OTHER, Const(SPOTS, 1)), ONE, stored(OTHER, search()))))
    assert shown.count("set(") == 1


def test_a_change_in_one_branch() -> None:
    inner = st.If(Op(BOOL, "gt", (cell(SCORE), number(3))), (stored(OWN, Const(SPOTS, 1)),), (stored(OTHER, search()),))
    shown, _ = changed(st.If(some(search()), (inner, stored(OTHER, search()))))
    assert shown.count("set(") == 2  # and none in the other branch


def test_loops_that_change_what_they_look_at() -> None:
    body = (stored(OTHER, search()), stored(OWN, Op(SPOTS, "minus", (cell(OWN), Op(SPOTS, "single", (D,))))))
    shown, _ = changed(st.For((Loop(D, search()),), body), stored(OTHER, search()))
    assert shown.count("set(") == 3


def test_loops_that_do_not() -> None:
    shown, _ = changed(st.For((Loop(D, search()),), (stored(OTHER, search()),)))
    assert shown.count("set(") == 1


def test_only_what_is_sure_to_be_computed() -> None:
    """Nothing is computed that would not have been."""
    maybe = Logic(BOOL, "and", (Op(BOOL, "gt", (cell(SCORE), number(3))), some(search())))
    shown, _ = changed(st.If(maybe, (stored(OTHER, search()),)))
    assert shown.count("set(") == 2
    choice = Choice(SPOTS, Op(BOOL, "gt", (cell(SCORE), number(3))), search(), cell(OTHER))
    shown, _ = changed(stored(OTHER, choice), stored(OTHER, search()))
    assert shown.count("set(") == 2


def test_what_may_fail_stays() -> None:
    sure = Check(SPOTS, "subset", search(), (0, 1))
    shown, _ = changed(st.If(some(sure), (stored(OTHER, sure),)))
    assert shown.count("subset(") == 2


def test_the_moves_of_a_decision() -> None:
    """Whether there are moves is known when they are looked for."""
    part = Local(SPOT, "part")
    moves = (st.For((Loop(D, search()),), (st.Emit((D,)),)),)
    decide = st.Decide(1, moves, (part,), (stored(OWN, search(OTHER)),), ())
    shown, body = changed(st.If(some(search()), (decide,)))
    assert shown.count("set(") == 2
    condition, (found,) = body[1].condition, body[1].then  # type: ignore[union-attr]
    (loop,) = found.moves[0].loops  # type: ignore[union-attr]
    assert isinstance(loop.over, Local) and condition == some(loop.over)


def test_different_searches() -> None:
    shown, _ = changed(st.If(some(search()), (stored(OTHER, search(OTHER)),)))
    assert shown.count("set(") == 2


def test_a_block_is_continued_in_one_that_repeats_its_search() -> None:
    """Only then: a copy that shares no search makes the game longer, and no faster."""
    part = Local(SPOT, "part")

    def continued(before: Expr) -> Module:
        moves = (st.For((Loop(D, search()),), (st.Emit((D,)),)),)
        decide = st.Decide(1, moves, (part,), (ONE, st.Stop(-1)), (st.Stop(-1),))
        bodies = (st.If(some(before), (st.Goto(1),)), st.Stop(-1)), (decide,)
        blocks = {n: Function("block", f"b{n}", (), body, number=n) for n, body in enumerate(bodies)}
        module = Module({}, {"near": NEAR}, {group.name: group for group in (OWN, OTHER, SCORE)}, {}, blocks)
        continue_into(module, {1})
        return module

    repeated, other = continued(search()), continued(search(OTHER))
    for module in (repeated, other):
        assert module.blocks.keys() == {0, 1}  # a game may begin at the second one
    assert not any(isinstance(node, st.Goto) for node in st.walk(repeated.blocks[0].body))
    assert repeated.blocks[1].body[0] in [*st.walk(repeated.blocks[0].body)]
    reused_searches(repeated, PassRecords())
    assert verify(repeated) == []
    assert block_text(repeated.blocks[0].body).count("set(") == 1
    assert any(isinstance(node, st.Goto) for node in st.walk(other.blocks[0].body))
