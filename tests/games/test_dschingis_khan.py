"""Many random games of Dschingis Khan, to their end or to a cap on the turns, with every option."""

from __future__ import annotations

import pytest

from interpreter.analysis.playouts import playouts
from interpreter.play.game import Game, load
from tests.games.playing import Options

CAP = "120"
COUNTS = (2, 3, 4)
OTHERS: Options = (
    ("start", "green"),
    ("initial_wall", "eight_pieces"),
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
    ("remember_seen", "true"),
)
SETTINGS: tuple[Options, ...] = ((), *((other,) for other in OTHERS), OTHERS)
"""The defaults, every other value by itself, all of them together."""


def capped(players: int, options: Options) -> Game:
    return load("dschingis_khan", players, {"turn_cap": CAP, **dict(options)})


def test_every_option_is_played_another_way() -> None:
    game = load("dschingis_khan", 2)
    defaults = {info.name: info.default for info in game.option_info if info.name != "turn_cap"}
    assert [name for name, _ in OTHERS] == list(defaults)
    assert all(defaults[name] != value for name, value in OTHERS)


@pytest.mark.long
@pytest.mark.parametrize("players", COUNTS)
@pytest.mark.parametrize("options", SETTINGS, ids=lambda options: options[0][0] if len(options) == 1 else len(options))
def test_ten_thousand_games_end(players: int, options: Options) -> None:
    """10,000 in all: no rule fails, every game has a winner."""
    many = -(-10_000 // (len(COUNTS) * len(SETTINGS)))
    assert all(game.winners for game in playouts(capped(players, options), many, seed=0))


@pytest.mark.parametrize("players", COUNTS)
def test_games_end_by_their_rules(players: int) -> None:
    """Without a cap, too: random games are far shorter than it."""
    for game in playouts(load("dschingis_khan", players), 20, seed=1):
        assert game.winners
        assert game.decisions < 600


@pytest.mark.parametrize("players", COUNTS)
def test_games_end_at_the_cap(players: int) -> None:
    """Fewer turns than the shortest game has."""
    game = load("dschingis_khan", players, {"turn_cap": "20"})
    for seed in range(5):
        state = game.start(seed)
        while not state.over:
            state.push(state.legal_moves[0])
        state.pop()
        assert state.view(None).notes["turns_done"] == 19
