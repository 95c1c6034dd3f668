"""Numbers with the nouns they count."""

import pytest

from dsl.text.nouns import counted, counted_range


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
    ],
)
def test_counted(number, noun, told):
    assert counted(number, noun) == told


def test_counted_otherwise():
    assert [counted(n, "piece of wood", "pieces of wood") for n in (1, 2)] == ["1 piece of wood", "2 pieces of wood"]
    assert counted_range(1, 1, "player") == "1 player"
    assert counted_range(2, 2, "player") == "2 players"
    assert counted_range(1, 4, "player") == "1 to 4 players"
