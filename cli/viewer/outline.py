"""The events pane: all decisions, and the events of the current one as a tree."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from cli.viewer.bars import in_words, seat_in
from cli.viewer.source import ARROW, NOW
from cli.widgets.scroll_pane import CursorPane, filled, strip_of
from dsl.lazy_dataclasses import dataclass
from interpreter.play.trace import Position

if TYPE_CHECKING:
    from cli.render.palette import Palette
    from interpreter.play.trace import Event, Timeline


MAX_INDENTED_DEPTH = 12
"""Depth beyond which events are not indented any further, to leave room for their text."""


class Outline(CursorPane):
    """Shows the rows, and posts a message when one is picked."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "shut", show=False),
        Binding("right", "open", show=False),
        Binding("enter", "fold", show=False),
    ]

    class Picked(Message):
        """Posted when the user picks an event."""

        def __init__(self, position: Position) -> None:
            super().__init__()
            self.position = position

    def __init__(self, timeline: Timeline, look: Palette, *, id: str) -> None:
        super().__init__(id=id)
        self.rows, self.look = Rows(timeline), look
        self.position = Position(0)

    def follow(self, timeline: Timeline) -> None:
        """Show another timeline."""
        self.rows = Rows(timeline)

    def show(self, position: Position) -> None:
        """Show an event with all its enclosing events."""
        self.position = position
        self.rows.unfold(position)
        self._show()

    def _show(self) -> None:
        self.virtual_size = Size(self.columns, len(self.rows))
        self.into_view(self.rows.number_of(self.position), len(self.rows))
        self.refresh()

    def on_resize(self) -> None:
        """Keep the event visible."""
        self._show()

    def on_click(self, event: events.Click) -> None:
        """Go to the row that was clicked."""
        if (at := event.get_content_offset(self)) is not None:
            self._pick(round(self.scroll_offset.y) + at.y)

    def action_move(self, by: int) -> None:
        """Go to another row."""
        self._pick(self.rows.number_of(self.position) + by)

    def _pick(self, number: int) -> None:
        self._go(self.rows[max(0, min(len(self.rows) - 1, number))].position)

    def _go(self, position: Position) -> None:
        self.show(position)  # immediately, so that the next key continues from there
        self.post_message(self.Picked(position))

    def action_fold(self) -> None:
        """Fold or unfold the current event."""
        self.rows.toggle(self.position)
        self._show()

    def action_open(self) -> None:
        """Unfold the event, or go to its first nested event."""
        if self.rows.is_folded(self.position):
            self.action_fold()
        else:
            self._go(self.rows.timeline.into(self.position) or self.position)

    def action_shut(self) -> None:
        """Fold the event, or go to the enclosing one."""
        if self.position.event and self.rows.has_inside(self.position) and not self.rows.is_folded(self.position):
            self.action_fold()
        else:
            self._go(self.rows.enclosing(self.position))

    def render_line(self, y: int) -> Strip:
        """Render one visible row."""
        number, width = round(self.scroll_offset.y) + y, self.size.width
        if number >= len(self.rows):
            return filled(Strip([]), width, self.rich_style)
        row = self.rows[number]
        is_current = number == self.rows.number_of(self.position)
        line = Text.assemble((ARROW if is_current else " ", "bold bright_yellow"))
        line.append_text(self._headline(row) if row.headline else self._event(row))
        return filled(strip_of(line, width), width, self.rich_style, NOW if is_current else None)

    def _headline(self, row: Row) -> Text:
        ply, timeline = row.position.ply, self.rows.timeline
        words = Text(timeline.headline(ply), style="bold" if ply == self.position.ply else "")
        seat_in(words, timeline.seat(ply), self.look)
        return Text.assemble((f"{ply:>{len(str(timeline.plies))}} ", "grey50"), words)

    def _event(self, row: Row) -> Text:
        assert row.event is not None
        indent = "  " * min(row.depth, MAX_INDENTED_DEPTH) + " " * (len(str(self.rows.timeline.plies)) + 1)
        inside = self.look.words.phrase("… {number} more", number=row.inside)
        more = f"   {inside}" if row.inside else ""
        return Text.assemble(
            indent, ("+ " if row.inside else "", "bold"), in_words(row.event, self.look), (more, "grey50")
        )


# ---------------- the rows of the outline: a headline for every decision, and the events of the current one as a
# tree


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
