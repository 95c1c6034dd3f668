"""`explore GAME`: faults, stuck and endless games, decisions without a choice, and rules that nothing reaches."""

from __future__ import annotations

import os
import re
import signal
import time

import pytest

from interpreter.exploration.search import Explorer
from interpreter.loading.rules import load_rules
from tests.cli.conftest import valid
from tests.cli.terminal import plain

RULES = """game "Tower" for 2 to 3 players ann, ben, cal

== components ==

note height: 0..40 = 0
note cracks: 0..3 = 0

== setup ==

{setup}

== phases ==

phase building, turns from ann, over when {over}:
    {decision}

action build:
    "build"
    add 1 to height

action rest:
    "rest"
    {rest}

== scoring ==

winner highest height
"""


STEPS = """game "Steps" for 2 players ann, ben

== components ==

note height[p: Player]: 0..40 = 0

== phases ==

phase building, repeated until round(building) is 3:
    each player from ann: must build or rest

action build:
    "build"
    add 1 to height[me]

action rest:
    "rest"
    add 0 to height[me]

== scoring ==

winner highest height[me]
"""


def tower(folder, over="height >= 12", decision="must build or rest", setup="set height to 0", rest="set cracks to 0"):
    path = folder / "tower.rules"
    path.write_text(RULES.format(over=over, decision=decision, setup=setup, rest=rest), encoding="utf-8")
    return path


def explored(run, path, *words, code):
    result = run("explore", path, "--time", 30, "--jobs", 1, "--format", "json", *words)
    assert result.exit_code == code, result.output
    return valid("explore", result.output)


def test_a_fault_is_shown_by_the_shortest_course(run, own_folder):
    path = tower(own_folder, over="height >= 6", rest="add 1 to cracks")
    document = explored(run, path, "--decisions", 600, "--into", "found", code=1)
    (fault,) = document["findings"]
    assert fault["kind"] == "fault" and fault["place"].startswith("tower.rules:23:")
    assert fault["words"] == "4 is outside the range 0..3" and fault["decisions"] == 4
    assert re.fullmatch(r'example "fault in line 23":\n    given cracks is 3\n    when \w+: rest\n', fault["example"])
    assert run("position", fault["save"]).output.splitlines()[1:] != []
    path.write_text(path.read_text("utf-8") + f"\n== examples ==\n\n{fault['example']}", encoding="utf-8")
    tested = run("test", path)
    assert tested.exit_code == 1 and "4 is outside the range 0..3" in tested.output


def test_faults_that_differ_in_numbers_alone_are_one(run, own_folder):
    path = tower(own_folder, rest="add height + 1 to cracks")
    assert len(explored(run, path, "--decisions", 2_000, code=1)["findings"]) == 1


def test_a_setup_that_fails(run, own_folder):
    path = tower(own_folder, setup="for each x in {2, 3}: add x to cracks")
    (fault,) = explored(run, path, "--decisions", 10, code=1)["findings"]
    assert fault["decisions"] == 0
    assert fault["example"].endswith("when phase setup\n")
    assert "in the setup" in run("explore", path, "--jobs", 1, "--decisions", 10).output


def test_a_game_that_goes_round_in_a_circle(run, own_folder):
    path = tower(own_folder, over="height >= 50", decision="must rest")
    found = explored(run, path, "--decisions", 100, code=1)["findings"]
    assert found[0]["kind"] == "stuck" and found[0]["decisions"] == 0
    assert "may only rest" in found[0]["example"]
    assert [each["kind"] for each in found[1:]] == ["one move"]


def test_a_game_without_end(run, own_folder):
    path = tower(own_folder, over="height >= 30", rest="set height to 0")
    found = explored(run, path, "--decisions", 3_100, code=1)["findings"]
    assert [(each["kind"], each["decisions"], each["example"]) for each in found] == [("endless", 3000, None)]
    assert "not over after 3,000 random decisions" in run("explore", path, "--jobs", 1, "--decisions", 3_100).output


def test_an_action_that_is_never_worth_doing(run, own_folder):
    """Who rests falls a floor behind. That no others are named is part of the other tests."""
    path = own_folder / "steps.rules"
    path.write_text(STEPS, encoding="utf-8")
    found = explored(run, path, "--decisions", 1_500, code=0)["findings"]
    assert [each["kind"] for each in found] == ["dominated"]
    assert found[0]["words"].startswith("`rest` was behind another action at ")


