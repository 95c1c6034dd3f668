"""`new`: every first version of a game checks without a word, passes its examples, ends when it is played."""

from __future__ import annotations

import itertools

import pytest

from dsl.formatter import canonical
from dsl.text.span import Source
from interpreter.analysis.random_choices import random_move
from interpreter.authoring.starting import Ending, Kind, Sight, StartingPoint, first_version
from interpreter.play.game import load
from tests.cli.terminal import Terminal
from tests.support.long_run import one_in

KINDS: tuple[Kind, ...] = ("cards", "board")
SIGHTS: tuple[Sight, ...] = ("hidden", "open")
ENDINGS: tuple[Ending, ...] = ("points", "race", "last")
COMBINATIONS = list(itertools.product(KINDS, SIGHTS, ENDINGS))


@pytest.mark.parametrize(("kind", "sight", "ending"), COMBINATIONS)
def test_each_first_version_checks_tests_and_ends(kind, sight, ending, run, tmp_path):
    path = tmp_path / "mine.rules"
    path.write_text(first_version(StartingPoint(kind, 2, 5, sight, ending), "Mine", path.name), encoding="utf-8")
    checked, tested = run("check", path), run("test", path)
    assert checked.exit_code == 0 and "warning" not in checked.output, checked.output
    assert tested.exit_code == 0, tested.output
    for players in (2, 5):
        state = load(path, players).start(players)
        while not state.over:
            state.push(random_move(state))
        assert state.ply > 4


@pytest.mark.parametrize("fewest", one_in(2, range(2, 6)))
def test_numbers_of_players(fewest):
    for most in range(fewest, 6):
        text = first_version(StartingPoint(fewest=fewest, most=most), "Mine", "mine.rules")
        number = f"{fewest} players" if fewest == most else f"{fewest} to {most} players"
        assert f'game "Mine" for {number} red, blue' in text
        assert canonical(Source("mine.rules", text))[0] == text


def test_a_game_is_written_by_flags(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run("new", "three_rivers", "--players", "2", "--kind", "board", "--ending", "race", "--sight", "open")
    assert result.exit_code == 0
    text = (tmp_path / "three_rivers.rules").read_text("utf-8")
    assert 'game "Three rivers" for 2 players red, blue:' in text
    assert "three in a row" in text and "Door" not in text
    again = run("new", "three_rivers")
    assert (again.exit_code, again.stderr) == (2, "error: three_rivers.rules already exists; choose another name\n")
    assert (tmp_path / "three_rivers.rules").read_text("utf-8") == text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("Mine",), "small letters, digits and `_`"),
        (("2048",), "a letter first"),
        (("../mine",), "cannot be the name of a game"),
        (("mine", "--players", "9"), "--players is a number from 2 to 5"),
        (("mine", "--players", "3..2"), "--players is a number from 2 to 5"),
        (("mine", "--kind", "bord"), "--kind is cards or board, not `bord`; did you mean board?"),
        (("mine", "--ending", ""), "--ending is points or race or last"),
        (("mine", "--from", "nim", "--players", "2"), "--players cannot be combined with it"),
        (("mine", "--from", "nimm"), "nimm"),
    ],
)
def test_what_cannot_be(words, message, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run("new", *words)
    assert result.exit_code == 2 and message in result.stderr
    assert not list(tmp_path.iterdir())


def test_a_game_can_start_from_another(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("new", "mine", "--from", "hex").exit_code == 0
    assert run("check", tmp_path / "mine" / "hex.rules").exit_code == 0


def test_what_no_flag_says_is_asked_for_on_a_terminal(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Terminal("new", "mine", "--sight", "open") as terminal:
        terminal.enter("seven", then="--players is a number")
        terminal.enter("3", then="1 cards")
        terminal.enter("2", then="3 last")
        terminal.enter("", then="wrote mine.rules")
    text = (tmp_path / "mine.rules").read_text("utf-8")
    assert "for 3 players" in text and "grid" in text and "the most on the board" in text
