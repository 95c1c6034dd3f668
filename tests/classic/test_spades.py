"""Spades in lockstep with OpenSpiel's, which plays single hands; one after the other they make a game of ours.

Compared are the seat to move, its legal moves, and what each side scores in a hand: contract, bags, tenth bag, nils.
OpenSpiel has no games of several hands, so what follows from the scores (the end, the winners, the next dealer, the
bags that remain) is compared with what `Hands` works out. Excluded is what OpenSpiel does differently:

- It never notes that spades are broken, and offers a lead of spades only from a hand of nothing else. It accepts such
  a lead, so `Mended` adds those that it should offer.
- It reads the bags so far off the last digit of the score, rounding towards zero, which goes wrong below zero. It is
  given the bags themselves as the score of the earlier hands.
- `win_or_loss_bonus` rewards a hand that decides the game, by `win_threshold` or `use_mercy_rule`. No rules of spades
  score that, so all of it is switched off.
- It has no information states, and `num_tricks` says how many tricks its observations hold. What a seat knows is
  tested here by resampling.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from interpreter.play.game import State, load
from tests.classic.twin import Pack, Pair, Spiel, Twin
from tests.classic.twins import RANKS, SUITS
from tests.support.resampling import resampled

try:
    import pyspiel
except ImportError:
    pyspiel: Any = None

compared = pytest.mark.skipif(pyspiel is None, reason="OpenSpiel is not installed: pip install 'regelwerk[classic]'")

GAMES, GAMES_LONG = 15, 900
TABLES = ((50, 350), (100, 100), (500, 500))
"""What is played to: the options `goal` and `mercy`."""

FIRST_BID = 52
FIRST_SPADE = 39
SIDES = ("north_south", "east_west")
OPENSPIEL = "spades(use_mercy_rule=false,win_threshold=100000,win_or_loss_bonus=0)"


def card(name: str) -> int:
    """OpenSpiel's number of a card."""
    rank, suit = name.split()
    return SUITS.index(suit) * 13 + RANKS.index(rank)


def called(spiel: Spiel, action: int) -> str:
    """Our notation of an action."""
    if action >= FIRST_BID:
        return f"bid({action - FIRST_BID})"
    suit, rank = divmod(action, 13)
    return f"play({RANKS[rank]}{SUITS[suit]})"


def twin(options: Mapping[str, int]) -> Twin:
    """The game with these options. West deals first, so that north is the first to bid."""

    def shuffled(event: Any, result: Any) -> Pack:
        return Pack([card(event.faces[place]) for place in result], event.size)

    return Twin("spades", OPENSPIEL, called, options={**options, "first_dealer": "west"}, players=4, feed=shuffled)


class Mended:
    """A hand of OpenSpiel that may be led with spades once they are broken."""

    def __init__(self, spiel: Spiel) -> None:
        self.spiel = spiel

    def __getattr__(self, name: str) -> Any:
        return getattr(self.spiel, name)

    def __str__(self) -> str:
        return str(self.spiel)

    def legal_actions(self) -> list[int]:
        """Its legal actions, and the missing leads."""
        legal, history = set(self.spiel.legal_actions()), self.spiel.history()
        dealt, played = history[:52], history[56:]
        if len(played) % 4 == 0 and any(each >= FIRST_SPADE for each in played):
            own = dealt[self.spiel.current_player() :: 4]
            legal |= {each for each in own if each >= FIRST_SPADE and each not in played}
        return sorted(legal)

    def tricks(self) -> list[int]:
        """How many tricks each seat has taken, from its text."""
        numbers = str(self.spiel).partition("Tricks taken:")[2].splitlines()[3]
        return [int(number) for number in numbers.split()]


