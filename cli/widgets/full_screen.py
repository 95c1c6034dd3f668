"""The common base of the full-screen apps: it reports changes of size, and passes on exceptions."""

from __future__ import annotations

from typing import Generic, TypeVar

from textual.app import App
from textual.message import Message
from textual.screen import Screen
from textual.worker import WorkerFailed

from interpreter.words import PLAIN

T = TypeVar("T")


class MainScreen(Screen[None], inherit_bindings=False):
    """The screen that holds the panes. Only the app's own keys are bound."""

    class Resized(Message):
        """Posted when the size of the screen changes."""

    def on_resize(self) -> None:
        """Request a new arrangement of the panes."""
        self.post_message(self.Resized())


class FullScreen(App[T], Generic[T], inherit_bindings=False):
    """A full-screen app.

    `mistake` is an exception that ended it, for the command to report; `words` are those in which it speaks.
    """

    ENABLE_COMMAND_PALETTE = False

    def __init__(self) -> None:
        super().__init__()
        self.mistake: Exception | None = None
        self.words = PLAIN

    def get_default_screen(self) -> MainScreen:
        """The screen that holds the panes."""
        return MainScreen(id="main")

    def _handle_exception(self, error: Exception) -> None:
        """Leave the full screen, so that the command reports an unexpected exception as it does any internal error."""
        if isinstance(error, WorkerFailed) and isinstance(error.error, Exception):
            error = error.error
        if self.is_headless:
            super()._handle_exception(error)
        self.mistake = self.mistake or error
        self.exit()
