"""The rule behind a running function of generated code, and the fault of rules that go too deep."""

from __future__ import annotations

from collections.abc import Iterator
from types import FrameType, TracebackType

from dsl import ast
from interpreter.compiler.ir.module import Module
from interpreter.errors import PlayError
from interpreter.wording.phrases import Phrase


def rule_at(module: Module, frame: FrameType) -> ast.Node | None:
    """The rule, definition, decision or statement that a function of generated code was made from."""
    name = frame.f_code.co_name
    if name in module.functions:
        return module.functions[name].source
    block = int(name[1:]) if name[0] == "b" and name[1:].isdigit() else -1
    return module.blocks[block].source if block in module.blocks else None


def too_deep(module: Module, header: ast.Node, fault: RecursionError) -> PlayError:
    """The fault for rules that ask each other more deeply than Python can follow."""
    rules = [rule_at(module, frame) for frame in _frames(fault.__traceback__) if "PROGRAM" in frame.f_globals]
    node = next(filter(None, reversed(rules)), header)
    return PlayError(Phrase("definitions and steps are nested too deeply here"), node.span.location)


def _frames(traceback: TracebackType | None) -> Iterator[FrameType]:
    while traceback is not None:
        yield traceback.tb_frame
        traceback = traceback.tb_next
