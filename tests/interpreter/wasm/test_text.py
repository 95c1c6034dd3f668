"""The text of a module is the module: an independent assembler makes the same bytes of it."""

from __future__ import annotations

from pathlib import Path

import pytest
import wasmtime
from hypothesis import given

from dsl.checker.recursion import room_for_recursion
from dsl.diagnostics import RulesError
from interpreter.compiler.machine.forms import UnprintableError
from interpreter.compiler.machine.printing import print_rules
from interpreter.compiler.wasm.instructions import (
    I32,
    I64,
    Block,
    Branch,
    If,
    Label,
    Read,
    Return,
    Switch,
    call,
    plain,
    select,
    write,
)
from interpreter.compiler.wasm.instructions import load as loaded
from interpreter.compiler.wasm.instructions import store as stored
from interpreter.compiler.wasm.modules import Module
from interpreter.compiler.wasm.text import function_text, module_text
from interpreter.engine.machine.games import rules_of
from interpreter.errors import PlayError
from interpreter.play.game import load
from tests.interpreter.machine.comparing import KINDS, NAMES
from tests.interpreter.wasm.test_modules import number, words
from tests.support.long_run import one_in

CUSTOM_SECTION, GENERATED, GENERATED_IN_THE_LONG_RUN = 0, 2, 8


def same(module: Module) -> None:
    """What Wasmtime makes of the text is our binary format, which leaves out the names: a section of their own."""
    with room_for_recursion():
        binary, mine = bytes(wasmtime.wat2wasm("\n".join(module_text(module)))), module.binary()
    assert binary[: len(mine)] == mine
    assert binary[len(mine) : len(mine) + 1] in (b"", bytes([CUSTOM_SECTION]))


@pytest.mark.parametrize("name", one_in(3, NAMES))
def test_modules_of_the_shipped_games(name: str) -> None:
    same(print_rules(rules_of(load(name).program)).module)


@pytest.mark.parametrize("kind", KINDS)
def test_modules_of_generated_games(kind: str, tmp_path: Path, long_run: bool) -> None:
    printed = 0
    for number_of_game in range(GENERATED_IN_THE_LONG_RUN if long_run else GENERATED):
        path = tmp_path / f"game_{number_of_game}.rules"
        path.write_text(KINDS[kind](number_of_game), encoding="utf-8")
        try:
            with room_for_recursion():
                module = print_rules(rules_of(load(path, players=None).program)).module
        except (RulesError, PlayError, UnprintableError):
            continue
        same(module)
        printed += 1
    assert printed


def everything() -> Module:
    """A module with each kind of instruction, and names that are equal, empty or no names of the format."""
    module = Module(pages=1, most_pages=2)
    total = module.variable("total", I32, 3, exported=True)
    module.variable("a b", I64, -1)
    pair = module.function("rˑpair", (I64, I64), (I64, I64))
    pair.name_locals(0, 2, "x")
    first, second = (Read(local) for local in pair.locals)
    pair.body = (Return((second, first)),)
    run = module.function("run", (I64,), (I64,), exported=True)
    module.exports['say "run"'] = run
    one, other = run.local(I64, "x"), run.local(I64)
    outer, inner, again = Label("outer"), Label(), Label()
    count = plain("i32.wrap_i64", Read(run.locals[0]))
    longest = plain("i64.add", number(1), number(1 << 40))
    for _ in range(6):
        longest = plain("i64.mul", longest, number(7))
    cases = Block(inner, (Switch((inner, outer), count),), ())
    loop = Block(
        again, (Branch(again, plain("i32.eqz", plain("i64.eqz", Read(one)))), Branch(outer, None)), (), loop=True
    )
    run.body = (
        write((one, other), call(pair.callee, Read(run.locals[0]), number(2))),
        Block(outer, (cases, loop), ()),
        If(count, (write((total,), plain("memory.size")),), (plain("memory.fill", count, count, count),), ()),
        If(count, (plain("unreachable"),), (), ()),
        stored("i64.store16", count, longest, 4),
        write((one,), If(count, (number(1),), (number(2),), (I64,))),
        select(count, loaded("i64.load8_u", count), Block(None, (Read(other),), (I64,))),
    )
    module.data = [(64, bytes(range(256))), (400, b'"\\')]
    return module


def test_every_kind_of_instruction() -> None:
    same(everything())


@given(words)
def test_numbers_are_written_in_full(value: int) -> None:
    module = Module()
    module.function("number", (), (I64,)).body = (number(value),)
    same(module)


def test_names_are_kept_and_told_apart() -> None:
    module = everything()
    pair, run = module.functions
    assert list(function_text(module, pair)) == [
        '(func $"rˑpair"',
        "  (param $x i64) (param $x.1 i64) (result i64 i64)",
        "  (return (local.get $x.1) (local.get $x))",
        ")",
    ]
    text = "\n".join(function_text(module, run))
    assert "(local $x i64) (local $2 i64)" in text
    assert "    (br_table $out $outer (i32.wrap_i64 (local.get $0)))\n" in text
    assert '(local.set $x (local.set $2 (call $"rˑpair" (local.get $0) (i64.const 2))))' in text
    assert "  ) ;; $outer\n" in text
