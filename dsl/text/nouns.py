"""Numbers with the nouns they count."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

VOWELS = "aeiou"

IRREGULAR_PLURALS = {
    "calf": "calves", "child": "children", "die": "dice", "dwarf": "dwarves", "elf": "elves",
    "foot": "feet", "goose": "geese", "half": "halves", "hero": "heroes", "knife": "knives", "leaf": "leaves",
    "life": "lives", "loaf": "loaves", "mouse": "mice", "ox": "oxen", "person": "people", "potato": "potatoes",
    "quiz": "quizzes", "sheaf": "sheaves", "shelf": "shelves", "staff": "staves", "thief": "thieves",
    "tomato": "tomatoes", "tooth": "teeth", "vertex": "vertices", "wife": "wives", "wolf": "wolves",
}  # fmt: skip
UNCHANGED_PLURALS = frozenset({
    "aircraft", "cattle", "deer", "dice", "fish", "men", "people", "series", "sheep", "species",
    "bread", "clay", "coal", "corn", "flour", "food", "gold", "grain", "iron", "money", "ore", "rice", "salt", "silk",
    "silver", "sugar", "timber", "tobacco", "water", "wheat", "wine", "wood", "wool",
})  # fmt: skip
"""Words that are plurals already or have the same one, and materials, which are counted without an ending: `3 wool`."""
NO_COMPOUNDS_OF_MAN = ("human", "shaman", "german", "roman", "norman", "ottoman", "talisman", "caiman")


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 game`, `2 games`, `0 games`; `plural` if it is irregular."""
    return f"{number} {noun if number == 1 else plural or plural_of(noun)}"


def plural_of(noun: str) -> str:
    """The plural of an English noun, of the last word if there are several: `boxes`, `cities`, `geese`, `gold men`.

    By ending, except for the irregular words that name parts of games. A complete dictionary (`inflect`) takes two
    seconds to load, and a game says itself what is not here.
    """
    beginning, word = noun[: noun.rfind(" ") + 1], noun[noun.rfind(" ") + 1 :]
    if word in UNCHANGED_PLURALS:
        return noun
    irregular = IRREGULAR_PLURALS.get(word)
    if irregular is not None:
        return f"{beginning}{irregular}"
    if word.endswith("man") and not word.endswith(NO_COMPOUNDS_OF_MAN):
        return f"{noun[:-3]}men"
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in VOWELS:
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Numbers in increasing order as ranges without a gap: 2, 3, 5 are 2 to 3 and 5 to 5."""
    start = 0
    for index, number in enumerate(numbers):
        if index + 1 == len(numbers) or numbers[index + 1] != number + 1:
            yield numbers[start], number
            start = index + 1


def choice_of(numbers: Sequence[int]) -> str:
    """`2 to 5`, `1`, `2 or 4`, `2 to 4, 6 or 8`, as a game says for how many players it is."""
    spans = [str(low) if low == high else f"{low} to {high}" for low, high in runs(numbers)]
    return " or ".join([", ".join(spans[:-1]), spans[-1]] if len(spans) > 1 else spans)


def counted_choice(numbers: Sequence[int], noun: str) -> str:
    """`2 to 5 players`, `1 player`, `2 or 4 players`."""
    return counted(numbers[0], noun) if len(numbers) == 1 else f"{choice_of(numbers)} {plural_of(noun)}"


def numbers_in(text: str) -> tuple[int, ...]:
    """The numbers in a text such as `2 to 4, 6 or 8`."""
    spans = [(int(low), int(high or low)) for low, high in re.findall(r"(\d{1,3})(?:\s+to\s+(\d{1,3}))?", text)]
    return tuple(number for low, high in spans for number in range(low, high + 1))


def listed(words: Sequence[str]) -> str:
    """`ann, ben and cleo`."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 2 else words)
