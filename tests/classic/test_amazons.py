"""Amazons in step with OpenSpiel, where an amazon and its goal are two decisions."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from interpreter.play.game import Game, State, load
from tests.classic.twin import Spiel, by_winners

try:
    import pyspiel
except ImportError:
    pyspiel: Any = None

pytestmark = pytest.mark.skipif(pyspiel is None, reason="OpenSpiel is not installed: pip install 'regelwerk[classic]'")


def square(spiel: Spiel, action: int) -> str:
    """The square of an action; there rows are counted from the top."""
    row, column = map(int, re.findall(r"\d+", spiel.action_to_string(spiel.current_player(), action)))
    return f"{'abcdefghij'[column - 1]}{11 - row}"


def moves_of(spiel: Spiel) -> dict[str, tuple[int, int]]:
    """The moves of an amazon, each with the two actions that it is there."""
    moves = {}
    for action in spiel.legal_actions():
        after = spiel.child(action)
        for goal in after.legal_actions():
            moves[f"go({square(spiel, action)}, {square(after, goal)})"] = (action, goal)
    return moves


def make(state: State, notation: str) -> None:
    (move,) = (move for move in state.legal_moves if move.notation == notation)
    state.push(move)


def in_step(game: Game, seed: int) -> None:
    rng, state, spiel = random.Random(seed), game.start(seed), pyspiel.load_game("amazons").new_initial_state()
    while state.player is not None:
        assert state.game.seats.index(state.player) == spiel.current_player()
        moves = moves_of(spiel)
        assert {move.notation for move in state.legal_moves} == set(moves)
        chosen = rng.choice(sorted(moves))
        make(state, chosen)
        for action in moves[chosen]:
            spiel.apply_action(action)
        arrows = {f"shoot({square(spiel, action)})": action for action in spiel.legal_actions()}
        assert {move.notation for move in state.legal_moves} == set(arrows)
        chosen = rng.choice(sorted(arrows))
        make(state, chosen)
        spiel.apply_action(arrows[chosen])
    assert spiel.is_terminal()
    assert list(spiel.returns()) == by_winners(state, spiel)


def test_random_games_in_step(long_run: bool) -> None:
    game = load("amazons")
    for seed in range(50 if long_run else 2):
        in_step(game, seed)
