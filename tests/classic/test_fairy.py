"""Chess of other countries in step with Fairy-Stockfish, which comes with the extra `classic` as pyffish.

Its moves are those of UCI, a place and a place. It ends games by other rules of repetition, so moves are compared as
long as both sides play; and that nobody can move is the end on both.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from interpreter.analysis.perft import perft
from interpreter.play.game import State, load

pyffish = pytest.importorskip("pyffish", reason="pyffish is not installed: pip install 'regelwerk[classic]'")


@dataclass(frozen=True)
class Kin:
    """A game of ours, what it is called there, and what a move is called there; `counts` is the published perft."""

    name: str
    fairy: str
    called: Callable[[str], str]
    counts: tuple[int, ...]


def plain(notation: str) -> str:
    """`go(a1, a2)` is `a1a2`."""
    if notation == "stay":
        return PASS
    start, end = notation.removeprefix("go(").removesuffix(")").split(", ")
    return start + end


PASS = "pass"

PROMOTED = "m"
"""What follows a move there that changes the man as it must."""

LONGEST = 100

KIN = [
    Kin("xiangqi", "xiangqi", plain, (44, 1_920, 79_666)),
    Kin("makruk", "makruk", plain, (23, 529, 12_012)),
    Kin("janggi", "janggicasual", plain, (32, 1_024, 33_316)),
]
by_name = pytest.mark.parametrize("kin", KIN, ids=lambda kin: kin.name)


@by_name
def test_random_games_in_step(kin: Kin, long_run: bool) -> None:
    game, start = load(kin.name), pyffish.start_fen(kin.fairy)
    for seed in range(100 if long_run else 1):
        rng, state, made = random.Random(seed), game.start(seed), list[str]()
        while state.player is not None and len(made) < LONGEST:
            moves = {kin.called(move.notation): move for move in state.legal_moves}
            theirs = {plain_there(move): move for move in pyffish.legal_moves(kin.fairy, start, made)}
            assert moves.keys() == theirs.keys(), made
            chosen = rng.choice(sorted(moves))
            state.push(moves[chosen])
            made.append(theirs[chosen])
        assert is_even(state) or not pyffish.legal_moves(kin.fairy, start, made)


def plain_there(move: str) -> str:
    """A move there as two places; who passes goes from a place to itself."""
    move = move.rstrip(PROMOTED)
    half = len(move) // 2
    return PASS if move[:half] == move[half:] else move


def is_even(state: State) -> bool:
    """Whether a game is a draw, or still goes on."""
    return state.outcome is None or not state.outcome.winners


@pytest.mark.long
@by_name
def test_perft_of_the_start(kin: Kin) -> None:
    assert tuple(level.nodes for level in perft(load(kin.name), len(kin.counts)).levels) == kin.counts
