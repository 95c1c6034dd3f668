"""The report of a run in a terminal: what comes first, what fits, and which games are worth a look."""

from __future__ import annotations

import re

import pytest

from cli.laboratory.tables import print_report
from interpreter.laboratory.report import unusual_games
from tests.cli.conftest import PEBBLES, valid
from tests.cli.runs import HOSTILE, MARKET, game_of, made_up, run_of


@pytest.fixture
def report_of(capsys, monkeypatch):
    """Print a report on a screen of some width, and return its lines."""

    def lines(report, width):
        monkeypatch.setenv("COLUMNS", str(width))
        print_report(report)
        return capsys.readouterr().out.split("\n")

    return lines


def test_who_wins_comes_first(report_of):
    found = report_of(run_of(), 80)
    places = [next(at for at, line in enumerate(found) if words in line) for words in (
        "games won (%)", "an even share", "decisions per game", "analysed in detail", "points by rule",
        "games worth a look",
    )]  # fmt: skip
    assert places == sorted(places)


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize("rules", [MARKET, HOSTILE])
def test_no_line_is_too_long_or_cut_off(report_of, width, rules):
    found = report_of(run_of(rules, 20, 5), width)
    assert max(map(len, found)) <= width
    if width >= 60:
        assert "…" not in "".join(found)
    assert all(line == line.rstrip() for line in found), "nothing follows the last letter of a line in a pipe"


def test_points_are_by_seat_where_these_fit(report_of):
    wide, narrow = "\n".join(report_of(run_of(), 80)), "\n".join(report_of(run_of(), 40))
    assert re.search(r"rule +red +green +ann +games", wide)
    assert re.search(r"rule +all seats +games", narrow)


def test_games_worth_a_look():
    report = made_up(game_of(MARKET), 30, 6, failed=3)
    found = {each.words: each for each in unusual_games(report)}
    longest = max(report.records, key=lambda record: record.decisions)
    assert (found["longest"].value, found["longest"].number) == (longest.decisions, longest.number)
    assert found["longest"].seed == 7 + longest.number
    for each in found.values():
        assert each.measure.value(report.records[each.number]) == each.value
    same = made_up(game_of(MARKET), 1, 0)
    assert [*unusual_games(same)] == [], "nothing is unusual where all games are the same"


def test_an_unusual_game_can_be_saved(run):
    words = ("simulate", PEBBLES, "-n", 20, "--seed", 3, "--jobs", 1)
    found = valid("simulate", run(*words, "--format", "json").output)["unusual"]
    longest = next(each for each in found if each["words"] == "longest")
    assert longest["seed"] == 3 + longest["game"]
    assert re.search(rf"longest +{longest['value']} +{longest['game']} +{longest['seed']}\n", run(*words).output)
    again = run(*words, "--game", longest["game"]).output
    assert f"seed {longest['seed']}: is over after {longest['value']} decisions" in again
