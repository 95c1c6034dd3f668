"""The log of a game, line by line, as one seat may know it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from cli.render.cells import Hanging
from cli.render.palette import Palette
from dsl.text.addressing import for_others

if TYPE_CHECKING:
    from interpreter import LogEntry

ALONE = "(the only move)"
WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class RenderedEntry:
    """One line of a log: the seat, the text, and the changes, of which `told` are announcements.

    `number` counts the decisions its reader knows of.
    """

    number: int
    seat: str | None
    text: str
    details: tuple[str, ...] = ()
    kind: str = "move"
    told: tuple[str, ...] = ()


def rendered(entries: Sequence[LogEntry], alone: Collection[int], reader: str | None) -> list[RenderedEntry]:
    """Render the interpreter's entries; those whose number is in `alone` are marked as having had no alternative.

    The wording of a label for the deciding seat is not used for other readers.
    """
    return [
        RenderedEntry(
            entry.ply,
            entry.player,
            _text(entry, reader) + f" {ALONE}" * (entry.player is not None and entry.ply in alone),
            entry.details,
            entry.kind,
            entry.told,
        )
        for entry in entries
    ]


def _text(entry: LogEntry, reader: str | None) -> str:
    return for_others(entry.text, entry.player) if entry.player and entry.player != reader else entry.text


def story(lines: Sequence[RenderedEntry], look: Palette, *, every: bool = False) -> Iterator[RenderableType]:
    """The lines with the seats in one column, followed by the changes that their texts do not already mention."""
    margin = max((len(look.words.name(line.seat)) for line in lines if line.seat), default=0) + 2
    for line in lines:
        head = Text("  ")
        if line.seat:
            head.append(look.words.name(line.seat).ljust(margin), style=look.style(line.seat))
        yield Hanging(head, Text(line.text, style="" if line.seat else "dim"))
        for detail in line.details if every else news(line, look):
            style = "bold" if detail in line.told else "dim"
            yield Hanging(Text(" " * (margin + 4)), Text(detail, style=style))


def news(line: RenderedEntry, look: Palette) -> list[str]:
    """Announcements, and changes that name what the text of the line does not: `draw a card` does not say which."""
    if line.kind != "move":
        return list(line.told)
    mentioned = {word.casefold() for word in WORD.findall(line.text)} | {
        look.words.name(seat).casefold() for seat in look.letters
    }
    return [detail for detail in line.details if detail in line.told or not _names(detail) <= mentioned]


def _names(detail: str) -> set[str]:
    """The words that name what a change affected; the word `phase` and the like are included."""
    what, colon, _ = detail.partition(":")
    return {word.casefold() for word in WORD.findall(what if colon else detail)} or {detail}
