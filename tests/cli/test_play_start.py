"""Beginning to play: names of games, the list to choose from, what a finished game offers, what is shown meanwhile."""

import os
from pathlib import Path

import pytest

from tests.cli.conftest import PEBBLES, QUIET
from tests.cli.terminal import plain
from tests.support.project import ROOT

NAMED = {
    "China": "china",
    "CHINA": "china",
    "mauer": "mauerbauer",
    "Dschingis Khan": "dschingis_khan",
    "texas hold'em": "texas_holdem",
    "nine men": "nine_mens_morris",
    "Texas": "texas_holdem",
}


@pytest.mark.parametrize(("text", "name"), NAMED.items())
def test_a_game_is_named_by_what_only_it_has(run, text, name):
    assert run("games", text, "--format", "json").output == run("games", name, "--format", "json").output


def test_every_verb_understands_the_same_names(run, own_folder):
    (own_folder / "games").mkdir()
    for words in (("rules", "Nim"), ("check", "Nim"), ("simulate", "Nim", "--games", "2"), ("copy", "Nim", "games")):
        result = run(*words)
        assert result.exit_code == 0, result.output
    assert (own_folder / "games" / "nim.rules").exists()
    assert run("play", "TIC", "--seed", "1", "--seat", "all=random").exit_code == 0


def test_a_name_that_several_games_have_lists_them(run):
    result = run("play", "chin")
    assert result.exit_code != 0
    assert "`chin` may be china, chinese_checkers or chinesische_mauer" in result.output
    assert "there is no game `zzz`" in run("play", "zzz").output


def test_a_file_here_comes_first(run, own_folder):
    (own_folder / "chi.rules").write_bytes(Path(PEBBLES).read_bytes())
    assert '"Pebbles"' in run("games", "chi", "--format", "json").output


# ---- without a game


def test_without_a_game_there_is_a_list_with_recent_saves_first(terminal, own_folder):
    one = terminal("play", columns=100, lines=40)
    shown = plain(one.until("which one?"))
    assert "the games" in shown
    assert "continue one of your games" not in shown
    one.type("tic\r")
    one.until("Enter answer")
    one.type("1\r")
    one.until("nought  mark")
    one.type("\x11")
    assert one.end() == 0
    one = terminal("play", columns=100, lines=40)
    shown = plain(one.until("which one?"))
    assert shown.index("continue one of your games") < shown.index("or begin a new one")
    assert "1  tic_tac_toe-" in shown
    one.type("nonsense\r")
    one.until("there is no game `nonsense`")
    one.type("999\r")
    one.until("type a number from 1 to")
    one.type("\r")
    one.until("Enter answer")
    one.type("\x11")
    assert one.end() == 0
    assert "Tic-tac-toe, resumed" in plain(one.raw)


def test_the_list_is_left(terminal, own_folder):
    one = terminal("play")
    one.until("which one?")
    one.type("q\r")
    assert one.end() == 0


# ---- a finished game


def test_a_finished_game_offers_to_play_again(run, own_folder):
    words = ("--seed", QUIET, "--seat", "all=random", "--option", "turns=many", "--players", "3", "--save", "a")
    shown = run("play", PEBBLES, *map(str, words)).output
    again = next(line for line in shown.splitlines() if "play again: " in line).partition("play again: ")[2]
    assert "--players red,green,blue" in again
    assert "--option turns=many" in again
    assert "--seat red=random" in again
    assert run(*again.split()[1:], "--seed", "1").exit_code == 0
    opened = run("play", "--resume", "a").output
    assert "resumed" not in opened
    assert "the game is over" in opened
    assert "regelwerk trace" in opened
    assert f"play again: {again}" in opened
    listed = run("saves").output
    assert "result: regelwerk play --resume a; step by step: regelwerk trace a" in listed
    assert "play again: regelwerk play pebbles" in listed
    assert "go on playing" not in listed


# ---- meanwhile


def test_bots_that_play_alone_show_how_far_they_are_on_a_terminal_only(run, terminal, own_folder):
    words = ("play", "chess", "--seed", "1", "--seat", "all=random")
    one = terminal(*words, "--plain")
    one.until("decisions   Ctrl-C: save and stop")
    one.interrupt()
    assert one.end() == 130
    assert "Ctrl-C: save and stop" not in run("play", "tic_tac_toe", "--seat", "all=random").output


HELD = """
import os, sys, time

class Held:
    def find_spec(self, name, *_):
        if name == "dsl.checker":
            while not os.path.exists("go on"):
                time.sleep(0.01)

sys.meta_path.insert(0, Held())
"""
"""What Python does at its start: whatever imports the checker of rules waits for a file."""


def test_something_is_shown_before_the_rules_are_checked(terminal, own_folder):
    (own_folder / "sitecustomize.py").write_text(HELD)
    one = terminal("play", "china", fresh=True, PYTHONPATH=f"{own_folder}{os.pathsep}{ROOT}")
    one.until("regelwerk play …")
    (own_folder / "go on").touch()
    one.until("Enter answer")
