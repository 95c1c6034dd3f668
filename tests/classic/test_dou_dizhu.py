"""Dou dizhu in step with OpenSpiel from the first card.

Excluded is what differs: OpenSpiel lays several cards of a rank beside triplets, as some do; and by errors a run does
not begin with a rank of which the player has all four, and bombs beat both jokers. Four cards are not played with two
others there.
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

SEATS = ["ann", "ben", "cleo"]
RANKS = ["three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace", "two"]
RANKS += ["black_joker", "red_joker"]
LETTERS = "3456789TJQKA2"
FIRST_CARD = 51
"""OpenSpiel's number of the first card, a three; before it come the places of the card that says who begins."""


class Table:
    """A deal on both sides."""

    def __init__(self, seed: int) -> None:
        """Deal, with another seat as the first."""
        self.rng, self.first = random.Random(seed), seed % 3
        self.cards: list[int] = []
        options = {"deals": 1, "fours": False, "start": SEATS[self.first]}
        self.state: State = load("dou_dizhu", 3, options).start(seed, chance=self._shuffled)
        self.spiel = pyspiel.load_game("dou_dizhu").new_initial_state()
        self.spiel.apply_action(self.first)
        for turn in range(17):
            for seat in range(3):
                self.spiel.apply_action(self.cards[17 * ((seat - self.first) % 3) + turn])

    def _shuffled(self, event: ChanceEvent) -> list[int]:
        result = self.rng.sample(range(event.size), event.size)
        suits = dict.fromkeys(RANKS, 0)
        for place in result:
            rank = event.faces[place]
            number = RANKS.index(rank)
            self.cards.append(FIRST_CARD + (number + 13 * suits[rank] if number < 13 else 39 + number))
            suits[rank] += 1
        return result

    def called(self, action: int) -> str | None:
        """Our notation of an action; None if there is none."""
        words = self.spiel.action_to_string(self.spiel.current_player(), action)
        if words == "Pass" or words.startswith("Bid"):
            return words.lower().replace(" ", "(") + ")" * words.startswith("Bid")
        if words == "(BWJ)(CJ)":
            return "play_rocket"
        run, _, others = words.partition("-")
        counts, beside = counted(run), counted(others)
        if not others and 3 in counts.values() and len(counts) == 2 and set(counts.values()) != {3}:
            beside = {rank: number for rank, number in counts.items() if number < 3}
            counts = {rank: 3 for rank, number in counts.items() if number == 3}
        lowest, number = min(counts), next(iter(counts.values()))
        if not beside:
            return (
                f"play({number}, {RANKS[lowest]})"
                if len(counts) == 1
                else (f"play_run({number}, {len(counts)}, {RANKS[lowest]})")
            )
        if len(beside) < len(counts):
            return None
        names = ", ".join(RANKS[rank] for rank in sorted(beside))
        return f"play_with(3, {len(counts)}, {RANKS[lowest]}, {next(iter(beside.values()))}, {{{names}}})"

    def is_left_out_there(self, notation: str) -> bool:
        """Whether OpenSpiel misses a move of ours."""
        found = re.match(r"play_run\(\d, \d+, (\w+)\)", notation)
        return bool(found) and self.state.evaluate(f"count hand[{self.state.player}] of {found[1]}") == 4


def counted(words: str) -> dict[int, int]:
    """How many cards of each rank OpenSpiel writes."""
    cards = re.findall(r"\(BWJ\)|\(CJ\)|.", words)
    ranks = [{"(BWJ)": 13, "(CJ)": 14}.get(card) or LETTERS.index(card) for card in cards]
    return {rank: ranks.count(rank) for rank in ranks}


@pytest.mark.skipif(pyspiel is None, reason="OpenSpiel is not installed: pip install 'regelwerk[classic]'")
def test_random_deals_in_step(long_run: bool) -> None:
    for seed in range(500 if long_run else 4):
        table = Table(seed)
        state, spiel = table.state, table.spiel
        while state.player is not None:
            assert SEATS.index(state.player) == spiel.current_player()
            there = {table.called(action): action for action in spiel.legal_actions()}
            here = {move.notation for move in state.legal_moves if not table.is_left_out_there(move.notation)}
            there.pop(None, None)
            if str(state.evaluate("lowest_rank")) == "red_joker" and state.evaluate("height") == 4:
                there = {"pass": there["pass"]}
            assert here == there.keys()
            notation = table.rng.choice(sorted(here))
            spiel.apply_action(there[notation])
            state.push(notation)
        assert spiel.is_terminal()
        assert spiel.returns() == [float(str(state.evaluate(f"score[{seat}]"))) for seat in SEATS]
