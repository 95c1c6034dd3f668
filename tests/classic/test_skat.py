"""Skat in lockstep with OpenSpiel's from the first trick on: moves, who takes a trick, and card points.

OpenSpiel has no bids: whoever first wants to names a game, takes up the skat and lays two cards away. So here that
player gets the game for 18; bids and game values, which OpenSpiel does not have, are examples of the game.
"""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from interpreter.play.game import State, load
from interpreter.runtime.chance import ChanceEvent

try:
    import pyspiel
except ImportError:
    pyspiel: Any = None

SUITS = ["diamonds", "hearts", "spades", "clubs"]
RANKS = ["seven", "eight", "nine", "queen", "king", "ten", "ace", "jack"]
CONTRACTS = ["diamonds_game", "hearts_game", "spades_game", "clubs_game", "grand", "null_game"]
PASS, FIRST_CONTRACT = 32, 33
BIDDING = {0: ["pass", "pass", "play_alone"], 1: ["say", "pass", "pass"], 2: ["pass", "say", "pass"]}
"""How each seat gets the game for 18, if the last seat has dealt."""


def number(card: str) -> int:
    """OpenSpiel's number of a card."""
    rank, suit = card.split()
    return SUITS.index(suit) * 8 + RANKS.index(rank)


def name(card: int) -> str:
    """A card in our notation."""
    suit, rank = divmod(card, 8)
    return f"{RANKS[rank]} {SUITS[suit]}"


def make(state: State, notation: str) -> None:
    """Make a move here."""
    state.push(next(move for move in state.legal_moves if move.notation == notation))


def contested(seed: int) -> tuple[State, Any, int]:
    """A deal on both sides up to the first trick, and who plays alone."""
    rng = random.Random(seed)
    order: list[int] = []

    def shuffled(event: ChanceEvent) -> list[int]:
        result = rng.sample(range(event.size), event.size)
        order.extend(number(event.faces[place]) for place in result)
        return result

    state = load("skat", 3, {"deals": 1, "first_dealer": "cleo"}).start(seed, chance=shuffled)
    spiel = pyspiel.load_game("skat").new_initial_state()
    while spiel.is_chance_node():
        spiel.apply_action(order.pop(0))
    soloist, contract = rng.randrange(3), rng.randrange(6)
    for notation in BIDDING[soloist]:
        make(state, notation)
    for action in [*[PASS] * soloist, FIRST_CONTRACT + contract]:
        spiel.apply_action(action)
    make(state, "pick_up")
    # Several cards are chosen in the order in which they are declared here.
    discards = sorted(rng.sample(spiel.legal_actions(), 2), key=lambda card: (card % 8, card // 8))
    for card in discards:
        spiel.apply_action(card)
    for card in discards:
        make(state, f"choose({name(card)})")
    make(state, f"declare({CONTRACTS[contract]})")
    return state, spiel, soloist


def played(seed: int) -> None:
    """A random deal in step."""
    (state, spiel, soloist), rng = contested(seed), random.Random(seed)
    null = "Game Type: null" in str(spiel)
    while not spiel.is_terminal():
        assert state.player == state.game.seats[spiel.current_player()]
        moves = {f"play({name(card)})": card for card in spiel.legal_actions()}
        assert {move.notation for move in state.legal_moves} == set(moves)
        notation = rng.choice(sorted(moves))
        spiel.apply_action(moves[notation])
        make(state, notation)
    assert state.over
    score = float(str(state.evaluate(f"score[{state.game.seats[soloist]}]")))
    found = re.search(r"Points \(Solo / Team\): \((\d+) / (\d+)\)", str(spiel))
    assert found is not None
    if null:
        assert (score > 0) == (int(found[1]) > int(found[2]))
    else:
        assert state.evaluate("card_points") == int(found[1])
        if int(found[1]) <= 60:
            assert score < 0


@pytest.mark.skipif(pyspiel is None, reason="OpenSpiel is not installed: pip install 'regelwerk[classic]'")
def test_random_deals_in_step(long_run: bool) -> None:
    for seed in range(1000 if long_run else 20):
        played(seed)
