"""The four levels of detail of a trace, all selected from one list of events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, get_args

from interpreter.play.trace.events import Event, EventKind, Position

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
