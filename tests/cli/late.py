"""Saves of random games that are nearly over: the end of a game on the screen costs less than the whole game."""

from __future__ import annotations

from pathlib import Path

from interpreter.analysis.random_choices import random_move
from interpreter.play.game import load
from interpreter.play.saves.files import SaveMeta, write_save


def write_late(path: Path, game: str | Path, players: int | None, seed: int, left: int) -> None:
    """Save a game of random moves `left` decisions before its end, or its set-up; a person has the first seat."""
    state = load(game, players).start(seed)
    while not state.over:
        state.push(random_move(state))
    for _ in range(min(left, state.ply)):
        state.pop()
    people, *bots = state.game.seats
    write_save(path, state, SaveMeta({people: "human", **dict.fromkeys(bots, "random")}), durable=False)
