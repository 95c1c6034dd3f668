"""The call stack at an event: the event itself, and around it the rules, turns and phases it is part of."""

from __future__ import annotations

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.text.span import Span
from interpreter.play.trace import Position
from interpreter.play.trace.frames import Frame
from interpreter.play.trace.recording import Recording
from interpreter.wording.words import Words

ENTERED, TURN = "enter", "turn"
"""The roles of frames that count as calls."""


@dataclass(frozen=True)
class StackFrame:
    """One level: a name, and the line it has come to; `span` is None where no rule is at work, as at a change."""

    name: str
    span: Span | None


def stack(recording: Recording, position: Position) -> list[StackFrame]:
    """The call stack, innermost first."""
    line = recording.segment(position.ply).lines[position.event]
    words = recording.program.words
    innermost = line.event.span
    frames = [StackFrame(line.event.text, innermost)]
    for frame in reversed(line.frames):
        innermost = innermost or frame.node.span
        if not frame.seen:
            continue
        if frame.role in (ENTERED, TURN):
            frames.append(StackFrame(_name(frame, words), innermost))
            innermost = None  # a rule has come to the statement that called the one inside it
    if frames[0].span is None:
        frames[0] = StackFrame(frames[0].name, frames[1].span if len(frames) > 1 else None)
    return frames


def _name(frame: Frame, words: Words) -> str:
    node = frame.node
    if frame.role == TURN:
        return words.phrase("turn")
    name = getattr(node, "name", "")
    return f"{node.kind} {name}".strip() if not isinstance(node, ast.Part) else name
