"""What depends on few values is looked up: the same values, and a fault exactly where the expression has none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial, reduce
from itertools import product
from random import Random
from typing import Any

import pytest

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import (
    TRUE,
    Call,
    Cell,
    Check,
    Choice,
    Const,
    Data,
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
    walk,
)
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.ir.types import BOOL, COUNT, Int, Opaque, Opt, Ref, Set, Type
from interpreter.compiler.ir.verifier import verify
from interpreter.compiler.passes.machine.lookup_tables import MAX_ENTRIES, MAX_POSITIONS, MAX_WORK, lookup_tables
from interpreter.compiler.passes.record import PassRecords
from interpreter.compiler.passes.simplifying.evaluating import (
    Budget,
    Evaluator,
    NoValueError,
    TooMuchWorkError,
    Variable,
    computable,
)
from tests.interpreter.naive_ir import Fault, value
from tests.interpreter.pass_outcomes import outcome
from tests.interpreter.random_ir import Maker

CARD, CARDS, SEAT, SEATS = Ref("piece", 6), Set("piece", 6), Ref("Seat", 2), Set("Seat", 2)
HAND = Group("hand", 0, 2, CARDS)
PLAYED = Group("played", 2, 1, CARDS)
STAKE = Group("stake", 3, 2, Int(0, 5))
LIMIT = Group("limit", 5, 1, Int(0, 10**6))
LEADER = Group("leader", 6, 1, Opt(SEAT))
OPEN = Group("open", 7, 1, BOOL)
GROUPS = (HAND, PLAYED, STAKE, LIMIT, LEADER, OPEN)
RANK = Table("rank", (1, 2, 3, 1, 2, 3), Int(1, 3))
ONE_CARD = Zone("hand", 0, 2, "one", HAND, None, None, None)
P, Q, C = Local(SEAT, "p"), Local(SEAT, "q"), Local(CARD, "c")


def cell(group: Group, index: Expr | int = 0) -> Cell:
    return Cell(group.type, group, number(index) if isinstance(index, int) else index)


def op(type_: Type, name: str, *args: Expr) -> Op:
    return Op(type_, name, args)


def rank(hand: Expr) -> Expr:
    """The rank of the first card of a set; a fault where there is none."""
    found = Lookup(Opt(RANK.type), RANK, (op(Opt(CARD), "first", hand),))
    return Check(RANK.type, "need", found, ())


def module_of(node: Expr, *params: Local, single: bool = False) -> Module:
    function = Function("define", "f", params, (st.Return(node),), node.type)
    zones = {"hand": ONE_CARD} if single else {}
    return Module({"f": function}, {"rank": RANK}, {group.name: group for group in GROUPS}, zones)


def looked_up(node: Expr, *params: Local, single: bool = False) -> tuple[Expr, Module]:
    """The expression after the pass, with the module that has its tables."""
    module = module_of(node, *params, single=single)
    lookup_tables(module, PassRecords())
    assert verify(module) == []
    (returned,) = module.functions["f"].body
    assert isinstance(returned, st.Return)
    return returned.value, module


def made(node: Expr) -> list[Lookup]:
    return [part for part in walk(node) if isinstance(part, Lookup) and part.table is not RANK]


BEATS = op(BOOL, "gt", rank(cell(HAND, 0)), rank(cell(HAND, 1)))


def test_two_cells() -> None:
    found, _ = looked_up(BEATS)
    assert isinstance(found, Check) and found.word == "need"  # hands may be empty
    (entry,) = made(found)
    assert entry.keys == (cell(HAND, 0), cell(HAND, 1)) and entry.type == Opt(BOOL)


@pytest.mark.parametrize("single", [False, True])
def test_every_entry_is_the_value_of_the_expression(single: bool) -> None:
    found, _ = looked_up(BEATS, single=single)
    hands = [0, *[1 << card for card in range(6)]] if single else range(64)
    for one, other in product(hands, hands):
        S = [one, other, 0, 0, 0, 0, None]
        got, meant = outcome(partial(value, found, {}, S)), outcome(partial(value, BEATS, {}, S))
        assert got == meant if one and other else isinstance(got, tuple) and isinstance(meant, tuple)


def test_what_never_fails_needs_no_check() -> None:
    many = op(
        BOOL,
        "gt",
        op(COUNT, "add", op(COUNT, "size", cell(PLAYED)), cell(STAKE)),
        op(COUNT, "neg", op(COUNT, "mul", cell(STAKE), number(2))),
    )
    found, _ = looked_up(many)
    assert isinstance(found, Lookup) and found.type == BOOL and len(found.keys) == 2


def test_a_computed_index_affects_all_cells_of_the_group() -> None:
    best = Fold(SEATS, "set", (Loop(P, Const(SEATS, 3), op(BOOL, "gt", cell(STAKE, P), number(2))),), P)
    found, _ = looked_up(best)
    assert isinstance(found, Lookup) and found.keys == (cell(STAKE, 0), cell(STAKE, 1))
    assert value(found, {}, [0, 0, 0, 5, 1, 0, None]) == 0b01


def of_a_seat(seat: Local) -> Expr:
    return op(
        BOOL,
        "gt",
        op(COUNT, "mul", op(COUNT, "add", seat, number(3)), number(2)),
        op(COUNT, "neg", op(COUNT, "size", cell(HAND, seat))),
    )


def test_parameters_are_looked_up_by() -> None:
    found, _ = looked_up(of_a_seat(P), P)
    assert isinstance(found, Lookup) and found.keys == (P, cell(HAND, P))


LEAD = Check(SEAT, "need", cell(LEADER), ())
WIDE = op(
    BOOL, "gt", op(COUNT, "mul", op(COUNT, "add", cell(LIMIT), number(1)), number(3)), op(COUNT, "neg", number(4))
)
ASKED = Fold(BOOL, "any", (Loop(C, op(CARDS, "both", cell(PLAYED), cell(HAND, Q))),), TRUE)


@pytest.mark.parametrize(
    "node", [WIDE, op(BOOL, "gt", op(COUNT, "add", LEAD, number(3)), op(COUNT, "mul", LEAD, number(2)))]
)
def test_values_that_are_too_many_or_may_be_none(node: Expr) -> None:
    found, _ = looked_up(node)
    assert found == node


MAYBE, SURE = Local(Opt(SEAT), "seat"), Local(SEAT, "seat")
TWICE, MORE = op(COUNT, "add", op(COUNT, "mul", SURE, number(3)), number(1)), op(COUNT, "add", SURE, number(2))
GUARDED = Logic(BOOL, "and", (op(BOOL, "not", op(BOOL, "is_none", MAYBE)), op(BOOL, "gt", TWICE, MORE)))
"""Whether a seat that may be none is one, and then the second one."""


def test_names_that_may_be_none_are_not_looked_up_by() -> None:
    """Only definitions that become tables as a whole are."""
    module = module_of(GUARDED, MAYBE)
    module.functions["f"] = replace(module.functions["f"], kind="criterion")
    lookup_tables(module, PassRecords())
    assert module.functions["f"].body == (st.Return(GUARDED),)


def cases(*pairs: tuple[Expr, Expr], otherwise: Expr) -> st.Block:
    """The body of a definition with cases."""
    return (*[st.If(condition, (st.Return(result),)) for condition, result in pairs], st.Return(otherwise))


@pytest.mark.parametrize("callers_first", [False, True])
@pytest.mark.parametrize("arg", [MAYBE, cell(LEADER)])
def test_a_definition_of_few_values_is_looked_up_where_it_is_called(arg: Expr, callers_first: bool) -> None:
    """It may have cases, and a parameter that may be none, of which some cases know that it is not."""
    body = cases((op(BOOL, "is_none", MAYBE), number(7)), (op(BOOL, "eq", SURE, number(1)), number(8)), otherwise=P)
    meant = Function("define", "of", (P, MAYBE), body, COUNT)
    calls = op(COUNT, "sub", Call(COUNT, "of", (P, arg)), Call(COUNT, "of", (P, cell(LEADER))))
    caller = Function("define", "f", (P, MAYBE), (st.Return(calls),), COUNT)
    functions = [caller, meant] if callers_first else [meant, caller]
    module = Module({each.name: replace(each) for each in functions}, {}, {group.name: group for group in GROUPS}, {})
    lookup_tables(module, PassRecords())
    assert verify(module) == [] and len(module.tables) == 1
    (returned,) = module.functions["f"].body
    assert isinstance(returned, st.Return) and not any(isinstance(part, Call) for part in walk(returned.value))
    result = {None: lambda _: 7, 1: lambda _: 8, 0: lambda p: p}
    for p, seat, leader in product((0, 1), (None, 0, 1), (None, 0, 1)):
        S = [0, 0, 0, 0, 0, 0, leader, False]
        first = seat if arg is MAYBE else leader
        assert value(returned.value, {"p": p, "seat": seat}, S) == result[first](p) - result[leader](p)


def test_a_parameter_may_be_none_though_it_is_first_read_where_it_is_not() -> None:
    """The type with which a name is read says less than the one with which it is declared."""
    guarded = op(BOOL, "eq", op(COUNT, "add", SURE, number(1)), number(2))
    node = Choice(BOOL, op(BOOL, "gt", op(COUNT, "mul", P, number(2)), number(1)), guarded, op(BOOL, "is_none", MAYBE))
    found, _ = looked_up(node, P, MAYBE)
    for p, seat in ((0, None), (0, 0), (0, 1), (1, 0), (1, 1)):
        assert value(found, {"p": p, "seat": seat}, []) is value(node, {"p": p, "seat": seat}, [])
    assert isinstance(outcome(partial(value, found, {"p": 1, "seat": None}, [])), tuple)  # a fault in both


def test_none_and_the_number_after_all_values_have_tables_of_their_own() -> None:
    shorter, longer = Local(Opt(Int(0, 3)), "n"), Local(Int(0, 4), "n")
    tables = []
    for local in (shorter, longer):
        body = cases((op(BOOL, "is_none", local), number(9)), otherwise=op(COUNT, "mul", longer, number(2)))
        tables.append(Function("define", f"of {local.type}", (local,), body, COUNT))
    module = Module({each.name: each for each in tables}, {}, {}, {})
    lookup_tables(module, PassRecords())
    assert len(module.tables) == 2
    for function, n, meant in [(tables[0], None, 9), (tables[0], 3, 6), (tables[1], 4, 8), (tables[1], 3, 6)]:
        (returned,) = function.body
        assert isinstance(returned, st.Return) and value(returned.value, {"n": n}, []) == meant


def test_steps_on_a_board_are_looked_up() -> None:
    """`next(x, way, 2)`: none beyond the edge."""
    board, way = Ref("Place", 3), Ref("Way", 2)
    steps = Table("steps", ((None, 1), (0, 2), (1, None)), Opt(board))
    x, w = Local(board, "x"), Local(way, "w")
    node = op(Set("Place", 3), "single", Op(Opt(board), "steps_on", (Data(Opaque("steps"), steps), x, w, number(2))))
    found, _ = looked_up(node, x, w)
    assert isinstance(found, Lookup)
    assert [[value(found, {"x": at, "w": to}, []) for to in range(2)] for at in range(3)] == [[0, 4], [0, 0], [1, 0]]


def test_truth_values_are_looked_up_by() -> None:
    least = Fold(COUNT, "min", (Loop(C, cell(PLAYED)),), number(1))
    node = Logic(BOOL, "and", (cell(OPEN), op(BOOL, "lt", least, number(1))))
    found, _ = looked_up(node)
    assert isinstance(found, Lookup) and found.type == BOOL
    for open_, played in product((False, True), range(64)):
        S = [0, 0, played, 0, 0, 0, None, open_]
        assert value(found, {}, S) is value(node, {}, S) is (open_ and not played)


def test_parts_of_what_is_too_wide() -> None:
    found, _ = looked_up(Logic(BOOL, "and", (WIDE, BEATS)))
    assert len(made(found)) == 1


def test_a_table_that_may_hold_none_and_lack_a_value() -> None:
    """None in it would mean both."""
    maybe = Choice(
        Opt(RANK.type), op(BOOL, "has", cell(HAND, 1), Const(CARD, 0)), Const(Opt(RANK.type), None), rank(cell(HAND))
    )
    found, _ = looked_up(maybe)
    assert isinstance(found, Choice) and not isinstance(found, Lookup)


def test_what_is_cheap_stays() -> None:
    node = op(BOOL, "gt", cell(STAKE), number(3))
    assert looked_up(node)[0] == node


def test_the_same_expression_has_one_table() -> None:
    found, module = looked_up(Logic(BOOL, "or", (Logic(BOOL, "and", (BEATS, WIDE)), BEATS)))
    assert len(made(found)) == 2 and len(module.tables) == 2


def test_names_of_the_same_values_share_a_table() -> None:
    """Definitions that are inlined several times differ in the names of their parameters only."""
    other = Local(SEAT, "other")
    module = module_of(of_a_seat(P), P)
    module.functions["g"] = Function("define", "g", (other,), (st.Return(of_a_seat(other)),), BOOL)
    lookup_tables(module, PassRecords())
    assert verify(module) == [] and len(module.tables) == 2  # with that of ranks
    for local, function in zip((P, other), module.functions.values(), strict=True):
        (returned,) = function.body
        assert isinstance(returned, st.Return) and isinstance(returned.value, Lookup)
        assert returned.value.keys == (local, cell(HAND, local))


def test_tables_are_not_too_large() -> None:
    three = op(BOOL, "gt", op(COUNT, "add", rank(cell(HAND, 0)), rank(cell(HAND, 1))), rank(cell(PLAYED)))
    found, module = looked_up(three)
    assert found != three
    for table in module.tables.values():
        assert _entries(table.content) <= MAX_ENTRIES


@pytest.mark.parametrize("reading", [1, 2, 3])
def test_sets_of_one_member_have_a_position_for_each_value(reading: int) -> None:
    """As powers of two, three that have few values would have billions of positions."""
    cards = Ref("piece", 11)
    rank_of = Table("rank of many", tuple(range(11)), Int(0, 10))
    group = Group("slot", 0, reading, Set("piece", 11))
    ranks: list[Expr] = [Lookup(Int(0, 10), rank_of, (op(cards, "first", cell(group, i)),)) for i in range(reading)]
    node = op(BOOL, "gt", reduce(lambda a, b: op(COUNT, "add", a, b), [*ranks, number(1)]), number(5))
    zone = Zone("slot", 0, reading, "one", group, None, None, None)
    function = Function("define", "f", (), (st.Return(node),), node.type)
    module = Module({"f": function}, {rank_of.name: rank_of}, {group.name: group}, {"slot": zone})
    lookup_tables(module, PassRecords())
    (table,) = [table for table in module.tables.values() if table is not rank_of]
    assert _positions(table.content) == _entries(table.content) == 12**reading


@pytest.mark.parametrize("reading", [1, 2])
def test_tables_are_not_too_wide(reading: int) -> None:
    """There are no entries before the first values of numbers, but positions."""
    years = [Local(Int(2000, 2009), f"year {each}") for each in range(reading)]
    node = op(
        BOOL, "gt", op(COUNT, "mul", reduce(lambda a, b: op(COUNT, "mul", a, b), years), number(3)), number(6_050)
    )
    found, module = looked_up(Logic(BOOL, "or", (op(BOOL, "not", node), node)), *years)
    assert len(made(found)) == (reading == 1)
    assert all(_positions(table.content) <= MAX_POSITIONS for table in module.tables.values())


def test_loops_count_once_for_each_iteration() -> None:
    """Few values, but far more iterations than anybody would wait for."""
    loops = tuple(Loop(Local(CARD, f"c{level}"), Const(CARDS, 0b111111)) for level in range(20))
    ranks = [Lookup(RANK.type, RANK, (loop.local,)) for loop in loops]
    equal = op(BOOL, "gt", reduce(lambda a, b: op(COUNT, "add", a, b), [*ranks, cell(STAKE)]), number(1000))
    node = Fold(BOOL, "any", loops, equal)
    found, _ = looked_up(node)
    assert isinstance(found, Fold) and found.loops == loops
    with pytest.raises(TooMuchWorkError):
        evaluated(node, {("stake", 0): 1})


def _entries(content: Any) -> int:
    return sum(map(_entries, content)) if isinstance(content, tuple) else 1


def _positions(content: Any) -> int:
    """As `_entries` of a table with equally long rows, without visiting all of them."""
    return len(content) * _positions(content[0]) if isinstance(content, tuple) else 1


# ---------------------------------------------------------------- the evaluator


def evaluated(node: Expr, values: Mapping[Variable, Any]) -> Any:
    return Evaluator(node, [*values], Budget(MAX_WORK)).value([*values.values()])


@pytest.mark.parametrize("number_", range(300))
def test_random_expressions_have_the_values_that_they_mean(number_: int) -> None:
    random = Random(number_)
    maker = Maker(random, random.choice([3, 5, 6]))
    for kind in maker.kinds:
        node = maker.make(kind, 4)
        if not all(map(computable, walk(node))):
            continue
        S = maker.state()
        names: dict[str, Any] = {local.name: maker.content(local.type) for local in maker.names}
        cells = {(group.name, i): S[group.first + i] for group in maker.groups.values() for i in range(group.count)}
        values: dict[Variable, Any] = {**names, **cells}
        try:
            meant = value(node, names, S)
        except Fault:
            with pytest.raises(NoValueError):
                evaluated(node, values)
            continue
        assert evaluated(node, values) == meant