class Hands(Pair):
    """A game of ours beside hands of OpenSpiel. `met` counts what became of bids."""

    def __init__(self, options: Mapping[str, int], seed: int) -> None:
        self.options = options
        self.hands, self.scores, self.bags = 0, [0, 0], [0, 0]
        self.met: Counter[str] = Counter()
        super().__init__(twin(options), pyspiel, seed)

    @property
    def first(self) -> int:
        """The seat that is the first to bid and to lead in the present hand."""
        return (self.hands - 1) % 4

    def settle(self) -> None:
        """Begin the first hand; after the last trick of a hand score it, and begin the next."""
        if self.spiel.is_terminal():
            self.score()
        elif self.hands:
            return
        if not self.state.over:
            self.begin()

    def begin(self) -> None:
        """Deal what was dealt here: thirteen cards to each seat, which come one by one there."""
        self.hands += 1
        pack = self.packs[-1]
        pack.cards = [pack.cards[13 * ((seat - self.first) % 4) + turn] for turn in range(13) for seat in range(4)]
        self.spiel = Mended(pyspiel.load_game(OPENSPIEL).new_initial_state())
        self.spiel.set_current_scores(self.bags)
        super().settle()
        self.spiel.set_current_player(self.first)

    def score(self) -> None:
        """Compare the scores after a hand, and whether it was the last."""
        taken, gains = self.spiel.tricks(), self.spiel.returns()
        bids = [self.spiel.history()[52 + (seat - self.first) % 4] - FIRST_BID for seat in range(4)]
        for side, name in enumerate(SIDES):
            over = sum(taken[side::2]) - sum(bids[side::2])
            self.met["made" if over >= 0 else "failed"] += 1
            self.met["ten bags"] += self.bags[side] + over >= 10
            self.bags[side] = (self.bags[side] + max(over, 0)) % 10
            self.scores[side] += int(gains[side])
            assert self.state.evaluate(f"score[{name}]") == self.scores[side]
            assert self.state.evaluate(f"bags[{name}]") == self.bags[side]
        self.met.update("nil failed" if taken[seat] else "nil" for seat in range(4) if not bids[seat])
        best, worst = max(self.scores), min(self.scores)
        far = best >= self.options["goal"] or worst <= -self.options["mercy"]
        assert self.state.over == (far and best != worst)


def played(options: Mapping[str, int], seed: int) -> Hands:
    """A random game to its end. So that some bids are made, most are small, and low cards follow a bid of nil."""
    hands, nils = Hands(options, seed), set[int]()
    while moves := hands.moves():
        seat, rng, notations = hands.spiel.current_player(), hands.rng, {hands.actions[move]: move for move in moves}
        actions = sorted(notations, key=lambda action: action % 13)
        if actions[0] >= FIRST_BID:
            action = rng.choice(sorted(actions)[: rng.choice((2, 4, 4, 6, 14))])
            (nils.add if action == FIRST_BID else nils.discard)(seat)
        else:
            action = actions[0] if seat in nils else rng.choice([*actions, actions[-1], actions[-1]])
        hands.make(notations[action])
    outcome, ours = hands.state.outcome, hands.scores[0] > hands.scores[1]
    assert outcome is not None
    assert sorted(outcome.winners) == sorted(("north", "south") if ours else ("east", "west"))
    return hands


@compared
def test_random_games_in_step(long_run: bool) -> None:
    met: Counter[str] = Counter()
    for seed in range(GAMES_LONG if long_run else GAMES):
        goal, mercy = TABLES[seed % len(TABLES)]
        met += played({"goal": goal, "mercy": mercy}, seed).met
    assert met.keys() == {"made", "failed", "ten bags", "nil", "nil failed"}


def known_to(state: State, seat: str) -> object:
    """All that a seat sees and may do."""
    return state.view(seat), [str(move) for move in state.legal_moves] if state.player == seat else []


def test_nobody_can_tell_hands_of_others_apart_in_any_hand() -> None:
    rng = random.Random(5)
    state, met = load("spades").start(seed=5), set[object]()
    while state.player is not None:
        if rng.random() < 0.1:
            met.add(state.evaluate("round(hand)"))
            for seat in state.game.seats:
                assert known_to(resampled(state, seat, rng.getrandbits(30)), seat) == known_to(state, seat)
        state.push(rng.choice(state.legal_moves))
    assert {1, 2} <= met
