"""`python -m benchmarks.opponents`: resumable, never mixing versions, and true to its results."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.large import GAMES as LARGE
from benchmarks.opponents import __main__ as command
from benchmarks.opponents import at_equal_time, beside_openspiel, between_versions, known_values, strength
from benchmarks.opponents.series import Results, Rotation, Series, outlook, run
from benchmarks.opponents.table import BEGIN, END, PARTS, in_page, row
from tests.support.library import REPRESENTATIVE

ALL = [*strength.series(), *beside_openspiel.series(), *at_equal_time.series(), *known_values.series()]


def series(values, **changes):
    """A series whose rotations have these values in turn."""
    made = Series("random/x", "random", "x", "a against b", ("mcts",), 2, lambda n: values[n % len(values)], str)
    return replace(made, **changes)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "results" / "r.jsonl"


def test_every_representative_game_and_every_claim_is_measured():
    assert {one.game for one in ALL if one.part == "random"} == REPRESENTATIVE
    assert {one.game for one in ALL if one.part == "greedy"} == set(LARGE)
    assert {one.part for one in ALL} == set(PARTS)
    assert len({one.name for one in ALL}) == len(ALL)
    most = {"equilibrium": 40, "levels": 40, "curve": 40, "openspiel_time": 100}
    assert all(one.most == most.get(one.part, 400) for one in ALL if one.part != "values")


def test_every_series_names_the_rules_that_it_plays():
    assert all(one.code() for one in ALL if one.part.startswith("openspiel"))


def test_a_series_ends_once_equality_is_excluded(path):
    found = list(run(series([1.0]), Results(path)))
    assert [one.number for one in found] == list(range(8))
    assert row(series([1.0]), Results(path))[2:] == ("16", "1.000", "0.516 to 1.000", "above 0.50")


def test_a_series_ends_after_the_most_games(path):
    found = list(run(series([1.0, 0.0], most=20), Results(path)))
    assert len(found) == 10
    assert row(series([1.0, 0.0], most=20), Results(path))[-1] == "undecided"


def test_a_target(path):
    with_target = series([1.0, 1.0, 1.0, 0.0], target=0.8, most=200)
    list(run(with_target, Results(path)))
    assert row(with_target, Results(path))[-1] == "above 0.50; 0.8 missed"


def test_a_run_goes_on_where_it_stopped(path):
    first = list(run(series([1.0, 0.5]), Results(path), upto=3))
    second = list(run(series([1.0, 0.5]), Results(path)))
    assert [one.number for one in first + second] == list(range(len(first) + len(second)))
    assert list(run(series([1.0, 0.5]), Results(path))) == []


def test_a_line_that_a_kill_cut_off_is_played_again(path):
    list(run(series([1.0]), Results(path)))
    path.write_text(path.read_text()[:-20])
    assert [one.number for one in run(series([1.0]), Results(path))] == [7]
    assert len(Results(path).of(series([1.0]))) == 8


def test_a_rotation_that_is_there_twice_counts_once(path):
    list(run(series([1.0]), Results(path), upto=3))
    path.write_text(2 * path.read_text())
    assert len(Results(path).of(series([1.0]))) == 3


def test_results_of_other_rules_are_not_mixed(path):
    old, new = series([0.0]), series([1.0], rules=lambda: "2")
    list(run(old, Results(path)))
    assert [one.number for one in run(new, Results(path), upto=2)] == [0, 1]
    assert [one.value for one in Results(path).of(new)] == [1.0, 1.0]
    assert [one.value for one in Results(path).of(old, old.code())] == [0.0] * 8


def test_results_hold_for_the_bots_that_played():
    assert series([]).code() != series([], bots=("mcts", "greedy")).code()
    assert series([]).code() == series([], bots=("mcts", "random")).code()  # the moves of which are chance


def test_what_was_not_run_says_so(path):
    assert row(series([1.0]), Results(path))[2:] == ("0", "not run", "", "")
    list(run(series([1.0, 0.5]), Results(path), upto=2))
    assert row(series([1.0, 0.5]), Results(path))[-1] == "not complete"


def test_the_expected_duration_comes_from_earlier_games(path):
    results = Results(path)
    assert not outlook(series([1.0]), results).known
    results.add(Rotation("random/x", 0, 1.0, 2, 3.0, series([1.0]).code()))
    found = outlook(series([1.0]), results)
    assert (found.least, found.most, found.known) == (7 * 3.0, 199 * 3.0, True)


def test_with_three_seats_a_version_plays_one_against_two_and_two_against_one(capsys):
    assert between_versions.rotation(2) == [(0,), (1,)]
    rotation = between_versions.rotation(3)
    assert rotation == [(0,), (1,), (2,), (1, 2), (0, 2), (0, 1)]
    times = {"ours": 2.0, "ours_choices": 10, "theirs": 3.0, "theirs_choices": 10}
    won = [times | {"number": 0, "seats": list(own), "share": float(1 in own)} for own in rotation]
    between_versions.report(won[:5], 3)
    alone, together, *costs = capsys.readouterr().out.splitlines()
    assert alone.startswith("1 of 3 seats: 0.333 of the wins in 3 games, even is 0.333 (1 complete rotations: ")
    assert together.startswith("2 of 3 seats: 0.500 of the wins in 2 games, even is 0.667 (0 complete rotations: ")
    assert costs == ["ours: 0.200 s for each of 50 choices", "theirs: 0.300 s for each of 50 choices"]


def test_the_page_says_what_the_results_say():
    page = (Path(__file__).parents[1] / "docs" / "opponents.md").read_text("utf-8")
    assert page.count(BEGIN) == page.count(END) == 1
    assert in_page(page, ALL, Results(command.RESULTS)) == page


def test_the_command_lists_and_divides_the_work(path, capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["opponents", "--list", "--game", "othello", "--into", str(path), "--no-page"])
    assert command.main() == 0
    output = capsys.readouterr().out
    assert "random/othello/mcts:1000" in output and "iterations/othello/mcts:10000" in output
    assert "connect_four" not in output and "expected: " in output
    monkeypatch.setattr(sys, "argv", ["opponents", "--game", "nowhere", "--into", str(path)])
    with pytest.raises(SystemExit):
        command.main()


def test_the_command_plays_and_reports(path, capsys, monkeypatch):
    words = ["--game", "tic_tac_toe", "--part", "random", "--rotations", "1", "--into", str(path), "--no-page"]
    monkeypatch.setattr(sys, "argv", ["opponents", *words])
    monkeypatch.setattr(strength, "_share", lambda *_: 0.75)
    assert command.main() == 0
    assert "| 0.750 |" in capsys.readouterr().out
    assert json.loads(path.read_text())["value"] == 0.75