def test_what_is_not_reached_is_said_with_the_effort(run, own_folder):
    path = tower(own_folder, rest="if height > 30: set cracks to 1")
    result = run("explore", path, "--jobs", 1, "--decisions", 500)
    assert result.exit_code == 0
    assert "no rule failed, and no game was stuck or endless" in result.output
    found = re.search(r"not reached in \d+ runs and 5\d\d decisions, nor by an example\n(.*)\n", result.output)
    assert found is not None and "tower.rules:23  action rest never holds: if height > 30" in found[1]
    text = path.read_text("utf-8")
    path.write_text(text + '\n== examples ==\n\nexample "high":\n    given height is 31\n    when ann: rest\n', "utf-8")
    (part, *_) = explored(run, path, "--decisions", 500, code=0)["unreached"]
    assert part["by_examples"] and "height > 30" in part["what"]


def test_a_search_is_continued(run, own_folder):
    path = tower(own_folder, over="height >= 6", rest="add 1 to cracks")
    first = explored(run, path, "--decisions", 300, "--into", "found", code=1)
    second = explored(run, path, "--decisions", 300, "--into", "found", code=1)
    assert second["runs"] > first["runs"] and second["decisions"] >= 2 * 300
    assert second["findings"] == first["findings"]
    tower(own_folder, over="height >= 7")
    assert explored(run, path, "--decisions", 300, "--into", "found", code=0)["decisions"] < 600
    (own_folder / "found" / "tower.search.json").write_text("[]", encoding="utf-8")
    assert run("explore", path, "--into", "found").exit_code == 1


def test_the_search_climbs_where_random_games_fall_back(own_folder):
    """Resting takes everything down, so that a random game of 40 floors is one in a million million."""
    rules = load_rules(tower(own_folder, over="height >= 50", rest="set height to 0"))
    kinds = []
    for guided in (False, True):
        explorer = Explorer(rules, seed=2, guided=guided)
        for _ in explorer.search(lambda searched=explorer: searched.decisions >= 15_000):
            pass
        kinds.append({finding.kind for finding in explorer.findings.values()})
    assert kinds == [{"endless"}, {"endless", "fault"}]


def test_examples_that_fail_are_said(run, own_folder):
    path = tower(own_folder)
    path.write_text(path.read_text("utf-8") + '\n== examples ==\n\nexample "high":\n    then height is 1\n', "utf-8")
    assert explored(run, path, "--decisions", 10, code=0)["failing_examples"] == ["high"]
    assert "1 example fails: see `regelwerk test`" in run("explore", path, "--jobs", 1, "--decisions", 10).output


@pytest.mark.parametrize(
    "words", [("--time", 0), ("--jobs", 0), ("--decisions", 0), ("--into", "tower.rules"), ("--format", "xml")]
)
def test_misuse(run, own_folder, words):
    assert run("explore", tower(own_folder), *words).exit_code == 2


@pytest.mark.skipif(os.name == "nt", reason="signals of the POSIX kind")
def test_interrupted(terminal):
    running = terminal("explore", "nim", "--time", 600, "--jobs", 2, columns=100)
    end = time.monotonic() + 120
    while not re.search(r"[1-9]\d,\d{3} decisions, 0 findings", plain(running.raw)):
        assert running.read(end - time.monotonic()), running.raw
    running.process.send_signal(signal.SIGINT)
    assert running.end(60) == 130
    assert "interrupted: this is what was found so far" in plain(running.raw)
    assert re.search(r"Explored nim for \d+ s: \d+ runs and [\d,]+ decisions", plain(running.raw))


def test_a_position_that_chance_may_lead_out_of_is_not_stuck(run, own_folder):
    path = tower(
        own_folder, over="height >= 1", decision="must rest", rest="roll cube\n    if cube is 6: set height to 1"
    )
    path.write_text(
        path.read_text("utf-8").replace("note cracks", "die cube: 1, 2, 3, 4, 5, 6\nnote cracks"), encoding="utf-8"
    )
    assert [each["kind"] for each in explored(run, path, "--decisions", 2_000, code=0)["findings"]] == ["one move"]
