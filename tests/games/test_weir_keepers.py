"""Random games of Weir Keepers with all players, options and variants, and games of players who know what they do."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.analysis.playouts import playouts
from interpreter.play.game import Game, State, load
from tests.games.weir_keepers_player import PLACES, played_well
from tests.games.weir_keepers_properties import ending, lying
from tests.support.resampling import resampled

FOLDER = Path(__file__).parents[2] / "games"
PLAYERS = (1, 2, 3, 4)
DIFFICULTIES = ("easy", "normal", "hard")
VARIANTS = ((), ("pick_roles",), ("ruins_stay",), ("pick_roles", "ruins_stay"))
LONGEST = 200
PIECES = {"deck sky past": (33, 35), "store hand": (16, 16), "posts post": (5, 5), "yard weir": (4, 4)}
WAYS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    *((difficulty, "random", ()) for difficulty in DIFFICULTIES),
    *(("normal", "ann", variants) for variants in VARIANTS),
)
"""Difficulty, who starts, and variants."""


@cache
def seated(players: int, difficulty: str, start: str = "random", variants: tuple[str, ...] = ()) -> Game:
    paths = [FOLDER / "variants" / f"{name}.rules" for name in variants]
    options = {"difficulty": difficulty, "start": start}
    return load(FOLDER / "weir_keepers.rules", players, options=options, variants=paths)


def holds_together(state: State) -> None:
    """Nothing is lost, and nobody is anywhere but in the valley."""
    view = state.view(None)
    for zones, (least, most) in PIECES.items():
        assert least <= lying(view, *zones.split()).total() <= most
    assert lying(view, "supply", "water").total() == 22
    assert {view.notes[f"at[{seat}]"] for seat in state.game.seats} <= set(PLACES)


@given(st.sampled_from(PLAYERS), st.sampled_from(WAYS), st.integers(0, 2**32))
def test_everybody_wins_or_everybody_loses(players: int, way: tuple[str, str, tuple[str, ...]], seed: int) -> None:
    game = seated(players, *way)
    state, draw = game.start(seed), random.Random(seed)
    while not state.over:
        if draw.random() < 0.1:
            holds_together(state)
        state.push(draw.choice(state.legal_moves))
        assert state.ply <= LONGEST
    holds_together(state)
    assert state.outcome is not None
    assert state.outcome.winners in ((), game.seats)
    assert set(state.outcome.places.values()) == {1}
    if "ruins_stay" not in way[-1]:
        ending(state)


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
@pytest.mark.parametrize("players", PLAYERS)
def test_random_games_end(players: int, difficulty: str, many_games: int) -> None:
    for played in playouts(seated(players, difficulty), 2 * many_games):
        assert played.winners in ((), seated(players, difficulty).seats)
        assert played.decisions <= LONGEST


@pytest.mark.parametrize(
    "players", [pytest.param(players, marks=pytest.mark.long if players in (2, 3) else ()) for players in PLAYERS]
)
def test_whoever_looks_one_move_ahead_often_wins_on_easy(players: int, many_games: int) -> None:
    """Most of these games are won; random ones hardly ever are."""
    games = [played_well(seated(players, "easy").start(seed)) for seed in range(many_games // 10)]
    assert 2 * sum(bool(state.outcome and state.outcome.winners) for state in games) > len(games)


@pytest.mark.parametrize("variants", VARIANTS[1:], ids=" and ".join)
def test_variants_can_be_won(variants: tuple[str, ...]) -> None:
    games = [played_well(seated(2, "easy", variants=variants).start(seed)) for seed in range(2)]
    assert any(state.outcome and state.outcome.winners for state in games)


@pytest.mark.parametrize("players", PLAYERS)
def test_every_decision_can_be_taken_back(players: int) -> None:
    state, draw = seated(players, "normal").start(players), random.Random(players)
    first = state.key()
    while not state.over:
        before, view, legal = state.key(), state.view(None), state.legal_moves
        state.push(draw.choice(legal))
        state.pop()
        assert (state.key(), state.view(None), state.legal_moves) == (before, view, legal)
        state.push(draw.choice(legal))
    while state.ply:
        state.pop()
    assert state.key() == first


@pytest.mark.parametrize("players", PLAYERS)
def test_nobody_knows_the_weather_to_come(players: int) -> None:
    state, draw = seated(players, "easy").start(players), random.Random(players)
    while not state.over:
        for seat in state.game.seats:
            other = resampled(state, seat, draw.getrandbits(30))
            assert other.view(seat) == state.view(seat)
            assert [str(move) for move in other.legal_moves] == [str(move) for move in state.legal_moves]
        state.push(draw.choice(state.legal_moves))
