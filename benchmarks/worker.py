"""Random games and single moves of one checkout, measured: `benchmarks/against.py` asks line by line.

This file also runs with the packages of an earlier commit, so it uses only the public package.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import regelwerk
from regelwerk import Game, load

Measured = Callable[[int, int], tuple[float, float]]
"""Plays a number of games from a seed on; returns the number of decisions and the seconds of processor time."""


def random_games(game: Game) -> Measured:
    """Random games in one call by generated Python."""
    game.backend = "python"

    def play(seed: int, games: int) -> tuple[float, float]:
        started = time.process_time()
        decisions = sum(played.decisions for played in game.playouts(games, seed))
        return decisions, time.process_time() - started

    return play


def move_by_move(game: Game) -> Measured:
    """Games with `legal_moves` and `push`, without the time that setting them up takes.

    The moves do not depend on how random ones are chosen, so that every version plays the same games.
    """

    def play(seed: int, games: int) -> tuple[float, float]:
        decisions, spent = 0, 0.0
        for number in range(seed, seed + games):
            state = game.start(number)
            started = time.process_time()
            while state.player is not None:
                moves = state.legal_moves
                state.push(moves[(state.ply * 7919 + number * 104729) % len(moves)])
            spent += time.process_time() - started
            decisions += state.ply
        return decisions, spent

    return play


def by_machine(game: Game) -> Measured:
    """Random games in one call by the machine engine."""
    from interpreter.arguments import BACKENDS

    backend: Any = "machine" if "machine" in BACKENDS else "native"  # what earlier commits had: a library in C

    def play(seed: int, games: int) -> tuple[float, float]:
        started = time.process_time()
        decisions = sum(game.playout_columns(games, seed, backend).decisions.tolist())
        return decisions, time.process_time() - started

    return play


KINDS = {"games": random_games, "machine": by_machine, "moves": move_by_move}


@cache
def measured(kind: str, game: str, players: int | None, size: int | None) -> Measured:
    """One kind of measurement of a game, loaded once, with a value of its option `size` if it has one."""
    return KINDS[kind](load(game, players=players, options={} if size is None else {"size": size}))


def main() -> None:
    """Report which packages are measured, then answer every request: kind, game, players, size, seed, games."""
    say(str(Path(regelwerk.__file__).parents[1]))
    for line in sys.stdin:
        *what, seed, games = json.loads(line)
        say(measured(*what)(seed, games))


def say(answer: object) -> None:
    """Write one line of JSON."""
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
