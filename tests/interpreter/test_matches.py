"""Games of bots against each other: who sits where, one game, and what it is worth to each."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from interpreter.analysis.playouts import playouts
from interpreter.analysis.random_choices import random_move
from interpreter.laboratory.matches import (
    Broken,
    Finished,
    even_share,
    meetings,
    play,
    rotation_share,
    seatings,
    share,
    sides_of,
    state_before,
)
from interpreter.play.game import load
from tests.interpreter.towers import TOGETHER

TWO = ((0,), (1,))
THREE = ((0,), (1,), (2,))
TEAMS = ((0, 2), (1, 3))
ONE = ((0, 1),)


class Random:
    """A player that counts how often it is asked."""

    def __init__(self):
        self.asked = 0

    def play(self, state):
        self.asked += 1
        assert len(state.legal_moves) > 1
        return random_move(state)


class Last:
    """A player that makes the last legal move."""

    def play(self, state):
        return state.legal_moves[-1]


def finished(winners, scores=None, decisions=1, digest=""):
    return Finished(tuple(winners), scores or ((0,), (0,)), decisions, digest)


# ---- who sits where


@pytest.mark.parametrize("sides", [TWO, THREE, TEAMS, ((0,), (1,), (2,), (3,), (4,))])
def test_every_bot_has_every_seat_equally_often(sides):
    found = seatings(sides, 4, 7)
    assert len(set(found)) == len(found)
    for seat in range(sum(map(len, sides))):
        assert Counter(seating[seat] for seating in found) == {4: len(found) / 2, 7: len(found) / 2}


def test_two_seats_are_swapped():
    assert seatings(TWO, 0, 1) == ((0, 1), (1, 0))


def test_partners_sit_together():
    assert seatings(TEAMS, 0, 1) == ((0, 1, 0, 1), (1, 0, 1, 0))


def test_with_more_seats_one_bot_sits_alone_at_each():
    assert seatings(THREE, 0, 1) == ((0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
    assert seatings(THREE, 0, 1, alone=True) == ((0, 1, 1), (1, 0, 1), (1, 1, 0))


def test_bots_that_win_together_play_games_of_their_own():
    assert seatings(ONE, 0, 1) == ((0, 0), (1, 1))


def test_the_games_of_a_rotation_have_its_number():
    assert [meeting.rotation for meeting in meetings(THREE, 0, 1, 5)] == [5] * 6


def test_sides_are_seats_or_teams_or_everybody(tmp_path):
    assert sides_of(load("connect_four"), 0) == TWO
    assert sides_of(load("mauerbauer", 3), 0) == THREE
    assert sides_of(load("spades"), 0) == TEAMS
    path = tmp_path / "together.rules"
    path.write_text(TOGETHER)
    assert sides_of(load(path), 0) == ONE


def test_seats_whose_teams_differ_from_game_to_game_are_sides_of_their_own(tmp_path):
    path = tmp_path / "teams.rules"
    path.write_text(WITH_TEAMS)
    assert sides_of(load(path), 0) == ((0,), (1,), (2,), (3,))
    assert sides_of(load(path, options={"partner": "cleo"}), 0) == ((0, 2), (1, 3))


WITH_TEAMS = """game "Teams" for 4 players ann, ben, cleo, dan

option partner: Player or random = random

== components ==

type Role is pair, others
note turns: 0..9 = 0

== phases ==

phase main, turns from ann, over when turns is 4:
    add 1 to turns
    must rest

action rest:
    "rest"

define role(p: Player): (pair if p is partner or p is ann else others)

== scoring ==

