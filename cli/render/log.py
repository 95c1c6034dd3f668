"""The log of a game, line by line, as it is printed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from cli.render.palette import Palette
from cli.render.pieces import Hanging
from dsl.text.cells import cell_width, padded
from interpreter.play.story import RenderedEntry, news


def story(lines: Sequence[RenderedEntry], look: Palette, *, every: bool = False) -> Iterator[RenderableType]:
    """The lines with the seats in one column, each followed by the changes that its text does not already mention."""
    margin = max((cell_width(look.words.name(line.seat)) for line in lines if line.seat), default=0) + 2
    for line in lines:
        head = Text("  ")
        if line.seat:
            head.append(padded(look.words.name(line.seat), margin), style=look.style(line.seat))
        yield Hanging(head, Text(line.text, style="" if line.seat else "dim"))
        for detail in line.details if every else news(line, look.letters, look.words):
            style = "bold" if detail in line.told else "dim"
            yield Hanging(Text(" " * (margin + 4)), Text(detail, style=style))
