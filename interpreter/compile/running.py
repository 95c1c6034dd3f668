"""The rule behind a running function of generated code, and the fault of rules that go too deep."""

from __future__ import annotations

from collections.abc import Iterator
from types import FrameType, TracebackType

from dsl import ast
from dsl.model import Model
from interpreter.compile.naming import BETWEEN
from interpreter.compile.points import Points
from interpreter.errors import PlayError


def rule_at(model: Model, points: Points, frame: FrameType) -> ast.Node | None:
    """The rule, definition, decision or statement that a function of generated code was made from."""
    what, _, name = frame.f_code.co_name.partition(BETWEEN)
    if what in ("r", "quiet") and name in model.rules:
        return model.rules[name].declaration
    if what == "f" and name in model.defines:
        return model.defines[name].declaration
    if what in ("f", "w"):
        return next((when.declaration for when in model.whens if when.name == name), None)
    number = int(what[1:]) if what[1:].isdigit() else -1
    if what[0] in "ma" and number in points.decisions:
        return points.decisions[number].node
    before = [block for block in points.origins if what[0] == "b" and block <= number]
    if number == 0 and model.setup:
        return model.setup[0]
    return points.origins[max(before)] if before else None


def too_deep(model: Model, points: Points, fault: RecursionError) -> PlayError:
    """The fault for rules that ask each other more deeply than Python can follow."""
    found = [rule_at(model, points, frame) for frame in _frames(fault.__traceback__) if "PROGRAM" in frame.f_globals]
    node = next(filter(None, reversed(found)), model.file.header)
    return PlayError("definitions and steps are nested too deeply here", node.span.location)


def _frames(traceback: TracebackType | None) -> Iterator[FrameType]:
    while traceback is not None:
        yield traceback.tb_frame
        traceback = traceback.tb_next
