"""Tallow Lane with all players and variants: what holds in every game, and players with plans against each other."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from interpreter.analysis.playouts import playouts
from interpreter.play.game import Game, load
from tests.games.tallow_lane_player import PLANS, number, played_out
from tests.games.tallow_lane_properties import HELPERS, LONGEST, PROPERTIES
from tests.support.known_rules import known_rules

FOLDER = Path(__file__).parents[2] / "games"
RULES = FOLDER / "tallow_lane.rules"
PLAYERS = (2, 3, 4)
VARIANTS = ((), ("dowry",), ("short_lane",), ("dowry", "short_lane"))


@cache
def seated(players: int, variants: tuple[str, ...] = ()) -> Game:
    return load(RULES, players, variants=[FOLDER / "variants" / f"{name}.rules" for name in variants])


@pytest.mark.parametrize("name", PROPERTIES)
def test_property_holds(name: str) -> None:
    PROPERTIES[name](known_rules(RULES))


def test_there_are_twelve_helpers() -> None:
    assert len(HELPERS) == 12


@pytest.mark.parametrize("variants", VARIANTS, ids=lambda names: " and ".join(names) or "base")
@pytest.mark.parametrize("players", PLAYERS)
def test_random_games_end(players: int, variants: tuple[str, ...], many_games: int) -> None:
    for played in playouts(seated(players, variants), many_games):
        assert played.winners
        assert played.decisions <= LONGEST


@pytest.mark.parametrize("plan", PLANS)
def test_games_of_players_with_a_plan_end_soon(plan: str, long_run: bool) -> None:
    """Within thirty rounds or so, with enough light to have been worth it."""
    for seed in range(40 if long_run else 2):
        state = played_out(seated(2).start(seed), {"ada": PLANS[plan], "bram": PLANS["money"]})
        assert state.ply <= LONGEST
        assert number(state, "highest light(p) for p in Player") >= 15


@pytest.mark.parametrize("plan", ["draughts", "draws", "bees"])
def test_helpers_are_worth_their_price(plan: str, long_run: bool) -> None:
    """Of games against somebody who buys money and candles only, more than half are won."""
    games = 100 if long_run else 24
    won = 0.0
    for seed in range(games):
        mine, other = ("ada", "bram") if seed % 2 else ("bram", "ada")
        state = played_out(seated(2).start(seed), {mine: PLANS[plan], other: PLANS["money"]})
        assert state.outcome is not None
        won += (mine in state.outcome.winners) / len(state.outcome.winners)
    assert 2 * won > games


def test_short_lanes_are_short() -> None:
    """Games of the variant end after fewer decisions than the others."""
    long, short = (
        sum(played.decisions for played in playouts(seated(2, variants), 40)) for variants in ((), ("short_lane",))
    )
    assert short < 0.9 * long
