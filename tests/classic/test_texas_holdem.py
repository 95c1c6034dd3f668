"""Texas hold'em beside PokerKit: which hand is better, and matches move by move with the chips of all seats.

PokerKit comes with the extra `classic`. A single hand without all-ins, which is what OpenSpiel has of this game, is
compared with OpenSpiel like the other classic games, and so is what a seat knows.

Left to the examples: a big blind that a seat cannot pay in full, and who shows a hand if somebody was all-in, since
PokerKit has everybody show then. Ours has no antes, no dead buttons and no new stacks, and bets are not completed.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import lru_cache
from typing import Any

import pytest

from interpreter.play.game import Game, load
from interpreter.runtime.chance import ChanceEvent
from tests.classic.limit_holdem import Match, Stakes, card

try:
    import pokerkit
except ImportError:
    pokerkit: Any = None

pytestmark = pytest.mark.skipif(pokerkit is None, reason="PokerKit is not installed: pip install 'regelwerk[classic]'")

STAKES = [
    Stakes(hands=6, stack=10, small_bet=2, bets_a_round=4),
    Stakes(hands=5, stack=23, small_bet=4, bets_a_round=4),
    Stakes(hands=5, stack=17, small_bet=5, bets_a_round=3),
    Stakes(hands=4, stack=40, small_bet=3, bets_a_round=10),
    Stakes(hands=3, stack=200, small_bet=6, bets_a_round=2),
]
MATCHES, MATCHES_LONG = 12, 500
HANDS, HANDS_LONG = 2_000, 100_000
HIGH = {"ten", "jack", "queen", "king", "ace"}
RARE = {"side pot", "split pot", "odd chip", "not reopened"}


@lru_cache
def game(players: int, stakes: Stakes) -> Game:
    options = {
        "hands": stakes.hands,
        "stack": stakes.stack,
        "small_bet": stakes.small_bet,
        "bets_a_round": stakes.bets_a_round,
        "first_button": "ben",
    }
    return load("texas_holdem", players, options)


def in_step(players: int, stakes: Stakes, seed: int) -> Counter[str]:
    """Play a random match on both sides, and count what happened in it."""
    rng = random.Random(seed)
    weights = {"fold": rng.choice((0.1, 0.4, 1.0)), "bet": 2.0, "raise": rng.choice((0.5, 1.0, 3.0))}
    here = game(players, stakes)
    there = Match(pokerkit, here.seats, stakes, "ben")

    def shuffled(event: ChanceEvent) -> list[int]:
        assert event.kind == "shuffle"
        order = rng.sample(range(event.size), event.size)
        if rng.random() < 0.5:  # few ranks on top, so that many hands are equal
            order.sort(key=lambda place: event.faces[place].split()[0] not in HIGH)
        there.packs.append([event.faces[place] for place in order])
        return order

    state = here.start(seed=seed, chance=shuffled)
    while True:
        there.settle()
        if there.over or there.short_blind:
            break
        assert state.player == there.player
        moves = there.moves()
        assert {move.notation: move.label for move in state.legal_moves} == moves
        notes = state.view(None).notes
        chips = {seat: (notes[f"chips[{seat}]"], notes[f"in_front[{seat}]"]) for seat in here.seats}
        assert chips == there.in_play()
        move = rng.choices(list(moves), [weights.get(name, 1.0) for name in moves])[0]
        there.make(move)
        state.push(move)
    if there.over:
        assert state.over
        view = state.view(None)
        assert {seat: view.notes[f"chips[{seat}]"] for seat in here.seats} == there.chips
        if (shown := there.shown()) is not None:
            assert {seat for seat in here.seats if view.zones[f"shown[{seat}]"].count} == shown
    return there.seen


@pytest.mark.parametrize("players", [2, 6, 10])
def test_random_matches_in_step(players: int, long_run: bool) -> None:
    seen: Counter[str] = Counter()
    for seed in range(MATCHES_LONG if long_run else MATCHES):
        seen += in_step(players, STAKES[seed % len(STAKES)], seed)
    assert players == 2 or seen.keys() >= RARE


def test_hands_are_ranked_alike(long_run: bool) -> None:
    """Hands of one rank there have one value here, better ranks higher values; the categories are the same."""
    wanted = HANDS_LONG if long_run else HANDS
    here = game(2, STAKES[0])
    sevens = [f"{{{', '.join(f'nth({7 * hand + place}, deck)' for place in range(1, 8))}}}" for hand in range(6)]
    values: dict[int, tuple[int, str]] = {}
    for seed in range(-(-wanted // len(sevens))):
        state = here.start(seed=seed)
        for seven in sevens:
            cards = "".join(map(card, state.evaluate(seven)))
            hand = pokerkit.StandardHighHand.from_game(cards)
            value = state.evaluate(f"value({seven})")
            assert values.setdefault(hand.entry.index, (value, cards))[0] == value, cards
            assert state.evaluate(f"category({seven})") == hand.entry.label.name.lower(), cards
    best_first = [values[rank][0] for rank in sorted(values, reverse=True)]
    assert best_first == sorted(set(best_first), reverse=True)
