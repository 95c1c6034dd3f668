"""Modules are run by Wasmtime as the machine engine expects it; `test_browser.py` has the same in a browser."""

from __future__ import annotations

import subprocess
import sys

import pytest

from interpreter.compiler.machine.body import i32
from interpreter.compiler.machine.polls import STOP_ADDRESS
from interpreter.compiler.wasm.instructions import Block, Branch, If, Label, load, plain
from interpreter.compiler.wasm.modules import Module
from interpreter.engine.machine import wasmtime_host
from interpreter.engine.machine.hosts import TrappedError
from tests.interpreter.machine.instance_run import called
from tests.support.project import ROOT

PLAYING = """
import gc
import regelwerk
game = regelwerk.load("nim")
game.itself = game
print(len(game.playout_columns(100, backend="machine")))
gc.freeze()
"""


def test_numbers_traps_and_memory() -> None:
    numbers = [-2, -3, 1, (1 << 53) - 2, (1 << 63) - 3, (1 << 63) - 2, -2, -3, 1, (1 << 31) - 3, (1 << 31) - 2]
    first, second = (
        int.from_bytes(b"\xf7\xff\xff\xff" + written + b"\xff\xff", "little", signed=True)
        for written in (b"\xff\x01", b"\xfe\x02")
    )
    assert called() == [
        *numbers, "trapped", "trapped", -4,
        "ffff01ff", [first, 0], 2, 1,
        "fffe02ff", [second, 0], 2, "trapped",
        "fffe02ff", [second, 0], 2, 254,
        "0007",
    ]  # fmt: skip


def test_a_program_ends_without_a_word() -> None:
    """What Wasmtime made is still there, in a circle that no collection reaches."""
    done = subprocess.run([sys.executable, "-c", PLAYING], cwd=ROOT, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("100\n", "")


def test_calls_that_take_too_long_are_ended_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wasmtime_host, "MAX_SECONDS", 0.3)
    module, again = Module(), Label()
    poll = If(load("i32.load", i32(STOP_ADDRESS)), (plain("unreachable"),), (), ())
    endless = module.function("endless", (), (), exported=True)
    endless.body = (Block(again, (poll, Branch(again, None)), (), loop=True),)
    module.function("short", (), (), exported=True)
    instance = wasmtime_host.WasmtimeModule(module.binary()).instance()
    for _ in range(2):
        with pytest.raises(TrappedError):
            instance.call("endless")
        instance.call("short")
