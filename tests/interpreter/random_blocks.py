"""Random modules of blocks that jump to each other, for passes that must not change what they do."""

from __future__ import annotations

from random import Random
from typing import Any

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Cell, Check, Const, Expr, Group, Local, Logic, Loop, Op, number
from interpreter.compiler.ir.module import Module
from interpreter.compiler.ir.types import BOOL, COUNT, Int, Ref, Set
from tests.interpreter.naive_blocks import module_of

SPOT, SPOTS, FEW = Ref("Spot", 5), Set("Spot", 5), Int(0, 3)
LEFT = Group("left", 0, 1, Int(0, 30))
"""How many blocks are still executed, so that every run ends."""

BACK = Group("back", 1, 1, COUNT)
"""The block to return to."""

ONE, OTHER, TRUTH, THOSE = (
    Group(name, number_, 1, type_)
    for number_, (name, type_) in enumerate((("one", FEW), ("other", FEW), ("truth", BOOL), ("those", SPOTS)), 2)
)
PAIR = Group("pair", 6, 2, FEW)
GROUPS = (LEFT, BACK, ONE, OTHER, TRUTH, THOSE, PAIR)
OPENING: list[Any] = [20, 1, 0, 2, False, 0b10110, 1, 3]
"""The first state."""

BLOCKS = 6


def cell(group: Group, index: int = 0) -> Cell:
    return Cell(group.type, group, number(index))


def op(type_: Any, name: str, *args: Expr) -> Op:
    return Op(type_, name, args)


class Maker:
    """Statements by chance."""

    def __init__(self, seed: int, decisions: bool = True) -> None:
        self.random = Random(seed)
        self.decisions = decisions
        self.fresh = 0

    def module(self) -> Module:
        """Blocks of which the first one says where to return to, as calls of rules do."""
        first, *others = [self.whole(number_) for number_ in range(BLOCKS)]
        return module_of(GROUPS, (st.Store(cell(BACK), number(1)), *first), *others)

    def whole(self, number_: int) -> st.Block:
        """A block that counts itself and ends in a jump."""
        last = st.If(op(BOOL, "eq", cell(LEFT), number(0)), (st.Stop(-1),))
        fewer = st.Store(cell(LEFT), op(COUNT, "sub", cell(LEFT), number(1)))
        return (last, fewer, *self.block(2), self.jump())

    def jump(self) -> st.Statement:
        target = self.random.randrange(BLOCKS)
        return self.random.choice([
            st.Goto(target), st.Goto(target), st.Leave(target), st.Stop(target), st.Goto(cell(BACK)),
        ])  # fmt: skip

    def block(self, depth: int, jumps: bool = True) -> st.Block:
        found = [self.statement(depth, jumps) for _ in range(self.random.randrange(3))]
        return (*found, self.jump()) if jumps and depth < 2 and self.random.random() < 0.4 else tuple(found)

    def statement(self, depth: int, jumps: bool) -> st.Statement:
        kind = self.random.randrange(9 if depth else 4)
        match kind:
            case 0 | 1:
                group, index = self.random.choice([(ONE, 0), (OTHER, 0), (PAIR, 0), (PAIR, 1)])
                return st.Store(cell(group, index), self.number())
            case 2:
                return st.Store(cell(TRUTH), self.condition())
            case 3:
                return st.Store(cell(BACK), number(self.random.randrange(BLOCKS)))
            case 4 | 5 | 6:
                return st.If(self.condition(), self.block(depth - 1, jumps), self.block(depth - 1, jumps))
            case 7:
                self.fresh += 1
                over: Expr = cell(THOSE) if self.random.random() < 0.5 else Const(SPOTS, self.random.randrange(32))
                return st.For((Loop(Local(SPOT, f"x{self.fresh}"), over),), self.in_loop(depth))
            case _ if self.decisions and jumps:
                return self.decide(depth)
            case _:
                return st.Repeat(self.number(), self.block(depth - 1, False))

    def in_loop(self, depth: int) -> st.Block:
        body = self.block(depth - 1, False)
        if self.random.random() < 0.3:
            return (*body, st.If(self.condition(), (st.Leave(self.random.randrange(BLOCKS)),)))
        return body

    def decide(self, depth: int) -> st.Statement:
        self.fresh += 1
        part, spot = Local(FEW, f"part{self.fresh}"), Local(SPOT, f"spot{self.fresh}")
        moves: st.Block = (
            st.If(self.condition(), (st.Emit((number(1),)),)),
            st.For((Loop(spot, cell(THOSE)),), (st.If(self.condition(), (st.Emit((number(2),)),)),)),
        )
        made = (st.Store(cell(ONE), part), *self.block(depth - 1))
        return st.Decide(self.fresh, moves, (part,), made, self.block(depth - 1))

    def number(self) -> Expr:
        group, index = self.random.choice([(ONE, 0), (OTHER, 0), (PAIR, 0), (PAIR, 1)])
        match self.random.randrange(5):
            case 0 | 1:
                return Const(FEW, self.random.randrange(4))
            case 2:
                return cell(group, index)
            case 3:
                return Cell(FEW, PAIR, op(COUNT, "to_int", self.condition()))
            case _:
                return Check(FEW, "in_range", op(COUNT, "add", cell(group, index), number(1)), (0, 3))

    def condition(self) -> Expr:
        match self.random.randrange(5):
            case 0:
                return cell(TRUTH)
            case 1:
                return op(BOOL, "not", cell(TRUTH))
            case 2:
                return Logic(BOOL, "or", (cell(TRUTH), op(BOOL, "has", cell(THOSE), Const(SPOT, 1))))
            case _:
                return op(BOOL, "eq", cell(ONE), Const(FEW, self.random.randrange(4)))
