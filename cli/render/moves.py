"""Legal moves, numbered and grouped by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from cli.render.palette import Palette
from cli.render.pieces import Hanging, phrase_text
from dsl.lazy_dataclasses import dataclass
from dsl.text.cells import cell_width, padded
from interpreter.seat.narrowing import OPEN
from interpreter.seat.question_words import DECLINE, choice_words, question_phrase, words_of
from interpreter.wording.words import PLAIN, Words

if TYPE_CHECKING:
    from interpreter.seat.narrowing import Narrowing, NarrowingStep
    from interpreter.seat.notation.moves import Move
    from interpreter.seat.views.history import Question


INDENT = 4
MIN_LINES_OF_COLUMN = 3
"""Minimum number of lines of a column if there are several columns."""


def places_in(moves: Sequence[Move]) -> frozenset[str]:
    """The names of the values in moves; those that are places are shown on the board with their names."""
    return frozenset().union(*(move.names for move in moves))


def ask(question: Question, moves: Sequence[Move], look: Palette, back: bool = False) -> Text:
    """The question to the deciding seat, limited to what is possible now: `red, you must lay, cover or draw:`.

    `back`: the last of several picks can be taken back.
    """
    words, seat = look.words, question.player
    return Text(" ").append_text(
        phrase_text(
            words, question_phrase(question, moves), choice=choice_words(question, moves, words, back),
            seat=Text(words.name(seat), style=f"bold {look.style(seat)}"),
        )
    )  # fmt: skip


def asked(narrowing: Narrowing, step: NarrowingStep, words: Words = PLAIN) -> Text:
    """The answers so far, and the skeleton of the remaining labels with the part that is asked for.

    Empty if nothing has been answered and whole moves are asked for, or the labels say nothing else.
    """
    if narrowing.in_doubt:
        return Text(words.phrase("is this the move that you mean?"))
    text = Text("  ").join(Text(f"{answer}:", style="dim") for answer in narrowing.answers)
    text.append("  " * bool(text))
    if step.asked == "value":
        has_words = any(part and part.strip() for position, part in enumerate(step.label) if position != step.part)
        for position, part in enumerate(step.label if has_words else ()):
            is_asked = position == step.part
            text.append("[ ? ]" if is_asked else OPEN if part is None else part, style="bold" if is_asked else "")
    elif text or step.asked == "action":
        text.append(words.phrase("which move?" if step.asked == "move" else "which action?"))
    return text


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


def numbered_words(words: Sequence[str], width: int) -> Iterator[RenderableType]:
    """Texts with their numbers, from 1, in as many columns as fit."""
    digits = len(str(len(words)))
    return _columns([f"{number:>{digits}} {text}" for number, text in enumerate(words, 1)], digits, width)


def lines_of(words: Sequence[str], width: int) -> int:
    """How many lines texts take with their numbers, in as many columns as fit."""
    digits = len(str(len(words)))
    return columns([digits + 1 + cell_width(text) for text in words], width - INDENT, fewest=MIN_LINES_OF_COLUMN).height


def _columns(texts: Sequence[str], digits: int, width: int) -> Iterator[RenderableType]:
    """Arrange texts in columns, to be read downwards."""
    layout = columns([cell_width(text) for text in texts], width - INDENT, fewest=MIN_LINES_OF_COLUMN)
    if layout.count == 1:
        heads = [Text(" " * INDENT).append(f"{text[:digits]} ", style="bold") for text in texts]
        yield from (Hanging(head, Text(text[digits + 1 :])) for head, text in zip(heads, texts, strict=True))
        return
    for line in layout.lines(len(texts)):
        row = Text(" " * INDENT)
        for text in (texts[index] for index in line):
            row.append(text[:digits], style="bold").append(padded(text[digits:], layout.breadth - digits + GAP))
        row.rstrip()
        yield row


# ---------------------------------------------------------------- texts in as many columns as fit, read downwards


GAP = 3
"""Blanks between two columns."""


@dataclass(frozen=True)
class Columns:
    """An arrangement of texts: how many columns, how many lines, and the width of a column without the gap after it."""

    count: int
    height: int
    breadth: int

    def lines(self, number: int) -> Iterator[range]:
        """For each line, the indices of its texts, out of `number` in all."""
        for line in range(self.height):
            yield range(line, number, self.height)


def columns(lengths: Sequence[int], width: int, *, fewest: int = 1) -> Columns:
    """Arrange texts of these lengths; no column has fewer than `fewest` lines unless all fit in one column."""
    breadth = max(lengths, default=0)
    count = max(1, min((width + GAP) // (breadth + GAP), -(-len(lengths) // fewest)))
    return Columns(count, -(-len(lengths) // count), breadth)
