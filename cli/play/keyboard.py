"""The keyboard at the prompt: line editing, and Ctrl-Z in the middle of a line."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from types import FrameType, ModuleType

from dsl.text.visible import visible

termios: ModuleType | None
try:
    import termios
except ImportError:  # a system without job control
    termios = None


def prepare(persons: int) -> None:
    """Set up line editing on a terminal, without a history when several persons share it."""
    if sys.stdin.isatty():
        try:
            import readline  # optional: not every system has it
        except ImportError:
            return
        if persons > 1:
            readline.set_auto_history(False)


@contextlib.contextmanager
def suspendable(prompt: str) -> Iterator[None]:
    """Within the block, which reads a line, Ctrl-Z restores the terminal for the shell, and `fg` shows the line again.

    By itself the library for line editing would leave the terminal without echo.
    """
    editing = sys.modules.get("readline")
    if editing is None or termios is None or not sys.stdin.isatty():
        yield
        return
    terminal, system = sys.stdin.fileno(), termios
    outside = system.tcgetattr(terminal)

    def suspend(number: int, frame: FrameType | None) -> None:
        inside = system.tcgetattr(terminal)
        system.tcsetattr(terminal, system.TCSADRAIN, outside)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)  # returns when the shell continues the command
        signal.signal(number, suspend)
        system.tcsetattr(terminal, system.TCSADRAIN, inside)
        sys.stdout.write(f"\r{prompt}{visible(editing.get_line_buffer())}")
        sys.stdout.flush()

    previous = signal.signal(signal.SIGTSTP, suspend)
    try:
        yield
    finally:
        signal.signal(signal.SIGTSTP, previous)
