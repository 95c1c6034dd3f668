"""The lines of the log for notes, events other than decisions: in English in saves, else in the words of the reader."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from interpreter.wording.phrases import Phrase
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
