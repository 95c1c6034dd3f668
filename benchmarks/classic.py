"""`python -m benchmarks.classic`: the classic games, compared with OpenSpiel driven from Python.

Both play random games alternately in the same run; figures are in processor time, so that other work on the machine
matters little. OpenSpiel's games are written in C++ and driven from Python at each decision: legal actions, one at
random.
"""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable
from random import Random
from statistics import median
from typing import Any

from benchmarks.figures import Figure, table
from interpreter import Game, load
from interpreter.analysis.playouts import playouts

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
    "no_thanks": None,
    "texas_holdem": None,
    "spades": None,
    "go": "go(board_size=9,max_game_length=100000)",
    "chess": "chess",
}
"""Our name, and OpenSpiel's with its settings; none if it has no such game."""

PART = 0.15
"""The fraction of the length of a playout measurement that one of these takes."""

Play = Callable[[int], object]


def measure(_: str, rounds: int, span: float) -> list[Figure]:
    """The classic games, and OpenSpiel's speed."""
    pyspiel = installed()
    return [one(name, other, pyspiel, rounds, span * PART) for name, other in GAMES.items()]


def installed() -> Any:
    """OpenSpiel, or None with a note."""
    try:
        return importlib.import_module("pyspiel")
    except ImportError:
        print("OpenSpiel is not installed, nothing to compare with: pip install 'regelwerk[classic]'", file=sys.stderr)
        return None


def one(name: str, other: str | None, pyspiel: Any, rounds: int, span: float) -> Figure:
    """Games per second of one game, alternating between the two."""
    game = load(name)
    ours, theirs = [], []
    for turn in range(rounds + 1):  # the first round warms up
        ours.append(speed(here(game), 1000 * turn, span))
        if pyspiel is not None and other is not None:
            theirs.append(speed(there(pyspiel.load_game(other)), 1000 * turn, span))
    note = "OpenSpiel is not installed" if pyspiel is None else "not in OpenSpiel"
    if theirs:
        ratios = [mine / yours for mine, yours in zip(ours[1:], theirs[1:], strict=True)]
        note = f"{median(ratios):.2g} of OpenSpiel's {median(theirs[1:]):,.0f}"
    return Figure(f"random games of {name}, {game.fewest} players", "games/s", tuple(ours[1:]), note)


def speed(play: Play, seed: int, span: float) -> float:
    """Games per second of processor time."""
    played, started = 0, time.process_time()
    while (spent := time.process_time() - started) < span:
        play(seed + played)
        played += 1
    return played / spent


def here(game: Game) -> Play:
    """One of our random games."""
    return lambda seed: list(playouts(game, 1, seed))


def there(game: Any) -> Play:
    """One of OpenSpiel's."""

    def play(seed: int) -> None:
        rng = Random(seed)
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))

    return play


if __name__ == "__main__":
    print(table(measure("", 7, 1.0)))
