"""The contents of a place as tokens: a few letters that stay together, in a long and a short form.

    a row of a red king and a flag       rK F         short 2…
    a heap of three red kings, a flag    rK3 F        short 4…
    a stack of five, a red king on top   rK ? ? ? ?   short 5rK

Which letters these are is in `letters`. The short form is for places that have no room for the long one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, cast

from cli.render.board.ink import Ink, ink, plain, width
from cli.render.board.letters import Alphabet
from dsl.lazy_dataclasses import dataclass
from dsl.text.cells import cell_width

if TYPE_CHECKING:
    from interpreter.seat.views.model import Cell, Column, EachCell, Hidden, PiecesCell, PieceView, Value

MORE = "…"
NONE = frozenset({"none", "nobody", "nothing", ""})


@dataclass(frozen=True)
class Token:
    """The contents of one column at a place.

    `atoms` may be put on different lines but keep their order. `short` is an abbreviation used if there is little room;
    it equals the atoms if there is nothing to omit. `single` marks the piece of a zone whose places hold one each: two
    of these are written without a blank between them.
    """

    atoms: tuple[Ink, ...]
    short: Ink
    single: bool = False

    @property
    def full(self) -> Ink:
        """All atoms in a row."""
        return tuple(part for atom in self.atoms for part in atom)

    @property
    def loses(self) -> bool:
        """True if the short form omits something."""
        return plain(self.short) != plain(self.full)


def token(cell: Cell, column: Column, number: int, letters: Alphabet) -> Token | None:
    """Convert a cell of a table to a token; None if there is nothing to show."""
    if column.kind == "links":
        return None  # a line cannot be drawn with letters
    if cell.kind == "pieces":
        return _pieces(cell, letters) if cell.pieces else None
    if cell.kind == "each":
        return _each(cell, number, letters) if cell.entries else None
    text = in_plain_words(cell.value)
    if column.kind == "truth":
        return _one(letters.headed[number].ink) if cell.value is True else None
    if text in NONE:
        return None
    head = letters.headed[number].ink if number in letters.headed else ()
    if column.kind == "number":
        return _one((*head, *ink(text, "bold")))
    return _words(text, head, letters)


def in_plain_words(value: object) -> str:
    """A value by its names in the rules, to which letters are assigned; members of a set are separated by commas."""
    from interpreter.seat.views.model import value_text

    if not isinstance(value, tuple):
        return value_text(cast("Value | Hidden", value))
    sets = any(isinstance(member, tuple) for member in value)
    return ("; " if sets else ", ").join(map(in_plain_words, value)) or "nothing"


def _one(letters: Ink) -> Token:
    return Token((letters,), letters)


def _words(text: str, head: Ink, letters: Alphabet) -> Token:
    """A word, or the words of a set; the short form truncates words that have no letter."""
    words = text.split(", ")
    atoms = [letters.word(word) for word in words]
    full = Token((head, *atoms) if head else tuple(atoms), ())
    cut = ink(words[0][:3] + MORE)
    return Token(full.atoms, cut if any(len(plain(atom)) > len(MORE) + 3 for atom in atoms) else full.full)


def _pieces(cell: PiecesCell, letters: Alphabet) -> Token:
    order = cell.order
    inks = [letters.piece(piece) for piece in cell.pieces]
    if order == "heap":
        inks = _counted(inks)
    if len(inks) == 1:
        return Token((inks[0],), inks[0], single=order == "one")
    many = ink(str(len(cell.pieces)), "bold")
    return Token(tuple(inks), (*many, *inks[0]) if order == "stack" else (*many, *ink(MORE)))


def _counted(inks: Sequence[Ink]) -> list[Ink]:
    """Group equal inks, with the number after the letter; those that end in a digit are repeated instead."""
    numbers: dict[Ink, int] = {}
    for word in inks:
        numbers[word] = numbers.get(word, 0) + 1
    return [part for word, number in numbers.items() for part in _times(word, number)]


def _times(word: Ink, number: int) -> Iterator[Ink]:
    if number == 1 or plain(word)[-1:].isdigit():
        yield from [word] * number
    else:
        yield (*word, (str(number), word[-1][1]))


def _each(cell: EachCell, number: int, letters: Alphabet) -> Token:
    """An entry for each item: its letter, that of the heading, and the note unless it repeats the item."""
    atoms: list[Ink] = []
    head = letters.headed[number].letter
    for entry in cell.entries:
        item, note = entry.item, in_plain_words(entry.note.value)
        if item.kind == "pieces":
            for piece in item.pieces:
                word_ink = letters.piece(piece)
                atoms.append((*word_ink, (head + note, word_ink[-1][1])))
            continue
        word = in_plain_words(item.value)
        word_ink = letters.word(word)
        style = word_ink[-1][1] if word_ink else ""
        atoms.append((*word_ink, (head + ("" if note == word else note), style)))
    if len(atoms) == 1:
        return _one(atoms[0])
    return Token(tuple(atoms), ink(f"{len(atoms)}{head}{MORE}"))


def words_of(cell: Cell) -> Iterator[str]:
    """What the letters of a cell may mean: the words for each name in the rules."""
    if cell.kind == "pieces":
        yield from _words_of_pieces(cell.pieces)
    elif cell.kind == "each":
        for entry in cell.entries:
            yield from words_of(entry.item)
            yield from words_of(entry.note)
    else:
        yield from re.split("[,;] ", in_plain_words(cell.value))


def _words_of_pieces(pieces: Iterable[PieceView]) -> Iterator[str]:
    for piece in pieces:
        yield piece.type
        yield from map(in_plain_words, piece.attributes.values())
        for attached in piece.attached.values():
            yield from _words_of_pieces(attached)


def nominal(column: Column, number: int, letters: Alphabet) -> int:
    """Typical width of a cell of a table, from which the scale of a picture is chosen."""
    longest = max((cell_width(sign.letter) for sign in letters.signs[number]), default=1)
    if column.kind == "pieces":
        piece = max((letters.letters_of(type_) for type_ in column.types), default=1)
        return {"one": piece, "row": 3 * piece, "stack": 2 + piece}.get(column.order, 3 * (piece + 1))
    if column.kind == "each":
        return longest + width(letters.headed[number].ink)
    if column.kind == "links":
        return 0
    if column.kind == "truth":
        return 1
    return 2 + (number in letters.headed) if column.kind == "number" else longest
