"""Printed modules do what their instructions say, and printers that confuse types are told so."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

import pytest
import wasmtime
from hypothesis import given
from hypothesis import strategies as st

from interpreter.compiler.wasm.instructions import (
    I32,
    I64,
    OPERATIONS,
    Block,
    Branch,
    Code,
    Constant,
    If,
    Label,
    Read,
    Return,
    Switch,
    Types,
    WrongOperandsError,
    call,
    load,
    plain,
    select,
    store,
    write,
)
from interpreter.compiler.wasm.modules import Function, Module, signed, unsigned

words = st.integers(-(1 << 63), (1 << 63) - 1)


def instance(module: Module) -> tuple[wasmtime.Store, wasmtime.InstanceExports]:
    engine = wasmtime.Engine()
    memory_store = wasmtime.Store(engine)
    return memory_store, wasmtime.Instance(memory_store, wasmtime.Module(engine, module.binary()), []).exports(
        memory_store
    )


def run(params: Types, results: Types, body: Callable[[Module, Function], Sequence[Code]], *args: int) -> object:
    """The result of a function of a module of its own."""
    module = Module()
    function = module.function("run", params, results, exported=True)
    function.body = tuple(body(module, function))
    memory_store, exports = instance(module)
    return exports["run"](memory_store, *args)


def number(value: int) -> Constant:
    return Constant(value, I64)


@given(words)
def test_numbers_are_written_in_full(value: int) -> None:
    assert run((), (I64,), lambda module, function: [number(value)]) == value


@given(st.integers(0, 1 << 70))
def test_unsigned_numbers_are_read_back(value: int) -> None:
    assert sum((byte & 0x7F) << 7 * place for place, byte in enumerate(unsigned(value))) == value
    assert all(byte & 0x80 for byte in unsigned(value)[:-1]) and not unsigned(value)[-1] & 0x80


@given(words)
def test_signed_numbers_are_read_back(value: int) -> None:
    written = signed(value)
    found = sum((byte & 0x7F) << 7 * place for place, byte in enumerate(written))
    assert found - (1 << 7 * len(written) if written[-1] & 0x40 else 0) == value


MASK = (1 << 64) - 1
BINARY = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "and": operator.and_, "or": operator.or_,
    "xor": operator.xor, "shl": lambda one, other: one << (other & 63),
    "shr_s": lambda one, other: one >> (other & 63), "shr_u": lambda one, other: (one & MASK) >> (other & 63),
    "eq": operator.eq, "ne": operator.ne, "lt_s": operator.lt, "le_s": operator.le, "gt_s": operator.gt,
    "ge_s": operator.ge, "lt_u": lambda one, other: one & MASK < other & MASK,
    "ge_u": lambda one, other: one & MASK >= other & MASK,
}  # fmt: skip


@pytest.mark.parametrize("name", BINARY)
@given(one=words, other=words)
def test_operations_on_words(name: str, one: int, other: int) -> None:
    results = OPERATIONS[f"i64.{name}"].results
    found = run((I64, I64), results, lambda module, f: [plain(f"i64.{name}", *map(Read, f.locals))], one, other)
    assert isinstance(found, int)
    assert (found - int(BINARY[name](one, other))) & MASK == 0


def test_every_operation_is_accepted_by_the_engine() -> None:
    module = Module()
    for name, signature in OPERATIONS.items():
        function = module.function(name, signature.operands, signature.results)
        function.body = (plain(name, *map(Read, function.locals)),)
    instance(module)


def test_loops_blocks_and_branches() -> None:
    """The sum of all odd numbers below a bound."""

    def body(module: Module, function: Function) -> list[Code]:
        (bound,) = function.locals
        k, total = function.local(I64), function.local(I64)
        again, out, even = Label(), Label(), Label()
        odd = plain("i32.wrap_i64", plain("i64.and", Read(k), number(1)))
        return [
            Block(out, (
                Block(again, (
                    Branch(out, plain("i64.ge_s", Read(k), Read(bound))),
                    Block(even, (
                        Branch(even, plain("i32.eqz", odd)),
                        write((total,), plain("i64.add", Read(total), Read(k))),
                    ), ()),
                    write((k,), plain("i64.add", Read(k), number(1))),
                    Branch(again, None),
                ), (), loop=True),
            ), ()),
            Read(total),
        ]  # fmt: skip

    assert run((I64,), (I64,), body, 10) == 25


@pytest.mark.parametrize(("chosen", "result"), [(0, 10), (1, 11), (2, 12), (7, 12)])
def test_a_switch_takes_the_last_way_for_all_other_numbers(chosen: int, result: int) -> None:
    def body(module: Module, function: Function) -> list[Code]:
        labels = [Label() for _ in range(3)]
        inner: tuple[Code, ...] = (Switch(tuple(labels), Read(function.locals[0])),)
        for place, label in enumerate(labels):
            inner = (Block(label, inner, ()), Return((number(10 + place),)))
        return list(inner)

    assert run((I32,), (I64,), body, chosen) == result


def test_values_are_computed_before_any_is_assigned() -> None:
    def body(module: Module, function: Function) -> list[Code]:
        one, other = function.locals
        return [write((one, other), Read(other), Read(one)), plain("i64.sub", Read(one), Read(other))]

    assert run((I64, I64), (I64,), body, 3, 10) == 7


def test_calls_give_several_values_and_memory_keeps_them() -> None:
    def body(module: Module, function: Function) -> list[Code]:
        both = module.function("both", (I64,), (I64, I64))
        given_number = Read(both.locals[0])
        both.body = (given_number, plain("i64.mul", given_number, given_number))
        first, second = function.local(I64), function.local(I64)
        address = Constant(64, I32)
        return [
            write((first, second), call(both.callee, number(9))),
            store("i64.store16", address, Read(second), 8),
            plain("i64.add", Read(first), load("i64.load16_s", address, 8)),
        ]

    assert run((), (I64,), body) == 90


def test_one_of_two_values() -> None:
    def body(module: Module, function: Function) -> list[Code]:
        test = Read(function.locals[0])
        return [If(test, (number(5),), (number(6),), (I64,)), write(()), select(test, number(1), number(2))]

    def sums(module: Module, function: Function) -> list[Code]:
        first, _, second = body(module, function)
        return [plain("i64.add", first, second)]

    assert [run((I32,), (I64,), sums, value) for value in (0, 1)] == [8, 6]


def test_data_and_variables() -> None:
    module = Module(data=[(100, (77).to_bytes(8, "little"))])
    count = module.variable("count", I32, 5, exported=True)
    function = module.function("run", (), (I64,), exported=True)
    function.body = (
        write((count,), plain("i32.add", Read(count), Constant(1, I32))), load("i64.load", Constant(100, I32))
    )  # fmt: skip
    memory_store, exports = instance(module)
    assert exports["run"](memory_store) == 77
    assert exports["count"].value(memory_store) == 6


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: plain("i64.add", number(1)),
        lambda: plain("i64.add", number(1), Constant(1, I32)),
        lambda: load("i64.load", number(0)),
        lambda: store("i64.store", Constant(0, I32), Constant(0, I32)),
        lambda: select(number(1), number(1), number(1)),
        lambda: write((), number(1)),
    ],
)
def test_operands_of_other_types_are_refused(wrong: Callable[[], Code]) -> None:
    with pytest.raises(WrongOperandsError):
        wrong()


def test_a_branch_leaves_a_block_around_it() -> None:
    with pytest.raises(AssertionError, match="not around it"):
        run((), (), lambda module, function: [Branch(Label(), None)])
