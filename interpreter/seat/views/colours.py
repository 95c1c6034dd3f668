"""Words that are colours, and the colour and letters of each seat, so that tables are readable without colour."""

from __future__ import annotations

from collections.abc import Sequence

COLOURS = (
    "red", "green", "blue", "yellow", "brown", "white", "black", "grey", "gray", "orange", "purple", "violet", "pink",
    "cyan", "turquoise", "teal", "magenta", "silver", "gold",
)  # fmt: skip
"""The words that mean a colour wherever rules use them."""

OTHER_COLOURS = ("cyan", "magenta", "yellow", "green", "blue", "orange", "violet", "white")
"""The colours of what is not named after one, in the order in which they are given out."""

MAX_LETTERS = 3


def colours_of_seats(seats: Sequence[str]) -> dict[str, str]:
    """A colour for each seat: one named after a colour has it, the others share the remaining colours."""
    colours = {seat: seat for seat in seats if seat in COLOURS}
    free = [colour for colour in OTHER_COLOURS if colour not in colours] or list(OTHER_COLOURS)
    unnamed = [seat for seat in seats if seat not in colours]
    return colours | {seat: free[index % len(free)] for index, seat in enumerate(unnamed)}


def letters(seats: Sequence[str]) -> dict[str, str]:
    """The shortest unambiguous prefix of each name; if one gets too long, the seats' numbers."""
    short = {seat: _beginning(seat, [name for name in seats if name != seat]) for seat in seats}
    if any(len(text) > MAX_LETTERS for text in short.values()):
        return {seat: str(index) for index, seat in enumerate(seats, start=1)}
    return short


def _beginning(seat: str, others: Sequence[str]) -> str:
    for length in range(1, len(seat)):
        if not any(name.startswith(seat[:length]) for name in others):
            return seat[:length]
    return seat
