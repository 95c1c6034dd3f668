"""The common base of the full-screen apps: it reports changes of size, passes on exceptions, and heeds signals."""

from __future__ import annotations

import asyncio
import os
from typing import Any, Generic, TypeVar

from textual import events
from textual.app import App
from textual.driver import Driver
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input
from textual.worker import WorkerFailed

from cli import signals
from interpreter.wording.words import PLAIN

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

    def get_driver_class(self) -> type[Driver]:
        """The driver of the terminal."""
        if os.name == "nt":
            return super().get_driver_class()
        from cli.widgets.terminal_driver import TerminalDriver  # other systems have no such terminals

        return TerminalDriver

    async def on_event(self, event: events.Event) -> None:
        """Act at once on a key that a dialog binds: keys typed ahead of its closing are for what is below it.

        In the library, a key is first passed to the dialog, and so are all that follow until it has been handled.
        """
        if isinstance(event, events.Key) and not event.is_forwarded and not isinstance(self.focused, Input):
            bound = self.screen.active_bindings.get(event.key) if self.screen.is_modal else None
            if bound is not None and await self.run_action(bound.binding.action, bound.node):
                return
        await super().on_event(event)

    async def run_async(self, **options: Any) -> T | None:
        """Run the app until it is left."""
        loop = asyncio.get_running_loop()
        with signals.restored(), signals.ending(lambda: loop.call_soon_threadsafe(self.exit)):
            return await super().run_async(**options)

    def _handle_exception(self, error: Exception) -> None:
        """Leave the full screen, so that the command reports an unexpected exception as it does any internal error."""
        if isinstance(error, WorkerFailed) and isinstance(error.error, Exception):
            error = error.error
        if self.is_headless:
            super()._handle_exception(error)
        self.mistake = self.mistake or error
        self.exit()
