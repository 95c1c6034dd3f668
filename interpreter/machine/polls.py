"""Ending a call that takes too long: loops look at a word of memory, and end in a fault if it is set.

Wasmtime has a means of its own (epochs), which looks at every loop and every function and makes large games a third to
two times slower. A loop around which there is no other one ends after as many rounds as a set or a list has members. So
only loops look that contain another loop, or a call of a function that has one: this costs nothing measurable.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from interpreter.machine.body import i32
from interpreter.wasm.instructions import (
    Access,
    Block,
    Branch,
    Call,
    Code,
    Constant,
    If,
    Plain,
    Read,
    Return,
    Select,
    Switch,
    Write,
    load,
    plain,
)
from interpreter.wasm.modules import Function, Module

STOP_ADDRESS = 8
"""Where the word is."""


def add_polls(module: Module) -> None:
    """Let loops of all functions look at the word."""
    calls: dict[int, set[int]] = {}
    looping: set[int] = set()
    for function in module.functions:
        number = function.callee.number
        calls[number] = set()
        if _search(function.body, calls[number]):
            looping.add(number)
    while more := {number for number, called in calls.items() if called & looping and number not in looping}:
        looping |= more
    for function in module.functions:
        _Polling(function, looping).add()


def _search(codes: Sequence[Code], called: set[int]) -> bool:
    """Whether there is a loop; the functions that are called are added."""
    loops = False
    for node in codes:
        loops |= isinstance(node, Block) and node.loop
        if isinstance(node, Call):
            called.add(node.callee.number)
        loops |= _search(parts(node), called)
    return loops


class _Polling:
    """Adds polls to one function; `looping` are the functions that have loops."""

    def __init__(self, function: Function, looping: set[int]) -> None:
        self.function, self.looping = function, looping

    def add(self) -> None:
        self.function.body = self._all(self.function.body)[0]

    def _all(self, codes: Sequence[Code]) -> tuple[tuple[Code, ...], bool]:
        """Statements with polls, and whether they may execute a loop. Loops are statements, never operands."""
        polled: list[Code] = []
        loops = False
        for node in codes:
            match node:
                case Block():
                    body, inside = self._all(node.body)
                    if node.loop and inside:
                        body = (_POLL, *body)
                    node, looping = Block(node.label, body, node.results, node.loop), inside or node.loop
                case If():
                    (then, one), (otherwise, other) = self._all(node.then), self._all(node.otherwise)
                    looping = one or other or self._calls(node.condition)
                    node = If(node.condition, then, otherwise, node.results)
                case _:
                    looping = self._calls(node)
            polled.append(node)
            loops |= looping
        return tuple(polled), loops

    def _calls(self, node: Code) -> bool:
        called: set[int] = set()
        return _search((node,), called) or bool(called & self.looping)


_POLL = If(load("i32.load", i32(STOP_ADDRESS)), (plain("unreachable"),), (), ())


def parts(node: Code) -> Sequence[Code]:
    """The instructions in an instruction."""
    match node:
        case Plain() | Access() | Call():
            return node.operands
        case Constant() | Read():
            return ()
        case Write():
            return node.values
        case Block():
            return node.body
        case If():
            return (node.condition, *node.then, *node.otherwise)
        case Branch():
            return () if node.condition is None else (node.condition,)
        case Switch():
            return (node.number,)
        case Return():
            return node.values
        case Select():
            return (node.first, node.second, node.condition)
        case _:
            assert_never(node)
