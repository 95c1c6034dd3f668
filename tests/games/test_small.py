"""Small games of other kinds than the shipped one: cards, dice, a board of cells. They check, run, undo and hide."""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from interpreter.analysis.playouts import playouts
from interpreter.authoring.examples.suite import run_checked
from interpreter.loading.rules import Rules, load_rules
from interpreter.play.game import Game, State, load, seat_game
from interpreter.seat.views.model import HIDDEN, PieceView
from tests.games.playing import cells
from tests.support.headers import players_of
from tests.support.known_rules import known_rules
from tests.support.resampling import resampled

HERE = Path(__file__).parent
FOLDER = HERE.parents[1] / "games"
SHIPPED = [
    "kuhn_poker",
    "go_fish",
    "leduc_poker",
    "texas_holdem",
    "liars_dice",
    "goofspiel",
    "hearts",
    "spades",
    "no_thanks",
    "tallow_lane",
    "mancala",
    "checkers",
    "backgammon",
]
GAMES = [*sorted((HERE / "small").glob("*.rules")), *(FOLDER / f"{name}.rules" for name in SHIPPED)]
LONGEST = 3_000


@cache
def rules_of(path: Path) -> Rules:
    """The rules of a game, read and checked once."""
    return known_rules(path)


def tables(first: int | None = None) -> list[Any]:
    """All games with the fewest players, one more and the most; others than every second one in the long run only."""
    found = []
    for place, path in enumerate(GAMES):
        marks = () if first is None or place % 2 == first else pytest.mark.long
        counts = players_of(path)
        for count in sorted({counts[0], min(counts[0] + 1, counts[-1]), counts[-1]}):
            found.append(pytest.param(path, count, id=f"{path.stem}-{count}", marks=marks))
    return found


every_table = pytest.mark.parametrize(("path", "players"), tables())
even_tables, odd_tables = (pytest.mark.parametrize(("path", "players"), tables(first)) for first in (0, 1))
"""In the long run all; in the normal one each game is taken back or resampled, with all numbers of players."""


@cache
def game_of(path: Path, players: int) -> Game:
    """A game, loaded once."""
    return seat_game(rules_of(path), players, {})


def every(pieces: Iterable[PieceView]) -> set[object]:
    return {value for piece in pieces for value in piece.attributes.values()}


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_checks_without_a_warning_and_its_examples_hold(path: Path) -> None:
    rules = load_rules(path, examples=True)
    assert rules.warnings == ()
    results = run_checked(rules)
    assert results
    assert [failure for result in results for failure in result.failures] == []


@every_table
def test_random_games_end(path: Path, players: int, long_run: bool) -> None:
    game = game_of(path, players)
    for played in playouts(game, 200 if long_run else 20):
        assert played.winners
        assert played.decisions <= LONGEST


@even_tables
def test_every_decision_can_be_taken_back(path: Path, players: int, long_run: bool) -> None:
    """All cells are as they were, and so is the view; in the normal run it is looked at every eighth time."""
    rng = random.Random(players)
    for seed in range(4 if long_run else 1):
        state = game_of(path, players).start(seed=seed)
        while state.player is not None:
            before, whole, legal = state.key(), cells(state), state.legal_moves
            view = state.view(None) if long_run or state.ply % 8 == seed else None
            state.push(rng.choice(legal))
            state.pop()
            assert (state.key(), cells(state), state.legal_moves) == (before, whole, legal)
            assert view is None or state.view(None) == view
            state.push(rng.choice(legal))
            assert state.ply <= LONGEST
        while state.ply:
            state.pop()
        assert state.key() == game_of(path, players).start(seed=seed).key()


def known_to(state: State, seat: str) -> tuple[Any, ...]:
    own = state.player == seat
    return state.view(seat), state.player, [str(move) for move in state.legal_moves] if own else None


@odd_tables
def test_nobody_sees_what_is_hidden(path: Path, players: int, long_run: bool) -> None:
    """In the normal run two decisions of seven are seen from two seats, in turn.

    Where seats take turns each of them decides at some of these.
    """
    rng = random.Random(players)
    for seed in range(4 if long_run else 1):
        state = game_of(path, players).start(seed=seed)
        while state.player is not None and state.ply < 60:
            seats = state.game.seats
            some = {seats[(state.ply + half) % players] for half in (0, players // 2)} if state.ply % 7 < 2 else ()
            for seat in seats if long_run else sorted(some):
                other = resampled(state, seat, rng.getrandbits(30))
                assert known_to(other, seat) == known_to(state, seat)
            state.push(rng.choice(state.legal_moves))


@pytest.mark.parametrize(("name", "own"), [("kuhn_poker", 1), ("go_fish", 7)])
def test_a_hand_is_seen_by_its_owner_only(name: str, own: int) -> None:
    state = load(FOLDER / f"{name}.rules").start(seed=1)
    seats = state.game.seats
    for viewer in seats:
        zones = state.view(viewer).zones
        for seat in seats:
            hand = zones[f"hand[{seat}]"]
            assert hand.count == len(hand.pieces) == own
            assert (HIDDEN in every(hand.pieces)) == (seat != viewer)
        deck = zones["deck" if name == "kuhn_poker" else "pond"]
        assert every(deck.pieces) == {HIDDEN}
