"""The lines of the log for notes, events other than decisions: in English in saves, else in the words of the reader."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from interpreter.wording.words import PLAIN, Words

if TYPE_CHECKING:
    from interpreter.play.saves.files import Note


def undone(agreed: Sequence[str], words: Words = PLAIN) -> str:
    """An undo, and who agreed to it."""
    if not agreed:
        return words.phrase("took back the last decision")
    names = words.both([words.name(seat) for seat in agreed])
    return words.phrase("took back the last decision; {seats} agreed", seats=names)


def rules_changed(dropped: int, words: Words = PLAIN) -> str:
    """A change of the rules, and how many decisions were dropped because of it."""
    if not dropped:
        return words.phrase("the rules were changed; all decisions so far are legal under them")
    return words.counted_phrase(
        "the rules were changed; {number} decision that is no longer legal was dropped",
        "the rules were changed; {number} decisions that are no longer legal were dropped",
        dropped,
    )


def opened(verb: str, words: Words = PLAIN) -> str:
    """The revealing of everything by a verb."""
    return words.phrase("everything is revealed from here on ({command})", command=f"{verb} --all")


def note_words(note: Note, words: Words) -> str:
    """A note from a save in these words; a text that this program has not written stays as it is."""
    return _said(note, words) if _said(note, PLAIN) == note.text else note.text


def _said(note: Note, words: Words) -> str:
    """The text that this program writes for a note of this kind."""
    match note.kind:
        case "undo":
            return undone(note.agreed, words)
        case "rules":
            number = re.search(r"\d+", note.text)
            return rules_changed(int(number[0]) if number else 0, words)
        case "opened":
            verb = re.search(r"\((\w+) --all\)", note.text)
            return opened(verb[1] if verb else "", words)
        case _:
            return note.text
