"""The numbered list of candidate answers, in columns; a click picks one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from cli.render.moves import GAP, Columns, columns
from cli.widgets.scroll_pane import Pane, filled, strip_of
from dsl.text.cells import cell_width, padded

if TYPE_CHECKING:
    from interpreter.seat.narrowing import Candidate

INDENT = 1


def layout(words: Sequence[str], width: int) -> Columns:
    """Arrange numbered candidates in columns."""
    digits = len(str(len(words)))
    return columns([digits + 1 + cell_width(text) for text in words], width - INDENT)


def height(words: Sequence[str], width: int) -> int:
    """The number of lines that a list of candidates takes."""
    return layout(words, width).height


class CandidateList(Pane, can_focus=False):
    """Candidates in columns; the pane is no taller than they need."""

    class Picked(Message):
        """Posted when a candidate is clicked."""

        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._words: list[str] = []
        self._chosen: int | None = None
        self._strips: list[Strip] = []
        self._columns = Columns(1, 0, 0)

    def show(self, candidates: Sequence[Candidate], chosen: int | None, most: int) -> None:
        """Show candidates on at most `most` lines, and mark the one chosen with the arrow keys."""
        self._words, self._chosen = [candidate.words for candidate in candidates], chosen
        self._make()
        self.styles.height = min(most, self._columns.height)
        if chosen is not None:
            self.into_view(chosen % max(1, self._columns.height), self._columns.height)

    def on_resize(self, event: events.Resize) -> None:
        """Rearrange the columns."""
        self._make()

    def _make(self) -> None:
        width, words = self.columns or self.app.size.width, self._words
        self._columns = layout(words, width)
        self._strips = [strip_of(self._line(line), width) for line in self._columns.lines(len(words))]
        self.virtual_size = Size(width, len(self._strips))
        self.refresh()

    def _line(self, line: range) -> Text:
        digits, text = len(str(len(self._words))), Text(" " * INDENT)
        for index in line:
            words = padded(self._words[index], self._columns.breadth - digits - 1)
            style = "reverse" if index == self._chosen else ""
            text.append(f"{index + 1:>{digits}} ", style=f"bold {style}").append(words, style=style)
            text.append(" " * GAP)
        text.rstrip()
        return text

    def on_click(self, event: events.Click) -> None:
        """Pick the candidate under the pointer."""
        line = event.y + round(self.scroll_offset.y)
        column, rest = divmod(event.x - INDENT, self._columns.breadth + GAP)
        index = column * self._columns.height + line
        if rest < self._columns.breadth and 0 <= line < self._columns.height and 0 <= index < len(self._words):
            self.post_message(self.Picked(index))

    def render_line(self, y: int) -> Strip:
        """Render one visible line."""
        number = round(self.scroll_offset.y) + y
        strip = self._strips[number] if number < len(self._strips) else Strip([])
        return filled(strip, self.size.width, self.rich_style)
