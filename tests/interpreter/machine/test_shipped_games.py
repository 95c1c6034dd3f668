"""Shipped games in the machine engine are those of Python: at random, and step by step, forward and back."""

from __future__ import annotations

import pytest

from interpreter.analysis.perft import perft_from
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.verifier import verify
from interpreter.play.game import load
from tests.interpreter.machine.comparing import NAMES, compared, machine_of, table_of
from tests.interpreter.machine.walking import Walk
from tests.recorded.tables import SITTINGS, game_at

GAMES, FEWER_GAMES = 20, {"chess": 4, "go": 2, "fells_and_becks": 8, "tallow_lane": 8, "backgammon": 8}
"""How many games are played in the normal run, all at one table."""

TABLES = 9
"""The normal run plays at one of the first tables: these are the fastest to set."""

STEPS, STEPS_IN_THE_LONG_RUN = 60, 400
IN_THE_LONG_RUN, CHUNKS = 10_000, 8
WIDEST = 60


@pytest.mark.parametrize("name", NAMES)
def test_a_table_of_each_game(name: str) -> None:
    """No shipped game is left to Python."""
    place = NAMES.index(name)
    game = game_at(table_of(name, place % TABLES))
    assert verify(machine_of(game).rules.module) == []
    assert compared(game, place * GAMES, FEWER_GAMES.get(name, GAMES))["games"]
    walk = Walk(game, place)
    assert walk.go(STEPS)["moves"]
    state = game.start(place)
    depth = 2 if len(state.legal_moves) < WIDEST else 1
    assert perft_from(state, depth, "machine") == perft_from(state, depth, "python")


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("name", NAMES)
def test_many_games(name: str, chunk: int) -> None:
    for number in range(chunk, SITTINGS, CHUNKS):
        game = game_at(table_of(name, number))
        games = IN_THE_LONG_RUN // SITTINGS
        compared(game, number * games, games)
        for seed in range(4):
            assert Walk(game, seed).go(STEPS_IN_THE_LONG_RUN)["moves"]


@pytest.mark.parametrize("name", ["connect_four", "othello"])
def test_decisions_that_follow_in_one_block(name: str) -> None:
    """The parts of their moves have the same names, though not the same values."""
    game = load(name)
    blocks = machine_of(game).rules.module.blocks.values()
    parts = [[node.names for node in st.walk(block.body) if isinstance(node, st.Decide)] for block in blocks]
    assert any(len(names) > len(set(names)) for names in parts)
    assert compared(game, 0, GAMES)["games"] == GAMES
