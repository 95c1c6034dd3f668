"""Random games of Dschingis Khan for its tests: every option in turn, and a cap so that every game ends."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from interpreter import Game, load
from tests.games.playing import Options

NAME = "dschingis_khan"
COUNTS = (2, 3, 4)
CAP = 120
OTHERS: Options = (
    ("start", "green"),
    ("setup_on_occupied", "true"),
    ("branch_blocks_road", "false"),
    ("gate_needs_road", "true"),
    ("walk_on_branches", "false"),
    ("close_at_turn_end", "true"),
    ("blocked_may_deploy", "true"),
    ("reenter_any_own", "true"),
    ("wall_ends", "any_rim"),
    ("forbid_branch_loop", "true"),
    ("supply_means_all_played", "true"),
    ("check_trigger_at_turn_end", "true"),
)
SETTINGS: tuple[Options, ...] = ((), *((other,) for other in OTHERS), OTHERS, (("turn_cap", "20"),))
"""The defaults, every other value by itself, all of them together, and a game cut short."""


@cache
def game_of(players: int, options: Options = (), cap: int = CAP) -> Game:
    """A game, loaded once; it ends after so many turns at the latest, 0: only by its rules."""
    return load(NAME, players, {"turn_cap": str(cap), **dict(options)})


def games(players: int, chunk: int, chunks: int, many: int) -> Iterator[tuple[Game, int]]:
    """The games and seeds of one test case; over all of them every setting comes up again and again."""
    for number, seed in enumerate(range(chunk, many, chunks)):
        yield game_of(players, SETTINGS[(number + chunk) % len(SETTINGS)]), seed
