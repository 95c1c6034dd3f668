"""Numbers with the nouns they count."""

from __future__ import annotations

from collections.abc import Sequence

VOWELS = "aeiou"


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 game`, `2 games`, `0 games`; `plural` if it is irregular."""
    return f"{number} {noun if number == 1 else plural or plural_of(noun)}"


def plural_of(noun: str) -> str:
    """The plural of a noun by its ending: `boxes`, `cities`, `games`."""
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in VOWELS:
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def counted_range(fewest: int, most: int, noun: str) -> str:
    """`2 to 5 players`, or `1 player` where both ends are the same."""
    return counted(most, noun) if fewest == most else f"{fewest} to {counted(most, noun)}"


def listed(words: Sequence[str]) -> str:
    """`ann, ben and cleo`."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 2 else words)
