"""The output screen: its width, its colours, clearing it."""

from __future__ import annotations

import os
import sys
from typing import TextIO

from rich.console import Console, RenderableType

from cli.render.console import SafeConsole

MIN_WIDTH = 40
MAX_WIDTH = 120
CLEAR = "\x1b[H\x1b[2J\x1b[3J"


def screen(file: TextIO | None = None) -> Console:
    """Create a console on standard output: as wide as the terminal within readable limits; plain text in a pipe."""
    console = SafeConsole(
        file=file or sys.stdout, highlight=False, markup=False, emoji=False, soft_wrap=False, legacy_windows=False
    )
    console.width = max(MIN_WIDTH, min(MAX_WIDTH, console.width))
    return console


def show(console: Console, *parts: RenderableType) -> None:
    """Write parts one below the other, without trailing spaces unless on a terminal."""
    if console.is_terminal:
        for part in parts:
            console.print(part)
        return
    with console.capture() as captured:
        for part in parts:
            console.print(part)
    console.file.writelines(f"{line.rstrip()}\n" for line in captured.get().splitlines())


def refit(console: Console) -> None:
    """Adopt the width of a terminal that was resized."""
    if console.is_terminal and "COLUMNS" not in os.environ:
        console.width = max(MIN_WIDTH, min(MAX_WIDTH, os.get_terminal_size(console.file.fileno()).columns))


def clear(console: Console) -> None:
    """Clear the screen and its scrollback; in a pipe there is nothing to clear."""
    if console.is_terminal:
        console.file.write(CLEAR)
        console.file.flush()
