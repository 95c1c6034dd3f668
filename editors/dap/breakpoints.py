"""Breakpoints on lines, rules and places, with conditions, hit counts and messages.

A breakpoint asks for an event of a recording (`Stop`); where it has a condition, the condition is written in the
language and may use the names in scope there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.model import Model
from dsl.text.span import Source, Span
from editors.dap.arguments import WantedBreakpoint
from interpreter.authoring.coverage.subjects import subjects
from interpreter.errors import PlayError, UsageError
from interpreter.play.trace import Event, Snapshot, Stop, known_names
from interpreter.play.trace.recording import Recording
from interpreter.play.trace.search import meets

TRUE = "true"
EXECUTED_PARTS = frozenset({"statement", "if", "requirement"})
"""The kinds of parts of declarations whose execution is an event."""

ENTERED_RULES = frozenset({"action", "step", "when", "phase"})
"""The kinds of declarations that are entered, which is an event as well."""

HIT_CONDITION = re.compile(r"\s*(>=|<=|==|=|>|<|%)?\s*(\d{1,9})\s*")
EMBEDDED_EXPRESSION = re.compile(r"\{([^{}]*)\}")
RULES = (ast.Action, ast.Step, ast.When, ast.Phase)
"""The declarations that a breakpoint can name."""


@dataclass(frozen=True)
class Breakpoint:
    """A breakpoint that is met by the events of `stop`, in a rule that begins at `entered` if that is given.

    `counts` says whether the n-th hit counts. With a `message` the debugger does not stop, and writes it instead.
    """

    stop: Stop
    entered: int | None = None
    condition: str = ""
    counts: Callable[[int], bool] | None = None
    message: str = ""

    def is_met(self, event: Event, snapshot: Callable[[], Snapshot]) -> bool:
        """True if an event meets the breakpoint, regardless of how often that has happened."""
        if not meets(event, self.stop):
            return False
        if self.entered is not None and (event.kind not in ("rule", "turn") or event.node != self.entered):
            return False
        return not self.condition or value_at(snapshot(), self.condition) == TRUE


def value_at(snapshot: Snapshot, text: str) -> str:
    """The value of an expression at an event in words; empty if it has none there."""
    try:
        return snapshot.words(text)
    except (UsageError, PlayError):
        return ""


def filled(message: str, snapshot: Snapshot) -> str:
    """The message of a log point, with the values of the expressions in braces."""
    return EMBEDDED_EXPRESSION.sub(lambda match: value_at(snapshot, match[1]) or match[0], message)


# ---------------------------------------------------------------- making them


def breakpoint_at(
    wanted_breakpoint: WantedBreakpoint, stop: Stop, recording: Recording, entered: int | None = None
) -> Breakpoint:
    """A breakpoint with its conditions. Raises UsageError if one of them is wrong."""
    condition = (wanted_breakpoint.condition or "").strip()
    if condition:
        recording.check_condition(condition, stop.file, stop.line)
    counts = (
        None if not (wanted_breakpoint.hit_condition or "").strip() else counting(wanted_breakpoint.hit_condition or "")
    )
    return Breakpoint(stop, entered, condition, counts, wanted_breakpoint.log_message or "")


def counting(text: str) -> Callable[[int], bool]:
    """Which hits count: `5`, `>= 5`: from the fifth on; `== 5`: the fifth; `% 5`: every fifth. Raises UsageError."""
    match = HIT_CONDITION.fullmatch(text)
    if match is None or not int(match[2]):
        raise UsageError(f"`{text}` is no hit count: write `5`, `== 5`, `> 5`, `< 5` or `% 5`")
    number = int(match[2])
    match match[1] or ">=":
        case ">=":
            return lambda hits: hits >= number
        case "<=":
            return lambda hits: hits <= number
        case ">":
            return lambda hits: hits > number
        case "<":
            return lambda hits: hits < number
        case "%":
            return lambda hits: hits % number == 0
        case _:
            return lambda hits: hits == number


def place_stop(recording: Recording, name: str) -> Stop:
    """The stop for a change of a place or note. Raises UsageError if there is none of that name."""
    if name not in known_names(recording.program):
        raise UsageError(f"there is no place or note `{name}` in this game")
    return Stop(what=name)


def rule_named(model: Model, name: str) -> ast.Action | ast.Step | ast.When | ast.Phase:
    """The declaration that a breakpoint names. Raises UsageError."""
    bare_name = name.strip().removeprefix("action ").removeprefix("step ").removeprefix("phase ").removeprefix("when ")
    for node in model.file.walk():
        if isinstance(node, RULES) and node.name == bare_name:
            return node
    if bare_name in model.defines:
        raise UsageError(
            f"`{bare_name}` is a definition, whose value is computed at once: use a condition, or watch what it reads"
        )
    raise UsageError(f"there is no action, step, phase or `when` named `{bare_name}`")


# ---------------------------------------------------------------- lines


def path_of_source(source: Source) -> str:
    """The absolute path of a source without `..`, as editors name files; links are kept."""
    return os.path.normpath(Path(source.name).absolute())


def executed_spans(model: Model) -> Iterator[Span]:
    """The spans of everything whose execution is an event."""
    for subject in subjects(model):
        if subject.kind in ENTERED_RULES:
            yield subject.span
        yield from (part.span for part in subject.parts if part.kind in EXECUTED_PARTS)
    for example in model.examples:
        yield from (scene.span for scene in example.scenes)


def executed_lines(model: Model, path: str) -> tuple[str, list[int]]:
    """The name of a source and its lines on which something is executed, in order. Raises UsageError.

    The path may lead to the source over other links than its name.
    """
    spans, real_path = list(executed_spans(model)), os.path.realpath(path)
    names = {name for name in {span.source.name for span in spans} if os.path.realpath(name) == real_path}
    spans = [span for span in spans if span.source.name in names]
    if not spans:
        raise UsageError("this file is no part of the game that is debugged, or nothing in it is executed")
    return spans[0].source.name, sorted({span.line for span in spans})


def line_from(lines: Iterable[int], first: int) -> int:
    """The first line at or after `first` on which something is executed. Raises UsageError."""
    following = next((line for line in lines if line >= first), None)
    if following is None:
        raise UsageError("nothing is executed from this line on")
    return following
