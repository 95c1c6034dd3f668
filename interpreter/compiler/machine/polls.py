"""Ending a call that takes too long: loops look at a word of memory, and end in a fault if it is set.

Wasmtime has a means of its own (epochs), which looks at every loop and every function and makes large games a third to
two times slower. A loop around which there is no other one ends after as many rounds as a set or a list has members. So
only loops look that contain another loop, or a call of a function that has one: this costs nothing measurable.
Functions that call themselves, perhaps through others, look as well: they need no loop to take long.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from interpreter.compiler.ir.identity import IdentitySet
from interpreter.compiler.machine.body import i32
from interpreter.compiler.wasm.instructions import (
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
from interpreter.compiler.wasm.modules import Module

STOP_ADDRESS = 8
"""Where the word is."""


def add_polls(module: Module) -> None:
    """Let loops of all functions look at the word, and functions that call themselves."""
    searches = [_Search() for _ in module.functions]
    first = len(module.imports)
    looping = set(range(first))  # what is imported may have loops
    for number, (function, search) in enumerate(zip(module.functions, searches, strict=True), first):
        if search.inside(function.body, search.calls):
            looping.add(number)
    while more := {
        number for number, search in enumerate(searches, first) if number not in looping and search.calls & looping
    }:
        looping |= more
    recursive = _recursive({number: search.calls for number, search in enumerate(searches, first)})
    for number, (function, search) in enumerate(zip(module.functions, searches, strict=True), first):
        long = IdentitySet(loop for loop, nested, called in search.loops if nested or called & looping)
        function.body = (*((_POLL,) if number in recursive else ()), *_polled(function.body, long))


def _recursive(calls: Mapping[int, set[int]]) -> set[int]:
    """The functions that may call themselves, perhaps through others, and those on a way from one of these to another.

    These remain when functions that call none of the others, or are called by none, are removed repeatedly.
    """
    remaining = set(calls)
    while True:
        called = set().union(*(calls[number] for number in remaining))
        connected = {number for number in remaining if number in called and calls[number] & remaining}
        if connected == remaining:
            return remaining
        remaining = connected


class _Search:
    """The loops of a function, each with whether there is one inside it and the functions called there."""

    def __init__(self) -> None:
        self.calls: set[int] = set()
        self.loops: list[tuple[Block, bool, set[int]]] = []

    def inside(self, codes: Sequence[Code], called: set[int]) -> bool:
        """Whether there is a loop in some instructions; the functions that are called are added."""
        loops = False
        waiting = [*codes]
        while waiting:
            node = waiting.pop()
            kind = type(node)
            if kind is Read or kind is Constant:  # half of all instructions
                continue
            if isinstance(node, Block) and node.loop:
                called_inside: set[int] = set()
                self.loops.append((node, self.inside(node.body, called_inside), called_inside))
                called |= called_inside
                loops = True
                continue
            if isinstance(node, Call):
                called.add(node.callee.number)
            waiting += PARTS[kind](node)
        return loops


def _polled(codes: tuple[Code, ...], long: IdentitySet[Block]) -> tuple[Code, ...]:
    """Statements with polls in the loops that may take long. Loops are statements, never operands."""
    polled: list[Code] = []
    for node in codes:
        if isinstance(node, Block):
            body = _polled(node.body, long)
            node = Block(node.label, (_POLL, *body) if node in long else body, node.results, node.loop)
        elif isinstance(node, If):
            node = If(node.condition, _polled(node.then, long), _polled(node.otherwise, long), node.results)
        polled.append(node)
    return tuple(polled)


_POLL = If(load("i32.load", i32(STOP_ADDRESS)), (plain("unreachable"),), (), ())


def _none(node: Code) -> tuple[Code, ...]:
    return ()


PARTS: Mapping[type, Callable[[Any], tuple[Code, ...]]] = {  # each of its class, which a table cannot say
    Plain: attrgetter("operands"), Access: attrgetter("operands"), Call: attrgetter("operands"), Constant: _none,
    Read: _none, Write: attrgetter("values"), Block: attrgetter("body"), Return: attrgetter("values"),
    If: lambda node: (node.condition, *node.then, *node.otherwise), Switch: lambda node: (node.number,),
    Branch: lambda node: () if node.condition is None else (node.condition,),
    Select: attrgetter("first", "second", "condition"),
}  # fmt: skip
"""The functions that return the instructions in an instruction, by class: they are called very often."""
