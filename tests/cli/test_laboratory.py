"""`simulate` as a laboratory: any bots, kept games, games until it is known, one game again, and how games go."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from itertools import chain, count, groupby
from types import SimpleNamespace

import pytest

from cli.progress import Stage
from interpreter.laboratory.playing import records
from interpreter.laboratory.results_file import Results
from interpreter.laboratory.running import Plan, play_run
from interpreter.laboratory.setting import Setting, lineup
from interpreter.play.game import load
from tests.cli.conftest import DUEL, PEBBLES, TOGETHER, valid
from tests.cli.terminal import heeding_interrupts
from tests.support.project import ROOT


@pytest.fixture
def simulate(run):
    """The figures of a run as data."""

    def figures(*words):
        return valid("simulate", run("simulate", *words, "--format", "json").stdout)

    return figures


def measures(document):
    return {each["key"]: each for each in document["measures"]}


# ---- bots


def test_bots_play_the_seats_they_are_given(run, simulate, duel):
    document = simulate("duel.rules", "-n", 12, "--seat", "ben=greedy", "-j", 1)
    assert document["bots"] == ["random", "greedy"]
    assert measures(document)["win:ben"]["mean"] > 0.9
    output = run("simulate", "duel.rules", "-n", 4, "--seat", "ben=greedy", "-j", 1).output
    assert "Duel: 4 games of random as ann, greedy as ben" in output
    output = run("simulate", "duel.rules", "-n", 2, "--bots", "greedy", "-j", 1).output
    assert "Duel: 2 games of 2 greedy bots" in output


def test_bots_play_the_same_games_in_any_number_of_processes(simulate, duel):
    words = ("duel.rules", "-n", 6, "--players", 3, "--bots", "mcts:8", "--seat", "cleo=random", "--details", 2)
    assert simulate(*words, "-j", 1) == simulate(*words, "-j", 3)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--bots", "mcst"), "mcst"),
        (("--bots", "human"), "human"),
        (("--seat", "bob=greedy"), "there is no seat `bob`"),
        (("--seat", "all=greedy", "--bots", "random"), "omit one of the two"),
        (("--bots", "alphabeta"), "alphabeta"),
        (("--until", "1"), "--until must be a percentage"),
        (("--until", "60%"), "--until must be a percentage"),
        (("--until", "0%"), "--until must be a percentage"),
        (("--details", -1), "--details must be from 0"),
        (("--game", -1), "--game must be from 0"),
        (("--game", 3, "--html", "page.html"), "--html applies to all games of a run; omit it with --game"),
        (("--game", 3, "--svg", "charts"), "--svg applies to all games"),
        (("--game", 3, "--figures", "figures.csv"), "--figures applies to all games"),
        (("--game", 3, "--per-game", "games.csv"), "--per-game applies to all games"),
        (("--game", 3, "--skill", 10), "--skill applies to all games"),
        (("--game", 3, "--format", "xml"), "--format must be text, json or csv"),
        (("-n", 0), "--games"),
        (("--into", "."), "--into"),
    ],
)
def test_what_makes_no_sense_is_refused(run, duel, words, message):
    result = run("simulate", "duel.rules", *words)
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())


# ---- kept games


def test_kept_games_are_not_played_again(run, simulate, duel):
    simulate("duel.rules", "-n", 6, "--into", "r.jsonl", "-j", 1)
    lines = (duel / "r.jsonl").read_text().splitlines()
    assert len(lines) == 7
    assert [json.loads(line)["number"] for line in lines[1:]] == [*range(6)]
    again = simulate("duel.rules", "-n", 10, "--into", "r.jsonl", "-j", 1)
    assert len((duel / "r.jsonl").read_text().splitlines()) == 11
    assert again == simulate("duel.rules", "-n", 10)
    fewer = simulate("duel.rules", "-n", 3, "--into", "r.jsonl")
    assert fewer == simulate("duel.rules", "-n", 3)
    assert len((duel / "r.jsonl").read_text().splitlines()) == 11


def test_kept_games_are_analysed_later(simulate, duel):
    simulate("duel.rules", "-n", 4, "--into", "r.jsonl", "-j", 1)
    words = ("duel.rules", "-n", 4, "--details", 2)
    analysed = simulate(*words, "--into", "r.jsonl", "-j", 1)
    assert analysed["course"]["games"] == 2 and analysed["games"] == 4
    assert analysed == simulate(*words)
    before = (duel / "r.jsonl").read_text()
    assert simulate(*words, "--into", "r.jsonl") == analysed
    assert (duel / "r.jsonl").read_text() == before


@pytest.mark.parametrize("missing", [{0}, {5, 6, 7}, {2, 4, 30}, {0, 1, 2, 3, 4}, {29, 31, 59}])
def test_missing_games_are_played(simulate, duel, missing):
    words = ("duel.rules", "-n", 60, "--details", 4, "--into", "r.jsonl", "-j", 1)
    whole = simulate(*words)
    header, *lines = (duel / "r.jsonl").read_text().splitlines(keepends=True)
    there = [line for line in lines if json.loads(line)["number"] not in missing]
    (duel / "r.jsonl").write_text(header + "".join(there))
    assert simulate(*words) == whole
    _, *now = (duel / "r.jsonl").read_text().splitlines(keepends=True)
    assert now[: len(there)] == there and sorted(now) == sorted(lines), "each of them once, and no other again"


def test_a_line_cut_off_by_a_kill_is_played_again(simulate, duel):
    simulate("duel.rules", "-n", 5, "--into", "r.jsonl", "-j", 1)
    text = (duel / "r.jsonl").read_text()
    (duel / "r.jsonl").write_text(text[:-20])
    assert simulate("duel.rules", "-n", 5, "--into", "r.jsonl", "-j", 1) == simulate("duel.rules", "-n", 5)
    assert (duel / "r.jsonl").read_text() == text


@pytest.mark.parametrize(
    "line",
    [
        "{}",
        "7",
        '{"number": 1}',
        '{"number": -1, "winners": [0], "scores": [[1], [2]], "teams": [], "decisions": 6, "choices": 12, "widest": 2}',
        '{"number": 1, "winners": [2], "scores": [[1], [2]], "teams": [], "decisions": 6, "choices": 12, "widest": 2}',
        '{"number": 1, "winners": [0], "scores": [[1]], "teams": [], "decisions": 6, "choices": 12, "widest": 2}',
        '{"number": 1, "failed": {}}',
    ],
)
def test_a_damaged_line_is_named(run, simulate, duel, line):
    simulate("duel.rules", "-n", 1, "--into", "r.jsonl")
    text = (duel / "r.jsonl").read_text() + line + "\n"
    (duel / "r.jsonl").write_text(text)
    result = run("simulate", "duel.rules", "-n", 3, "--into", "r.jsonl")
    assert result.exit_code == 1 and "line 3 of r.jsonl is damaged" in result.output
    assert (duel / "r.jsonl").read_text() == text


def test_games_of_another_run_are_not_mixed(run, simulate, duel):
    simulate("duel.rules", "-n", 2, "--into", "r.jsonl")
    for words in (("--seed", 1), ("--bots", "greedy"), ("--players", 3)):
        result = run("simulate", "duel.rules", "-n", 2, "--into", "r.jsonl", *words)
        assert result.exit_code == 1 and "r.jsonl holds results of other games" in result.output
    arena = run("arena", "duel.rules", "random", "greedy", "-n", 2, "--into", "r.jsonl")
    assert arena.exit_code == 1 and "r.jsonl is not a file of arena results" in arena.output


def test_ctrl_c_keeps_what_was_played(simulate, duel):
    words = ("duel.rules", "--bots", "mcts:40", "-n", "200", "-j", "2", "--details", "3", "--into", "r.jsonl")
    process = subprocess.Popen(
        [sys.executable, "-m", "cli.main", "simulate", "--format", "json", *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=heeding_interrupts, cwd=duel,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    kept = duel / "r.jsonl"
    while process.poll() is None and (not kept.exists() or len(kept.read_text().splitlines()) < 3):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 130, errors
    assert "the same command goes on with r.jsonl" in errors
    assert "Traceback" not in errors
    numbers = {json.loads(line)["number"] for line in kept.read_text().splitlines()[1:]}
    before_a_gap = next(number for number in count() if number not in numbers)
    assert valid("simulate", output)["games"] == before_a_gap
    played = len(numbers)
    rest = ("duel.rules", "--bots", "mcts:40", "-n", played + 2, "--details", 3, "-j", 1)
    assert simulate(*rest, "--into", "r.jsonl") == simulate(*rest)
    assert len(kept.read_text().splitlines()) == played + 3


@pytest.mark.parametrize("after", [1, 3])
def test_a_game_that_was_kept_counts_when_interrupted_at_once(run, duel, after):
    class Interrupting(Results):
        def add(self, games):
            super().add(games)
            if len(self.results) == after:
                raise KeyboardInterrupt

    game = load("duel.rules", 2)
    plan = Plan(Setting(game, lineup(game, "random"), 0), games=9, details=9)
    played = play_run(plan, Interrupting())
    assert played.interrupted and played.end == after


# ---- until it is known


def test_games_end_when_shares_are_known(run, simulate):
    found = simulate(PEBBLES, "--until", "4%", "-j", 1)
    assert found == simulate(PEBBLES, "--until", "4%", "-j", 3)
    assert found["games"] % 100 == 0 and 500 <= found["games"] <= 1000
    for seat in found["seats"]:
        assert seat["wins"]["high"] - seat["wins"]["low"] <= 0.08
    less = simulate(PEBBLES, "-n", found["games"] - 100)
    assert any(seat["wins"]["high"] - seat["wins"]["low"] > 0.08 for seat in less["seats"])
    assert f"{found['games']} games" in run("simulate", PEBBLES, "--until", "4%").output


@pytest.fixture
def shown(monkeypatch):
    """What the progress line is given during a run: all values of each of its fields, in their order."""
    given = {"total": [], "note": []}

    class Noting(Stage):
        def __setattr__(self, name, value):
            if name in given and value:
                given[name].append(value)
            super().__setattr__(name, value)

    monkeypatch.setattr("cli.verbs.simulate.Stage", Noting)
    return given


def test_it_is_foreseen_how_many_games_it_takes(simulate, shown):
    found = simulate(PEBBLES, "--until", "4%", "-j", 1)
    assert shown["total"][0] == 1_000_000
    assert abs(shown["total"][-1] - found["games"]) <= 100, "widths fall with the root of the number of games"


def test_what_takes_long_is_named(simulate, shown):
    simulate(PEBBLES, "-n", 30, "--details", 2, "-j", 1)
    notes = [note for note, _ in groupby(shown["note"])]
    assert notes[:2] == ["analysing game 1 of 2 in detail", "analysing game 2 of 2 in detail"]
    assert not any("in detail" in note for note in notes[2:])


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_time_that_is_left_takes_into_account_that_a_detailed_analysis_takes_longer(duel, jobs):
    """Games take ten seconds each if analysed in detail, otherwise a tenth; the very first takes a minute more.

    Chunks come from one process, and are timed as if there were several.
    """
    now, expected, seconds = 0.0, [], iter([60.0])

    def records_in_time(courses, bots, seed, numbers, detailed):
        nonlocal now
        for record in records(courses, bots, seed, numbers, lambda _: False):
            now += (10.0 if detailed(record.number) else 0.1) + next(seconds, 0.0)
            yield record

    def note(progress):
        expected.append((progress.completed, progress.seconds_left))

    game = load("duel.rules", 2)
    plan = Plan(Setting(game, lineup(game, "random"), 0), games=120, details=20, jobs=jobs)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("interpreter.laboratory.playing.records", records_in_time)
        patch.setattr("interpreter.laboratory.playing.time", SimpleNamespace(monotonic=lambda: now))
        patch.setattr(
            "interpreter.laboratory.running.spread", lambda work, chunks, _: chain.from_iterable(work(chunks))
        )
        run = play_run(plan, Results(), note)
    assert run.end == 120, "an analysis that failed is not tried again"
    assert [done for done, left in expected if left is None] == [*range(jobs + 1)], "not known at first, but soon"
    later = [(done, left) for done, left in expected if done > jobs + 27]
    for done, left in later:
        detailed = max(0, 20 + 25 - done)
        assert left == pytest.approx((10 * detailed + 0.1 * (120 - done - detailed)) / min(jobs, max(1, 120 - done)))
    assert later[-1] == (120, 0)


def test_games_that_are_there_already_count_until_it_is_known(simulate, own_folder):
    simulate(PEBBLES, "-n", 1500, "--into", "r.jsonl")
    assert simulate(PEBBLES, "--until", "4%", "--into", "r.jsonl") == simulate(PEBBLES, "--until", "4%")
    assert len((own_folder / "r.jsonl").read_text().splitlines()) == 1501


def test_until_is_limited_by_the_number_of_games(run, simulate):
    assert simulate(PEBBLES, "--until", "1%", "-n", 150)["games"] == 150
    note = run("simulate", PEBBLES, "--until", "1%", "-n", 150).stderr
    found = re.fullmatch(
        r"note: after 150 games the shares of the wins are known to ±(\S+)%; ±1% takes about (\S+)\n", note
    )
    widest = max(each["wins"]["high"] - each["wins"]["low"] for each in simulate(PEBBLES, "-n", 150)["seats"])
    assert float(found[1]) == pytest.approx(50 * widest, abs=0.01)
    assert int(found[2].replace(",", "")) == pytest.approx(150 * float(found[1]) ** 2, rel=0.02)
    assert "note" not in run("simulate", PEBBLES, "--until", "9%", "-n", 1000).stderr


# ---- one game again


def test_one_game_of_a_run_is_saved_for_trace(run, duel):
    for words in ((), ("--bots", "mcts:8")):
        run("simulate", "duel.rules", "-n", 4, "--seed", 5, "--into", f"r{len(words)}.jsonl", "-j", 1, *words)
        record = json.loads((duel / f"r{len(words)}.jsonl").read_text().splitlines()[4])
        result = run("simulate", "duel.rules", "--seed", 5, "--game", 3, *words)
        assert result.exit_code == 0
        assert f"game 3, seed 8: is over after {record['decisions']} decisions" in result.output
        save = result.output.split()[-1]
        again = run("trace", save, "--format", "json")
        assert again.exit_code == 0
        assert run("simulate", "duel.rules", "--seed", 5, "--game", 3, *words).output == result.output


def test_a_game_that_fails_is_saved_as_far_as_it_goes(run, own_folder):
    text = DUEL.replace("points_of[p: Player]: 0..99", "points_of[p: Player]: 0..1")
    (own_folder / "duel.rules").write_text(text)
    result = run("simulate", "duel.rules", "--game", 0, "--bots", "greedy")
    assert result.exit_code == 1
    assert "ended in an error" in result.output and "regelwerk trace" in result.output


def test_one_game_of_a_file_of_something_else_is_not_saved(run, duel):
    (duel / "r.jsonl").write_text("something else\n")
    result = run("simulate", "duel.rules", "--game", 3, "--into", "r.jsonl")
    assert result.exit_code == 1 and "r.jsonl is not a file of games" in result.output
    assert not [*duel.rglob("duel-seed3.json")]


@pytest.mark.parametrize("bots", [(), ("--bots", "greedy")])
def test_one_game_as_data_is_its_row_of_the_run(run, duel, bots):
    """Games 0 to 2 are analysed in detail, in the run and alone."""
    words = ("simulate", "duel.rules", "-n", 5, "--seed", 5, "--details", 3, "-j", 1, *bots)
    run(*words, "--per-game", "games.json")
    rows = json.loads((duel / "games.json").read_text())
    for number in (1, 4):
        alone = run(*words, "--game", number, "--format", "json")
        assert alone.exit_code == 0
        assert valid("per_game", alone.stdout) == [rows[number]]
        assert f"game {number}, seed {5 + number}: is over after" in alone.stderr and "regelwerk trace" in alone.stderr
        (line,) = csv.DictReader(run(*words, "--game", number, "--format", "csv").stdout.splitlines())
        assert (line["game"], line["winners"]) == (str(number), rows[number]["winners"])
        assert set(line) == set(rows[number]), "a column for each value"


def test_a_game_that_fails_as_data(run, own_folder):
    text = DUEL.replace("points_of[p: Player]: 0..99", "points_of[p: Player]: 0..1")
    (own_folder / "duel.rules").write_text(text)
    result = run("simulate", "duel.rules", "--game", 0, "--bots", "greedy", "--format", "json")
    assert result.exit_code == 1
    assert valid("per_game", result.stdout) == [{"game": 0, "seed": 0, "failed": True, "looked_at": False}]
    assert "ended in an error" in result.stderr


# ---- how games go


def test_a_detailed_analysis(run, simulate, duel):
    document = simulate("duel.rules", "-n", 30, "--details", 10)
    course = document["course"]
    assert course["games"] == 10
    assert [moment["mean"] for moment in course["moves"]] == [2.0] * 20
    for seat in ("ann", "ben"):
        scores = [moment["mean"] for moment in course["scores"][seat]]
        assert scores == sorted(scores) and scores[0] == 0
    assert sum(course["expected"][seat][7]["mean"] for seat in ("ann", "ben")) == pytest.approx(1)
    used = {rule["name"]: rule["games"] for rule in course["rules"] if rule["kind"] == "action"}
    assert used == {"take": 10, "pass": 10}
    found = measures(document)
    assert found["forced"]["mean"] == 0 and found["forced"]["games"] == 10
    assert found["decisions"]["games"] == 30
    assert {"lead_changes", "drama", "settled", "uncertainty", "decisiveness"} <= set(found)
    output = run("simulate", "duel.rules", "-n", 30, "--details", 10).output
    assert "of 10 games analysed in detail" in output
    assert "expected wins (%), ann" in output


def test_no_interval_reaches_beyond_what_is_possible(simulate, duel):
    """Of four games only; what may be negative has the interval that anything has."""
    found = measures(simulate("duel.rules", "-n", 4, "--seed", 4, "--details", 4, "-j", 1))
    assert found["score1:ann"]["least"] < found["score1:ann"]["most"]
    for each in found.values():
        assert 0 <= each["low"] <= each["mean"] <= each["high"], each["key"]
        assert not each["share"] or each["high"] <= 1, each["key"]
    assert found["returns"]["mean"] == 0 < found["returns"]["high"] < 2
    (duel / "debts.rules").write_text(DUEL.replace("points_of[p: Player]: 0..99", "points_of[p: Player]: -99..99"))
    debts = measures(simulate("debts.rules", "-n", 4, "--seed", 4, "--details", 4, "-j", 1))
    assert debts["score1:ann"]["mean"] == found["score1:ann"]["mean"]
    assert debts["score1:ann"]["low"] < found["score1:ann"]["low"]


def test_points_and_pieces_and_unused_rules(run, simulate, own_folder):
    idle = (
        'action idle:\n    "idle"\n    require turns > 90   because "it is early"\n    add 0 to turns\n\naction pass:'
    )
    text = DUEL.replace("add 1 to points_of[me]", 'add 1 to points_of[me]   because "a take"').replace(
        "action pass:", idle
    )
    (own_folder / "duel.rules").write_text(text.replace("take or pass", "take or pass or idle"))
    course = simulate("duel.rules", "-n", 8, "--details", 8)["course"]
    (source,) = course["points"]
    assert source["rule"] == "a take" and source["part"] == 1
    assert source["place"].startswith("duel.rules:")
    output = run("simulate", "duel.rules", "-n", 8, "--details", 8).output
    assert "points by rule" in output and "a take" in output
    assert "rules that none of these games used" in output and "action idle" in output


def test_a_game_won_together_has_no_race(simulate, own_folder):
    (own_folder / "together.rules").write_text(TOGETHER)
    found = measures(simulate("together.rules", "-n", 8, "--details", 4))
    assert "win:everyone" in found
    assert {key for key in found if ":" in key} == {"win:everyone", "score1:everyone"}, "not one row for each seat"
    assert not {"lead_changes", "drama", "margin"} & set(found)
