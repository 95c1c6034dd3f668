"""Numbers with the nouns they count."""

import pytest

from dsl.text.nouns import choice_of, counted, counted_choice, numbers_in


@pytest.mark.parametrize(
    ("number", "noun", "told"),
    [
        (0, "game", "0 games"),
        (1, "game", "1 game"),
        (2, "game", "2 games"),
        (1, "legal move", "1 legal move"),
        (3, "box", "3 boxes"),
        (3, "city", "3 cities"),
        (3, "way", "3 ways"),
        (3, "branch", "3 branches"),
        (3, "man", "3 men"),
        (3, "woman", "3 women"),
        (3, "huntsman", "3 huntsmen"),
        (3, "shaman", "3 shamans"),
        (3, "gold man", "3 gold men"),
        (3, "die", "3 dice"),
        (3, "white goose", "3 white geese"),
        (3, "sheep", "3 sheep"),
        (3, "wool", "3 wool"),
    ],
)
def test_counted(number, noun, told):
    assert counted(number, noun) == told


def test_counted_otherwise():
    assert [counted(n, "piece of wood", "pieces of wood") for n in (1, 2)] == ["1 piece of wood", "2 pieces of wood"]


@pytest.mark.parametrize(
    ("numbers", "told"),
    [
        ((1,), "1 player"), ((4,), "4 players"), ((2, 3, 4), "2 to 4 players"), ((2, 4), "2 or 4 players"),
        ((1, 2, 4, 6, 7), "1 to 2, 4 or 6 to 7 players"),
    ],
)  # fmt: skip
def test_numbers_to_choose_from(numbers, told):
    assert counted_choice(numbers, "player") == told
    assert numbers_in(choice_of(numbers)) == numbers
