"""Routines in a module of their own: called with numbers, sets and arrays, as they can be called in Python."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import wasmtime

from interpreter.compiler.ir.module import Module as Rules
from interpreter.compiler.machine.body import Body, i32, i64
from interpreter.compiler.machine.forms import SCALAR, WORD_BYTES, Items, Members
from interpreter.compiler.machine.memory import Data, set_words
from interpreter.compiler.machine.program import Bounds, Program
from interpreter.compiler.machine.routines.kinds import TRUTH, ArrayOf, RecordOf, Typed, ValueKind
from interpreter.compiler.machine.routines.translation import called
from interpreter.compiler.wasm.instructions import I32, Constant, store
from interpreter.compiler.wasm.modules import PAGE_BYTES, Module
from interpreter.runtime.layout import Layout

SCRATCH = 1 << 20


def printed_program() -> Program:
    """A program without rules."""
    module = Module()
    top, base, *ends = (module.variable(name, I32) for name in ("top", "base", "scratch", "end", "lists"))
    layout = Layout.__new__(Layout)
    return Program(module, Rules(), layout, Data(), top, base, Bounds(*ends))


def given(program: Program, value: Any, kind: ValueKind) -> Typed:
    """An argument as a constant."""
    match kind:
        case Members(words=words):
            return tuple([i64(word) for word in set_words(value, words)]), kind
        case Items(of=Items() as of):
            inner = [given(program, item, of)[0] for item in value]
            words_of = [part.value for pair in inner for part in pair if isinstance(part, Constant)]
            place = program.data.place(struct.pack(f"<{len(words_of)}Q", *words_of))
            return (i32(len(value)), i32(place)), kind
        case ArrayOf(of=of) | Items(of=of):
            words_of = [
                word for item in value for word in (set_words(item, of.words) if isinstance(of, Members) else [item])
            ]
            place = program.data.place(struct.pack(f"<{len(words_of)}Q", *[word & (1 << 64) - 1 for word in words_of]))
            return ((i32(place),) if isinstance(kind, ArrayOf) else (i32(len(value)), i32(place))), kind
        case _:
            return (i64(value),), SCALAR


def run_routine(module: ModuleType, name: str, *args: tuple[Any, ValueKind]) -> Any:
    """The result of a routine. Raises wasmtime.Trap for a fault."""
    program = printed_program()
    function = program.module.function("run", (), (), exported=True)
    body = Body(function)
    result = program.data.reserve(SCRATCH // 4)
    value, kind = called(program, body, module, name, *[given(program, *arg) for arg in args])
    for number, part in enumerate(value):
        code = "i32.store" if part.results == (I32,) else "i64.store"
        body.add(store(code, i32(0), part, result + WORD_BYTES * number))
    function.body = tuple(body.statements)
    scratch = program.data.end
    values = {program.top: scratch, program.bounds.scratch: scratch, program.bounds.end: scratch + SCRATCH}
    program.module.globals = [(each, values.get(each, 0)) for each, _ in program.module.globals]
    program.module.data = program.data.content
    program.module.pages = program.module.most_pages = -(-(scratch + SCRATCH) // PAGE_BYTES)
    engine = wasmtime.Engine()
    memory_store = wasmtime.Store(engine)
    instance = wasmtime.Instance(memory_store, wasmtime.Module(engine, program.module.binary()), [])
    exports = instance.exports(memory_store)
    exports["run"](memory_store)
    memory = bytes(exports["memory"].read(memory_store, 0, scratch + SCRATCH))
    return _taken(memory, result, kind)


def _taken(memory: bytes, address: int, kind: ValueKind) -> Any:
    match kind:
        case Members(words=words):
            return _set(struct.unpack_from(f"<{words}Q", memory, address))
        case Items(of=of):
            count, items = struct.unpack_from("<I4xI", memory, address)
            size = WORD_BYTES * len(of.operands)
            return tuple([_taken(memory, items + size * number, of) for number in range(count)])
        case RecordOf(fields=fields):
            (place,) = struct.unpack_from("<I", memory, address)
            found = {}
            for name, of in fields:
                found[name] = None if isinstance(of, ArrayOf) else _taken(memory, place, of)
                place += WORD_BYTES * len(of.operands)
            return found
        case _ if kind == TRUTH:
            return bool(struct.unpack_from("<I", memory, address)[0])
        case _:
            return struct.unpack_from("<q", memory, address)[0]


def _set(words: Sequence[int]) -> int:
    return sum(word << 64 * number for number, word in enumerate(words))
