"""`simulate`: many random games, their figures, failures and options."""

import csv
import json
import re
from pathlib import Path

import pytest

from interpreter.analysis.figures import figure, share, student_quantile, wilson_interval
from interpreter.laboratory.courses import GameRecord
from interpreter.laboratory.report import report_of
from interpreter.laboratory.setting import Setting, lineup
from interpreter.play.game import load
from tests.cli.conftest import DUEL, PEBBLES, valid


def test_simulate(run):
    result = run("simulate", PEBBLES, "-n", 30, "--players", 3, "--seed", 5, "--option", "turns=many")
    assert result.exit_code == 0
    assert "Pebbles: 30 games of 3 random bots" in result.output
    assert "seeds 5 to 34, turns is many" in result.output
    assert re.search(r"games won \(%\), blue +\d+\.\d\d +\d+\.\d\d to \d+\.\d\d", result.output)


def test_simulate_is_the_same_for_any_number_of_jobs(run):
    outputs = {run("simulate", PEBBLES, "-n", 60, "-j", jobs, "--format", "json").output for jobs in (1, 2, 3)}
    assert len(outputs) == 1
    document = valid("simulate", outputs.pop())
    assert document["games"] == 60
    assert sum(seat["wins"]["mean"] for seat in document["seats"]) == pytest.approx(1)
    assert document["criteria"] == ["highest points(me)", "highest count store[me]"]


def test_simulate_goes_on_where_a_seed_ends(run):
    def total(seed, games):
        document = json.loads(run("simulate", PEBBLES, "-n", games, "--seed", seed, "--format", "json").output)
        return document["length"]["mean"] * games

    assert total(3, 30) == pytest.approx(total(3, 10) + total(13, 20))


def test_one_game_has_no_interval(run):
    document = json.loads(run("simulate", PEBBLES, "-n", 1, "--format", "json").output)
    assert document["length"]["low"] is document["length"]["high"] is None
    output = run("simulate", PEBBLES, "-n", 1).output
    assert output.startswith("Pebbles: 1 game of 2 random bots\nseed 0, ")
    assert re.search(r"decisions per game +\d+\.00 +\d+ +\d+ *\n", output)


def test_wilsons_interval():
    assert wilson_interval(0.3, 10) == pytest.approx((0.1078, 0.6032), abs=0.0001)
    assert wilson_interval(1.0, 10) == pytest.approx((0.7225, 1.0), abs=0.0001)
    assert wilson_interval(0.5, 0) == (0.0, 1.0)


def test_intervals():
    assert figure([1, 2, 3]).mean == 2
    assert figure([1, 2, 3]).low == pytest.approx(2 - 2.484, abs=0.001)
    assert figure([1, 2, 3]).high == pytest.approx(2 + 2.484, abs=0.001)
    assert figure([5]).low is figure([5]).high is None
    assert figure([]).mean == 0
    for freedom, point in ((1, 12.706), (4, 2.776), (5, 2.5706), (10, 2.2281), (30, 2.0423), (1000, 1.9623)):
        assert student_quantile(freedom) == pytest.approx(point, abs=0.004)


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [(0, 10, 0, 0.2775), (10, 10, 0.7225, 1), (0, 1000, 0, 0.00383), (1, 1, 0.2065, 1), (3, 10, 0.1078, 0.6032),
     (50, 100, 0.4038, 0.5962)],
)  # fmt: skip
def test_the_interval_of_a_share_is_never_empty(won, games, low, high):
    """Wilson's score interval, as in published tables."""
    found = share([1.0] * won + [0.0] * (games - won))
    assert (found.low, found.high) == (pytest.approx(low, abs=0.0001), pytest.approx(high, abs=0.0001))
    assert found.low < found.high


def test_a_seat_that_never_wins_has_an_interval(run, own_folder):
    text = Path(PEBBLES).read_text(encoding="utf-8")
    (own_folder / "x.rules").write_text(text.replace("highest points(me) then", "highest (1 if me is red else 0) then"))
    seats = valid("simulate", run("simulate", "x.rules", "-n", 20, "--format", "json").output)["seats"]
    assert [(one["wins"]["mean"], one["wins"]["low"] == 0, one["wins"]["high"] == 1) for one in seats] == [
        (1, False, True), (0, True, False),
    ]  # fmt: skip
    assert seats[1]["wins"]["high"] == pytest.approx(0.1611, abs=0.0001)
    output = run("simulate", "x.rules", "-n", 20).output
    assert re.search(r"games won \(%\), red +100\.00 +83\.89 to 100\.00", output)
    assert re.search(r"games won \(%\), green +0\.00 +0\.00 to 16\.11", output)


def test_figures_as_csv(run):
    words = ("simulate", PEBBLES, "-n", 20, "-j", 1)
    rows = [*csv.DictReader(run(*words, "--format", "csv").stdout.splitlines())]
    document = json.loads(run(*words, "--format", "json").output)
    assert [(row["measure"], float(row["mean"])) for row in rows] == [
        (each["key"], each["mean"]) for each in document["measures"]
    ]
    assert "--format must be text, json or csv, not xml" in run(*words, "--format", "xml").output


