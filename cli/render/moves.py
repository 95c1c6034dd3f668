"""Legal moves, numbered and grouped by what they are called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

if TYPE_CHECKING:
    from interpreter import Move, Question

DECLINE = "done"


def spoken(name: str) -> str:
    """The name of an action as a heading."""
    return name.replace("_", " ")


def ask(question: Question, seat_style: str) -> Text:
    """Who has to decide what: `red, you must lay, cover or draw:`."""
    names = [spoken(name) for name in question.names]
    choice = " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
    text = Text(" ").append(question.player, style=f"bold {seat_style}")
    return text.append(f", you {question.duty} {choice}{', or go on' if question.duty == 'may' else ''}:")


def numbered(moves: Sequence[Move], width: int) -> Iterator[Text]:
    """All moves under headings, as many columns as fit; the numbers are places in `moves`, from 1."""
    groups: dict[str, list[tuple[int, str]]] = {}
    for number, move in enumerate(moves, start=1):
        groups.setdefault(move.name, []).append((number, "go on" if move.name == DECLINE else move.label))
    digits = len(str(len(moves)))
    for name, entries in groups.items():
        if name != DECLINE:
            yield Text(f"  {spoken(name)}", style="bold")
        yield from _columns([f"{number:>{digits}} {words}" for number, words in entries], digits, width)


def _columns(texts: Sequence[str], digits: int, width: int) -> Iterator[Text]:
    """Read downwards, column after column."""
    indent, gap = 4, 3
    broad = max(len(text) for text in texts)
    columns = max(1, min((width - indent + gap) // (broad + gap), -(-len(texts) // 3)))
    height = -(-len(texts) // columns)
    for line in range(height):
        row = Text(" " * indent)
        for text in texts[line::height]:
            row.append(text[:digits], style="bold").append(text[digits:].ljust(broad - digits + gap))
        row.rstrip()
        yield row
