"""`python -m benchmarks.classic`: the classic games in the machine engine, compared with OpenSpiel driven from Python.

OpenSpiel's games are written in C++ and driven from Python at each decision: legal actions, one at random.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any

from benchmarks.figures import Figure, shown, table
from benchmarks.machine import PART, ours
from benchmarks.paired import compared, timed
from interpreter.play.game import load

GAMES = {
    "tic_tac_toe": "tic_tac_toe",
    "connect_four": "connect_four",
    "breakthrough": "breakthrough",
    "hex": "hex",
    "othello": "othello",
    "checkers": "checkers",
    "nine_mens_morris": "nine_mens_morris",
    "mancala": "mancala",
    "backgammon": "backgammon(max_player_turns=100000)",
    "pig": "pig(horizon=100000)",
    "nim": "nim",
    "kuhn_poker": "kuhn_poker",
    "leduc_poker": "leduc_poker",
    "liars_dice": "liars_dice",
    "goofspiel": "turn_based_simultaneous_game(game=goofspiel())",
    "go_fish": "go_fish",
    "hearts": "hearts",
    "go": "go(board_size=9,max_game_length=100000)",
    "chess": "chess",
}
"""Our name, and OpenSpiel's with its settings."""


def measure(_: str, rounds: int, span: float) -> list[Figure]:
    """The classic games in the machine engine, against OpenSpiel."""
    return list(open_spiel(rounds, span, GAMES))


def open_spiel(rounds: int, span: float, names: Iterable[str]) -> Iterator[Figure]:
    """Random games, with the fewest players."""
    spiel = installed()
    for name in names if spiel is not None else ():
        sides = timed(ours(load(name), "machine")), timed(there(spiel.load_game(GAMES[name])))
        found = compared(*sides, rounds, span * PART)
        speeds = f"{shown(found.first)} against {shown(found.second)} games/s"
        yield Figure(f"{name} in the machine engine against OpenSpiel", "times", found.ratios, speeds)


def installed() -> Any:
    """OpenSpiel, or None with a note."""
    try:
        return importlib.import_module("pyspiel")
    except ImportError:
        print("OpenSpiel is not installed, nothing to compare with: pip install 'regelwerk[classic]'", file=sys.stderr)
        return None


def there(game: Any) -> Callable[[int, int], float]:
    """OpenSpiel's random games."""

    def play(seed: int, games: int) -> float:
        for number in range(seed, seed + games):
            rng, state = Random(number), game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(rng.choices(outcomes, weights)[0])
                else:
                    state.apply_action(rng.choice(state.legal_actions()))
        return games

    return play


if __name__ == "__main__":
    print(table(measure("", 7, 1.0)))
