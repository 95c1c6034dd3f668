"""The rules pane: the line that caused the current event, a cursor, breakpoints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from rich.style import Style
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.strip import Strip

from cli.viewer.highlighting import highlighted
from cli.widgets.scroll_pane import CursorPane, filled, strip_of
from interpreter.play.trace.wording import sources

if TYPE_CHECKING:
    from dsl.text.span import Source, Span

NOW, CURSOR, CAUSE = Style(bgcolor="#3a3f58"), Style(bgcolor="#2a2d3a"), "bold underline"
BREAK, CONDITIONAL, ARROW = "●", "◆", "►"


class SourcePane(CursorPane):
    """The text of the rules. The cursor follows the current event, and can be moved from there."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "app.line(False)", show=False),
        Binding("left", "aside(-8)", show=False),
        Binding("right", "aside(8)", show=False),
    ]

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.source: Source | None = None
        self.span: Span | None = None
        self.cursor = 1
        self.marked: Mapping[int, str] = {}
        self._aside = 0

    def show(self, span: Span, breakpoints: Mapping[tuple[str, int], str]) -> None:
        """Mark a span of the rules; its line is centred and gets the cursor."""
        self.source, self.span, self.cursor = span.source, span, span.line
        self.mark(breakpoints)
        self.virtual_size = Size(self.columns, self.count)
        self.centre(self.cursor - 1, self.count)
        self.refresh()

    def mark(self, breakpoints: Mapping[tuple[str, int], str]) -> None:
        """Show the breakpoints of this file; each has a condition, which may be empty."""
        self.marked = {line: condition for (file, line), condition in breakpoints.items() if file == self.file}
        self.refresh()

    @property
    def file(self) -> str:
        """The name of the file shown."""
        return self.source.name if self.source is not None else ""

    @property
    def location(self) -> str:
        """File and line for display."""
        return sources(self.span.location, ()) if self.span is not None else ""

    @property
    def count(self) -> int:
        """Number of lines in the file."""
        if self.source is None:
            return 0
        starts = self.source.line_starts
        return len(starts) - (starts[-1] == len(self.source.text) and len(starts) > 1)

    def on_resize(self) -> None:
        """Keep the line in the middle."""
        self.virtual_size = Size(self.columns, self.count)
        self.centre(self.cursor - 1, self.count)

    def action_move(self, by: int) -> None:
        """Move the cursor by lines."""
        self.cursor = max(1, min(self.count, self.cursor + by))
        self.into_view(self.cursor - 1, self.count)
        self.refresh()

    def action_aside(self, by: int) -> None:
        """Scroll sideways along long lines."""
        self._aside = max(0, self._aside + by)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Render one visible line with its number."""
        number, width = round(self.scroll_offset.y) + y + 1, self.size.width
        if self.source is None or self.span is None or number > self.count:
            return filled(Strip([]), width, self.rich_style)
        digits = len(str(self.count))
        is_current = number == self.span.line
        head = Text.assemble(
            (self._mark(number), "bright_red"),
            (f"{number:>{digits}}", "bold" if is_current else "grey50"),
            (ARROW if is_current else ">" if number == self.cursor else " ", "bold bright_yellow"),
        )
        line = highlighted(self.source.line(number)).copy()
        line.stylize(CAUSE, *self._cause(number, len(line.plain)))
        over = NOW if is_current else CURSOR if number == self.cursor and self.has_focus else None
        return filled(strip_of(head.append_text(line[self._aside :]), width), width, self.rich_style, over)

    def _mark(self, number: int) -> str:
        return " " if number not in self.marked else CONDITIONAL if self.marked[number] else BREAK

    def _cause(self, number: int, length: int) -> tuple[int, int]:
        """The columns of a line that caused the current event; none if the cause extends over several lines."""
        span = self.span
        if span is None or span.source.line_of(max(span.start, span.end - 1)) != span.line or number != span.line:
            return 0, 0
        line_start = span.source.line(number)[: span.column - 1]
        start = len(line_start.expandtabs(4))
        return start, min(length, start + span.end - span.start)
