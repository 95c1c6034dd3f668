"""The trace of a game as indented lines: what happened, and which line of the rules says so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from cli.render.cells import Hanging
from cli.render.reasons import sources

if TYPE_CHECKING:
    from interpreter.tracing import TraceLine

STYLES = {"decision": "bold", "rule": "cyan", "statement": "", "change": "green", "reason": "yellow"}


def line_of(line: TraceLine) -> str:
    """One line of text: indented by depth, with place and citations at its end."""
    where = sources(line.place, line.cites) if line.place else ""
    return f"{'  ' * line.depth}{line.text}{'   ' if where else ''}{where}"


def traced(lines: Iterable[TraceLine]) -> Iterator[RenderableType]:
    """The same for a screen: coloured by kind, with lines that are too long hanging under their beginning."""
    for line in lines:
        words = Text(line.text, style=STYLES.get(line.kind, ""))
        if line.place:
            words.append(f"   {sources(line.place, line.cites)}", style="dim")
        yield Hanging(Text("  " * line.depth), words)
