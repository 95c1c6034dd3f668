"""The course of a game on a real terminal, where several things happen at once: at the prompt and in full screen."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import PEBBLES, quiet_seed, read
from tests.cli.terminal import Terminal, plain

if not hasattr(signal, "SIGUSR1"):
    pytest.skip("signals of the POSIX kind", allow_module_level=True)

SCREENS = {"prompt": ("--plain", "\n"), "full screen": (None, "\r")}
"""The flag of each front end, and the key that ends a line."""


@pytest.fixture(params=SCREENS)
def front_end(request, terminal):
    """Start a game in one of the front ends: a function from words, and the key that ends a line."""
    flag, enter = SCREENS[request.param]

    def start(*words, **environment):
        return terminal("play", *words, *[flag] * (flag is not None), columns=100, lines=40, **environment)

    return start, enter


def test_a_signal_while_a_bot_thinks_saves_the_game(front_end, own_folder, own_bots):
    start, enter = front_end
    one = start("tic_tac_toe", "--bots", "slow", "--save", "a.json", **own_bots)
    one.until("cross> ")
    one.type(f"1{enter}")
    one.until("is thinking")
    os.kill(one.process.pid, signal.SIGTERM)
    one.until("saved; resume with: regelwerk play --resume a.json")
    assert one.end() == 128 + signal.SIGTERM
    assert [move["move"] for move in read(own_folder / "a.json")["moves"]] == ["put(a1)"]
    assert "Traceback" not in one.raw


def test_what_one_person_chooses_in_secret_is_not_shown_to_the_next_one(front_end, own_folder):
    start, enter = front_end
    one = start("goofspiel", "--seat", "all=human", "--seed", 3, "--save", "a.json")
    for chosen, seat in ((3, "ann"), (5, "ben")):
        _passed_on(one, seat, enter)
        one.type(f"bid {chosen}{enter}")
    _until(one, lambda: len(read(own_folder / "a.json")["moves"]) == 2)
    begin = one.raw.index("pass the keyboard to", one.raw.index("ann>"))  # ben's turn begins
    to_ben = plain(one.raw[begin : one.raw.index("ben>", begin)])
    assert "ben" in to_ben and "since your last decision" not in to_ben and "bid 3" not in to_ben.partition("bid 1")[0]
    assert [move["move"] for move in read(own_folder / "a.json")["moves"]] == ["bid(ann 3)", "bid(ben 5)"]


def test_an_undo_of_chance_after_a_look_into_the_viewer(front_end, own_folder):
    start, enter = front_end
    one = start("pig", "--seat", "ben=random", "--seed", 1, "--save", "a.json")
    one.until("ann> ")
    one.type(f"roll{enter}")
    _until(one, lambda: read(own_folder / "a.json")["chance"])
    rolled = read(own_folder / "a.json")["chance"][0]  # the others are those of the bot, which may go on
    one.until("hold")
    one.rest()
    one.type(f"trace{enter}")
    one.until("q leave")
    one.rest()
    while one.read(0.1):
        pass
    one.seen = len(one.raw)  # the viewer shows the rules, which say "hold" as well
    one.type("q")
    one.until("hold")
    time.sleep(0.5)  # the viewer throws keys away while it closes, also while nothing runs
    one.rest()
    one.type(f"undo{enter}")
    _until(one, lambda: not read(own_folder / "a.json")["moves"])
    one.type(f"roll{enter}")
    _until(one, lambda: read(own_folder / "a.json")["moves"])
    assert read(own_folder / "a.json")["chance"][0] == rolled  # what was rolled stays rolled
    one.type(f"quit{enter}")
    assert one.end() == 0


def test_rules_that_are_saved_again_during_play(front_end, own_folder):
    start, enter = front_end
    path = own_folder / "pebbles.rules"
    shutil.copy(PEBBLES, path)
    one = start(path, "--watch", "--seed", quiet_seed(2), "--save", "a.json")
    one.until("red> ")
    changed = path.read_text(encoding="utf-8").replace('"build a hut"', '"raise a hut"')
    _replace(path, changed)
    one.until("raise a hut")
    _replace(path, changed.replace("to field", "to feild"))
    one.until("did you mean `field`")
    if enter == "\r":
        one.type("q")  # closes the message; Esc and the next key would be one key if they came together
    one.type(f"build{enter}")
    _until(one, lambda: read(own_folder / "a.json")["moves"])
    one.type(f"quit{enter}")
    assert one.end() == 0
    assert read(own_folder / "a.json")["moves"][0]["move"] == "build"


def _until(one: Terminal, holds: Callable[[], object]) -> None:
    """Read until something holds."""
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end, plain(one.raw[one.seen :])[-600:]
        one.read(0.2)


def _passed_on(one: Terminal, seat: str, enter: str) -> None:
    """Press Enter at every request until a seat is asked."""
    end = time.monotonic() + 60
    while f"{seat}>" not in plain(one.raw[one.seen :]):
        assert time.monotonic() < end, plain(one.raw[one.seen :])[-600:]
        one.read(0.5)
        if "press Enter" in plain(one.raw[one.seen :]):
            one.until("press Enter")
            one.type(enter)
    one.until(f"{seat}>")
    one.rest()


def _replace(path: Path, text: str) -> None:
    path.with_suffix(".new").write_text(text, encoding="utf-8")
    path.with_suffix(".new").replace(path)  # as editors do
