"""What rows are worth, described place by place: the same for every row."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import (
    TRUE,
    Call,
    Check,
    Choice,
    Const,
    Counted,
    Data,
    Expr,
    Fold,
    Lambda,
    Let,
    Local,
    Logic,
    Lookup,
    Loop,
    Op,
    Table,
    number,
)
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.ir.types import BOOL, COUNT, Int, Opaque, Opt, Ref, Row, Seq, Set, Type
from interpreter.compiler.ir.verifier import verify
from interpreter.compiler.passes.loops.objectives import MAX_EXAMINED_NODES, describe
from interpreter.compiler.passes.record import PassRecords
from interpreter.runtime.bitset import bits
from interpreter.runtime.graphs import Adjacency, Objective, best_rows
from tests.interpreter.naive_ir import value
from tests.interpreter.single import passed

WIDTH = 6
SPOT, SPOTS = Ref("spot", WIDTH), Set("spot", WIDTH)
FOUND = Row((COUNT, Seq(SPOTS)))
R, X, Y, N = Local(SPOTS, "r"), Local(SPOT, "x"), Local(SPOT, "y"), Local(COUNT, "n")
M = Local(COUNT, "m")
MINE, KNOWN = Local(SPOTS, "mine"), Local(SPOTS, "known")
GAIN = Table("T_gain", {0: 3, 1: -1, 2: 4, 4: 1, 5: 5}, Int(-1, 5))  # there is no spot 3
ROOM = Adjacency(WIDTH, tuple((one, other) for one in range(WIDTH) for other in range(one) if (one + other) % 3))
EDGES = Const(Set("edge", len(ROOM.ends)), (1 << len(ROOM.ends)) - 1)
LINKS = Data(Opaque("links"), Table("K", ROOM, Opaque("links")))


def op(type_: Type, name: str, *args: Expr) -> Op:
    return Op(type_, name, args)


def size(those: Expr) -> Op:
    return op(COUNT, "size", those)


def fold(word: Any, value_: Expr, where: Expr | None = None, over: Expr = R) -> Fold:
    return Fold(BOOL if word == "any" else COUNT, word, (Loop(X, over, where),), value_)


def gain(of: Expr = X) -> Lookup:
    return Lookup(Int(-1, 5), GAIN, (of,))


def is_known(of: Expr = X) -> Op:
    return op(BOOL, "has", KNOWN, of)


def search(worth: Expr, places: Expr = MINE) -> Op:
    return op(FOUND, "best_rows", LINKS, places, EDGES, number(2), Lambda(Opaque("worth"), (R,), worth))


def define(name: str, result: Type, *body: st.Statement, params: tuple[Local, ...] = (R,)) -> Function:
    return Function("define", name, params, body, result)


STRONG = define("strong", BOOL, st.Return(fold("any", TRUE, op(BOOL, "has", Const(SPOTS, 0b10110), X))))
WORTH = define(
    "worth", COUNT, st.If(Call(BOOL, "strong", (R,)), (st.Return(op(COUNT, "mul", size(R), number(2))),)),
    st.Return(size(R)),
)  # fmt: skip
FROM = define(
    "from", COUNT, st.If(op(BOOL, "gt", N, size(R)), (st.Return(N),)), st.Return(number(0)), params=(N, R),
)  # fmt: skip
FAILS = define("fails", COUNT, st.Return(Check(COUNT, "in_range", N, (0, 1))), params=(N,))
TWO = define("two", COUNT, st.Assign(N, size(R)), st.Return(N))
TABLES = {"T_gain": GAIN, "K": LINKS.table}
MODULE = Module({function.name: function for function in (STRONG, WORTH, FROM, FAILS, TWO)}, TABLES)

DESCRIBED: dict[str, Expr] = {
    "how many": size(R),
    "how many of a set": size(op(SPOTS, "both", KNOWN, R)),
    "how many beyond a set": size(op(SPOTS, "minus", R, KNOWN)),
    "how many with": fold("count", TRUE, is_known()),
    "how many with, as a value": fold("count", op(BOOL, "not", is_known()), op(BOOL, "gt", gain(), number(0))),
    "a sum": fold("sum", gain()),
    "a sum of some": fold("sum", gain(), op(BOOL, "lt", gain(), number(4))),
    "a sum over some": fold("sum", gain(), None, op(SPOTS, "minus", R, KNOWN)),
    "whether some": Choice(COUNT, fold("any", TRUE, is_known()), number(3), number(1)),
    "whether none": Choice(COUNT, op(BOOL, "not", fold("any", is_known())), number(3), number(1)),
    "whether some of a set": Choice(COUNT, op(BOOL, "is_empty", op(SPOTS, "both", R, KNOWN)), number(3), number(1)),
    "whether a place": Choice(COUNT, op(BOOL, "has", R, Y), number(3), size(R)),
    "some of those with": size(Fold(SPOTS, "set", (Loop(X, R, is_known()),), X)),
    "nothing of it": size(KNOWN),
    "a definition": Call(COUNT, "worth", (R,)),
    "a definition with more arguments": Call(COUNT, "from", (fold("sum", gain()), R)),
    "a name": Let(COUNT, M, size(R), op(COUNT, "mul", M, M)),
    "several": op(
        COUNT, "add", op(COUNT, "mul", size(R), fold("sum", gain())),
        Choice(COUNT, Logic(BOOL, "and", (fold("any", is_known()), op(BOOL, "has", R, Y))), number(7), size(R)),
    ),
}  # fmt: skip


def names_of(random: Random) -> dict[str, Any]:
    """Values of the names: what there is to be had, at places that exist."""
    return {
        "mine": random.getrandbits(WIDTH) & ~0b1000, "known": random.getrandbits(WIDTH),
        "y": random.choice(bits(0b110111)), "n": random.randrange(4),
    }  # fmt: skip


def objective_of(node: Expr, names: dict[str, Any]) -> tuple[Objective, int]:
    """The objective of a search that has been described, and the places that it is about."""
    while isinstance(node, Let):
        names = {**names, node.local.name: value(node.value, names, [])}
        node = node.body
    assert isinstance(node, Op) and isinstance(node.args[4], Op) and node.args[4].name == "objective"
    sums, masks, joined = (value(arg, names, []) for arg in node.args[4].args)
    return Objective(tuple(map(tuple, sums)), masks, joined), value(node.args[1], names, [])


def worth_of(worth: Expr, names: dict[str, Any], row: int) -> Any:
    """What a row is worth if everything is asked as it stands."""

    def called(function: Function) -> Any:
        def call(S: list[Any], *args: Any) -> Any:
            inner = {**known, **dict(zip([param.name for param in function.params], args, strict=True))}
            for node in function.body:
                if isinstance(node, st.Return):
                    return value(node.value, inner, S)
                assert isinstance(node, st.If) and isinstance(node.then[0], st.Return)
                if value(node.condition, inner, S):
                    return value(node.then[0].value, inner, S)

        return call

    known = {**names, "r": row}
    known |= {name: called(function) for name, function in MODULE.functions.items() if name != "two"}
    return value(worth, known, [])


@pytest.mark.parametrize("name", DESCRIBED)
def test_every_row_is_worth_the_same(name: str) -> None:
    worth, random = DESCRIBED[name], Random(name)
    found = passed(describe, search(worth), MODULE)
    for _ in range(6):
        names = names_of(random)
        objective, places = objective_of(found, names)
        assert places == names["mine"]
        for row in range(1 << WIDTH):
            if not row & ~places:
                assert objective(row) == worth_of(worth, names, row)


@pytest.mark.parametrize("name", DESCRIBED)
def test_the_search_finds_the_same(name: str) -> None:
    worth, random = DESCRIBED[name], Random(name)
    found = passed(describe, search(worth), MODULE)
    for _ in range(3):
        names = names_of(random)
        objective, places = objective_of(found, names)
        edges = EDGES.value
        plain = best_rows(ROOM, places, edges, 2, lambda row, names=names: worth_of(worth, names, row))
        assert best_rows(ROOM, places, edges, 2, objective) == plain


def test_places_that_are_computed_are_so_once() -> None:
    found = passed(describe, search(size(R), op(SPOTS, "minus", MINE, KNOWN)), MODULE)
    assert isinstance(found, Let) and found.value == op(SPOTS, "minus", MINE, KNOWN)
    assert isinstance(found.body, Op) and found.body.args[1] == found.local


def test_what_is_said_twice_is_described_once() -> None:
    found = passed(describe, search(op(COUNT, "mul", Call(COUNT, "worth", (R,)), size(R))), MODULE)
    assert isinstance(found, Op) and isinstance(found.args[4], Op)
    sums, masks, _ = found.args[4].args
    assert isinstance(sums.type, Row) and isinstance(masks.type, Row)
    assert (len(sums.type.of), len(masks.type.of)) == (1, 1)


REFUSED: dict[str, tuple[Expr, str]] = {
    "the row itself": (Choice(COUNT, op(BOOL, "eq", R, KNOWN), number(1), number(0)), "as a whole"),
    "its first place": (fold("count", TRUE, None, op(SPOTS, "single", op(Opt(SPOT), "first", R))), "as a whole"),
    "the best of its places": (fold("max", gain()), "as a whole"),
    "two places of it": (
        Fold(COUNT, "count", (Loop(X, R), Loop(Y, R)), op(BOOL, "lt", X, Y)), "as a whole"),
    "a place beside the others": (fold("sum", op(COUNT, "mul", gain(), size(R))), "on the other places"),
    "a place where others are": (fold("count", TRUE, op(BOOL, "gt", size(R), X)), "on the other places"),
    "a fault": (op(COUNT, "add", size(R), Check(COUNT, "in_range", size(R), (0, 3))), "may end the game in a fault"),
    "a fault of a place": (fold("sum", Check(COUNT, "in_range", gain(), (0, 3))), "may end the game in a fault"),
    "a fault of a definition": (op(COUNT, "add", size(R), Call(COUNT, "fails", (N,))), "may end the game in a fault"),
    "a fault of an argument": (Call(COUNT, "from", (Call(COUNT, "fails", (N,)), R)), "may end the game in a fault"),
    "what is counted": (Counted(COUNT, size(R), 1, None), "may end the game in a fault"),
    "a definition with a name": (Call(COUNT, "two", (R,)), "uses `two`, which cannot be written as one expression"),
    "much": (op(COUNT, "least", *[size(R)] * (MAX_EXAMINED_NODES + 1)), "is too large"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_other_rows_are_listed(name: str) -> None:
    worth, reason = REFUSED[name]
    assert passed(describe, search(worth), MODULE) == search(worth)
    records = PassRecords()
    function = define("f", FOUND, st.Return(search(worth)), params=(MINE, KNOWN, Y, N))
    describe(Module({**MODULE.functions, "f": function}, TABLES), records)
    (record,) = records.entries
    assert (record.name, record.subject, record.applied) == ("objectives", "define f", False)
    assert reason in record.reason
    assert function.body == (st.Return(search(worth)),)


def test_all_searches_of_a_module_are_described() -> None:
    params = (MINE, KNOWN, Y, N)
    functions = [
        define(f"f{place}", FOUND, st.Return(search(worth)), params=params)
        for place, worth in enumerate(DESCRIBED.values())
    ]
    module = Module({each.name: each for each in (*MODULE.functions.values(), *functions)}, TABLES)
    assert verify(module) == []
    records = PassRecords()
    describe(module, records)
    assert [record.applied for record in records.entries] == [True] * len(functions)
    assert verify(module) == []