winner highest (1 if role(me) is pair else 0)
teams by role(me)
"""


# ---- one game


def test_a_game_is_the_one_that_random_play_makes():
    game = load("connect_four")
    found = play(game, 3, [Random(), Random()])
    (playout,) = playouts(game, 1, 3)
    assert isinstance(found, Finished)
    assert [game.seats[seat] for seat in found.winners] == list(playout.winners)
    assert found.decisions == playout.decisions
    assert found.scores == tuple(playout.scores[seat] for seat in game.seats)


def test_equal_moves_have_equal_digests():
    game = load("connect_four")
    digests = [play(game, seed, [Last(), Last()]).digest for seed in (1, 2)]
    assert digests[0] == digests[1]
    assert digests[0] != play(game, 1, [Random(), Last()]).digest


def test_a_single_move_is_made_without_asking():
    player = Random()
    found = play(load("mancala"), 1, [player, player])
    assert isinstance(found, Finished)
    assert 0 < player.asked <= found.decisions


BROKEN = TOGETHER.replace("    add 1 to height", "    add 1 to height\n    if turns is 3: add 9 to height")


def test_a_game_that_fails_can_be_rebuilt(tmp_path):
    path = tmp_path / "broken.rules"
    path.write_text(BROKEN)
    game = load(path)

    class Builder:
        def play(self, state):
            return state.legal_moves[0]

    broken = play(game, 4, [Builder(), Builder()])
    assert isinstance(broken, Broken)
    assert (broken.failed.player, broken.failed.move, broken.failed.decisions) == ("ann", "build", 2)
    assert broken.failed.location.startswith(f"{path}:")
    assert broken.moves == ("build", "build")
    state = state_before(game, broken)
    assert state is not None and state.ply == 2 and state.player == "ann"


def test_a_game_that_cannot_be_set_up(tmp_path):
    path = tmp_path / "broken.rules"
    path.write_text(TOGETHER.replace("== phases ==", "== setup ==\n\nadd 20 to height\n\n== phases =="))
    game = load(path)
    broken = play(game, 4, [Random(), Random()])
    assert isinstance(broken, Broken)
    assert broken.failed.player is None
    assert state_before(game, broken) is None


# ---- what a game is worth


def test_a_shared_win_is_split():
    assert share(finished([0]), (0, 1), TWO, 0) == 1
    assert share(finished([1]), (0, 1), TWO, 0) == 0
    assert share(finished([0, 1]), (0, 1), TWO, 0) == Fraction(1, 2)
    assert share(finished([0, 2]), (0, 1, 1), THREE, 0) == Fraction(1, 2)
    assert share(finished([1, 2]), (0, 1, 1), THREE, 1) == 1


def test_where_nobody_wins_all_sides_are_worth_the_same():
    assert share(finished([]), (0, 1), TWO, 0) == Fraction(1, 2)
    assert share(finished([]), (0, 1, 1), THREE, 0) == Fraction(1, 3)


def test_partners_have_one_win():
    assert share(finished([0, 2]), (0, 1, 0, 1), TEAMS, 0) == 1
    assert share(finished([0, 1, 2, 3]), (0, 1, 0, 1), TEAMS, 0) == Fraction(1, 2)


def test_the_even_share():
    assert even_share(seatings(TWO, 0, 1), TWO, 0) == Fraction(1, 2)
    assert even_share(seatings(THREE, 0, 1), THREE, 0) == Fraction(1, 2)
    assert even_share(seatings(THREE, 0, 1, alone=True), THREE, 0) == Fraction(1, 3)
    assert even_share(seatings(ONE, 0, 1), ONE, 0) == Fraction(1, 2)


def test_the_share_of_a_rotation_is_that_of_all_its_games():
    found = {(0, 1): finished([0]), (1, 0): finished([0, 1])}
    assert rotation_share(found, TWO, 0, 1) == Fraction(3, 4)


@pytest.mark.parametrize(
    ("mine", "theirs", "value"),
    [
        (finished([0, 1], ((1, 3), (1, 3))), finished([], ((0, 1), (0, 1))), 1),
        (finished([], ((0, 1), (0, 1))), finished([], ((0, 2), (0, 2))), 0),
        (finished([0, 1], ((1, 3), (1, 3))), finished([0, 1], ((1, 3), (1, 3))), Fraction(1, 2)),
    ],
)
def test_games_won_together_are_compared_by_success_then_criteria(mine, theirs, value):
    assert rotation_share({(0, 0): mine, (1, 1): theirs}, ONE, 0, 1) == value
