"""The input line, which always has the focus; its keys act on the candidates and the panes."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input

KEYS = (
    (
        "Enter",
        "accept the input, or the candidate chosen with ↑ ↓; make a thinking bot move at once",
        "answer",
    ),
    ("Tab", "complete the word", "complete"),
    ("Esc", "one step back", "back"),
    ("↑ ↓", "choose a candidate", "choose"),
    ("PgUp PgDn", "scroll the pane", "scroll"),
    ("F2", "the next pane: board, tables, log", "pane"),
    ("F3", "the names of the places on the board", "names"),
    ("F4", "the viewer: what the rules did", "viewer"),
    ("F5", "a summary of the rules", "rules"),
    ("F1", "help", "help"),
    ("Ctrl-Q", "save and stop", "stop"),
)
"""Keys with their meaning, in full for the help and in a word for the bottom line."""


ENTER = ("enter", "ctrl+j")
"""The second is what Enter arrives as if it was pressed before the screen opened."""


class CommandLine(Input):
    """An input line that leaves Tab, Esc, arrow and page keys to the app."""

    class Entered(Message):
        """Posted on Enter, with the text; the line is cleared at once, so that keys typed ahead are kept."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "app.complete", show=False),
        Binding("escape", "app.step_back", show=False),
        Binding("up", "app.choose(-1)", show=False),
        Binding("down", "app.choose(1)", show=False),
        Binding("pageup", "app.scroll(-1)", show=False),
        Binding("pagedown", "app.scroll(1)", show=False),
    ]

    async def _on_key(self, event: events.Key) -> None:
        """Submit the text at once: a binding would act only after any keys typed ahead."""
        if event.key in ENTER:
            event.stop()
            event.prevent_default()
            self.post_message(self.Entered(self.value.strip()))
            self.value = ""
        else:
            await super()._on_key(event)
