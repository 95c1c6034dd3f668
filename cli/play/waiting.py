"""Waiting at the prompt for a bot: who is thinking and for how long, and Enter for the move at once."""

from __future__ import annotations

import contextlib
import os
import select
import sys
from typing import TYPE_CHECKING

from rich.cells import set_cell_size

if TYPE_CHECKING:
    from cli.play.screens import Screens
    from cli.play.table import PlaySession
    from interpreter.opponents.thinking import Thought

EVERY = 0.1
"""Seconds between two looks at the keyboard and the clock."""
SHORT = 0.3
"""Seconds after which a person is shown that a bot is thinking."""
CLEARED, UP = "\r\x1b[2K", "\x1b[A"


def wait_for(thought: Thought, session: PlaySession, screens: Screens, seat: str | None) -> list[str]:
    """Wait until a bot has chosen; `seat` is at the keyboard. Returns the lines that were typed meanwhile.

    On a terminal one line says who is thinking, as far as that seat may know, and Enter asks for the move at once.
    Raises EOFError at the end of input.
    """
    console, typed = screens.console, list[str]()
    shown = console.is_terminal and sys.stdin is not None and sys.stdin.isatty()
    if not shown or thought.wait(SHORT):
        thought.wait()
        return typed
    rewritten = not console.is_dumb_terminal
    words = f" {session.thinking(seat)}; Enter: move now; Ctrl-C: save and stop"
    if not rewritten:
        console.file.write(f"{words}\n")
    try:
        while not thought.wait(EVERY):
            if rewritten:
                words = f" {session.thinking(seat)}   Enter: move now   Ctrl-C: save and stop"
                console.file.write(f"{CLEARED}{set_cell_size(words, min(console.width - 1, len(words)))}")
                console.file.flush()
            for line in _typed():
                if rewritten:
                    console.file.write(f"{CLEARED}{UP}")
                if line:
                    typed.append(line)
                else:
                    thought.stop()
    finally:
        if rewritten:
            console.file.write(CLEARED)
            console.file.flush()
    return typed


def _typed() -> list[str]:
    """The lines that have been typed since the last time. Raises EOFError at the end of input."""
    with contextlib.suppress(OSError, ValueError):  # where a system cannot look without waiting, nothing is read
        keyboard = sys.stdin.fileno()
        if select.select([keyboard], [], [], 0)[0]:
            text = os.read(keyboard, 4096)
            if not text:
                raise EOFError
            return text.decode(sys.stdin.encoding or "utf-8", "replace").removesuffix("\n").split("\n")
    return []
