"""Positions of shipped games that random moves lead to."""

from __future__ import annotations

import random

from interpreter.play.game import State, load


def played(name: str, decisions: int, seed: int = 5, *, with_choice: bool = False) -> State:
    """A game in which some decisions have been made, or that is over before; there is a choice to make if wanted."""
    state = load(name).start(seed=seed)
    rng = random.Random(seed)
    while not state.over and (state.ply < decisions or (with_choice and len(state.legal_moves) < 2)):
        state.push(rng.choice(state.legal_moves))
    return state
