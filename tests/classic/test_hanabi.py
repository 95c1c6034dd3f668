"""Hanabi in step with OpenSpiel's, by players who mostly play what fits: so games last until the deck is empty.

Compared are all that `in_step` compares, what each player knows of each card from the hints, and the hints and lives
that are left. Random games of `test_classic.py` end with the third life, after a few moves.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any

import pytest

from tests.classic.further_twins import COLOURS_OF_HANABI, RANKS_OF_HANABI, hanabi
from tests.classic.twin import Pair

try:
    import pyspiel
except ImportError:
    pyspiel: Any = None

pytestmark = pytest.mark.skipif(pyspiel is None, reason="OpenSpiel is not installed: pip install 'regelwerk[classic]'")

KNOWN = re.compile(r"^(?P<colour>.)(?P<rank>.) \|\| ..\|(?P<colours>\D+)(?P<ranks>\d+)$")
"""A card there: what it is, and which colours and ranks its owner may take it for."""

WORDS = dict(zip("RYGWB12345", COLOURS_OF_HANABI + RANKS_OF_HANABI, strict=True))


def hands(pair: Pair) -> list[list[re.Match[str]]]:
    """The cards of each seat there."""
    lines = str(pair.spiel).partition("Hands:\n")[2].partition("Deck size")[0].replace("Cur player\n", "")
    cards = [[KNOWN.match(line) for line in hand.splitlines() if line] for hand in lines.split("-----\n")]
    return [[card for card in hand if card is not None] for hand in cards]


def compare(pair: Pair) -> None:
    """Each card and what is known of it, hints and lives."""
    state = pair.state
    for seat, hand in zip(state.game.seats, hands(pair), strict=True):
        for place, card in enumerate(hand, start=1):
            at = f"[{seat}, {place}]"
            assert list(map(str, state.evaluate(f"card{at}"))) == [f"{WORDS[card['colour']]} {WORDS[card['rank']]}"]
            for known, letters in (("colours", card["colours"]), ("ranks", card["ranks"])):
                assert set(map(str, state.evaluate(f"{known}{at}"))) == {WORDS[letter] for letter in letters}
    for name, note in (("Life", "lives"), ("Info", "hints")):
        assert f"{name} tokens: {state.evaluate(note)}\n" in str(pair.spiel)


def chosen(pair: Pair, moves: list[str], rng: random.Random) -> str:
    """Mostly a card that fits, else a hint or a discard; rarely anything."""
    hand = hands(pair)[pair.spiel.current_player()]
    fitting = [
        f"play({place})"
        for place, card in enumerate(hand, start=1)
        if pair.state.evaluate(f"fits({WORDS[card['colour']]}, {WORDS[card['rank']]})")
    ]
    others = [move for move in moves if not move.startswith("play")]
    if rng.random() < 0.01:
        return rng.choice(moves)
    return rng.choice(fitting if fitting and (not others or rng.random() < 0.7) else others or moves)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_games_of_players_who_know_in_step(players: int, long_run: bool) -> None:
    ends: Counter[str] = Counter()
    for seed in range(50 if long_run else 3):
        rng, twin = random.Random(seed), hanabi(players)
        pair = Pair(twin, pyspiel, seed)
        while moves := pair.moves():
            compare(pair)
            pair.make(chosen(pair, moves, rng))
        assert list(pair.spiel.returns()) == twin.returns(pair.state, pair.spiel)
        ends["deck" if pair.state.evaluate("turns_left") == 0 else str(pair.state.evaluate("points"))] += 1
    assert ends["deck"] + ends["25"]
    if long_run and players > 2:  # two seldom come to 25
        assert {"deck", "25"} <= ends.keys()
