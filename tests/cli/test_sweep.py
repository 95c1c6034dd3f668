"""`sweep`: the same figures along a range of options, variants or numbers of players."""

from __future__ import annotations

import csv
import io
import re

import pytest

from cli.errors import MisuseError
from cli.laboratory.sweeping import choices, values_of
from interpreter.laboratory.running import play_run
from tests.cli.conftest import valid
from tests.cli.walk import WALK


def swept(alone, *words):
    return valid("sweep", alone("sweep", *words, "--format", "json").output)["settings"]


# ---- what is varied


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("20..100:20", "20 40 60 80 100"),
        ("20..90:20", "20 40 60 80"),
        ("1..4", "1 2 3 4"),
        ("-2..2:2", "-2 0 2"),
        ("7", "7"),
        ("few,many", "few many"),
        ("1,5..7,20", "1 5 6 7 20"),
        ("true", "true"),
    ],
)
def test_values(text, values):
    assert values_of("--option goal", text) == values.split()


@pytest.mark.parametrize(
    "text", ["1,,2", "5..1", "1..5:0", "1,1", "1..3,2", "0..999999:1", "", ",", "3..", "..3", "1..x", "1..5:"]
)
def test_no_values(text):
    with pytest.raises(MisuseError):
        values_of("--option goal", text)


def test_all_combinations():
    found = choices("2,3", {"goal": "1..2", "fast": "true"}, ["none,far", "near"])
    assert len(found) == 2 * 2 * 2
    assert [each.name for each in found[:3]] == [
        "players=2, goal=1, variant=none", "players=2, goal=1, variant=far", "players=2, goal=2, variant=none",
    ]  # fmt: skip
    assert found[1].options == {"goal": "1", "fast": "true"}
    assert [each.variants for each in found[:2]] == [("near",), ("far", "near")]
    assert found[-1].players == 3


def test_names_of_seats_are_no_list_of_numbers():
    (first, _) = choices("red,blue", {"goal": "1,2"}, [])
    assert first.players == ("red", "blue")
    assert [each.players for each in choices("3..5", {}, [])] == [3, 4, 5]


def test_variants_that_are_applied_together():
    assert [each.variants for each in choices(None, {}, ["none,far,far+near"])] == [(), ("far",), ("far", "near")]


def test_several_lists_of_variants_are_distinguished():
    assert choices(None, {}, ["none,a", "none,b"])[1].varied == {"variant 1": "none", "variant 2": "b"}


# ---- figures


def test_a_row_for_each_setting(alone, walk):
    rows = swept(alone, "walk.rules", "-o", "length=2..8:2", "-n", 10, "--measure", "decisions", "-m", "win")
    assert [row["varied"] for row in rows] == [{"length": length} for length in "2468"]
    assert [row["options"]["length"] for row in rows] == list("2468")
    for row, length in zip(rows, (2, 4, 6, 8), strict=True):
        assert [each["key"] for each in row["measures"]] == ["decisions", "win:ann", "win:ben"]
        assert row["measures"][0]["mean"] == length
        assert row["games"] == row["wanted"] == 10


def test_all_settings_have_the_same_seeds(alone, walk):
    (slow, fast) = swept(alone, "walk.rules", "-o", "slow=true,false", "-n", 30, "--seed", 4)
    assert slow["seed"] == fast["seed"] == 4
    single = valid("simulate", alone("simulate", "walk.rules", "-n", 30, "--seed", 4, "--format", "json").output)
    means = {each["key"]: each["mean"] for each in single["measures"]}
    assert all(each["mean"] == means[each["key"]] for each in fast["measures"])


def test_variants_and_players(alone, walk):
    rows = swept(alone, "walk.rules", "--variant", "none,far", "--players", "2..3", "-n", 4, "-m", "win")
    assert [(row["varied"], len(row["players"]), row["variants"]) for row in rows] == [
        ({"players": "2", "variant": "none"}, 2, []),
        ({"players": "2", "variant": "far"}, 2, ["far"]),
        ({"players": "3", "variant": "none"}, 3, []),
        ({"players": "3", "variant": "far"}, 3, ["far"]),
    ]
    assert [len(row["measures"]) for row in rows] == [2, 2, 3, 3]


def test_tables_with_bars(alone, walk):
    output = alone("sweep", "walk.rules", "-o", "length=2,4,8", "-n", 10, "-m", "decisions", "-o", "slow=true").output
    lines = output.splitlines()
    assert lines[:2] == [
        "Walk: 10 games of each of 3 settings", "2 random bots, seeds from 0 in every setting, slow is true",
    ]  # fmt: skip
    assert lines[3:7] == [
        "length  decisions per game", "2       2.00 ±0.00 ██", "4       4.00 ±0.00 ████", "8       8.00 ±0.00 ████████",
    ]  # fmt: skip
    assert all(len(line) <= 80 for line in output.splitlines())


