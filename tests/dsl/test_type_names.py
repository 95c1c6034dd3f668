"""The names of types in messages."""

from __future__ import annotations

import pytest

from dsl.types import ANY_NUMBER, PLAYER, TRUTH, Contents, Listed, ListType, Maybe, Number, PieceType, Several, Type

CARD, SUIT = PieceType(frozenset({"Card"})), Listed("Suit")


@pytest.mark.parametrize(
    ("type_", "name"),
    [
        (TRUTH, "true or false"),
        (ANY_NUMBER, "a number"),
        (Number(3, 3), "the number 3"),
        (Number(0, 9), "a number in 0..9"),
        (PLAYER, "a seat"),
        (Maybe(PLAYER), "a seat or nobody"),
        (Listed("Animal"), "an `Animal`"),
        (Maybe(SUIT), "a `Suit` or none"),
        (Listed("Suit or Animal", parts=("Suit", "Animal")), "a `Suit` or an `Animal`"),
        (Listed("die cube"), "a face of `cube`"),
        (Listed("option pace"), "a value of the option `pace`"),
        (PieceType(frozenset({"Coin", "Card"})), "a `Card` or `Coin`"),
        (Several(PLAYER), "a set of seats"),
        (Several(TRUTH), "a set of truth values"),
        (Several(Number(1, 7)), "a set of numbers in 1..7"),
        (Several(Listed("die cube")), "a set of faces of `cube`"),
        (Several(Listed("option pace")), "a set of values of the option `pace`"),
        (Several(Several(Several(SUIT))), "a set of sets of sets of `Suit`"),
        (ListType(CARD), "a list of `Card`"),
        (Contents(CARD, "heap"), "a zone of `Card`"),
        (Contents(CARD, "row"), "a row of `Card`"),
        (Contents(CARD, "stack"), "a stack of `Card`"),
        (Contents(CARD, "one"), "a place for one `Card`"),
    ],
)
def test_a_type_has_a_name_in_words(type_: Type, name: str) -> None:
    assert str(type_) == name
