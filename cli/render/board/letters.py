"""The letters on a board: one alphabet for the places of each list, constant throughout a game.

A small letter is the owner of a piece, its colour, or a word; a capital is its type or another attribute, or a heading:
`rK` is red's king, `F` a flag without an owner, `rS` the value for red in column S. So nothing depends on colour alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len

from cli.render.board.ink import Ink, ink
from cli.render.palette import COLOUR_WORDS, OTHERS, Palette

MANY = 20
"""Sets of more words than this get no letters; the words are written out."""
UNKNOWN = "?"
TICK = "✓"
SPARE = "*+%&@$!"
Column = Mapping[str, Any]
Piece = Mapping[str, Any]


@dataclass(frozen=True)
class Sign:
    """A letter with its style, and its meaning."""

    letter: str
    style: str
    meaning: str

    @property
    def ink(self) -> Ink:
        """The letter alone, without its meaning."""
        return ink(self.letter, self.style)


class Alphabet:
    """The letters for the places of one list, derived from the possible contents of the columns shown there.

    `signs` are the letters of each column by its number, for the legend. `habits` records across alphabets the letter
    of each word, so that it is reused where possible. `marks` are already drawn on the board and cannot be letters.
    """

    def __init__(
        self, columns: Sequence[Column], look: Palette, habits: dict[tuple[str, bool], str], marks: Iterable[str] = ()
    ) -> None:
        self.look, self.habits = look, habits
        self.taken: set[str] = set(marks)
        self.small: dict[str, Sign] = {}
        self.large: dict[str, Sign] = {}
        self.signs: dict[int, list[Sign]] = {}
        self.headed: dict[int, Sign] = {}
        sorts = [sort for column in columns for sort in _sorts(column)]
        self.colouring = {sort["type"]: self._colouring(sort["attributes"]) for sort in sorts}
        self.main = next((sort["type"] for sort in sorts if sort["attributes"]), None)
        spoken: set[str] = set()
        for column in columns:
            words = _words(column)
            self.taken |= {look.letter(word) for word in words if word in look.letters}
        for number, column in enumerate(columns):
            self.signs[number] = list(self._of_column(number, column, columns, spoken))
            spoken |= {sign.meaning for sign in self.signs[number] if self.small.get(sign.meaning) is sign}

    # ------------------------------------------------------------ assigning letters

    def _colouring(self, attributes: Mapping[str, Sequence[str]]) -> str | None:
        """The attribute that gives a piece its colour: one whose values are seats, else one with colours."""
        for known in (self.look.letters, COLOUR_WORDS):
            for name, words in attributes.items():
                if words and all(word in known for word in words):
                    return name
        return None

    def _of_column(self, number: int, column: Column, columns: Sequence[Column], spoken: set[str]) -> Iterator[Sign]:
        kind = column["kind"]
        numbers = sum(1 for other in columns if other["kind"] == "number")
        if kind == "truth" or (kind == "number" and numbers > 1):
            yield self._head(number, column)
        elif kind == "word" and len(column["words"]) <= MANY:
            if set(column["words"]) & spoken:
                yield self._head(number, column)
            yield from self._small(column["words"])
        elif kind == "each":
            yield self._head(number, column)
            yield from self._of_item(column["item"])
        elif kind == "pieces":
            yield from self._of_item(column)

    def _of_item(self, column: Column) -> Iterator[Sign]:
        if column["kind"] == "word" and len(column["words"]) <= MANY:
            yield from self._small(column["words"])
        for sort in _sorts(column):
            colouring = self.colouring[sort["type"]]
            if colouring:
                yield from self._small(sort["attributes"][colouring])
            if self._is_told(sort["type"]):
                yield self._capital(sort["type"])
            for name, words in sort["attributes"].items():
                if name != colouring:
                    yield from map(self._capital, words)

    def _is_told(self, sort: str) -> bool:
        """True if the type of a piece is written: all but the main type, the first that has attributes to show."""
        return sort != self.main

    def _head(self, number: int, column: Column) -> Sign:
        word = str(column["heading"])
        if column["kind"] == "truth" and TICK not in self.taken:
            self.taken.add(TICK)
            sign = Sign(TICK, "bold", word)
        else:
            sign = self._capital(word)
        self.headed[number] = sign
        return sign

    def _small(self, words: Iterable[str]) -> Iterator[Sign]:
        for word in words:
            if word not in self.small:
                letter = self.look.letters.get(word) or self._letter(word, capital=False)
                plain = OTHERS[len(self.small) % len(OTHERS)]
                style = self.look.styles.get(word) or COLOUR_WORDS.get(word) or plain
                self.small[word] = Sign(letter, style, word)
            yield self.small[word]

    def _capital(self, word: str) -> Sign:
        if word not in self.large:
            letter = word if word.isdigit() else self._letter(word, capital=True)
            self.large[word] = Sign(letter, "bold", word)
        return self.large[word]

    def _letter(self, word: str, *, capital: bool) -> str:
        """Choose a free letter of the word, else a pair, else a symbol."""
        cased = [character.upper() if capital else character.lower() for character in word if character.isalnum()]
        single = [character for character in cased if len(character) == 1 and cell_len(character) == 1]
        first = single[:1]
        pairs = (
            [first[0] + (other.lower() if capital else other) for other in (*single[1:], *"23456789")] if first else []
        )
        habit = self.habits.get((word, capital))
        wanted = [*([habit] if habit else []), *single, *pairs, *SPARE]
        letter = next((one for one in wanted if one not in self.taken), UNKNOWN)
        self.taken.add(letter)
        self.habits.setdefault((word, capital), letter)
        return letter

    # ------------------------------------------------------------ writing

    def piece(self, piece: Piece) -> Ink:
        """One piece: colour, type, attributes; `?` for what the viewer may not know; attached pieces after a slash."""
        sort, attributes = str(piece["type"]), piece["attributes"]
        colouring = self.colouring.get(sort) if sort in self.colouring else self._colouring_of(piece)
        colour = attributes.get(colouring) if colouring else None
        sign = next(self._small([str(colour)])) if colour is not None else None
        style = sign.style if sign else "bold"
        parts = [sign.letter] if sign else []
        if self._is_told(sort):
            parts.append(self._capital(sort).letter)
        others = [word for name, word in attributes.items() if name != colouring]
        if any(word is None for word in others) or (colouring and colour is None):
            parts.append(UNKNOWN)
        parts += [self._capital(str(word)).letter for word in others if word is not None]
        found = ink("".join(parts) or self._capital(sort).letter, style)
        for lying in piece.get("attached", {}).values():
            for other in lying:
                found += (*ink("/"), *self.piece(other))
        return found

    def word(self, word: str) -> Ink:
        """The letter of a word, or the word itself if it has none."""
        return self.small[word].ink if word in self.small else ink(word, self.look.style(word))

    def _colouring_of(self, piece: Piece) -> str | None:
        return self._colouring({name: [str(word)] for name, word in piece["attributes"].items() if word is not None})


def _sorts(column: Column) -> Sequence[Mapping[str, Any]]:
    """The types of pieces a column can hold, each with the values of its attributes."""
    inner = column.get("item", column)
    found: Sequence[Mapping[str, Any]] = inner.get("sorts", ())
    return found


def _words(column: Column) -> list[str]:
    """The words of a column that get small letters."""
    inner = column.get("item", column)
    words = list(inner.get("words", ()))
    for sort in _sorts(column):
        for values in sort["attributes"].values():
            words += values
    return words
