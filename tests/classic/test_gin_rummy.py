"""Gin rummy in lockstep with OpenSpiel's up to a knock: what is left over in both hands, and who may knock when.

Excluded is what OpenSpiel does differently: it lets a player discard the card just taken; its players lay melds and
cards off one by one, ours have the best melds laid for them; at two cards of the stock ours end, its players may knock.
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

SUITS = ["spades", "clubs", "diamonds", "hearts"]
RANKS = ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"]
TAKE, DRAW, PASS, KNOCK = 52, 53, 54, 55


def number(card: str) -> int:
    """OpenSpiel's number of a card."""
    rank, suit = card.split()
    return SUITS.index(suit) * 13 + RANKS.index(rank)


def deadwood(spiel: Any) -> list[int]:
    """What is left over in both hands there, as its text says."""
    return [int(found) for found in re.findall(r"Deadwood=(\d+)", str(spiel))]


class Game:
    """A game here, and the same cards and moves there."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.order: list[int] = []
        self.state: State = load("gin_rummy", 2, {"dealer": "ben"}).start(seed, chance=self._shuffled)
        self.spiel = pyspiel.load_game("gin_rummy").new_initial_state()
        self.deal()

    def _shuffled(self, event: ChanceEvent) -> list[int]:
        result = self.rng.sample(range(event.size), event.size)
        self.order = [number(event.faces[place]) for place in result]
        return result

    def deal(self) -> None:
        """Give there what is drawn here."""
        while self.spiel.is_chance_node():
            self.spiel.apply_action(self.order.pop(0))

    def make(self, notation: str) -> None:
        """Make a move of ours on both sides."""
        verb, _, card = notation.rstrip(")").partition("(")
        self.spiel.apply_action({"take": TAKE, "draw": DRAW, "done": PASS}.get(verb) or number(card))
        self.deal()
        self.state.push(next(move for move in self.state.legal_moves if move.notation == notation))


def played(seed: int) -> bool:
    """A random game until somebody may knock; False if nobody ever may."""
    game = Game(seed)
    while game.state.player is not None:
        if game.spiel.is_terminal() or "Phase: Wall" in str(game.spiel):
            return False
        if game.spiel.legal_actions() == [DRAW]:  # both have left the first card: ours draws by itself
            game.spiel.apply_action(DRAW)
            game.deal()
        for seat, left in zip(game.state.game.seats, deadwood(game.spiel), strict=True):
            if game.state.evaluate(f"count hand[{seat}]") == 10:  # with eleven cards, there one is left out
                assert game.state.evaluate(f"deadwood(hand[{seat}])") == left
        moves = [move.notation for move in game.state.legal_moves]
        legal = game.spiel.legal_actions()
        knocks = [number(move.removeprefix("knock(").rstrip(")")) for move in moves if move.startswith("knock")]
        taken = [number(str(card)) for card in game.state.evaluate("taken")]
        if KNOCK in legal:
            after = game.spiel.child(KNOCK)
            assert sorted(knocks) == [card for card in after.legal_actions() if card not in taken]
            return True
        assert not knocks
        others = [card for card in legal if card < TAKE and card not in taken]
        assert sorted(number(move[8:-1]) for move in moves if move.startswith("discard")) == others
        game.make(game.rng.choice(best(game, moves)))
    return False


def best(game: Game, moves: list[str]) -> list[str]:
    """The discards after which least is left over, so that hands improve; of other moves all."""
    if not moves[0].startswith("discard"):
        return moves
    left = {}
    for move in moves:
        after = game.spiel.child(number(move[8:-1]))
        left[move] = deadwood(after)[game.spiel.current_player()]
    return [move for move in moves if left[move] == min(left.values())]


@pytest.mark.skipif(pyspiel is None, reason="OpenSpiel is not installed: pip install 'regelwerk[classic]'")
def test_random_games_in_step_until_somebody_may_knock(long_run: bool) -> None:
    knocked = [played(seed) for seed in range(400 if long_run else 8)]
    assert any(knocked)
