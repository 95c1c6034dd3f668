"""Consoles that display any text they are given without interpreting it."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from dsl.text.visible import visible


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
