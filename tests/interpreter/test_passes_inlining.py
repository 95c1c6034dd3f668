"""Small definitions stand where they are asked, and nobody can tell."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

import pytest

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import (
    FALSE,
    TRUE,
    Call,
    Check,
    Choice,
    Const,
    Counted,
    Expr,
    Fold,
    Lambda,
    Let,
    Local,
    Logic,
    Loop,
    Op,
    number,
    walk,
)
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.ir.types import BOOL, COUNT, Opaque, Opt, Type
from interpreter.compiler.passes.facts.effects import effect_test
from interpreter.compiler.passes.record import PassRecords
from interpreter.compiler.passes.simplifying.inlining import MAX_INLINED_SIZE, Definitions, inline, inlined
from tests.interpreter.inside_out import bottom_up
from tests.interpreter.naive_ir import value
from tests.interpreter.pass_outcomes import bound_names, outcome, problems, same_outcomes
from tests.interpreter.random_ir import Maker
from tests.interpreter.tiny_module import FIELD, ME, PIECE, PIECES, PLAYER, POINTS, C, P, X, cell, op
from tests.support.long_run import one_in

Y, Z, M = Local(COUNT, "y"), Local(COUNT, "z"), Local(Opt(PIECE), "m")
FAILING = Check(COUNT, "in_range", Z, (0, 3))
OTHER_FAILING = Check(COUNT, "in_range", X, (0, 5))
SUM = op(COUNT, "add", Z, Y)


def define(
    name: str, params: tuple[Local, ...], *body: st.Statement, result: Type = COUNT, kind: Any = "define"
) -> Function:
    return Function(kind, name, params, body, result)


def asked(name: str, *args: Expr, type_: Type = COUNT) -> Call:
    return Call(type_, name, args)


def module_of(*functions: Function) -> Module:
    return Module({function.name: function for function in functions})


def after(node: Expr, *functions: Function) -> Expr:
    """An expression after inlining."""
    module = module_of(*functions)
    return inlined(node, Definitions(module, effect_test(module)))


PLUS = define("plus", (X, Y), st.Return(op(COUNT, "add", X, Y)))
TWICE = define("twice", (X,), st.Return(op(COUNT, "add", X, X)))
SECOND = define("second", (X, Y), st.Return(Y))
CASES = define(
    "cases", (X,),
    st.If(op(BOOL, "gt", X, number(3)), (st.Return(number(1)),)), st.If(op(BOOL, "gt", X, number(1)), (st.Return(X),)),
    st.Return(number(0)),
)  # fmt: skip
MANY = define("many", (P,), st.Return(Fold(COUNT, "sum", (Loop(C, cell(FIELD, P)),), cell(POINTS, P))))
LATE = define("late", (X,), st.Return(Choice(COUNT, op(BOOL, "over"), X, number(0))))


def test_arguments_that_are_only_named_stand_for_the_parameters() -> None:
    assert after(asked("plus", Z, number(2)), PLUS) == op(COUNT, "add", Z, number(2))
    assert after(asked("twice", cell(POINTS, 1)), TWICE) == op(COUNT, "add", cell(POINTS, 1), cell(POINTS, 1))


def test_what_becomes_known_is_folded() -> None:
    assert after(asked("plus", asked("twice", number(2)), number(3)), PLUS, TWICE) == number(7)


def test_cases_become_choices() -> None:
    greater, more = (op(BOOL, "gt", Z, number(least)) for least in (3, 1))
    assert after(asked("cases", Z), CASES) == Choice(COUNT, greater, number(1), Choice(COUNT, more, Z, number(0)))


def test_cases_that_are_true_or_false_become_logic() -> None:
    body = (st.If(op(BOOL, "gt", X, number(3)), (st.Return(FALSE),)), st.Return(op(BOOL, "eq", X, Y)))
    found = after(asked("is", Y, Z, type_=BOOL), define("is", (X, Y), *body, result=BOOL))
    assert found == Logic(BOOL, "and", (op(BOOL, "not", op(BOOL, "gt", Y, number(3))), op(BOOL, "eq", Y, Z)))


def test_an_argument_read_once_replaces_its_parameter() -> None:
    assert after(asked("plus", SUM, Z), PLUS) == op(COUNT, "add", SUM, Z)
    assert after(asked("late", SUM), LATE) == Choice(COUNT, op(BOOL, "over"), SUM, number(0))


def test_an_argument_read_several_times_is_computed_once() -> None:
    found = after(asked("twice", SUM), TWICE)
    assert isinstance(found, Let) and found.value == SUM
    assert found.body == op(COUNT, "add", found.local, found.local)


def test_an_argument_read_in_a_loop_is_computed_before_it() -> None:
    found = after(asked("many", op(PLAYER, "mod", Z, number(2))), MANY)
    assert isinstance(found, Let) and found.value == op(PLAYER, "mod", Z, number(2))


def test_an_unread_argument_is_dropped() -> None:
    assert after(asked("second", SUM, Z), SECOND) == Z


def test_an_argument_that_may_fail_does_so_where_it_is_not_read() -> None:
    found = after(asked("second", FAILING, Y), SECOND)
    assert isinstance(found, Let) and found.value == FAILING and found.body == Y
    found = after(asked("late", FAILING), LATE)
    assert isinstance(found, Let) and found.value == FAILING


def test_an_argument_that_may_fail_is_evaluated_where_read_first() -> None:
    assert after(asked("plus", Y, FAILING), PLUS) == op(COUNT, "add", Y, FAILING)
    checked = define("checked", (X, Y), st.Return(op(COUNT, "add", Check(COUNT, "in_range", Y, (0, 1)), X)))
    found = after(asked("checked", FAILING, Z), checked)
    assert isinstance(found, Let) and found.value == FAILING


def test_arguments_that_may_fail_do_so_in_their_order() -> None:
    found = after(asked("plus", FAILING, OTHER_FAILING), PLUS)
    assert isinstance(found, Let) and found.value == FAILING
    assert isinstance(found.body, Let) and found.body.value == OTHER_FAILING


def test_an_argument_that_is_counted_is_counted_once() -> None:
    counted = Counted(COUNT, Z, 3, None)
    for function in (SECOND, TWICE):
        args = (counted, Z)[: len(function.params)]
        found = after(asked(function.name, *args), function)
        assert isinstance(found, Let) and found.value == counted


def test_names_bound_inside_are_new_each_time() -> None:
    found = after(op(COUNT, "add", asked("many", cell(ME)), asked("many", P)), MANY)
    names = bound_names(found)
    assert len(names) == 2 and len({*names, "c"}) == 3
    again = after(op(COUNT, "add", found, asked("many", P)), MANY)
    assert len(set(bound_names(again))) == 3


def test_names_of_the_place_are_not_caught_by_names_bound_inside() -> None:
    inside = define(
        "inside", (M,), st.Return(Fold(BOOL, "any", (Loop(C, cell(FIELD)),), op(BOOL, "eq", C, M))), result=BOOL
    )
    found = after(asked("inside", C, type_=BOOL), inside)
    assert isinstance(found, Fold)
    assert found.value == op(BOOL, "eq", found.loops[0].local, C) and found.loops[0].local.name != C.name


def test_what_the_definition_knows_to_be_there_is_so_in_its_place() -> None:
    known = Local(PIECE, "m")
    there = op(BOOL, "not", op(BOOL, "is_none", M))
    body = (st.If(there, (st.Return(op(PIECES, "single", known)),)), st.Return(Const(PIECES, 0)))
    function = define("set_of", (M,), *body, result=PIECES)
    other = Local(Opt(PIECE), "n")
    found = after(asked("set_of", other, type_=PIECES), function)
    assert isinstance(found, Choice) and op(PIECES, "single", Local(PIECE, "n")) in (found.then, found.otherwise)
    assert after(asked("set_of", C, type_=PIECES), function) == op(PIECES, "single", C)


# ---------------------------------------------------------------- what is called

BIG = define("big", (X,), st.Return(Op(COUNT, "least", (X,) * MAX_INLINED_SIZE)))


@pytest.mark.parametrize(
    "function",
    [
        BIG,
        define("asks_big", (X,), st.Return(asked("big", X))),
        define("two", (X,), st.Assign(Y, X), st.Return(Y)),
        define("counted", (X,), st.Count(3), st.Return(X)),
        define("half", (X,), st.If(op(BOOL, "over"), (st.Count(3),)), st.Return(X)),
        define("viewers", (X,), st.Return(X), kind="sight"),
    ],
    ids=lambda function: str(function.name),
)
def test_other_definitions_are_called(function: Function) -> None:
    node = asked(function.name, Z)
    assert after(node, function, BIG) is node


def test_it_is_the_nodes_with_those_of_what_is_asked_that_count() -> None:
    half = define("half", (X,), st.Return(Op(COUNT, "least", (X,) * (MAX_INLINED_SIZE // 2))))
    whole = define("whole", (X,), st.Return(op(COUNT, "add", asked("half", X), asked("half", X))))
    node = op(COUNT, "add", asked("whole", Z), asked("half", Z))
    assert after(node, half, whole) == op(
        COUNT, "add", asked("whole", Z), Op(COUNT, "least", (Z,) * (MAX_INLINED_SIZE // 2))
    )


# ---------------------------------------------------------------- modules


def test_all_functions_of_a_module_are_gone_through() -> None:
    store = st.Store(cell(POINTS), asked("plus", Z, number(1)))
    rule = Function("rule", "r", (Z,), (st.If(op(BOOL, "over"), (store,)),))
    block = Function("block", "b0", (), (st.Repeat(asked("twice", number(2)), ()), st.Goto(0)))
    wrapper = define("wrapper", (X,), st.Return(asked("plus", X, X)))
    module = module_of(wrapper, rule, PLUS, TWICE, define("asks_big", (X,), st.Return(asked("big", X))), BIG)
    module.blocks[0] = block
    records = PassRecords()
    inline(module, records)
    added = st.Store(cell(POINTS), op(COUNT, "add", Z, number(1)))
    assert rule.body == (st.If(op(BOOL, "over"), (added,)),)
    assert wrapper.body == (st.Return(op(COUNT, "add", X, X)),)
    assert block.body == (st.Repeat(number(4), ()), st.Goto(0))
    found = {record.subject: (record.applied, record.reason) for record in records.entries}
    assert found == {
        "define plus": (True, "in 2 places"),
        "define twice": (True, "in one place"),
        "define big": (False, "it is too large, together with the definitions that it uses"),
        "define asks_big": (False, "it is too large, together with the definitions that it uses"),
    }


def test_a_single_expression_leaves_the_module_unchanged() -> None:
    wrapper = define("wrapper", (X,), st.Return(asked("plus", X, X)))
    body = wrapper.body
    assert after(asked("wrapper", Z), wrapper, PLUS) == op(COUNT, "add", Z, Z)
    assert wrapper.body is body


def test_functions_handed_to_searches_are_gone_through() -> None:
    worth = Lambda(Opaque("worth"), (X,), asked("twice", X))
    assert after(worth, TWICE) == Lambda(Opaque("worth"), (X,), op(COUNT, "add", X, X))


# ---------------------------------------------------------------- expressions by chance


@pytest.mark.parametrize("seed", one_in(3, range(150)))
def test_expressions_keep_their_values_and_faults(seed: int) -> None:
    random = Random(seed)
    maker = Maker(random, random.choice([3, 9]))
    module, functions = Module(), dict[str, Any]()
    for place, kind in enumerate(maker.kinds * 2):
        function = _definition(maker, f"f{place}", kind, module)
        functions[function.name] = _called(function, functions)
        module.functions[function.name] = function
    known = Definitions(module, effect_test(module))
    for _ in range(8):
        node = _asking(maker, maker.make(random.choice(maker.kinds), 2), list(module.functions.values()), 0.3)
        fine = not problems(maker, node, *module.functions.values())
        found = inlined(node, known)
        same_outcomes(maker, node, found, functions)
        if fine:
            assert problems(maker, found, *module.functions.values()) == []
        names = bound_names(found)
        assert len(names) == len(set(names))


def _definition(maker: Maker, name: str, kind: Type, module: Module) -> Function:
    """A definition of this type; it may ask those before it."""
    outer = maker.names
    maker.names = [maker.local(each) for each in maker.random.sample(maker.kinds, maker.random.randint(0, 3))]
    params, body = tuple(maker.names), list[st.Statement]()
    for _ in range(maker.random.choice([0, 0, 1])):
        body.append(st.If(maker.make(BOOL, 1), (st.Return(maker.make(kind, 1)),)))
    last = maker.make(kind, maker.random.randint(0, 3))
    body.append(st.Return(_asking(maker, last, list(module.functions.values()), 0.1)))
    maker.names = outer
    return Function("define", name, params, tuple(body), kind)


def _asking(maker: Maker, node: Expr, functions: list[Function], chance: float) -> Expr:
    """The expression with definitions asked in place of some of its parts."""

    divisors = {id(part.args[1]) for part in walk(node) if isinstance(part, Op) and part.name in ("div", "mod")}

    def change(part: Expr) -> Expr:
        if id(part) in divisors or (isinstance(part, Check) and part.word == "divisor"):
            return part  # which is never 0
        fitting = [function for function in functions if function.result == part.type]
        if isinstance(part, Local | Let) or not fitting or maker.random.random() > chance:
            return part
        function = maker.random.choice(fitting)
        return Call(part.type, function.name, tuple([maker.make(param.type, 1) for param in function.params]))

    return bottom_up(node, change)


def _called(function: Function, functions: dict[str, Any]) -> Any:
    body, before = function.body, dict(functions)

    def call(S: list[Any], *args: Any) -> Any:
        names = {**before, **dict(zip([param.name for param in function.params], args, strict=True))}
        for node in body:
            if isinstance(node, st.If) and not value(node.condition, names, S):
                continue
            last = node.then[0] if isinstance(node, st.If) else node
            assert isinstance(last, st.Return)
            return value(last.value, names, S)

    return call


def test_the_reference_asks() -> None:
    function = define("f", (X,), st.If(op(BOOL, "gt", X, number(1)), (st.Return(number(5)),)), st.Return(X))
    call = _called(function, {})
    assert [outcome(partial(call, [], each)) for each in (0, 1, 2)] == [0, 1, 5]
    assert value(asked("f", TRUE), {"f": call}, []) is True