def test_more_measures_than_fit_go_into_several_tables(alone, walk):
    output = alone("sweep", "walk.rules", "--players", "2..3", "-n", 5).output
    assert len(re.findall(r"^players ", output, re.MULTILINE)) >= 2
    assert re.search(r"^2 .* -$", output, re.MULTILINE)  # two players have no third seat
    assert all(len(line) <= 80 for line in output.splitlines())


def test_comma_separated_values(alone, walk):
    output = alone("sweep", "walk.rules", "-o", "length=2,4", "-n", 10, "-m", "win", "--format", "csv").output
    rows = list(csv.DictReader(io.StringIO(output)))
    assert list(rows[0]) == [
        "length", "games", "win:ann", "win:ann low", "win:ann high", "win:ben", "win:ben low", "win:ben high",
    ]  # fmt: skip
    (first, _) = swept(alone, "walk.rules", "-o", "length=2,4", "-n", 10, "-m", "win:ann")
    assert float(rows[0]["win:ann"]) == first["measures"][0]["mean"]
    assert float(rows[0]["win:ann low"]) == first["measures"][0]["low"]


def test_games_are_kept_and_not_played_again(alone, walk):
    words = ("sweep", "walk.rules", "-o", "length=2,4", "--into", "kept", "--format", "csv", "-n", 10)
    first = alone(*words).output
    assert sorted(path.name for path in (walk / "kept").iterdir()) == ["length=2.jsonl", "length=4.jsonl"]
    before = [path.read_text() for path in sorted((walk / "kept").iterdir())]
    assert alone(*words).output == first
    assert [path.read_text() for path in sorted((walk / "kept").iterdir())] == before


def test_an_interrupt_shows_the_settings_so_far(alone, walk, monkeypatch):
    words = ("sweep", "walk.rules", "-o", "length=2,4,6", "--into", "kept", "--format", "csv", "-n", 10)
    numbers = iter(range(3))

    def interrupted(*arguments):
        if next(numbers) == 1:
            raise KeyboardInterrupt
        return play_run(*arguments)

    monkeypatch.setattr("interpreter.laboratory.running.play_run", interrupted)
    result = alone(*words)
    assert result.exit_code == 130
    assert [line.partition(",")[0] for line in result.stdout.splitlines()] == ["length", "2"]
    assert "interrupted: 1 of 3 settings; the same command goes on with kept" in result.stderr
    monkeypatch.setattr("interpreter.laboratory.running.play_run", play_run)
    again = alone(*words)
    assert again.exit_code == 0
    assert [line.partition(",")[0] for line in again.stdout.splitlines()] == ["length", "2", "4", "6"]


def test_games_that_fail(alone, walk):
    broken = WALK.replace("note steps[p: Player]: 0..99", "note steps[p: Player]: 0..20")
    (walk / "walk.rules").write_text(broken)
    result = alone("sweep", "walk.rules", "-o", "length=2,20", "-n", 10)
    assert result.exit_code == 1
    assert re.search(r"\d+ games ended in an error; the figures cover the others\n walk.rules:", result.output)
    document = valid("sweep", alone("sweep", "walk.rules", "-o", "length=2,20", "-n", 10, "--format", "json").output)
    assert {each["varied"]["length"] for each in document["failed"]} == {"20"}
    assert document["settings"][1]["games"] == 10 - len(document["failed"])


def test_a_name_that_no_measure_can_have_is_refused_before_any_game(alone, walk, monkeypatch):
    monkeypatch.setattr("cli.verbs.sweep.play_series", None)
    words = ("sweep", "walk.rules", "-o", "length=1,2")
    assert "there is no measure `lenght`" in alone(*words, "-m", "lenght").output
    assert "there is no measure `drama`" in alone(*words, "-m", "drama").output, "nobody asked for a detailed analysis"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "there is nothing to vary"),
        (("-o", "length=3"), "there is nothing to vary"),
        (("-o", "length=3.."), "--option length: a range is FIRST..LAST or FIRST..LAST:STEP"),
        (("-o", "length=1..20", "--format", "xml"), "--format must be text, json or csv"),
        (("-o", "length=1,2", "-m", "lenght"), "there is no measure `lenght`"),
        (("-o", "length=1,99"), "length"),
        (("-o", "length=1..20", "-o", "slow=true,false", "-o", "height=1..30"), "at most 1000 settings, not 1200"),
        (("-o", "height=1,2"), "height"),
        (("--variant", "none,fra"), "fra"),
    ],
)
def test_misuse(alone, walk, words, message):
    result = alone("sweep", "walk.rules", *words, "-n", 2)
    assert result.exit_code in (1, 2)
    assert message in result.output
