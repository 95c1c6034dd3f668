"""Play in full screen on a real terminal: whole games by keyboard, leaving, Ctrl-C, the viewer from within."""

import time

import pytest

from interpreter.play.saves.files import read_save, resume
from tests.cli.conftest import PEBBLES, QUIET, read
from tests.cli.late import write_late
from tests.cli.terminal import plain

LEFT = "\x1b[?1049l"
"""What is written when the full screen is left."""
CTRL_Q = "\x11"
SHORT = {
    "chinesische_mauer": 2,
    "china": 2,
    "mauerbauer": 1,
    "dschingis_khan": 3,
    "tic_tac_toe": 2,
    "connect_four": 1,
    "nim": 3,
    "kuhn_poker": 3,
    "mancala": 9,
}
"""Four large and five small games, each with a seed with which the first answers end it soon."""
LARGE, LAST = 4, 12
"""The large games come first; in the normal run they begin this many decisions before the end of a random game."""
LONGEST = 150
"""Seconds after which a game counts as stuck."""


def played(one):
    """Answer with the first number until the game is over; gives what has been written."""
    end = time.monotonic() + LONGEST
    one.until("Enter answer")
    while "the game is over" not in plain(one.raw[-20_000:]):
        assert time.monotonic() < end, plain(one.raw[-3000:])
        one.type("1\r" * 4)
        one.read(0.2)
    one.type(CTRL_Q)
    assert one.end() == 0, plain(one.raw[-3000:])
    return one.raw


@pytest.mark.parametrize(("game", "seed"), SHORT.items())
def test_a_whole_game_by_keyboard(terminal, own_folder, game, seed, long_run):
    if long_run or game not in [*SHORT][:LARGE]:
        words = ("--seed", seed, "--save", "a.json")
    else:
        write_late(own_folder / "a.json", game, None, seed, LAST)
        words = ("--resume", "a.json")
    one = terminal("play", game, *words, columns=100, lines=30)
    raw = played(one)
    assert "Traceback" not in raw
    after = plain(raw.split(LEFT)[-1])
    assert "the game is over" in after
    assert "where the points came from" in after
    assert resume(read_save(own_folder / "a.json")).over


def test_stopping_says_where_the_save_is(terminal, own_folder):
    one = terminal("play", PEBBLES, "--seed", QUIET, "--save", "a.json")
    one.until("red, you must")
    one.type("build\r")
    one.until("build a hut")
    one.type("quit\r")
    assert one.end() == 0
    assert "saved; resume with: regelwerk play --resume a" in plain(one.raw.split(LEFT)[-1])
    assert read(own_folder / "a.json")["moves"][0]["move"] == "build"


def test_ctrl_c(terminal, own_folder):
    one = terminal("play", PEBBLES, "--seed", QUIET, "--save", "a.json")
    one.until("red, you must")
    one.interrupt()
    assert one.end() == 130
    assert "Traceback" not in one.raw
    assert (own_folder / "a.json").exists()


FAILING = """\
game "Failing" for 2 players red, blue

== components ==

piece Stone: 3 in bag
zone bag holds Stone
zone place holds one Stone

== phases ==

phase laying, turns from red, over when bag is empty:
    must put

action put(n: 1..2):
    move 1 from bag to place

== scoring ==

winner highest 0
"""


@pytest.mark.parametrize("mover", ["person", "bot"])
def test_a_rule_that_fails_leaves_the_screen_and_is_reported(terminal, own_folder, mover):
    (own_folder / "failing.rules").write_text(FAILING, encoding="utf-8")
    seats = ["--seat", f"{'red' if mover == 'person' else 'blue'}=human"]
    one = terminal("play", "failing.rules", "--seed", 1, *seats, "--save", "a.json")
    one.until("Enter answer")
    one.type("1\r" * 3)
    assert one.end() == 1
    after = plain(one.raw.split(LEFT)[-1])
    assert "failing.rules:15" in after
    assert "saved; resume with: regelwerk play --resume a" in after
    assert "Traceback" not in one.raw


def test_the_viewer_and_back(terminal, own_folder):
    one = terminal("play", PEBBLES, "--seed", QUIET, "--save", "a.json", columns=100, lines=30)
    one.until("red, you must")
    one.type("trace\r")
    one.until("decision 0 of 0")
    one.type("q")
    one.until("red, you must")
    one.type("quit\r")
    assert one.end() == 0


@pytest.mark.parametrize("term", ["dumb", "xterm-256color"])
def test_without_a_full_screen_the_prompt_asks(terminal, own_folder, term):
    words = ["--plain"] if term != "dumb" else []
    one = terminal("play", PEBBLES, "--seed", QUIET, "--save", "a.json", *words, TERM=term)
    assert LEFT.replace("l", "h") not in one.until("red> ")


def test_at_the_prompt_of_a_terminal_long_lists_are_narrowed(terminal, own_folder):
    one = terminal("play", "mauerbauer", "--plain", "--seed", 3, "--save", "a.json")
    shown = plain(one.until("red> "))
    assert "wall on [ ? ]" in shown
    assert "1 A1A2 … A5B6" in shown
    assert "3 wall on A1B2" in plain(one.enter("a1", "red> "))
    assert "1 A1A2 … A5B6" in plain(one.enter("back", "red> "))
    assert "wall: supply of walls → A1A2" in plain(one.enter("preview a1a2", "red> "))
    one.enter("g4g5", "red> ")
    assert read(own_folder / "a.json")["moves"][0]["move"] == "build_wall(G4G5)"
