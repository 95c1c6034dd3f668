"""Colours in a terminal: the rich style of each word that is a colour, and those of the seats of a game."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from functools import lru_cache

from dsl.lazy_dataclasses import dataclass
from interpreter.seat.views.colours import OTHER_COLOURS, colours_of_seats, letters
from interpreter.wording.words import PLAIN, Words

COLOUR_WORDS: Mapping[str, str] = {
    "red": "bright_red",
    "green": "green3",
    "blue": "dodger_blue1",
    "yellow": "gold1",
    "brown": "dark_goldenrod",
    "white": "bright_white",
    "black": "grey62",
    "grey": "grey50",
    "gray": "grey50",
    "orange": "dark_orange",
    "purple": "medium_purple1",
    "violet": "violet",
    "pink": "hot_pink",
    "cyan": "cyan",
    "turquoise": "turquoise2",
    "teal": "dark_cyan",
    "magenta": "magenta",
    "silver": "grey78",
    "gold": "gold3",
}
OTHERS = tuple(COLOUR_WORDS[word] for word in OTHER_COLOURS)


def style_of(colour: str) -> str:
    """The rich style of a colour; plain for the empty word."""
    return COLOUR_WORDS[colour] if colour else ""


@dataclass(frozen=True)
class Palette:
    """Colours and letters of the seats of a game, and the words in which it is shown."""

    styles: Mapping[str, str]
    letters: Mapping[str, str]
    words: Words = PLAIN
    encoding: str = "utf-8"

    def glyph(self, word: str, seat: str | None = None) -> str | None:
        """The glyph of a word on a piece of a seat, if there is one and the terminal has it."""
        glyph = self.words.glyph(word, seat)
        return glyph if glyph is not None and _can_show(glyph, self.encoding) else None

    def glyphs_of_seats(self, word: str) -> dict[str, str]:
        """The glyphs of a word by seat, if it has one for each."""
        glyphs = {seat: self.glyph(word, seat) for seat in self.letters}
        by_seat = {seat: glyph for seat, glyph in glyphs.items() if glyph is not None}
        return by_seat if by_seat and self.glyph(word) is None else {}

    def style(self, seat: str) -> str:
        """The rich style of a seat; plain for anything else."""
        return self.styles.get(seat, "")

    def letter(self, seat: str) -> str:
        """The letters that represent a seat on its pieces."""
        return self.letters.get(seat, seat)


def palette(seats: Sequence[str], words: Words = PLAIN, encoding: str | None = None) -> Palette:
    """The colours and letters of the seats of a game; `encoding` is by default that of the terminal."""
    styles = {seat: COLOUR_WORDS[colour] for seat, colour in colours_of_seats(seats).items()}
    return Palette(styles, letters(seats), words, encoding or _encoding_of_terminal())


def _encoding_of_terminal() -> str:
    """The encoding of the output; the console of Linux has no more than the letters of its font."""
    return "ascii" if os.environ.get("TERM") == "linux" else getattr(sys.stdout, "encoding", None) or "utf-8"


@lru_cache(maxsize=256)
def _can_show(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
