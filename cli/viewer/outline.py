"""The events pane: all decisions, and the events of the current one as a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from cli.viewer.event_lines import in_words, seat_in
from cli.viewer.rows import Row, Rows
from cli.viewer.source import ARROW, NOW
from cli.widgets.scroll_pane import CursorPane, filled, strip_of
from interpreter.play.trace import Position

if TYPE_CHECKING:
    from cli.render.palette import Palette
    from interpreter.play.trace import Timeline

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
