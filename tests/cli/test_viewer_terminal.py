"""The viewer on a real terminal: from a save and at the prompt; as which seat; where there is no full screen."""

import subprocess
import sys

import pytest

from tests.cli.conftest import PEBBLES, QUIET, read
from tests.cli.terminal import plain
from tests.support.project import ROOT

LEFT = "\x1b[?1049l"
"""What is written when the full screen is left."""


@pytest.fixture
def save(run):
    assert run("play", PEBBLES, "--seat", "all=random", "--seed", 53, "--save", "game.json").exit_code == 0


@pytest.fixture
def unfinished(run):
    def start(*seats):
        words = [word for seat in seats for word in ("--seat", f"{seat}=human")]
        done = run("play", PEBBLES, "--players", 3, *words, "--seed", QUIET, "--save", "open.json", typed=["", "quit"])
        assert done.exit_code == 0

    return start


def test_a_save(terminal, save):
    one = terminal("trace", "game.json", columns=100, lines=32)
    assert "the game is set up" in plain(one.until("? help"))
    one.type(".")
    one.until("decision 1 of")
    one.type("e")
    one.until("evaluate which expression?")
    one.type("1 + 1\r")
    one.until("1 + 1 = 2")
    one.type("qq")
    one.until("")
    assert one.end() == 0
    assert LEFT in one.raw
    assert "Traceback" not in one.raw


def test_beginning_elsewhere(terminal, save):
    one = terminal("trace", "game.json", "--at", 3)
    one.until("decision 3 of")


def test_ctrl_c(terminal, save):
    one = terminal("trace", "game.json")
    one.until("? help")
    one.type("\x03")
    assert one.end() == 130
    assert "interrupted" in one.raw.split(LEFT)[-1]


def test_an_interrupt_from_outside(terminal, save):
    one = terminal("trace", "game.json")
    one.until("? help")
    one.process.send_signal(2)
    assert one.end() == 130
    assert LEFT in one.raw
    assert "Traceback" not in one.raw


def test_no_full_screen(terminal, save):
    one = terminal("trace", "game.json", TERM="dumb")
    assert one.end() == 0
    assert LEFT not in one.raw


def test_one_person_looks_with_its_own_eyes(terminal, unfinished):
    unfinished("red")
    one = terminal("trace", "open.json")
    one.until("as seen by red")


def test_several_persons_say_whose_eyes(terminal, unfinished, own_folder):
    unfinished("red", "green")
    one = terminal("trace", "open.json")
    one.until("--as red or --as green")
    assert one.end() == 2
    one = terminal("trace", "open.json", "--as", "blue")
    one.until("blue is not played by a person")
    assert one.end() == 2
    terminal("trace", "open.json", "--as", "green").until("as seen by green")
    assert read(own_folder / "open.json")["notes"] == []


def test_all_opens_everything_and_is_written_down(terminal, unfinished, own_folder):
    unfinished("red", "green")
    one = terminal("trace", "open.json", "--all")
    assert "as seen by" not in plain(one.until("? help"))
    one.type("q")
    assert one.end() == 0
    (note,) = read(own_folder / "open.json")["notes"]
    assert (note["kind"], note["text"]) == ("opened", "everything is revealed from here on (trace --all)")


def test_at_the_prompt_one_sees_what_the_seat_may_see(terminal):
    one = terminal("play", "--plain", PEBBLES, "--players", 3, "--seed", QUIET, "--save", "a.json")
    one.until("red> ")
    one.enter("build", "red> ")
    one.type("t\n")
    one.until("as seen by red")
    one.type("q")
    assert "red> " in plain(one.until("red> "))
    one.type("trace\n")
    one.until("as seen by red")
    one.type("\x03")
    one.until("--resume a.json")
    assert one.end() == 130


def test_with_trace_the_viewer_opens_when_the_game_is_over(terminal):
    one = terminal("play", PEBBLES, "--seat", "all=random", "--seed", 53, "--trace", "--save", "a.json")
    one.until("decision 0 of")
    one.type("q")
    one.until("where the points came from")
    assert one.end() == 0


def test_at_the_prompt_of_a_pipe(run):
    result = run("play", PEBBLES, "--seed", QUIET, typed=["t", "quit"])
    assert "the viewer needs a full-screen terminal" in result.output
    assert result.exit_code == 0


def test_nothing_of_it_is_loaded_before_it_is_opened():
    words = "import sys, cli.main, cli.play.loop, cli.verbs.trace; print('textual' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", words], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
