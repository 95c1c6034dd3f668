"""Games of a run as records: random ones, those of bots, and those that fail."""

from __future__ import annotations

import pytest

from interpreter.analysis.playouts import MAX_CUT_OFF, attempts
from interpreter.laboratory import matches
from interpreter.laboratory.courses import Courses, FailedRecord, GameRecord, course_of
from interpreter.laboratory.playing import records as records_of
from interpreter.opponents.driver import Driver
from interpreter.opponents.specs import BotSpec, spec_of
from interpreter.play.game import load
from tests.interpreter.towers import ALONE


def bots(game, *texts):
    found = [spec_of(text) for text in texts] if len(texts) > 1 else [spec_of(texts[0])] * len(game.seats)
    assert all(isinstance(bot, BotSpec) for bot in found)
    return found


def records(game, players, seed, numbers, backend, detailed, rollouts):
    return records_of(Courses(game, rollouts, backend), players, seed, numbers, detailed)


def never(number):
    return False


def first_three(number):
    return number < 3


def written(tmp_path, text, players=None):
    path = tmp_path / "small.rules"
    path.write_text(text)
    return load(path, players)


@pytest.mark.parametrize(("name", "players"), [("nim", None), ("spades", None), ("pig", 5)])
def test_random_games_are_those_of_playouts(name, players):
    game = load(name, players)
    found = list(records(game, bots(game, "random"), 100, range(4, 10), "python", never, 5))
    assert [record.number for record in found] == list(range(4, 10))
    for record, playout in zip(found, attempts(game, 6, 104), strict=True):
        assert isinstance(record, GameRecord)
        assert tuple(game.seats[seat] for seat in record.winners) == playout.winners
        assert record.scores == tuple(tuple(map(int, scores)) for scores in playout.scores.values())
        assert (record.decisions, record.choices, record.widest) == playout[3:6]
        assert record.teams == playout.teams
        assert record.course is None


def test_records_are_the_same_however_a_run_is_divided():
    game = load("kuhn_poker", 4)
    whole = list(records(game, bots(game, "random"), 7, range(12), "python", lambda number: number % 4 == 0, 3))
    parts = [
        record
        for numbers in (range(5), range(5, 6), range(6, 12))
        for record in records(game, bots(game, "random"), 7, numbers, "python", lambda number: number % 4 == 0, 3)
    ]
    assert parts == whole
    assert [record.course is not None for record in whole[:5]] == [True, False, False, False, True]


def test_both_backends_have_the_same_records():
    game = load("nim")
    assert list(records(game, bots(game, "random"), 0, range(30), "machine", first_three, 6)) == list(
        records(game, bots(game, "random"), 0, range(30), "python", first_three, 6)
    )


@pytest.mark.parametrize(("name", "players"), [("tic_tac_toe", None), ("kuhn_poker", 3), ("spades", None)])
def test_games_of_bots_are_recorded_like_random_ones(name, players, monkeypatch):
    game = load(name, players)
    random = list(records(game, bots(game, "random"), 3, range(3), "python", first_three, 2))
    monkeypatch.setattr(BotSpec, "is_random", False)
    assert list(records(game, bots(game, "random"), 3, range(3), "python", first_three, 2)) == random


def test_the_course_of_a_game_of_bots_is_that_of_its_moves():
    game = load("tic_tac_toe")
    chosen = bots(game, "greedy", "random")
    found = list(records(game, chosen, 5, range(3), "python", lambda number: number == 1, 4))
    assert [record.course is not None for record in found] == [False, True, False]
    players = [Driver(bot, seat) for bot, seat in zip(chosen, game.seats, strict=True)]
    state = matches.play_out(game, 6, players)
    numbers = [made.legal.index(made.code) for made in state.made]
    assert found[1].course == course_of(game, 6, numbers, 4, "python")
    assert found[1].decisions == state.ply
    assert [game.seats[seat] for seat in found[1].winners] == list(state.outcome.winners)
    assert found[1].choices == sum(len(made.legal) for made in state.made)


def test_a_bot_plays_better_than_chance():
    game = load("tic_tac_toe")
    found = list(records(game, bots(game, "mcts:60", "random"), 0, range(12), "python", never, 0))
    assert sum(record.winners == (0,) for record in found) >= 9


@pytest.mark.parametrize("texts", [("random",), ("greedy",)])
def test_a_game_for_one(tmp_path, texts):
    game = written(tmp_path, ALONE)
    found = list(records(game, bots(game, *texts), 0, range(4), "python", lambda number: True, 3))
    assert [len(record.course.shares) for record in found] == [1] * 4
    assert [record.winners for record in found] == [(0,) if record.scores[0][0] else () for record in found]


FAILING = ALONE.replace("add 2 to height", "add 4 to height")
ENDLESS = ALONE.replace("add 1 to turns", "set turns to 0").replace("add 2 to height", "set height to 2")


def test_random_games_that_fail_are_records_as_well(tmp_path):
    game = written(tmp_path, FAILING)
    found = list(records(game, bots(game, "random"), 0, range(40), "python", lambda number: True, 60))
    failed = [record for record in found if isinstance(record, FailedRecord)]
    assert [record.number for record in found] == list(range(40))
    assert 0 < len(failed) < 40
    assert {record.failed.seed - record.number for record in failed} == {0}
    assert all(record.failed.move == "build" and record.moves == () for record in failed)
    looked_at = [record.course for record in found if isinstance(record, GameRecord)]
    assert all(course is not None for course in looked_at)
    assert {course.shares for course in looked_at} == {()}  # some game from the beginning fails


def test_games_of_bots_that_fail_have_their_moves(tmp_path):
    game = written(tmp_path, FAILING)
    found = list(records(game, bots(game, "greedy"), 50, range(3), "python", never, 0))
    assert [record.number for record in found] == [0, 1, 2]
    for record in found:
        if isinstance(record, FailedRecord):
            assert record.failed.seed == 50 + record.number
            assert len(record.moves) == record.failed.decisions


@pytest.mark.parametrize("texts", [("random",), ("own",)])
def test_few_games_are_played_where_they_do_not_end(tmp_path, monkeypatch, texts):
    for module in ("interpreter.analysis.playouts", "interpreter.laboratory.matches"):
        monkeypatch.setattr(f"{module}.MAX_DECISIONS", 60)
    game = written(tmp_path, ENDLESS)
    if texts == ("own",):
        monkeypatch.setattr(BotSpec, "is_random", False)
    found = list(records(game, bots(game, "random"), 0, range(20), "python", lambda number: True, 2))
    assert len(found) == MAX_CUT_OFF
    assert all(isinstance(record, FailedRecord) and record.failed.cut_off for record in found)


def test_many_calls_share_what_is_compiled():
    game = load("pig", 3)
    courses = Courses(game, 2, "python")
    chunks = [
        record
        for first in range(0, 9, 3)
        for record in records_of(courses, bots(game, "random"), 1, range(first, first + 3), lambda number: True)
    ]
    assert chunks == list(records(game, bots(game, "random"), 1, range(9), "python", lambda number: True, 2))
