"""Positions of random games, for the properties of a game."""

from __future__ import annotations

import random
from collections.abc import Iterator

from interpreter import State
from interpreter.game import seat_game
from interpreter.loading.rules import Rules


def opening(rules: Rules, players: int, seed: int, options: dict[str, str] | None = None) -> State:
    """A game at its first decision."""
    return seat_game(rules, players, options or {}).start(seed)


def positions(rules: Rules, players: int, seed: int, options: dict[str, str] | None = None) -> Iterator[State]:
    """Every tenth position of a random game, and the last."""
    state = opening(rules, players, seed, options)
    draw = random.Random(seed)
    while not state.over:
        if state.ply % 10 == 0:
            yield state
        state.push(draw.choice(state.legal_moves))
    yield state
