"""The board pane, with clickable places."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from cli.render.board import PLACE, BoardDrawing
from cli.widgets.scroll_pane import ScrollPane, filled, strips


class BoardPane(ScrollPane, can_focus=False):
    """Shows a board; posts a message when one of its places is clicked.

    A legend beside the picture stays in sight while the picture is scrolled, if it is no higher than the pane.
    """

    class Clicked(Message):
        """Posted when a place is clicked."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._drawn: Callable[[int], BoardDrawing] | None = None
        self._legend: list[Strip] = []
        self._beside = 0

    def draw(self, drawn: Callable[[int], BoardDrawing] | None) -> None:
        """Show a board, which is drawn for a width; None to show nothing."""
        self._drawn, self._width = drawn, 0
        self._make()

    def _make(self) -> None:
        width = self.columns
        if width <= 0 or width == self._width or not self.display:
            return
        self._width, self._strips, self._legend = width, [], []
        if self._drawn is not None:
            drawing = self._drawn(width)
            self._beside = drawing.beside or 0
            self._strips = strips(drawing.picture, self._beside or width)
            legend = strips(drawing.legend, width - self._beside)
            if drawing.beside is None:
                self._strips += legend
            else:
                self._legend = legend
        self.virtual_size = Size(width, max(len(self._strips), len(self._legend)))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Render one visible line."""
        line = super().render_line(y)
        number = y if len(self._legend) <= self.lines else y + round(self.scroll_offset.y)
        if not self._legend:
            return line
        right = self._legend[number] if number < len(self._legend) else Strip([])
        return Strip.join([
            line.crop(0, self._beside), filled(right, self.size.width - self._beside, self.rich_style)
        ])  # fmt: skip

    def on_click(self, event: events.Click) -> None:
        """Report the place under the pointer."""
        name = event.style.meta.get(PLACE)
        if isinstance(name, str):
            self.post_message(self.Clicked(name))
