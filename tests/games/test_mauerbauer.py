"""Mauerbauer played by people who close and join cities as soon as they can, beside the model in plain Python.

At random few cities are closed; so, there are many, rings and rows of them, and games end in every way.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.games import comparing_mauerbauer as beside
from tests.games.playing import COUNTS, Shuffles, dealt, game_of, settings

NAME = "mauerbauer"
SEEN = 0.05
"""How often the whole table is compared; the legal moves are at every decision."""


@pytest.mark.parametrize("players", COUNTS[NAME])
def test_every_decision_where_cities_are_closed(players: int, long_run: bool) -> None:
    joined = ends = 0
    ways = settings(NAME, players) * 5 if long_run else dealt(NAME, players)[1:]
    for number, options in enumerate(ways):
        chance, draw = Shuffles(number), random.Random(number)
        state = game_of(NAME, players, options).start(chance=chance)
        other = beside.begun(state, chance)
        while state.player is not None:
            if long_run or draw.random() < SEEN:
                beside.same_table(state, state.view(None), other)
            moves = state.legal_moves
            legal = [beside.meant(move, other) for move in moves]
            assert Counter(legal) == Counter(other.legal), (options, number, state.ply)
            chosen = beside.eagerly(moves, other, draw)
            joined += legal[chosen][0] == "merge"
            state.push(moves[chosen])
            other.do(legal[chosen])
        beside.same_table(state, state.view(None), other)
        beside.same_end(state, other)
        ends |= 1 << bool(other.city)
    assert joined > 10
    assert not long_run or ends == 3, "the last turn closes a city in some games, and closes none in others"
