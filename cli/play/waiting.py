"""Waiting at the prompt for a bot or a hint, with the elapsed time; Enter requests the best result so far."""

from __future__ import annotations

import contextlib
import os
import select
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rich.cells import set_cell_size

from dsl.text.cells import cell_width

if TYPE_CHECKING:
    from cli.play.screens import Screens
    from interpreter.opponents.thinking import Thinking

STATUS_INTERVAL = 0.1
"""Seconds between two checks of the keyboard and the clock."""
STATUS_DELAY = 0.3
"""Seconds after which a person is shown that a bot is thinking."""
CLEARED, UP = "\r\x1b[2K", "\x1b[A"


def wait_for(thinking: Thinking[Any], screens: Screens, status: Callable[[], str]) -> list[str]:
    """Wait until a bot or a search is done. Returns the lines typed meanwhile.

    On a terminal a line shows the status, and Enter requests the result at once. Raises EOFError at the end of input.
    """
    console, typed = screens.console, list[str]()
    is_interactive = console.is_terminal and sys.stdin.isatty()
    if not is_interactive or thinking.wait(STATUS_DELAY):
        thinking.wait()
        return typed
    line = StatusLine(screens)
    try:
        while True:
            line.show(f" {status()}   {screens.look.words.phrase('Ctrl-C: save and stop')}")
            if thinking.wait(STATUS_INTERVAL):
                return typed
            for text in _typed():
                line.move_up()
                if text:
                    typed.append(text)
                else:
                    thinking.stop()
    finally:
        line.clear()


class PaceLine:
    """While bots play alone on a terminal, a line with the number of decisions so far; nothing for short games."""

    def __init__(self, screens: Screens, status: Callable[[], str]) -> None:
        self._screens, self._line, self._status = screens, StatusLine(screens), status
        self._is_shown = screens.console.is_terminal and not screens.console.is_dumb_terminal
        self._next = time.monotonic() + STATUS_DELAY

    def show(self) -> None:
        """Update the line, unless that was done a moment ago."""
        if self._is_shown and time.monotonic() >= self._next:
            self._next = time.monotonic() + STATUS_INTERVAL
            stop = self._screens.look.words.phrase("Ctrl-C: save and stop")
            self._line.show(f" {self._status()}   {stop}")

    def clear(self) -> None:
        """Erase the line."""
        if self._is_shown:
            self._line.clear()


class StatusLine:
    """A line on a terminal that is rewritten when it changes; on a dumb terminal it is written once."""

    def __init__(self, screens: Screens) -> None:
        self.console, self.words = screens.console, ""
        self.can_change = not screens.console.is_dumb_terminal

    def show(self, words: str) -> None:
        """Show the words if they have changed; if not, do not overwrite what is being typed."""
        if words == self.words or (self.words and not self.can_change):
            return
        self.words = words
        text = set_cell_size(words, min(self.console.width - 1, cell_width(words)))
        self._write(f"{CLEARED}{text}" if self.can_change else f"{text}\n")

    def move_up(self) -> None:
        """Return to the line after Enter has moved the cursor below it."""
        if self.can_change:
            self._write(f"{CLEARED}{UP}")
            self.words = ""

    def clear(self) -> None:
        """Erase the line."""
        if self.can_change:
            self._write(CLEARED)

    def _write(self, text: str) -> None:
        self.console.file.write(text)
        self.console.file.flush()


def _typed() -> list[str]:
    """The lines typed since the last call. Raises EOFError at the end of input."""
    with contextlib.suppress(OSError, ValueError):  # systems that cannot read without blocking read nothing
        keyboard = sys.stdin.fileno()
        if select.select([keyboard], [], [], 0)[0]:
            text = os.read(keyboard, 4096)
            if not text:
                raise EOFError
            return text.decode(sys.stdin.encoding or "utf-8", "replace").removesuffix("\n").split("\n")
    return []
