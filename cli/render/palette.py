"""The appearance of seats: a colour and a letter for each, so that tables are readable without colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dsl.lazy_dataclasses import dataclass
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
OTHERS = ("cyan", "magenta", "gold1", "green3", "dodger_blue1", "dark_orange", "violet", "bright_white")
LONGEST_LETTERS = 3


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
    """Assign colours: a seat named after a colour gets it; the others share the remaining colours."""
    styles = {seat: COLOUR_WORDS[seat] for seat in seats if seat in COLOUR_WORDS}
    free = [style for style in OTHERS if style not in styles.values()] or list(OTHERS)
    unnamed = [seat for seat in seats if seat not in styles]
    styles |= {seat: free[index % len(free)] for index, seat in enumerate(unnamed)}
    return Palette(styles, letters(seats), words)


def letters(seats: Sequence[str]) -> dict[str, str]:
    """The shortest unambiguous prefix of each name; if one gets too long, the seats' numbers."""
    short = {seat: _beginning(seat, [name for name in seats if name != seat]) for seat in seats}
    if any(len(text) > LONGEST_LETTERS for text in short.values()):
        return {seat: str(index) for index, seat in enumerate(seats, start=1)}
    return short


def _beginning(seat: str, others: Sequence[str]) -> str:
    for length in range(1, len(seat)):
        if not any(name.startswith(seat[:length]) for name in others):
            return seat[:length]
    return seat
