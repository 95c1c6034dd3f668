"""Sentences said to a seat, as others read them."""

import re
from pathlib import Path

import pytest

from dsl.text.addressing import for_others

GAMES = Path(__file__).resolve().parents[2] / "games"


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("you hold no rider", "red holds no rider"),
        ("you have no man on your {a} point", "red has no man on red's {a} point"),
        ("You", "red"),
        ("Your cards", "red's cards"),
        ("you may hold only 8 cards", "red may hold only 8 cards"),
        ("you still have men to place", "red still has men to place"),
        ("you cannot ask yourself", "red cannot ask red"),
        ("ben is not with you at town", "ben is not with red at town"),
        ("you may only ask for a rank you hold", "red may only ask for a rank red holds"),
        ("you were in F1 this turn", "red was in F1 this turn"),
        ("shilling costs 3, you have 2", "shilling costs 3, red has 2"),
        ("you carry it", "red carries it"),
        ("you pass", "red passes"),
        ("you're done", "red is done"),
        ("the choice is yours", "the choice is red's"),
        ("the youngest plays", "the youngest plays"),
        ("lay 1 wall at A", "lay 1 wall at A"),
    ],
)
def test_a_sentence_for_others(said: str, read: str) -> None:
    assert for_others(said, "red") == read


def test_no_sentence_of_a_shipped_game_addresses_others() -> None:
    for path in sorted(GAMES.rglob("*.rules")):
        for said in re.findall(r'"([^"]*)"', path.read_text(encoding="utf-8")):
            assert not re.search(r"\byou", re.sub(r"\{.*?\}|youngest", "", for_others(said, "red")), re.IGNORECASE)
