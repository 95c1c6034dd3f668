"""`play --watch`: the rules are read again when their file is saved; the game continues under them, or says why not."""

import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import PEBBLES, quiet_seed, read
from tests.cli.terminal import Terminal, plain

if not hasattr(__import__("signal"), "SIGUSR1"):
    pytest.skip("a change is seen at the next question here", allow_module_level=True)


@pytest.fixture
def rules(own_folder) -> Path:
    path = own_folder / "pebbles.rules"
    shutil.copy(PEBBLES, path)
    return path


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.with_suffix(".new").write_text(text.replace(old, new), encoding="utf-8")
    path.with_suffix(".new").replace(path)  # as editors do


def playing(rules: Path) -> Terminal:
    return Terminal("play", rules, "--plain", "--watch", "--seed", quiet_seed(2), "--save", rules.with_suffix(".json"))


def test_a_game_goes_on_under_new_rules(rules):
    with playing(rules) as terminal:
        terminal.until("red> ")
        terminal.enter("build", "red> ")
        change(rules, '"build a hut"', '"raise a hut"')
        shown = plain(terminal.until("red> "))
        assert "the rules were reloaded; the game continues under them" in shown
        assert "raise a hut" in shown
        terminal.enter("quit", "saved")
    saved = read(rules.with_suffix(".json"))
    assert saved["moves"][0]["move"] == "build"
    assert saved["notes"][-1]["text"] == "the rules were changed; all decisions so far are legal under them"


def test_a_mistake_is_reported_and_the_game_continues_unchanged(rules):
    with playing(rules) as terminal:
        terminal.until("red> ")
        change(rules, "move 1 from store[me] to field", "move 1 from store[me] to feild")
        shown = plain(terminal.until("red> "))
        assert "error[E" in shown and "did you mean `field`" in shown
        assert "the game continues under the old rules" in shown
        terminal.enter("build", "red> ")
        change(rules, "to feild", "to field")
        assert "the game continues under them" in plain(terminal.until("red> "))
        terminal.enter("quit", "saved")


def test_a_decision_that_is_no_longer_legal(rules):
    with playing(rules) as terminal:
        terminal.until("red> ")
        terminal.enter("build", "red> ")
        change(rules, "require store[me] is not empty          because", "require thrown > 9 because")
        shown = plain(terminal.until("[y/N] "))
        assert "`build` is not legal: you have no hut left" in shown
        assert "thrown = 0" in shown
        shown = plain(terminal.enter("n", "red> "))
        assert "the game continues under the old rules" in shown
        change(rules, "require thrown > 9 because", "require thrown > 8 because")
        terminal.until("[y/N] ")
        shown = plain(terminal.enter("y", "red> "))
        assert "the game so far is saved in" in shown
        terminal.enter("quit", "saved")
    assert read(rules.with_suffix(".json"))["moves"] == []
    assert read(rules.with_name("pebbles-before-1.json"))["moves"][0]["move"] == "build"
