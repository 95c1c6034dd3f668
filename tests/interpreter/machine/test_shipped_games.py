"""Shipped games in the machine engine are those of Python: at random, and step by step, forward and back."""

from __future__ import annotations

import pytest

from benchmarks import scaling
from interpreter.analysis.perft import perft_from
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.verifier import verify
from interpreter.compiler.machine import printing
from interpreter.engine.machine import games
from interpreter.engine.machine.games import MachineGame
from interpreter.play.game import load
from tests.interpreter.machine.comparing import NAMES, compared, machine_of, table_of
from tests.interpreter.machine.walking import Walk
from tests.recorded.tables import SITTINGS, game_at
from tests.support.long_run import one_in

GAMES, FEWER_GAMES = 20, {"chess": 4, "go": 2, "fells_and_becks": 8, "tallow_lane": 8, "backgammon": 8}
"""How many games are played in the normal run, all at one table."""

TABLES = 9
"""The normal run plays at one of the first tables: these are the fastest to set."""

STEPS, STEPS_IN_THE_LONG_RUN = 60, 400
IN_THE_LONG_RUN, CHUNKS = 10_000, 8
WIDEST = 60


@pytest.mark.parametrize("name", one_in(3, NAMES, 2))
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


@pytest.mark.parametrize("name", ["hare_and_hounds", "oware"])
def test_decisions_that_follow_in_one_block(name: str) -> None:
    """The parts of their moves have the same names, though not the same values."""
    game = load(name)
    blocks = machine_of(game).rules.module.blocks.values()
    parts = [[node.names for node in st.walk(block.body) if isinstance(node, st.Decide)] for block in blocks]
    assert any(len(names) > len(set(names)) for names in parts)
    assert compared(game, 0, GAMES)["games"] == GAMES


@pytest.mark.parametrize("size", [4, 6, 10, 12])
def test_lines_over_boards_of_any_size(size: int) -> None:
    """Sets of one to three words; the longest lines take one to four steps, each twice as long as the one before."""
    game = load(scaling.BOARDS[-1][1], options={"size": str(size)})
    assert compared(game, 0, 4)["games"] == 4


@pytest.mark.parametrize("moves_of_a_call", [1, 7])
def test_sequences_are_counted_in_several_calls(monkeypatch: pytest.MonkeyPatch, moves_of_a_call: int) -> None:
    """The moves that each level has listed are there in the next call, and moves are made as before afterwards."""
    monkeypatch.setattr(games, "MOVES_OF_A_CALL", moves_of_a_call)
    game = load("chess")
    state, other = (machine_of(game).state(game.start().cells) for _ in range(2))
    for number in (3, 5):
        assert state.push(number) and other.push(number)
    assert state.sequences(2, ends=False) == state.sequences(2, ends=False)
    for number in (1, 2, 0):
        assert state.push(number) and other.push(number)
    assert (state.key(), state.legal_moves()) == (other.key(), other.legal_moves())


@pytest.mark.parametrize("room", [1 << 16, printing.SCRATCH_BYTES])
@pytest.mark.parametrize("ends", [False, True])
def test_the_moves_of_each_level_are_listed_again_without_room_for_them(
    monkeypatch: pytest.MonkeyPatch, room: int, ends: bool
) -> None:
    monkeypatch.setattr(printing, "SCRATCH_BYTES", room)
    game = load("chess")
    sequences = MachineGame(game.program).state(game.start().cells).sequences(3, ends)
    assert sequences is not None and sequences.made == [20, 400, 8902]


def test_states_that_share_memory_do_not_share_moves() -> None:
    """A move is made from what was listed when its position was reached, unless something else was done since."""
    game = load("china")
    machine = machine_of(game)
    first, second, alone = (machine.state(game.start(seed).cells) for seed in (1, 2, 1))
    numbers = [3, 1, 2, 0, 5, 2]
    for number in numbers:
        assert first.push(number % first.count) and second.push((number + 1) % second.count)
    for number in numbers:
        assert alone.push(number % alone.count)
    assert first.key() == alone.key() != second.key()
    assert first.play(0, 2, 1).played == 2 and first.push(0) and alone.push(0)
    assert first.pop() and first.push(1) and alone.pop() and alone.legal_moves() and alone.push(1)
    assert (first.key(), first.legal_moves()) == (alone.key(), alone.legal_moves())
