"""The trace of a game as indented lines: the events, and the lines of the rules that caused them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from cli.render.cells import Hanging
from cli.render.reasons import sources

if TYPE_CHECKING:
    from interpreter.play.trace import Event, Position
    from interpreter.wording.words import Words

STYLES = {
    "turn": "bold", "decision": "bold", "end": "bold", "rule": "cyan", "change": "green", "chance": "magenta",
    "asked": "yellow", "requirement": "yellow", "condition": "yellow",
}  # fmt: skip
SPELT_OUT = frozenset({"requirement", "condition", "statement"})
"""Kinds of events with their values appended; the text of other kinds contains them already."""


def words_of(event: Event, words: Words) -> str:
    """The text of an event in one line, with its values."""
    text = event.text
    if event.kind == "requirement" and event.verdict is not None:
        text = words.phrase("holds: {text}" if event.verdict else "fails: {text}", text=text)
    values = ", ".join(f"{name} = {value}" for name, value in event.values) if event.kind in SPELT_OUT else ""
    return text + (f" ({values})" if values else "")


def line_of(depth: int, event: Event, words: Words) -> str:
    """One line of text: indented by depth, with location and citations at the end."""
    where = sources(event.location, event.cites) if event.span is not None else ""
    return f"{'  ' * depth}{words_of(event, words)}{'   ' if where else ''}{where}"


def traced(events: Iterable[tuple[int, Position, Event]], words: Words) -> Iterator[RenderableType]:
    """The same for a screen: coloured by kind, with hanging indents for long lines."""
    for depth, _, event in events:
        text = Text(words_of(event, words), style=STYLES.get(event.kind, ""))
        if event.span is not None:
            text.append(f"   {sources(event.location, event.cites)}", style="dim")
        yield Hanging(Text("  " * depth), text)
