"""A small module that is called in all ways; in a browser this file is run as it is."""

from __future__ import annotations

from interpreter.compiler.machine.body import i32
from interpreter.compiler.wasm.instructions import I32, I64, Read, call, load, plain
from interpreter.compiler.wasm.modules import PAGE_BYTES, Module
from interpreter.engine.machine.games import compiled_module
from interpreter.engine.machine.hosts import Instance, TrappedError

WORDS, HALVES = (0, -1, 3, 1 << 53, (1 << 63) - 1, -(1 << 63)), (0, -1, 3, (1 << 31) - 1, -(1 << 31))


def binary() -> bytes:
    """Functions over numbers of both widths, one that never returns, and one that makes memory grow."""
    module = Module(pages=1, most_pages=3)
    for name, type_ in (("words", I64), ("halves", I32)):
        sums = module.function(f"sum_of_{name}", (type_, type_), (type_,), exported=True)
        first, second = map(Read, sums.locals)
        sums.body = (plain(f"{type_.name.lower()}.add", first, second),)
    mixed = module.function("quotient", (I64, I32), (I64,), exported=True)
    mixed.body = (plain("i64.div_s", Read(mixed.locals[0]), plain("i64.extend_i32_s", Read(mixed.locals[1]))),)
    endless = module.function("endless", (I32,), (I32,), exported=True)
    endless.body = (plain("i32.add", Read(endless.locals[0]), call(endless.callee, Read(endless.locals[0]))),)
    byte, more = load("i32.load8_u", i32(100)), plain("memory.grow", i32(1))
    for name, code in (("byte", byte), ("grow", more), ("grow_and_trap", plain("i32.div_s", more, i32(0)))):
        module.function(name, (), (I32,), exported=True).body = (code,)
    module.function("nothing", (), (), exported=True)
    return module.binary()


def called() -> list[object]:
    """The results of all calls, and what is in memory between them."""
    instance = compiled_module(binary()).instance()
    found: list[object] = [instance.call("sum_of_words", word, -2) for word in WORDS]
    found += [instance.call("sum_of_halves", half, -2) for half in HALVES]
    found += [_outcome(instance, "quotient", 9, 0), _outcome(instance, "endless", 1), instance.call("quotient", -9, 2)]
    view = instance.view(96, 2)
    view[0] = -9
    instance.call("nothing")
    for content, grown in ((b"\xff\x01", "grow"), (b"\xfe\x02", "grow_and_trap"), (b"", "byte")):
        instance.write(100, content)
        found += [instance.read(99, 4).hex(), list(view), len(view), _outcome(instance, grown)]
    instance.write(3 * PAGE_BYTES - 1, b"\x07")
    return [*found, instance.read(3 * PAGE_BYTES - 2, 2).hex()]


def _outcome(instance: Instance, name: str, *arguments: int) -> int | str:
    try:
        return instance.call(name, *arguments)
    except TrappedError:
        return "trapped"
