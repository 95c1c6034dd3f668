"""What a trace is made of: events, positions among them, and what one can wait for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from dsl.text.span import Span

EventKind = Literal[
    "setup", "turn", "rule", "decision", "asked", "requirement", "statement", "condition", "round", "chance", "change",
    "end",
]  # fmt: skip
"""See `docs/trace.md`."""


@dataclass(frozen=True, order=True)
class Position:
    """An event: which segment (0: the set-up, n: what decision n set off), and its place among the segment's events."""

    ply: int
    event: int = 0


@dataclass(frozen=True)
class Event:
    """Something that happened.

    `depth` says what it stands in: the next event before it with a smaller depth. `text` is one line. `span` is where
    the rules say so, None for what no rule says. `values` are names in sight, or parts of a requirement, with their
    values. Of a change or chance result `what` names the places and notes that changed. `verdict` is whether a
    requirement or condition holds. `moment` counts the entries of the segment's journal up to the event, its own
    included: the state at that moment is what the event led to, without what stands in it.
    """

    kind: EventKind
    text: str
    depth: int
    moment: int
    seat: str | None = None
    span: Span | None = field(default=None, compare=False)
    cites: tuple[str, ...] = ()
    values: tuple[tuple[str, str], ...] = ()
    what: tuple[str, ...] = ()
    verdict: bool | None = None
    node: int = -1

    @property
    def place(self) -> str:
        """`file:line:column`, empty for what no rule says."""
        return self.span.place if self.span is not None else ""


@dataclass(frozen=True)
class Stop:
    """What a search waits for: every condition that is given must be met by the same event.

    `line`: an event that stands on this line of the file (`file` narrows it, if the rules stand in several). `what`: a
    change of this place or note; a name without its index means every slot. `seat`: a decision of that seat. `kinds`:
    an event of one of these kinds. `words`: an event whose text contains these, whatever their case.
    """

    line: int | None = None
    file: str | None = None
    what: str | None = None
    seat: str | None = None
    kinds: frozenset[EventKind] = frozenset()
    words: str | None = None


@dataclass(frozen=True)
class Difference:
    """What is otherwise in one moment than in another: the name of a place or note, and its content in words."""

    name: str
    before: str
    after: str
