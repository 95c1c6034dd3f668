"""A module with a board of six spots, and expressions about it: what passes make of them must mean the same."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from interpreter.compiler.ir.expression_text import expression_text
from interpreter.compiler.ir.expressions import (
    TRUE,
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
    Zone,
    number,
)
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.ir.printing import block_text
from interpreter.compiler.ir.statements import Assign, Block, Emit, For, If, IfNoMoves, Return
from interpreter.compiler.ir.types import BOOL, COUNT, Int, Opt, Ref, Set, Type
from interpreter.compiler.ir.verifier import verify
from interpreter.compiler.passes.loops.conditions_as_sets import conditions_as_sets
from interpreter.compiler.passes.record import PassRecords
from interpreter.runtime.bitset import bits
from tests.interpreter.inside_out import bottom_up, in_block
from tests.interpreter.naive_ir import value
from tests.interpreter.pass_outcomes import outcome
from tests.interpreter.single import passed

SPOT, SPOTS, PIECE, PIECES = Ref("Spot", 6), Set("Spot", 6), Ref("piece", 8), Set("piece", 8)
NUMBERS, DIGIT, SEAT = Set("number", 10), Int(0, 9), Ref("Player", 2)
MAN = Group("man", 10, 6, PIECES)
FILLED = Group("man filled", 16, 1, SPOTS)
SHUT = Group("shut", 17, 1, SPOTS)
HERE = Group("here", 18, 1, SPOT)
GOAL = Group("goal", 19, 1, Opt(SPOT))
SCORE = Group("score", 20, 6, Int(0, 9))
PILE = Group("pile", 26, 5, PIECES)
PILED = Group("pile filled", 31, 1, NUMBERS)
ODD = Table("odd", tuple(spot % 2 == 1 for spot in range(6)), BOOL)
ROW = Table("row", (1, 1, 1, 2, 2, 2), Int(1, 2))
OWNER = Table("owner", (0, None, 1, 0, 1, 1), Opt(SEAT))
SIDE = Table("side", (0, 0, 1, 0, 1, 1), SEAT)
NEAR = Table("near", (0b10, 0b101, 0b1010, 0b10100, 0b101000, 0b10000), SPOTS)
POSITION = Table("position", {5: 0, 6: 1, 7: 2, 8: 3, 9: 4}, Int(0, 4))
ZONES = (
    Zone("man", 1, 6, "one", MAN, None, FILLED, None), Zone("pile", 7, 5, "one", PILE, None, PILED, POSITION),
)  # fmt: skip
GROUPS, TABLES = (MAN, FILLED, SHUT, HERE, GOAL, SCORE, PILE, PILED), (ODD, ROW, OWNER, SIDE, NEAR, POSITION)
X, Y, Z, N = Local(SPOT, "x_1"), Local(SPOT, "y_2"), Local(PIECE, "z_3"), Local(DIGIT, "n_4")
P, K, S, E = Local(SEAT, "p"), Local(PIECES, "k"), Local(SPOTS, "s"), Local(Int(0, 5), "e")
PARAMS = (P, K, S, E)
EVERY = Const(SPOTS, 0b111111)
RULED = Function("define", "f_fails", (), (Return(Check(SPOTS, "subset", Const(SPOTS, 1), (1,))),), SPOTS)
SAFE = Function("define", "f_safe", (), (Return(Cell(SPOTS, SHUT, number(0))),), SPOTS)
WORD = Function("define", "f_word", (X,), (Return(TRUE),), BOOL)


def module(*functions: Function) -> Module:
    return Module(
        {each.name: each for each in (RULED, SAFE, WORD, *functions)}, {each.name: each for each in TABLES},
        {each.name: each for each in GROUPS}, {each.name: each for each in ZONES},
    )  # fmt: skip


def op(name: str, *args: Expr, type_: Type = BOOL) -> Op:
    return Op(type_, name, args)


def cell(group: Group, index: Expr | int = 0) -> Cell:
    return Cell(group.type, group, number(index) if isinstance(index, int) else index)


def has(members: Expr, member: Expr) -> Op:
    return op("has", members, member)


def no(condition: Expr) -> Op:
    return op("not", condition)


def both(*parts: Expr) -> Logic:
    return Logic(BOOL, "and", parts)


def either(*parts: Expr) -> Logic:
    return Logic(BOOL, "or", parts)


def kind(spot: Expr = X) -> Op:
    return no(op("is_empty", op("both", cell(MAN, spot), K, type_=PIECES)))


def look(table: Table, *keys: Expr, type_: Type | None = None) -> Lookup:
    return Lookup(table.type if type_ is None else type_, table, keys)


def those(where: Expr | None, over: Expr = EVERY, local: Local = X) -> Fold:
    assert isinstance(over.type, Set)
    return Fold(over.type, "set", (Loop(local, over, where),), local)


def some(*loops: Loop, value: Expr = TRUE) -> Fold:
    return Fold(BOOL, "any", loops, value)


NEED = Check(SPOT, "need", cell(GOAL), ())
FAILS = op("eq", NEED, X)
SHUT_SET, HERE_SPOT = cell(SHUT), cell(HERE)


def text(node: Expr) -> str:
    """The text of an expression after the pass."""
    mod = module()
    found = passed(conditions_as_sets, node, mod)
    mod.functions["f"] = Function("define", "f", PARAMS, (Return(found),), found.type)
    assert verify(mod) == []
    agrees(node, found)
    return expression_text(found)


def agrees(before: Expr, after: Expr) -> None:
    """Both expressions give the same in some states."""
    random = Random(1)
    before, after = bottom_up(before, plain), bottom_up(after, plain)
    for _ in range(40):
        S, names = state(random)
        meant, got = (outcome(partial(value, node, names, S)) for node in (before, after))
        assert got == meant, f"{got}, not {meant}\n{expression_text(before)}\n{expression_text(after)}"


def plain(node: Expr) -> Expr:
    """The search that `with_kind` stands for."""
    if not isinstance(node, Op) or node.name != "with_kind":
        return node
    first, among, wanted = node.args
    assert isinstance(first, Const) and isinstance(among.type, Set)
    at = Local(COUNT, "at")
    lying = Cell(PIECES, Group("anywhere", first.value, 1, PIECES), at)
    there = no(op("is_empty", op("both", lying, wanted, type_=PIECES)))
    return Fold(node.type, "set", (Loop(at, among, there),), at)


def state(random: Random) -> tuple[list[Any], dict[str, Any]]:
    """Cells and values of the parameters."""
    men = [random.choice([0, 1 << random.randrange(8)]) for _ in range(6)]
    piles = [random.choice([0, 1 << random.randrange(8)]) for _ in range(5)]
    filled = sum(1 << place for place, lying in enumerate(men) if lying)
    piled = sum(1 << place + 5 for place, lying in enumerate(piles) if lying)
    spot = [random.getrandbits(6), random.randrange(6), random.choice([None, random.randrange(6)])]
    score = [random.randrange(10) for _ in range(6)]
    S = [0] * 10 + men + [filled, *spot, *score, *piles, piled]
    names: dict[str, Any] = {
        "p": random.randrange(2), "k": random.getrandbits(8), "s": random.getrandbits(6), "e": random.randrange(6),
        "f_safe": lambda S: S[17], "f_word": lambda S, x: True,
    }  # fmt: skip
    return S, names


def condition(random: Random, depth: int) -> Expr:
    """A condition on a spot that may be a set."""
    simple = [
        lambda: has(random.choice([SHUT_SET, S, Const(SPOTS, random.getrandbits(6))]), X),
        lambda: op("eq", X, random.choice([HERE_SPOT, cell(GOAL), NEED])),
        lambda: op("eq", look(ROW, X), random.choice([E, number(2), look(SIDE, NEED)])),
        lambda: op("eq", look(OWNER, X), random.choice([P, Const(Opt(SEAT), None)])),
        lambda: op(random.choice(["lt", "ge"]), cell(SCORE, X), E),
        lambda: op("is_empty", cell(MAN, X)),
        lambda: kind(),
        lambda: look(ODD, X),
        lambda: op("eq", E, number(2)),
        lambda: op("eq", look(ROW, NEED), number(1)),
    ]
    if depth == 0 or random.random() < 0.3:
        return random.choice(simple)()
    parts = [condition(random, depth - 1) for _ in range(3)]
    return random.choice([no(parts[0]), both(*parts), either(*parts), Choice(BOOL, *parts)])


# ---------------------------------------------------------------- statements


Pass = Callable[[Module, PassRecords], None]


def run(kind: Any, *body: Any, by: Pass = conditions_as_sets) -> tuple[Block, PassRecords]:
    """The body of a function after a pass, and what the pass says of it."""
    mod, records = module(Function(kind, "m", () if kind == "moves" else PARAMS, tuple(body))), PassRecords()
    by(mod, records)
    return mod.functions["m"].body, records


def moves(*body: Any, kind: Any = "moves") -> str:
    """The text of a function after the pass."""
    return block_text(run(kind, *body)[0])


def loop(*body: Any, over: Expr = SHUT_SET) -> For:
    """A loop over some spots."""
    return For((Loop(X, over),), tuple(body))


MOVE = Emit((number(0), X))


def emitted(block: Block, names: dict[str, Any], S: list[Any], found: list[Any]) -> list[Any]:
    """The moves that statements emit, after those found so far."""
    for node in block:
        match node:
            case Assign():
                names = {**names, node.local.name: value(node.value, names, S)}
            case If():
                emitted(node.then if value(node.condition, names, S) else node.otherwise, names, S, found)
            case For(loops=(only,)):
                members = value(only.over, names, S)
                for each in bits(members) if isinstance(only.over.type, Set) else members:
                    inner = {**names, only.local.name: each}
                    if only.where is None or value(only.where, inner, S):
                        emitted(node.body, inner, S, found)
            case IfNoMoves():
                if not found:
                    emitted(node.body, names, S, found)
            case Emit():
                found.append(tuple(value(part, names, S) for part in node.move))
            case _:
                raise AssertionError(node)
    return found


def same_moves(before: Block, after: Block) -> None:
    """Both emit the same moves in some states, or end in the same fault."""
    random = Random(2)
    plainly = [in_block(block, plain) for block in (before, after)]
    for _ in range(30):
        S, names = state(random)
        meant, got = (outcome(partial(emitted, block, names, S, [])) for block in plainly)
        assert got == meant, f"{got}, not {meant}\n{block_text(before)}\n{block_text(after)}"
