"""Playouts by one generated function, several times as fast as those of `playouts.py`.

No command uses them yet: in about one generated test game of two hundred they differ from the games of the program.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from interpreter.analysis.playouts import Playout, play_at_random, seeds_of
from interpreter.game import Game
from interpreter.random_games import random_games


def fast_playouts(game: Game, games: int, seed: int = 0) -> Iterator[Playout]:
    """Play random games with the seeds `seed`, `seed + 1`, ...; one with a fault is played again by the program.

    Raises UsageError for wrong arguments, and PlayError if a game ends in an error.
    """
    return random_games(game.program).play(seeds_of(game, games, seed), Playout, partial(play_at_random, game))
