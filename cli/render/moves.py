"""Legal moves, numbered and grouped by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from cli.render.cells import Hanging
from cli.render.palette import Palette
from interpreter.words import PLAIN, Words

if TYPE_CHECKING:
    from interpreter import Move, Question

DECLINE, CHOOSE = "done", "choose"


def words_of(move: Move, words: Words = PLAIN) -> str:
    """A move for display; a chosen number says what it counts, lest it be mistaken for the number of the move."""
    if move.name == DECLINE:
        return "go on"
    if move.name == CHOOSE and move.label[:1].isdigit():
        return f"{' '.join(map(words.heading, move.arguments))} {move.label}"
    return move.label


def ask(question: Question, moves: Sequence[Move], look: Palette, back: bool = False) -> Text:
    """The question to the seat to decide, limited to what is possible now: `red, you must lay, cover or draw:`.

    `back`: the last of several that are chosen one by one can be taken back.
    """
    possible = {move.name for move in moves}
    names = [look.words.heading(name) for name in question.names if name in possible or name.startswith("choose ")]
    choice = " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
    seat = question.player
    text = Text(" ").append(look.words.name(seat), style=f"bold {look.style(seat)}")
    so_far = f" ({_progress(question.so_far)}{'; `back` takes one back' * back})" if question.so_far else ""
    declining = DECLINE in possible or (question.duty == "may" and not so_far)
    return text.append(f", you {question.duty} {choice}{so_far}{', or go on' if declining else ''}:")


def _progress(so_far: str) -> str:
    """How many have been chosen: `1 of 2 so far`; where the number is not fixed, `1 so far, 2 to 3 in all`."""
    chosen, _, all_ = so_far.partition(" of ")
    return f"{so_far} so far" if all_.isdigit() else f"{chosen} so far, {all_} in all"


def numbered(moves: Sequence[Move], width: int, words: Words = PLAIN) -> Iterator[RenderableType]:
    """All moves under headings, in as many columns as fit; the numbers are indices into `moves`, from 1.

    Moves of a single kind need no heading: the question has already named it.
    """
    groups: dict[str, list[tuple[int, str]]] = {}
    for number, move in enumerate(moves, start=1):
        groups.setdefault(move.name, []).append((number, words_of(move, words)))
    digits = len(str(len(moves)))
    for name, entries in groups.items():
        if name != DECLINE and len(groups.keys() - {DECLINE}) > 1:
            yield Text(f"  {words.heading(name)}", style="bold")
        yield from _columns([f"{number:>{digits}} {label}" for number, label in entries], digits, width)


def _columns(texts: Sequence[str], digits: int, width: int) -> Iterator[RenderableType]:
    """Arrange texts in columns, to be read downwards."""
    indent, gap = 4, 3
    broad = max(len(text) for text in texts)
    columns = max(1, min((width - indent + gap) // (broad + gap), -(-len(texts) // 3)))
    height = -(-len(texts) // columns)
    if columns == 1:
        heads = [Text(" " * indent).append(f"{text[:digits]} ", style="bold") for text in texts]
        yield from (Hanging(head, Text(text[digits + 1 :])) for head, text in zip(heads, texts, strict=True))
        return
    for line in range(height):
        row = Text(" " * indent)
        for text in texts[line::height]:
            row.append(text[:digits], style="bold").append(text[digits:].ljust(broad - digits + gap))
        row.rstrip()
        yield row
