"""One game played by everything that can play it: Python with and without passes, and the machine engine."""

from __future__ import annotations

from interpreter.play.game import Game
from tests.interpreter.lockstep import play, programs, same_playout
from tests.interpreter.machine.comparing import compared
from tests.interpreter.machine.walking import Walk


def same_in_every_engine(game: Game, seeds: int = 4, random_games: int = 10, steps: int = 60) -> None:
    """Compare all engines at every decision of some games. Raises Difference where they differ."""
    python = programs(game)
    for seed in range(seeds):
        same_playout(game, seed, play(python, len(game.seats), seed, journal=seed % 2 == 1))
    compared(game, 0, random_games)
    Walk(game, 0).go(steps)
