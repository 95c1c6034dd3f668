"""Where a step leads, and where a run stops.

A step goes to an event at which a rule is at work: what has no line in the rules, such as the change that a statement
makes, is shown with the statement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from dsl.lazy_dataclasses import dataclass
from editors.dap.breakpoints import Breakpoint, filled
from interpreter.play.trace import Position
from interpreter.play.trace.recording import Recording

Step = Literal["in", "over", "out", "back"]


def stepped(recording: Recording, position: Position, step: Step) -> Position | None:
    """The position after a step; None if there is nothing further."""
    move: Callable[[Position], Position | None] = {
        "in": recording.into, "over": recording.over, "out": recording.out, "back": recording.back,
    }[step]  # fmt: skip
    following = move(position)
    further = recording.back if step == "back" else recording.into
    while following is not None and recording.event(following).span is None and not _is_end(recording, following):
        following = further(following)
    return following


def _is_end(recording: Recording, position: Position) -> bool:
    """True at an event without a line at which the game begins or ends."""
    return recording.event(position).kind in ("setup", "end")


@dataclass(frozen=True)
class Hit:
    """A breakpoint that was met; `messages` are those of the log points passed on the way to it, in order."""

    position: Position | None
    number: int | None = None
    messages: Sequence[str] = ()


def run(
    recording: Recording, start: Position, breakpoints: Sequence[Breakpoint], hits: Counter[int], *, back: bool
) -> Iterator[Hit]:
    """Run from an event to the next that meets a breakpoint; yields a `Hit` without a number for every segment.

    That lets the caller write the messages, and stop. `hits` counts how often each breakpoint was met, by its number;
    running back takes no hits away, and adds none.
    """
    plies = range(start.ply, -1, -1) if back else range(start.ply, recording.plies + 1)
    for ply in plies:
        messages: list[str] = []
        count = len(recording.segment(ply).lines)
        for index in range(count - 1, -1, -1) if back else range(count):
            position = Position(ply, index)
            if position >= start if back else position <= start:
                continue
            number = _met(recording, position, breakpoints, hits, messages, back=back)
            if number is not None:
                yield Hit(position, number, messages)
                return
        yield Hit(None, None, messages)


def _met(
    recording: Recording, position: Position, breakpoints: Sequence[Breakpoint], hits: Counter[int],
    messages: list[str], *, back: bool,
) -> int | None:  # fmt: skip
    """The number of the first breakpoint that is met at an event and stops; messages of log points are collected."""
    event, stopping = recording.event(position), None
    for number, breakpoint_ in enumerate(breakpoints):
        if not breakpoint_.is_met(event, lambda: recording.snapshot(position)):
            continue
        hits[number] += not back
        if breakpoint_.counts is not None and not breakpoint_.counts(hits[number]):
            continue
        if not breakpoint_.message:
            stopping = number if stopping is None else stopping
        elif not back:
            messages.append(filled(breakpoint_.message, recording.snapshot(position)))
    return stopping
