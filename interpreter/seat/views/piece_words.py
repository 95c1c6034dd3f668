"""Pieces in words: `red king`, `3 kings`, `marked, used 2`."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from interpreter.wording.words import PLAIN, Words

if TYPE_CHECKING:
    from interpreter.seat.views.model import Cell, PieceView

# The model of views is imported where it is needed: it brings the engine with it, and a command that prints a page of
# the catalogue measures texts with the functions beside these.


def is_back(piece: PieceView, seats: Collection[str]) -> bool:
    """True if nothing is known of a piece except possibly its owner, one of these seats."""
    from interpreter.seat.views.model import Hidden

    visible = (value for value in piece.attributes.values() if not isinstance(value, Hidden))
    return piece.hidden and all(value in seats for value in visible)


def label(piece: PieceView, words: Words = PLAIN, number: int = 1) -> str:
    """The name of a piece beside its owner's letter: without the seat, or its type if nothing else remains.

    `number` decides between singular and plural.
    """
    from interpreter.seat.views.model import Hidden, value_text

    if words.is_plain:
        attributes = [word for word in piece.name.split() if word != piece.owner]
        return " ".join(attributes) or piece.type.lower()
    values = [value_text(value) for value in piece.attributes.values() if not isinstance(value, Hidden)]
    others = [value for value in values if value != piece.owner]
    if len(others) > 1 and not piece.hidden and piece.owner is None:  # the game may say how it joins them
        named = dict(zip(piece.attributes, values, strict=True))
        return words.piece(piece.type, named, (), is_complete=True, number=number)
    if piece.hidden or not others:
        return " ".join([*map(words.name, others), words.type(piece.type, number)])
    return " ".join([*map(words.name, others[:-1]), words.name(others[-1], number)])


def noted(piece: PieceView, words: Words = PLAIN) -> str:
    """The visible notes of a piece: `marked, used 2, known {red, blue}`; none, 0 and false are omitted."""
    from interpreter.seat.views.model import value_text

    return ", ".join(
        words.name(name) if content is True else f"{words.name(name)} {words.name(value_text(content))}"
        for name, content in piece.notes.items()
        if content
    )


def is_empty(cell: Cell) -> bool:
    """True if a cell says nothing that a board has to show."""
    if cell.kind == "value":
        return cell.value is None or cell.value is False or cell.value == () or cell.text in ("", "-")
    return not (cell.pieces if cell.kind == "pieces" else cell.entries)
