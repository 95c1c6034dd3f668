"""The letters on a board: one alphabet for the places of each list, constant throughout a game.

A small letter is the owner of a piece, its colour, or a word; a capital is its type, another attribute, or a heading:
`rK` is red's king, `F` a flag without an owner, `rS` the value for red in column S. Nothing depends on colour alone.
A word that the game draws by a glyph has that instead of a letter: `r♚`; by one for each seat, the piece needs no
letter for its owner: `♔`, `♚`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from cli.render.board.ink import Ink, ink
from cli.render.palette import COLOUR_WORDS, OTHERS, Palette
from dsl.lazy_dataclasses import dataclass
from dsl.text.cells import cell_width

if TYPE_CHECKING:
    from interpreter.seat.views.model import Column, PieceKinds, PiecesColumn, PieceView, WordColumn

MAX_LETTERED_WORDS = 20
"""Sets of more words than this get no letters; the words are written out."""
UNKNOWN = "?"
TICK = "✓"
SPARE = "*+%&@$!"


@dataclass(frozen=True)
class Sign:
    """A letter with its style, and its meaning."""

    letter: str
    style: str
    meaning: str

    @property
    def ink(self) -> Ink:
        """The letter in its style."""
        return ink(self.letter, self.style)


class Alphabet:
    """The letters for the places of one list, derived from the headings and possible contents of the columns there.

    `signs` are the letters of each column by its number, for the legend. `preferred` records the letter of each word
    across alphabets, so that it is reused where possible. `marks` are drawn on the board and cannot serve as letters.
    """

    def __init__(
        self, headed: Sequence[tuple[str, Column]], look: Palette, preferred: dict[tuple[str, bool], str],
        marks: Iterable[str] = (),
    ) -> None:  # fmt: skip
        self.look, self.preferred = look, preferred
        self.used: set[str] = set(marks)
        self.small: dict[str, Sign] = {}
        self.large: dict[str, Sign] = {}
        self.unowned: dict[str, str] = {}
        self.signs: dict[int, list[Sign]] = {}
        self.headed: dict[int, Sign] = {}
        columns = [column for _, column in headed]
        kinds = [kinds_of_type for column in columns for kinds_of_type in _kinds(column)]
        self.colouring = {kinds_of_type.type: self._colouring(_in_words(kinds_of_type)) for kinds_of_type in kinds}
        self.main = next((kinds_of_type.type for kinds_of_type in kinds if kinds_of_type.attributes), None)
        lettered: set[str] = set()
        for column in columns:
            words = _words(column)
            self.used |= {look.letter(word) for word in words if word in look.letters}
        numbers = sum(1 for column in columns if column.kind == "number")
        for number, (heading, column) in enumerate(headed):
            self.signs[number] = list(self._of_column(number, heading, column, numbers, lettered))
            lettered |= {sign.meaning for sign in self.signs[number] if self.small.get(sign.meaning) is sign}

    # ------------------------------------------------------------ assigning letters

    def _colouring(self, attributes: Mapping[str, Sequence[str]]) -> str | None:
        """The attribute that gives a piece its colour: one whose values are seats, else one with colours."""
        for coloured_words in (self.look.letters, COLOUR_WORDS):
            for name, words in attributes.items():
                if words and all(word in coloured_words for word in words):
                    return name
        return None

    def _of_column(self, number: int, heading: str, column: Column, numbers: int, lettered: set[str]) -> Iterator[Sign]:
        """The signs of a column; `numbers` is the number of columns that hold numbers."""
        if column.kind == "truth" or (column.kind == "number" and numbers > 1):
            yield self._head(number, heading, column)
        elif column.kind == "word" and len(column.words) <= MAX_LETTERED_WORDS:
            if set(column.words) & lettered:
                yield self._head(number, heading, column)
            yield from self._small(column.words)
        elif column.kind == "each":
            yield self._head(number, heading, column)
            yield from self._of_item(column.item)
        elif column.kind == "pieces":
            yield from self._of_item(column)

    def _of_item(self, column: PiecesColumn | WordColumn) -> Iterator[Sign]:
        if column.kind == "word" and len(column.words) <= MAX_LETTERED_WORDS:
            yield from self._small(column.words)
        explained_seats = set[str]()
        for piece_kinds in _kinds(column):
            colouring, attributes = self.colouring[piece_kinds.type], _in_words(piece_kinds)
            others = [word for name, words in attributes.items() if name != colouring for word in words]
            by_seat = next(filter(None, map(self.look.glyphs_of_seats, (piece_kinds.type, *others))), {})
            for word in attributes[colouring] if colouring else ():
                if word not in by_seat:
                    yield from self._small([word])
                elif word not in explained_seats:
                    explained_seats.add(word)
                    yield Sign(by_seat[word], self.look.style(word), word)
            is_only_type = len(self.colouring) == 1 and bool(self.look.glyphs_of_seats(piece_kinds.type))
            if self._shows_type(piece_kinds.type) and not is_only_type:
                yield self._capital(piece_kinds.type)
            for name, words in attributes.items():
                if name != colouring:
                    yield from map(self._capital, words)

    def _shows_type(self, type_: str) -> bool:
        """True if pieces of a type show it: all but those of the main type, the first that has attributes to show.

        With a glyph, those show it, too.
        """
        return type_ != self.main or bool(self.look.glyph(type_) or self.look.glyphs_of_seats(type_))

    def letters_of(self, kinds: PieceKinds) -> int:
        """How many letters a piece of these kinds takes: for its colour, its type and its other attributes."""
        words = (kinds.type, *(word for values in _in_words(kinds).values() for word in values))
        is_by_seat = any(map(self.look.glyphs_of_seats, words))
        return max(1, self._shows_type(kinds.type) + len(kinds.attributes) - is_by_seat)

    def _head(self, number: int, heading: str, column: Column) -> Sign:
        if column.kind == "truth" and TICK not in self.used:
            self.used.add(TICK)
            sign = Sign(TICK, "bold", heading)
        else:
            sign = self._capital(heading)
        self.headed[number] = sign
        return sign

    def _small(self, words: Iterable[str]) -> Iterator[Sign]:
        for word in words:
            if word not in self.small:
                letter = self.look.letters.get(word) or self.look.glyph(word) or self._letter(word, capital=False)
                plain = OTHERS[len(self.small) % len(OTHERS)]
                style = self.look.styles.get(word) or COLOUR_WORDS.get(word) or plain
                self.small[word] = Sign(letter, style, word)
            yield self.small[word]

    def _capital(self, word: str) -> Sign:
        if word not in self.large:
            glyph = self.look.glyph(word) or "".join(self.look.glyphs_of_seats(word).values())
            letter = glyph or (word if word.isdigit() else self._letter(word, capital=True))
            self.large[word] = Sign(letter, "bold", word)
        return self.large[word]

    def _on_piece(self, word: str, seat: str | None) -> str:
        """The glyph or letter of a word on a piece of a seat; None: the owner is not known, or there is none."""
        glyph = self.look.glyph(word, seat)
        if glyph is None and self.look.glyphs_of_seats(word):
            if word not in self.unowned:
                self.unowned[word] = self._letter(word, capital=True)
            return self.unowned[word]
        return glyph or self._capital(word).letter

    def _letter(self, word: str, *, capital: bool) -> str:
        """Choose a free letter of the word, else a pair, else a symbol."""
        cased = [character.upper() if capital else character.lower() for character in word if character.isalnum()]
        single = [character for character in cased if len(character) == 1 and cell_width(character) == 1]
        first = single[:1]
        pairs = (
            [first[0] + (second.lower() if capital else second) for second in (*single[1:], *"23456789")]
            if first
            else []
        )
        preferred = self.preferred.get((word, capital))
        # All single letters of the word come before pairs: `king` is K, `knight` then N, `kink` I, and pairs such as Ki
        # only after these.
        candidates = [*([preferred] if preferred else []), *single, *pairs, *SPARE]
        letter = next((candidate for candidate in candidates if candidate not in self.used), UNKNOWN)
        self.used.add(letter)
        self.preferred.setdefault((word, capital), letter)
        return letter

    # ------------------------------------------------------------ writing

    def piece(self, piece: PieceView) -> Ink:
        """One piece: colour, type, attributes; `?` for what the viewer may not know; attached pieces after a slash."""
        from interpreter.seat.views.model import Hidden, value_text

        attributes = {
            name: None if isinstance(value, Hidden) else value_text(value) for name, value in piece.attributes.items()
        }
        colouring = self.colouring[piece.type] if piece.type in self.colouring else self._colouring_of(attributes)
        colour = attributes.get(colouring) if colouring else None
        sign = next(self._small([colour])) if colour is not None else None
        style = sign.style if sign else "bold"
        others = [word for name, word in attributes.items() if name != colouring]
        is_by_seat = any(colour in self.look.glyphs_of_seats(word) for word in (piece.type, *others) if word)
        parts = [sign.letter] if sign and not is_by_seat else []
        if self._shows_type(piece.type):
            parts.append(self._on_piece(piece.type, colour))
        if any(word is None for word in others) or (colouring and colour is None):
            parts.append(UNKNOWN)
        parts += [self._on_piece(word, colour) for word in others if word is not None]
        letters = ink("".join(parts) or self._on_piece(piece.type, colour), style)
        for pieces in piece.attached.values():
            for attached in pieces:
                letters += (*ink("/"), *self.piece(attached))
        return letters

    def word(self, word: str) -> Ink:
        """The letter of a word, or the word itself if it has none."""
        return self.small[word].ink if word in self.small else ink(self.look.words.name(word), self.look.style(word))

    def _colouring_of(self, attributes: Mapping[str, str | None]) -> str | None:
        return self._colouring({name: [word] for name, word in attributes.items() if word is not None})


def _kinds(column: Column) -> Sequence[PieceKinds]:
    """The types of pieces a column can hold."""
    item = column.item if column.kind == "each" else column
    return item.types if item.kind == "pieces" else ()


def _in_words(kinds: PieceKinds) -> dict[str, list[str]]:
    """The possible values of each attribute in words."""
    from interpreter.seat.views.model import value_text

    return {name: [value_text(value) for value in values] for name, values in kinds.attributes.items()}


def _words(column: Column) -> list[str]:
    """The words of a column that get small letters."""
    item = column.item if column.kind == "each" else column
    words = list(item.words) if item.kind == "word" else []
    for piece_kinds in _kinds(column):
        for values in _in_words(piece_kinds).values():
            words += values
    return words
