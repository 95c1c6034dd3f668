"""Our classic games are the same games as OpenSpiel's: an implementation that others wrote, driven in step.

OpenSpiel comes with the extra `classic` and has no wheels for every machine. Where it is not installed these tests are
skipped; `run.py` says so when it sets up, and pytest when it ends.

OpenSpiel has no game like `no_thanks`, and liar's dice for two only; the examples and random games of `tests/games` try
these. Backgammon and Amazons have tests of their own, as decisions are divided otherwise there.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from interpreter.analysis.perft import perft, perft_from
from tests.classic.twin import Spiel, Twin, in_step
from tests.classic.twins import TWINS
from tests.support.library import REPRESENTATIVE
from tests.support.long_run import one_in

try:
    import pyspiel
except ImportError:
    pyspiel: Any = None

pytestmark = pytest.mark.skipif(pyspiel is None, reason="OpenSpiel is not installed: pip install 'regelwerk[classic]'")

FEW, MANY = 4, 200

by_name = pytest.mark.parametrize("twin", TWINS, ids=lambda twin: twin.spiel)


@by_name
def test_a_few_random_games_in_step(twin: Twin) -> None:
    for seed in range(FEW if twin.name in REPRESENTATIVE else 1):
        for _ in in_step(twin, pyspiel, seed):
            pass


@pytest.mark.long
@by_name
def test_many_random_games_in_step(twin: Twin) -> None:
    for seed in range(FEW, MANY + FEW):
        for _ in in_step(twin, pyspiel, seed):
            pass


def count(twin: Twin, spiel: Spiel, depth: int) -> tuple[int, int]:
    """The sequences of so many moves over OpenSpiel's states, and the games that end on the way."""
    if depth == 0:
        return 1, 0
    assert not spiel.is_chance_node()
    ways = over = 0
    for action in spiel.legal_actions():
        after = spiel.child(action)
        while not after.is_terminal() and twin.called(after, after.legal_actions()[0]) is None:
            after.apply_action(after.legal_actions()[0])
        more = (int(depth == 1), 1) if after.is_terminal() else count(twin, after, depth - 1)
        ways, over = ways + more[0], over + more[1]
    return ways, over


DEPTHS = {
    "tic_tac_toe": (5, 9), "connect_four": (4, 6), "breakthrough": (2, 3), "hex(board_size=5)": (2, 3),
    "othello": (4, 6), "checkers": (4, 6), "nine_mens_morris": (2, 3), "mancala": (4, 6), "nim": (3, 5),
    "twixt(board_size=5,ansi_color_output=false)": (2, 3),
    "gomoku(size=6)": (2, 3), "havannah(board_size=3)": (2, 4), "lines_of_action": (2, 3),
}  # fmt: skip


@pytest.mark.parametrize("twin", [twin for twin in TWINS if twin.spiel in DEPTHS], ids=lambda twin: twin.spiel)
def test_perft_of_the_start(twin: Twin, long_run: bool) -> None:
    depth = DEPTHS[twin.spiel][long_run]
    found = perft(twin.game(), depth)
    levels = found.levels
    spiel = pyspiel.load_game(twin.spiel).new_initial_state()
    assert (levels[-1].nodes, sum(level.over for level in levels)) == count(twin, spiel, depth)
    assert not found.chance
    if twin.spiel == "tic_tac_toe" and long_run:
        assert sum(level.over for level in levels) == 255_168


CHANCE_LATER = {
    "banqi",
    "einstein_wurfelt_nicht",
    "sealed_auction",
    "hanabi",
    "mensch_aergere_dich_nicht",
    "pig",
    "leduc_poker",
    "texas_holdem",
    "goofspiel",
    "go_fish",
    "crazy_eights",
    "blackjack",
}
"""Games whose moves lead to chance events there: random games compare these, counting moves does not."""

HUNDREDS_OF_MOVES = {"battleship", "gomoku", "havannah", "lines_of_action", "morpion_solitaire", "quoridor", "shogi"}
"""Games whose moves are too many to be counted to some depth, or do not depend on each other."""

NOT_COUNTED = CHANCE_LATER | HUNDREDS_OF_MOVES


@pytest.mark.parametrize(
    "twin", one_in(2, [twin for twin in TWINS if twin.name not in NOT_COUNTED]), ids=lambda twin: twin.spiel
)
def test_perft_of_positions_of_random_games(twin: Twin, long_run: bool) -> None:
    rng = random.Random(twin.spiel)
    for seed in range(10 if long_run else 1):
        compared = 0
        for pair in in_step(twin, pyspiel, seed):
            moves = len(pair.state.legal_moves)
            if moves and (not compared or rng.random() < 0.1):
                depth = 3 if moves <= 12 else 2 if moves <= 40 or long_run else 1
                found = perft_from(pair.state, depth)
                levels = found.levels
                assert (levels[-1].nodes, sum(level.over for level in levels)) == count(twin, pair.spiel, depth)
                assert not found.chance
                compared += 1
        assert compared
