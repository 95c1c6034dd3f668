"""The games of the library, as games: they check, their examples hold, both engines play them alike, they hide and end.

What they have in common with all games is tested with representative ones (`tests/support/library.py`).
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from interpreter.authoring.examples.suite import run_checked
from interpreter.loading.rules import Rules, load_rules
from interpreter.play.game import Game, State, seat_game
from tests.interpreter.machine.comparing import compared
from tests.support.headers import players_of
from tests.support.library import GAMES, REPRESENTATIVE, library, representative
from tests.support.resampling import resampled

LONG_GAMES = {"janggi", "shogi", "xiangqi"}
"""Games of hundreds of moves, which Python lists slowly."""

DECISIONS = 40
"""So many decisions of a game are looked at in the normal run."""


@cache
def rules_of(name: str) -> Rules:
    """The rules of a game with its examples, read and checked once."""
    return load_rules(GAMES / f"{name}.rules", examples=True)


@cache
def game_of(name: str, players: int) -> Game:
    """A game with its seats, loaded once."""
    return seat_game(rules_of(name), players, {})


def tables(first: int) -> list[Any]:
    """In the normal run every second game, from the `first` on, with the fewest players or the most, in turn.

    In the long run each game with each number of players.
    """
    listed = []
    for place, name in enumerate(library()):
        counts = players_of(GAMES / f"{name}.rules")
        for players in counts:
            normal = place % 2 == first and players == (counts[0] if place // 2 % 2 else counts[-1])
            listed.append(pytest.param(name, players, marks=[] if normal else [pytest.mark.long]))
    return listed


even_tables = pytest.mark.parametrize(("name", "players"), tables(0))
odd_tables = pytest.mark.parametrize(("name", "players"), tables(1))
"""Each game is in the normal run of one of two tests."""


@pytest.mark.parametrize("name", library())
def test_checks_without_a_warning_and_its_examples_hold(name: str) -> None:
    rules = rules_of(name)
    assert rules.warnings == ()
    results = run_checked(rules)
    assert results
    assert [failure for result in results for failure in result.failures] == []


@even_tables
def test_both_engines_play_the_same_games_to_their_end(name: str, players: int, long_run: bool) -> None:
    game, games = game_of(name, players), 1000 if long_run else 1 if name in LONG_GAMES else 3
    assert compared(game, players, games).keys() == {"games", "decisions"}


def known_to(state: State, seat: str) -> tuple[object, ...]:
    """All that a seat sees and may do."""
    moves = [str(move) for move in state.legal_moves] if state.player == seat else None
    return state.view(seat), state.player, moves


@odd_tables
def test_decisions_can_be_taken_back_and_show_no_secret(name: str, players: int, long_run: bool) -> None:
    rng = random.Random(name)
    state = game_of(name, players).start(seed=players)
    while state.player is not None and (long_run or state.ply < DECISIONS):
        move, key = rng.choice(state.legal_moves), state.key()
        if long_run or state.ply % 8 < 2:
            seat = state.game.seats[(state.ply + 1) % players]
            assert known_to(resampled(state, seat, rng.getrandbits(30)), seat) == known_to(state, seat)
        state.push(move)
        state.pop()
        assert state.key() == key
        state.push(move)


def smaller_tables() -> list[str]:
    """The games that not all seats need to play."""
    return [name for name in library() if (counts := players_of(GAMES / f"{name}.rules"))[0] < counts[-1]]


@pytest.mark.parametrize("name", smaller_tables())
def test_any_seats_can_play(name: str) -> None:
    """The last ones, too: no rule counts on the first seat."""
    rules = rules_of(name)
    seats = rules.model.file.header.seats[-players_of(GAMES / f"{name}.rules")[0] :]
    assert compared(seat_game(rules, seats, {}), 1, 2)["games"] == 2


def test_no_representative_is_missing() -> None:
    assert set(representative()) == REPRESENTATIVE
