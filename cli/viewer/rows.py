"""The rows of the outline: a headline for every decision, and the events of the current one as a tree."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from dsl.lazy_dataclasses import dataclass
from interpreter.play.trace import Position

if TYPE_CHECKING:
    from interpreter.play.trace import Event, Timeline

OWN_HEADLINE = ("decision", "setup")
"""Kinds of events that, if first in a segment, are represented by its headline."""


@dataclass(frozen=True)
class Row:
    """One row. A headline has an event only if it represents one; `inside` counts the folded events below it."""

    position: Position
    depth: int
    event: Event | None
    headline: bool
    inside: int = 0


class Rows:
    """Sequence of all rows; each is created only when it is accessed."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.folded: set[Position] = set()
        self._open = Position(-1)
        self._events: tuple[Event, ...] = ()
        self._base = 0
        self._shown: list[int] = []

    def __len__(self) -> int:
        return self.timeline.plies + 1 + len(self._shown)

    def unfold(self, position: Position) -> None:
        """Open the segment of a position, and unfold all events that enclose it."""
        self._events = self.timeline.events(position.ply)
        self.folded -= {Position(position.ply, place) for place in self._above(position.event)}
        self._open = Position(position.ply)
        self._arrange()

    def toggle(self, position: Position) -> None:
        """Fold or unfold the events nested in an event."""
        if self._last_inside(position.event) > position.event:
            self.folded ^= {position}
            self._arrange()

    def is_folded(self, position: Position) -> bool:
        """True if an event is folded."""
        return position in self.folded

    def has_inside(self, position: Position) -> bool:
        """True if an event has nested events."""
        return self._last_inside(position.event) > position.event

    def enclosing(self, position: Position) -> Position:
        """The enclosing event; at the top level, the headline."""
        return Position(position.ply, next(iter(self._above(position.event)), 0))

    def _above(self, place: int) -> list[int]:
        """The enclosing events, innermost first."""
        enclosing, depth = [], self._events[place].depth
        for above in range(place - 1, -1, -1):
            if self._events[above].depth < depth:
                depth = self._events[above].depth
                enclosing.append(above)
        return enclosing

    def _last_inside(self, place: int) -> int:
        """The last event nested in an event; the event itself if there is none."""
        depth = self._events[place].depth
        last = place
        while last + 1 < len(self._events) and self._events[last + 1].depth > depth:
            last += 1
        return last

    def _arrange(self) -> None:
        events, places = self._events, []
        place = 1 if events and events[0].kind in OWN_HEADLINE else 0
        self._base = min((event.depth for event in events[place:]), default=0)
        while place < len(events):
            places.append(place)
            folded = Position(self._open.ply, place) in self.folded
            place = self._last_inside(place) + 1 if folded else place + 1
        self._shown = places

    # ---- rows and their numbers

    def __getitem__(self, number: int) -> Row:
        ply, past_open = self._open.ply, number - self._open.ply - len(self._shown)
        if number <= ply or ply < 0:
            return self._headline(number)
        if past_open > 0:
            return self._headline(ply + past_open)
        place = self._shown[number - ply - 1]
        position, event = Position(ply, place), self._events[place]
        inside = self._last_inside(place) - place if position in self.folded else 0
        return Row(position, event.depth - self._base, event, False, inside)

    def _headline(self, ply: int) -> Row:
        event = self._events[0] if ply == self._open.ply and self._events[0].kind in OWN_HEADLINE else None
        return Row(Position(ply), 0, event, True)

    def number_of(self, position: Position) -> int:
        """The row of an event of the open segment, or of the folded event that hides it."""
        return position.ply + bisect_right(self._shown, position.event)
