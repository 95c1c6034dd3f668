"""The log of a game as one reader may know it, entry by entry, with the notes of its save."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate

from dsl.lazy_dataclasses import dataclass
from dsl.text.addressing import for_others
from dsl.text.visible import visible
from interpreter.play.game import State
from interpreter.play.saves.files import Note
from interpreter.play.undo import undone
from interpreter.seat.views.log import LogEntry
from interpreter.wording.phrases import Phrase
from interpreter.wording.words import PLAIN, Words

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


def decisions_seen(state: State, seat: str | None, ply: int) -> int:
    """How many of the first `ply` decisions a seat knows of; all for None."""
    decisions = state.history[:ply]
    return sum(1 for decision in decisions if seat is None or decision.player == seat or not decision.unnoticed)


def story_of(
    state: State, seat: str | None, notes: Sequence[Note] = (), forced: Collection[int] = (), since: int = 0,
    opened: bool = False, entries: Sequence[LogEntry] | None = None,
) -> list[RenderedEntry]:  # fmt: skip
    """What a seat may know of the log from decision `since` on, with the notes inserted; None reads everything.

    `forced` are the decisions without an alternative, which are marked where they are those of the seat. If everything
    is `opened`, the seat reads what is hidden from it, too. `entries` is the log since then, if it is at hand.
    """
    reader, words, history = None if opened else seat, state.program.words, state.history
    seen = [0, *accumulate(reader in (None, record.player) or not record.unnoticed for record in history)]
    marked = {seen[ply + 1] for ply in forced if history[ply].player == seat}
    lines = rendered(state.log(reader, since) if entries is None else entries, marked, seat, words)
    for note in notes:
        if note.ply >= since:
            number = seen[min(note.ply, state.ply)]
            place = next((index for index, line in enumerate(lines) if line.number > number), len(lines))
            lines.insert(place, RenderedEntry(number, note.player, visible(note_words(note, words)), kind="note"))
    return lines


def news(line: RenderedEntry, seats: Iterable[str], words: Words) -> list[str]:
    """Announcements, and changes that name something the text does not: `draw a card` does not say which card."""
    if line.kind != "move":
        return list(line.told)
    mentioned = {word.casefold() for word in WORD.findall(line.text)} | {words.name(seat).casefold() for seat in seats}
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
