"""The interpreter in a web page: without what Python lacks there, and in a browser, where one is installed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import regelwerk
from benchmarks.browser import figures
from benchmarks.python_in_browser import MissingError, PythonInBrowser, python_in_browser
from interpreter.opponents.driver import Driver
from interpreter.opponents.specs import BotSpec, spec_of
from interpreter.play.game import load
from tests.interpreter.machine import instance_run
from tests.support.project import ROOT

MISSING = (
    "wasmtime", "jsonschema", "rpds", "_hashlib", "_multiprocessing", "_posixshmem", "curses", "grp", "pwd",
    "readline", "resource", "syslog",
)  # fmt: skip
"""Modules that cannot be imported in a browser: packages without a wheel for it, and parts of the standard library."""

AS_IN_A_BROWSER = f"""
import hashlib, importlib, json, pkgutil, sys, sysconfig, threading, warnings
sysconfig.get_config_vars()  # reads a file with the name of the platform
sys.modules.update(dict.fromkeys({MISSING!r}))
sys.platform = "emscripten"
vars(hashlib).pop("pbkdf2_hmac", None)  # from Python 3.12 on, there is none without OpenSSL
def no_thread(thread):
    raise RuntimeError("can't start new thread")
threading.Thread.start = no_thread
"""
"""Begins a program whose process cannot do what no browser can do."""

MODULES = """
adapters = {f"regelwerk.{name}" for name in ("gymnasium", "open_spiel", "pettingzoo", "spaces")}
adapters.add("interpreter.environments.vectors")  # they need NumPy, which no browser loads here
failed = []
for package in map(importlib.import_module, ("dsl", "interpreter", "regelwerk")):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        try:
            importlib.import_module(module.name)
        except ImportError as error:
            if error.name != "wasmtime" and module.name not in adapters:
                failed.append(f"{module.name}: {error}")
print(json.dumps(failed))
"""

THREADS = """
import regelwerk
game = regelwerk.load("nim")
with warnings.catch_warnings(record=True) as warned:
    columns = game.playout_columns(30, 7, backend="machine", threads=2)
print(json.dumps([list(columns.winners), [str(warning.message) for warning in warned]]))
"""

BOT = """
from interpreter.play.game import load
from interpreter.opponents.driver import Driver
from interpreter.opponents.specs import spec_of
state = load("nim").start(7)
chosen = Driver(spec_of("mcts:30"), state.player).play(state).notation
"""

BOARD = """
from pathlib import Path
from dsl.boards import check_board
print(json.dumps([[found.message, found.span.line, found.helps] for found in check_board(Path("{path}"))]))
"""


def as_in_a_browser(code: str) -> object:
    """What a program prints that can do no more than in a browser."""
    done = subprocess.run(
        [sys.executable, "-c", AS_IN_A_BROWSER + code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def chosen_here() -> str:
    """The move of `BOT`."""
    state, spec = load("nim").start(7), spec_of("mcts:30")
    assert isinstance(spec, BotSpec) and state.player is not None
    return Driver(spec, state.player).play(state).notation


def test_all_modules_are_imported_without_what_a_browser_lacks() -> None:
    assert as_in_a_browser(MODULES) == []


def test_games_are_played_without_threads() -> None:
    expected = regelwerk.load("nim").playout_columns(30, 7, backend="python")
    reason = "Python plays: nothing here runs modules (No module named 'js')"
    assert as_in_a_browser(THREADS) == [list(expected.winners), [reason]]


def test_a_bot_decides_without_openssl_as_with_it() -> None:
    assert as_in_a_browser(f"{BOT}print(json.dumps(chosen))") == chosen_here()


def test_a_board_with_an_error_is_reported_without_jsonschema(tmp_path: Path) -> None:
    path = tmp_path / "board.json"
    path.write_text('{"format": 1, "name": "Meadow",\n "fields": [{"id": "a", "at": [0]}]}', encoding="utf-8")
    reason = "the package `jsonschema` is not installed, which would say why"
    assert as_in_a_browser(BOARD.replace("{path}", str(path))) == [["this is not allowed here", 2, [reason]]]


# ---- in a browser


@pytest.fixture(scope="module")
def python() -> Iterator[PythonInBrowser]:
    try:
        with python_in_browser() as python:
            yield python
    except MissingError as missing:
        pytest.skip(str(missing))


def test_a_module_is_called_as_by_wasmtime(python: PythonInBrowser) -> None:
    python.run(Path(instance_run.__file__).read_text("utf-8"))
    assert python.value("called()") == instance_run.called()


def test_random_games_are_measured_and_the_same_as_by_wasmtime(python: PythonInBrowser) -> None:
    """Measuring compares the results before."""
    measured = {figure.name: figure for figure in figures(python, 1, 0.02, ["china"])}
    assert measured["china: random games in a web page against Wasmtime"].median > 0


def test_a_search_is_the_same_as_by_wasmtime(python: PythonInBrowser) -> None:
    """A bot makes moves step by step, and takes them back."""
    python.run(BOT)
    assert python.value("chosen") == chosen_here()
