"""Positions of random games and their tables, for the properties of a game."""

from __future__ import annotations

import random
from collections.abc import Iterator

from interpreter import State, View
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


def texts(view: View, title: str) -> list[list[str]]:
    """The rows of a table as people read them; pieces by what they are."""
    table = next(table for table in view.tables if table.title == title)
    return [
        [" ".join(piece.name for piece in cell.pieces) if cell.kind == "pieces" else cell.text for cell in row]
        for row in table.rows
    ]
