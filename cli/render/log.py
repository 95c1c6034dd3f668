"""The log of a game as one seat may know it, line by line."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from cli.render.palette import Palette
from cli.render.pieces import Hanging
from dsl.lazy_dataclasses import dataclass
from dsl.text.addressing import for_others
from dsl.text.cells import cell_width, padded
from interpreter.play.undo import undone
from interpreter.wording.phrases import Phrase
from interpreter.wording.words import PLAIN, Words

if TYPE_CHECKING:
    from interpreter.play.saves.files import Note
    from interpreter.seat.views.log import LogEntry


WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class RenderedEntry:
    """One line of a log: the seat, the text, and the details, some of which are announcements (`told`).

    `number` counts the decisions that the reader knows of.
    """

    number: int
    seat: str | None
    text: str
    details: tuple[str, ...] = ()
    kind: str = "move"
    told: tuple[str, ...] = ()


def rendered(
    entries: Sequence[LogEntry], forced: Collection[int], reader: str | None, words: Words = PLAIN
) -> list[RenderedEntry]:
    """Render the interpreter's entries; those whose number is in `forced` are marked as the only move.

    Labels that address the deciding seat are reworded for other readers.
    """
    only_move = words.phrase(" (the only move)")
    return [
        RenderedEntry(
            entry.ply,
            entry.player,
            _text(entry, reader) + only_move * (entry.player is not None and entry.ply in forced),
            entry.details,
            entry.kind,
            entry.told,
        )
        for entry in entries
    ]


def _text(entry: LogEntry, reader: str | None) -> str:
    return for_others(entry.text, entry.player) if entry.player and entry.player != reader else entry.text


def story(lines: Sequence[RenderedEntry], look: Palette, *, every: bool = False) -> Iterator[RenderableType]:
    """The lines with the seats in one column, each followed by the changes that its text does not already mention."""
    margin = max((cell_width(look.words.name(line.seat)) for line in lines if line.seat), default=0) + 2
    for line in lines:
        head = Text("  ")
        if line.seat:
            head.append(padded(look.words.name(line.seat), margin), style=look.style(line.seat))
        yield Hanging(head, Text(line.text, style="" if line.seat else "dim"))
        for detail in line.details if every else news(line, look):
            style = "bold" if detail in line.told else "dim"
            yield Hanging(Text(" " * (margin + 4)), Text(detail, style=style))


def news(line: RenderedEntry, look: Palette) -> list[str]:
    """Announcements, and changes that name something the text does not: `draw a card` does not say which card."""
    if line.kind != "move":
        return list(line.told)
    mentioned = {word.casefold() for word in WORD.findall(line.text)} | {
        look.words.name(seat).casefold() for seat in look.letters
    }
    return [detail for detail in line.details if detail in line.told or not _names(detail) <= mentioned]


def _names(detail: str) -> set[str]:
    """The words that name what a change affected, including words such as `phase`."""
    what, colon, _ = detail.partition(":")
    return {word.casefold() for word in WORD.findall(what if colon else detail)} or {detail}


# ---------------- the lines of the log for notes, events other than decisions: in English in saves, else in the
# words of the reader


def rules_changed(dropped: int, words: Words = PLAIN) -> str:
    """A change of the rules, and how many decisions were dropped because of it."""
    if not dropped:
        return words.phrase("the rules were changed; all decisions so far are legal under them")
    return words.counted_phrase(
        "the rules were changed; {number} decision that is no longer legal was dropped",
        "the rules were changed; {number} decisions that are no longer legal were dropped",
        dropped,
    )


OPENED = Phrase("everything is revealed from here on ({command})")
"""What a verb has revealed everything with: `--all`, `trace --all`."""
HANDED_OVER = Phrase("is played by {kind} from here on")
"""A seat that another player takes, a person or a bot."""
BRANCHED = Phrase("the game branches from {save} here")
"""A save that begins with the decisions of another one."""
STILL_LEGAL = Phrase("the rules have been changed since the save was written; all its moves are still legal")
"""A save that goes on under other rules."""


def note_words(note: Note, words: Words) -> str:
    """A note from a save in these words; a text that this program has not written stays as it is."""
    return _said(note, words) if _said(note, PLAIN) == note.text else note.text


def _said(note: Note, words: Words) -> str:
    """The text that this program writes for a note of this kind."""
    if note.kind == "undo":
        return undone(note.agreed, words)
    number = re.search(r"\d+", note.text)
    if note.kind == "rules" and note.text != STILL_LEGAL:
        return rules_changed(int(number[0]) if number else 0, words)
    return words.retold(note.text, (OPENED, HANDED_OVER, BRANCHED, STILL_LEGAL))
