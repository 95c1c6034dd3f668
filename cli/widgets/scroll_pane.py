"""Panes of lines that are written once and then scrolled; only the visible lines are drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import ClassVar

from rich.console import Console, Group, RenderableType
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from cli.render.screen import SafeConsole, visible_text

Writer = Callable[[int], Sequence[RenderableType]]
"""Produces the contents of a pane for a given width."""


@cache
def _console() -> Console:
    return SafeConsole(color_system="truecolor", force_terminal=True, highlight=False, markup=False, emoji=False)


def strips(parts: Sequence[RenderableType], width: int) -> list[Strip]:
    """Renderables as lines of at most `width` columns."""
    if not parts:
        return []
    options = _console().options.update(width=max(1, width))
    return [Strip(line) for line in _console().render_lines(Group(*parts), options, pad=False)]


def strip_of(text: Text, width: int) -> Strip:
    """One text as one line, truncated to the width."""
    text = visible_text(text)
    if text.cell_len > width:
        text = text.copy()
        text.truncate(max(1, width), overflow="ellipsis")
    return Strip(text.render(_console()))


def filled(strip: Strip, width: int, base: Style, over: Style | None = None) -> Strip:
    """A line padded with its background to the full width; `over` takes precedence over its own colours."""
    line = strip.apply_style(base).adjust_cell_length(width, base)
    return line if over is None else Strip(Segment.apply_style(line, post_style=over), line.cell_length)


class Pane(ScrollView, can_focus=True, inherit_bindings=False):
    """A pane with a title in its border."""

    DEFAULT_CSS = """
    Pane {
        border-top: solid $panel-lighten-2;
        border-title-color: $text-muted;
        border-title-style: none;
        scrollbar-size-vertical: 1;
        scrollbar-size-horizontal: 1;
        scrollbar-gutter: stable;
        overflow-x: hidden;
        background: $background;
    }
    Pane:focus { border-top: solid $accent; border-title-color: $accent; border-title-style: bold; }
    """

    @property
    def columns(self) -> int:
        """The width available for drawing."""
        return self.scrollable_content_region.width

    @property
    def lines(self) -> int:
        """The height available for drawing."""
        return self.scrollable_content_region.height

    def centre(self, number: int, count: int) -> None:
        """Scroll a line to the middle, or as close to it as the pane can be scrolled."""
        top = max(0, min(number - self.lines // 2, count - self.lines))
        self.scroll_to(y=top, animate=False, force=True)

    def into_view(self, number: int, count: int) -> None:
        """Centre a line if it is not visible, or is at the very edge."""
        top, high = round(self.scroll_offset.y), self.lines
        if not top + 1 <= number < top + high - 1:
            self.centre(number, count)


class CursorPane(Pane):
    """A pane with a current row, which the arrow keys move."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", show=False),
        Binding("down,j", "move(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
    ]

    def action_move(self, by: int) -> None:
        """Move by rows; each pane defines what its rows are."""
        raise NotImplementedError

    def action_page(self, by: int) -> None:
        """Move by pages."""
        self.action_move(by * max(1, self.lines - 2))


class ScrollPane(Pane):
    """A pane of text that is rewritten for every snapshot, keeping its scroll position."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "scroll_up", show=False),
        Binding("down,j", "scroll_down", show=False),
        Binding("pageup", "page_up", show=False),
        Binding("pagedown", "page_down", show=False),
    ]

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._about: object = None
        self._writer: Writer = lambda width: ()
        self._strips: list[Strip] = []
        self._width = 0

    def write(self, writer: Writer, about: object = None) -> None:
        """Show new contents once the pane is visible, unless `about` is the same object as for the current ones."""
        if about is None or about is not self._about:
            self._about, self._writer, self._width = about, writer, 0
        self._make()

    def on_resize(self, event: events.Resize) -> None:
        """Rewrite the lines if their width has changed."""
        self._make()

    def _make(self) -> None:
        width = self.columns
        if width <= 0 or width == self._width or not self.display:
            return
        self._width = width
        self._strips = strips(self._writer(width), width)
        self.virtual_size = Size(width, len(self._strips))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Render one visible line."""
        number = round(self.scroll_offset.y) + y
        strip = self._strips[number] if number < len(self._strips) else Strip([])
        return filled(strip, self.size.width, self.rich_style)
