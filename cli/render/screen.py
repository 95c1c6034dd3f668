"""The output screen: its width, its colours, clearing it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import TextIO

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from dsl.text.visible import visible

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


# ---------------- consoles that display any text they are given without interpreting it


class SafeConsole(Console):
    """A console that spells out hidden characters of any text; only the console itself emits control codes."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments of a renderable. Text is made visible before layout, so that lines still fit."""
        if isinstance(renderable, Text):
            renderable = visible_text(renderable)
        for segment in super().render(renderable, options):
            text = segment.text if segment.control else visible(segment.text, layout=True)
            yield segment if text == segment.text else Segment(text, segment.style)


def visible_text(text: Text) -> Text:
    """A text with its hidden characters spelled out; its line breaks and tabs are kept."""
    if visible(text.plain, layout=True) == text.plain:
        return text
    spelled_out = Text(
        style=text.style, justify=text.justify, overflow=text.overflow, no_wrap=text.no_wrap, end=text.end,
        tab_size=text.tab_size,
    )  # fmt: skip
    for part in text.divide(range(1, len(text.plain))):
        part.plain = visible(part.plain, layout=True)
        spelled_out.append_text(part)
    return spelled_out
