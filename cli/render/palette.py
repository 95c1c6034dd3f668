"""Colours in a terminal: the rich style of each word that is a colour, and those of the seats of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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

    def style(self, seat: str) -> str:
        """The rich style of a seat; plain for anything else."""
        return self.styles.get(seat, "")

    def letter(self, seat: str) -> str:
        """The letters that represent a seat on its pieces."""
        return self.letters.get(seat, seat)


def palette(seats: Sequence[str], words: Words = PLAIN) -> Palette:
    """The colours and letters of the seats of a game."""
    styles = {seat: COLOUR_WORDS[colour] for seat, colour in colours_of_seats(seats).items()}
    return Palette(styles, letters(seats), words)
