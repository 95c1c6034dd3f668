"""The width of text on a terminal, in cells: a letter takes one, `漢` and most emoji two, a combining mark none.

Whatever aligns text measures it here: carets below a line, columns of the formatter and of lists. Tables and panes are
laid out by the library of the command, whose measure is the same (a test compares them for every character). Widths do
not depend on the version of Python, which knows older editions of Unicode.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

JOINER, AS_EMOJI = "\u200d", "\ufe0f"
"""Joins two characters in one picture; makes the character before it a picture, two cells wide."""

_NARROW = re.compile("[\xad\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd]")
"""Format characters that are displayed."""

_NONE = re.compile("[\u1160-\u11ff\u3164\uffa0\ud7b0-\ud7ff\U0001f3fb-\U0001f3ff]")
"""Parts of Korean syllables, and skin tones, which change the character before them."""

_WIDE = re.compile(
    "[\u2630-\u2637\u268a-\u268f\u4dc0-\u4dff\U0001d300-\U0001d356\U0001d360-\U0001d376"
    "\U0001f6dc\U0001fa75-\U0001fa77\U0001fa87-\U0001fa8a\U0001faad-\U0001faaf\U0001fabb-\U0001fabf"
    "\U0001face\U0001facf\U0001fada-\U0001fadf\U0001fae8\U0001fae9\U0001faf7\U0001faf8]"
)
"""Characters that became wide, or came, after Unicode 14."""


def cell_width(text: str) -> int:
    """The number of cells that a visible text of one line takes."""
    if text.isascii():
        return len(text)
    total, is_joined, last = 0, False, 0
    for character in text:
        if character == AS_EMOJI:
            total += last == 1
            last = 0
        elif not is_joined:
            width = _width(character)
            total += width
            last = width or last
        is_joined = character == JOINER and not is_joined
    return total


def padded(text: str, width: int) -> str:
    """A text with spaces after it up to a number of cells."""
    return text + " " * (width - cell_width(text))


def wrapped(text: str, width: int) -> list[str]:
    """The lines of a text, broken at blanks; a word that is wider than a line is broken where it is full."""
    lines = [""]
    for word in text.split():
        joined = f"{lines[-1]} {word}" if lines[-1] else word
        if cell_width(joined) <= width:
            lines[-1] = joined
            continue
        if lines[-1]:
            lines.append("")
        for character in word:
            if lines[-1] and cell_width(lines[-1] + character) > width:
                lines.append("")
            lines[-1] += character
    return lines


@lru_cache(4096)
def _width(character: str) -> int:
    """The cells of one character by itself."""
    if _WIDE.match(character):
        return 2
    category = unicodedata.category(character)
    if _NONE.match(character) or (category in ("Mn", "Me", "Mc", "Cf") and not _NARROW.match(character)):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" and category != "Cn" else 1
