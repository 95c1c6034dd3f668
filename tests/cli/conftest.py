"""What the tests of the command share: the small game they play, a folder of one's own, a runner."""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from unittest.mock import patch

import pytest
import typer
from typer.testing import CliRunner, Result

from cli.errors import say
from cli.json_output import schema
from cli.main import app
from interpreter.play.game import load
from regelwerk import command  # noqa: F401 - adds the verbs that the installed command has besides those of the terminal
from tests.cli.terminal import Terminal
from tests.cli.walk import with_one_process, write_walk
from tests.support.json_schemas import validate
from tests.support.known_rules import known_rules
from tests.support.own_bots import install_bots
from tests.support.project import ROOT

GAMES = Path(__file__).parent / "games"
PEBBLES = str(GAMES / "pebbles.rules")

DRAWING = """
== phases ==

phase drawing, turns from ann, over when deck is empty:
    must draw

action draw:
    "draw"
    move 1 from deck to hand[me]

== scoring ==

winner highest (count hand[me])
"""
"""The phases and the scoring of games in which seats draw from `deck` into `hand[me]`."""

DUEL = """game "Duel" for 2 to 3 players ann, ben, cleo

== components ==

note points_of[p: Player]: 0..99 = 0
note turns: 0..99 = 0
die luck: 1, 2, 3, 4, 5, 6

== phases ==

phase main, turns from ann, over when turns is 6:
    add 1 to turns
    must take or pass

action take:
    "take"
    add 1 to points_of[me]

action pass:
    "pass"
    roll luck

== scoring ==

winner highest points_of[me]
"""
"""A game that nobody loses who always takes."""

TOGETHER = DUEL.replace("winner highest points_of[me]", "winner highest (sum points_of[p] for p in Player)")


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test has its own current folder and its own data folder, a plain 80 column pipe and no colours."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "REGELWERK_TRACEBACK"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture(scope="session", autouse=True)
def command_built_once() -> Iterator[None]:
    """The runner builds the command for each command line, with all flags of the verb; here each verb is built once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("typer.testing._get_command", cache(typer.main.get_command), raising=False)
        yield


SETTLED = ("--bots", "all=", "--resume", "--help", "-h")
"""The beginnings of words that say who plays, or for which that does not matter."""


def against_random_bots(words: Sequence[object]) -> list[str]:
    """A command line; a game against bots that it does not name is played against random ones, which need no time."""
    line = [str(word) for word in words]
    if line[:1] == ["play"] and len(line) > 1 and not any(word.startswith(SETTLED) for word in line):
        line += ["--bots", "random"]
    return line


OUR_MISTAKE = "this is a bug in Regelwerk"


@contextmanager
def our_mistakes_raised() -> Iterator[None]:
    """Let unexpected errors of the command be raised: a test that expects an error would not notice that it is one."""

    def say_or_raise(message: str) -> None:
        fault = sys.exception()
        if fault is not None and OUR_MISTAKE in message:
            raise fault
        say(message)

    with patch("cli.errors.say", say_or_raise):
        yield


@pytest.fixture
def run():
    """Run a command line; what is typed is given as lines."""

    def run(*words: str | Path, typed: str | list[str] = "", **env: str) -> Result:
        lines = typed if isinstance(typed, str) else "".join(f"{line}\n" for line in typed)
        with our_mistakes_raised():
            result = CliRunner().invoke(app, against_random_bots(words), input=lines, env=env)
        if not isinstance(result.exception, SystemExit | None):
            raise result.exception
        assert "Traceback" not in result.output
        return result

    return run


@pytest.fixture
def alone(run):
    """Run a command line with one process, unless it says how many there are."""
    return with_one_process(run)


@pytest.fixture
def walk(own_folder: Path) -> Path:
    """A folder with a small game and its variant."""
    return write_walk(own_folder)


@pytest.fixture(scope="module")
def browser():
    """A browser for all tests of a module."""
    from tests.cli.browser import found_browser, opened_browser  # takes long to import, and few tests need it

    path = found_browser()
    if path is None:
        pytest.skip("there is no Chromium here to open the page in: see docs/dependencies.md")
    with opened_browser(path) as tab:
        yield tab


@pytest.fixture(autouse=True)
def not_waiting_for_the_disk(monkeypatch):
    """A save is written at every decision; here none has to survive the machine."""
    monkeypatch.setattr(os, "fsync", lambda handle: None)


@pytest.fixture(autouse=True)
def rules_of_play_known(monkeypatch):
    """`play` and others read rules themselves."""
    for module in ("cli.verbs.play", "cli.verbs.compare", "cli.verbs.rules", "cli.game_details"):
        monkeypatch.setattr(f"{module}.load_rules", known_rules)


def saves(folder: Path) -> list[Path]:
    """The saves in the data folder, oldest first."""
    return sorted((folder / "data" / "regelwerk" / "saves").glob("*.json"), key=os.path.getmtime)


def read(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def quiet_seed(players: int) -> str:
    """A seed that deals no gem, so that nobody is asked in secret until one is found."""
    game = load(PEBBLES, players)
    for seed in range(1000):
        hands = game.start(seed=seed).view(None).zones
        if not any(piece.name == "gem" for seat in game.seats for piece in hands[f"hand[{seat}]"].pieces):
            return str(seed)
    raise AssertionError


QUIET = quiet_seed(3)


@pytest.fixture
def save(run, own_folder):
    path = own_folder / "game.json"
    assert run("play", PEBBLES, "--seat", "all=random", "--seed", 53, "--save", path).exit_code == 0
    return path


def valid(kind: str, text: str) -> dict:
    """A document of a kind, which its JSON Schema allows."""
    document = json.loads(text)
    validate(document, schema(kind))
    return document


@pytest.fixture
def running(run, own_folder):
    """A game that a person has left after a few decisions."""
    path = own_folder / "running.json"
    run("play", PEBBLES, "--seed", quiet_seed(2), "--save", path, typed=["build", "1", "quit"])
    return path


@pytest.fixture
def own_bots(own_folder, monkeypatch):
    """Install the bots of the tests for this process; what a program that is started needs to find them as well."""
    folder = install_bots(own_folder / "installed")
    monkeypatch.syspath_prepend(str(folder))
    return {"PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}


@pytest.fixture
def terminal(own_folder):
    """Start the command on a terminal; what is left running is ended."""
    started = []

    def start(*words, **flags):
        started.append(Terminal(*against_random_bots(words), **flags))
        return started[-1]

    yield start
    for one in started:
        one.kill()


@pytest.fixture
def duel(own_folder: Path) -> Path:
    """The folder, with a game in it that always taking wins."""
    (own_folder / "duel.rules").write_text(DUEL)
    return own_folder
