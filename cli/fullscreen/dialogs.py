"""Dialogs for people who share a keyboard: handing it over, agreeing to an undo."""

from __future__ import annotations

from typing import ClassVar

from rich.console import Group, RenderableType
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Static

from interpreter.wording.words import Words


class Pass(ModalScreen[None]):
    """Asks for the keyboard to be passed on. With `cover`, the table is hidden until Enter is pressed."""

    DEFAULT_CSS = """
    Pass { align: center middle; background: $background; }
    Pass.-open { align: center bottom; background: transparent; }
    Pass > Static { width: auto; padding: 1 4; background: $panel; border: solid $accent; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "close", show=False)]

    def __init__(self, text: Text, *, cover: bool) -> None:
        super().__init__(classes="" if cover else "-open")
        self.text = text

    def compose(self) -> ComposeResult:
        """The request."""
        yield Static(self.text)

    def action_close(self) -> None:
        """Close on Enter."""
        self.dismiss(None)


class Agree(ModalScreen[bool]):
    """Shows something, and asks a yes-or-no question about it; covers the table."""

    DEFAULT_CSS = """
    Agree { align: center middle; background: $background; }
    Agree > Static {
        width: auto; max-width: 100%; max-height: 100%; padding: 1 4; background: $panel; border: solid $accent;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "close(True)", show=False),
        Binding("n,escape,enter", "close(False)", show=False),
    ]

    def __init__(self, explanation: RenderableType, question: str, words: Words) -> None:
        super().__init__()
        self.explanation, self.question, self.words = explanation, question, words

    def compose(self) -> ComposeResult:
        """The content, and the question."""
        keys = Text(self.words.phrase("y yes   n no"), style="dim")
        yield Static(Group(self.explanation, Text(), Text(self.question, style="bold"), keys))

    def on_key(self, event: Key) -> None:
        """Agree by the letter for `yes` in the language of the players; `y` is bound in every language."""
        if event.character == self.words.phrase("y") and event.key != "y":
            self.dismiss(True)

    def action_close(self, agreed: bool) -> None:
        """Close with the answer."""
        self.dismiss(agreed)