def test_simulate_says_how_often_nobody_wins(run, own_folder):
    text = Path(PEBBLES).read_text(encoding="utf-8")
    (own_folder / "x.rules").write_text(text.replace("highest points(me) then", "me is red and points(me) > 99 then"))
    document = valid("simulate", run("simulate", "x.rules", "-n", 20, "--format", "json").output)
    assert document["criteria"][0] == "me is red and points(me) > 99"
    assert [(seat["wins"]["mean"], seat["scores"][0]["high"]) for seat in document["seats"]] == [
        (0, pytest.approx(0.1611, abs=0.0001))
    ] * 2
    assert document["nobody"]["mean"] == 1
    output = run("simulate", "x.rules", "-n", 20).output
    assert re.search(r"me is red and points\(me\) > 99 \(%\), red +0\.00 +0\.00 to 16\.11", output)
    assert re.search(r"games won \(%\), nobody +100\.00 +83\.89 to 100\.00", output)
    assert "nobody" not in run("simulate", PEBBLES, "-n", 20).output


SIDES = """game "Sides" for 4 players north, east, south, west

== components ==

type Side is north_south, east_west
note tricks[s: Side]: 0..99 = 0
note turns: 0..99 = 0

== phases ==

phase main, turns from north, over when turns is 5:
    add 1 to turns
    must take or pass

action take:
    "take"
    add 1 to tricks[side(me)]

action pass:
    "pass"

define side(p: Player): (north_south if p is north or p is south else east_west)

== scoring ==

winner highest tricks[side(me)]
teams by side(me)
"""


def test_simulate_counts_the_wins_of_teams(run, own_folder):
    (own_folder / "x.rules").write_text(SIDES)
    document = valid("simulate", run("simulate", "x.rules", "-n", 40, "--format", "json").output)
    wins = {seat["seat"]: seat["wins"] for seat in document["seats"]} | {
        team["team"]: team["wins"] for team in document["teams"]
    }
    assert wins["north"] == wins["south"] == wins["north_south"]
    assert wins["east"] == wins["west"] == wins["east_west"]
    assert wins["north_south"]["mean"] + wins["east_west"]["mean"] == pytest.approx(1)
    output = run("simulate", "x.rules", "-n", 40).output
    mean, low, high = (100 * wins["north_south"][each] for each in ("mean", "low", "high"))
    assert re.search(rf"games won \(%\), north south +{mean:.2f} +{low:.2f} to {high:.2f}", output)
    assert f"an even share is 50.0% of the games; {document['shared']} wins were shared" in output
    again = run("simulate", "x.rules", "-n", 40, "-j", 2).output
    assert again == output


def test_simulate_names_a_team_once_that_is_named_after_a_seat(run, own_folder):
    text = SIDES.replace("teams by side(me)", "teams by captain(me)").replace(
        "== scoring ==", "define captain(p: Player): (north if side(p) is north_south else east)\n\n== scoring =="
    )
    (own_folder / "x.rules").write_text(text)
    output = run("simulate", "x.rules", "-n", 10).output
    for seat in ("north", "east", "south", "west"):
        assert len(re.findall(rf"games won \(%\), {seat} ", output)) == 1, output


def test_the_result_names_teams_and_places(run, own_folder):
    (own_folder / "x.rules").write_text(SIDES)
    output = run("play", "x.rules", "--seat", "all=random", "--seed", 2).output
    assert " north south (north and south) wins: highest tricks[side(me)]\n" in output
    table = [line.split() for line in output[output.index("Place  Player  Team") :].split("\n")[1:5]]
    assert [row[:4] for row in table] == [
        ["1", "north", "north", "south"], ["1", "south", "north", "south"], ["3", "east", "east", "west"],
        ["3", "west", "east", "west"],
    ]  # fmt: skip


def test_the_result_says_that_all_lose(run, own_folder):
    (own_folder / "x.rules").write_text(
        SIDES.replace("winner highest tricks[side(me)]\nteams by side(me)", "winner turns > 5")
    )
    output = run("play", "x.rules", "--seat", "all=random", "--seed", 1).output
    assert " everyone loses; not met: turns > 5\n" in output
    assert re.search(r"\n +1  north +no *\n", output)


def test_simulate_counts_the_wins_of_all_together(run, own_folder):
    text = SIDES.replace("winner highest tricks[side(me)]\nteams by side(me)", "winner tricks[north_south] > 1")
    (own_folder / "x.rules").write_text(text)
    document = valid("simulate", run("simulate", "x.rules", "-n", 40, "--format", "json").output)
    (together,) = document["teams"]
    assert together["team"] == "everyone"
    assert {seat["wins"]["mean"] for seat in document["seats"]} == {together["wins"]["mean"]}
    assert together["wins"]["mean"] + document["nobody"]["mean"] == pytest.approx(1)
    assert document["shared"] == 0
    output = run("simulate", "x.rules", "-n", 40).output
    assert re.search(r"games won \(%\), everyone +\d", output)
    assert "an even share" not in output


def test_a_shared_win_counts_in_parts_and_less_may_be_better(tmp_path):
    rules = DUEL.replace("winner highest points_of[me]", "winner lowest points_of[me]")
    assert rules != DUEL
    (tmp_path / "x.rules").write_text(rules)
    game = load(tmp_path / "x.rules", 2)
    played = [GameRecord(0, (0, 1), ((-3,), (-3,)), (), 4, 8, 3), GameRecord(1, (0,), ((-2,), (-5,)), (), 6, 12, 5)]
    report = report_of(Setting(game, lineup(game, "random"), 0, plain=True), played, [], 2)
    figures = report.as_data()
    assert [seat["wins"]["mean"] for seat in figures["seats"]] == [0.75, 0.25]
    assert figures["seats"][0]["scores"][0]["mean"] == 2.5
    assert (figures["shared"], figures["widest"], figures["sizes"]["mean"]) == (1, 5, 2.0)
    assert report.even_share == 0.5
