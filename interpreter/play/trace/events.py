"""Data of a trace: events, positions among them, and conditions to search for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import Literal, get_args

from dsl.lazy_dataclasses import dataclass
from dsl.text.span import Span
from interpreter.seat.explain.evaluator import ShownValue

EventKind = Literal[
    "setup", "turn", "rule", "decision", "asked", "requirement", "statement", "condition", "round", "chance", "change",
    "told", "end",
]  # fmt: skip
"""See `docs/trace.md`."""


@dataclass(frozen=True, order=True)
class Position:
    """The position of an event: its segment (0: setup, n: the effects of decision n), and its index there."""

    ply: int
    event: int = 0


@dataclass(frozen=True)
class Event:
    """One event.

    `depth` determines nesting: an event is nested in the nearest event before it with a smaller depth. `text` is one
    line. `span` is the location in the rules, None for events without one. `values` are names in scope, or parts
    of a requirement, with their values. For a change or chance result `what` names the places and notes changed.
    `verdict` is the truth of a requirement or condition. `end` counts the entries of the segment's journal up to and
    including the event: the state after them is the result of the event without its nested events.
    """

    kind: EventKind
    text: str
    depth: int
    end: int
    seat: str | None = None
    span: Span | None = field(default=None, compare=False)
    cites: tuple[str, ...] = ()
    values: tuple[ShownValue, ...] = ()
    what: tuple[str, ...] = ()
    verdict: bool | None = None
    node: int = -1

    @property
    def location(self) -> str:
        """`file:line:column`, empty for events that no rule causes."""
        return self.span.location if self.span is not None else ""


@dataclass(frozen=True)
class Stop:
    """A search condition: every condition that is given must be met by the same event.

    `line`: an event on this line of the file (`file` narrows it if there are several source files). `what`: a change of
    this place or note; a name without its index means every slot. `seat`: a decision of that seat. `kinds`: an event of
    one of these kinds. `words`: an event whose text contains these, ignoring case. `holds`: an event at which this
    condition is true, as far as the seat may know it. `differs`: an expression and a value in words; an event at which
    the expression has another value.
    """

    line: int | None = None
    file: str | None = None
    what: str | None = None
    seat: str | None = None
    kinds: frozenset[EventKind] = frozenset()
    words: str | None = None
    holds: str | None = None
    differs: tuple[str, str] | None = None


@dataclass(frozen=True)
class Difference:
    """A difference between two snapshots: the name of a place or note, and its rendered content."""

    name: str
    before: str
    after: str


# ---- The four levels of detail of a trace, all selected from one list of events


Level = Literal["moves", "rules", "requirements", "everything"]
LEVELS: tuple[Level, ...] = get_args(Level)

_MOVES: frozenset[EventKind] = frozenset({"setup", "turn", "decision", "chance", "change", "told", "end"})
_RULES: frozenset[EventKind] = _MOVES | {"rule"}
_REQUIREMENTS: frozenset[EventKind] = _RULES | {"asked", "requirement"}
KINDS: dict[Level, frozenset[EventKind]] = {
    "moves": _MOVES,
    "rules": _RULES,
    "requirements": _REQUIREMENTS,
    "everything": frozenset(get_args(EventKind)),
}
"""The kinds of events that each level shows."""


def outline(events: Iterable[tuple[Position, Event]], level: Level) -> Iterator[tuple[int, Position, Event]]:
    """The events that a level shows, each with its depth among those shown."""
    above: list[tuple[int, bool]] = []
    for position, event in events:
        while above and above[-1][0] >= event.depth:
            above.pop()
        included = event.kind in KINDS[level]
        if included:
            yield sum(1 for _, is_shown in above if is_shown), position, event
        above.append((event.depth, included))
