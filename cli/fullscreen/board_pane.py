"""The board pane, with clickable places."""

from __future__ import annotations

from textual import events
from textual.message import Message

from cli.render.board import PLACE
from cli.widgets.scroll_pane import ScrollPane


class BoardPane(ScrollPane, can_focus=False):
    """Shows a board; posts a message when one of its places is clicked."""

    class Clicked(Message):
        """Posted when a place is clicked."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def on_click(self, event: events.Click) -> None:
        """Report the place under the pointer."""
        name = event.style.meta.get(PLACE)
        if isinstance(name, str):
            self.post_message(self.Clicked(name))
