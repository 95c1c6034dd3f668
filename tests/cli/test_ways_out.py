"""Every way out restores the terminal, saves the game and gives the exit code of a shell; Ctrl-Z suspends."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks import terminal
from dsl.text.cells import cell_width
from interpreter.play.saves.files import read_save
from tests.cli.at_table import at_table, session_of
from tests.cli.conftest import PEBBLES
from tests.cli.late import write_late
from tests.cli.terminal import at_rest, plain
from tests.cli.viewing import at_once, played, viewing
from tests.support.long_run import one_in
from tests.support.project import ROOT

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals and terminals of the POSIX kind")

PATIENCE = 60.0
WIDE = str(Path(__file__).parent / "games" / "wide.rules")
COMMAND = f"{sys.executable} -m cli.main"
PLAY = f"{COMMAND} play {PEBBLES} --seed 53 --seat green=random --save out.json"
SCREENS = {
    "prompt": (f"{PLAY} --plain", "red> "),
    "full screen": (PLAY, "red>"),
    "viewer in play": (PLAY, "red>"),
    "viewer": (f"{COMMAND} trace out.json", "q leave"),
}


class Shell(terminal.Terminal):
    """A shell with job control on a terminal."""

    def __init__(self, folder: Path) -> None:
        environment = {
            **os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT), "PS1": "$ ", "HISTFILE": "",
            "BASH_SILENCE_DEPRECATION_WARNING": "1",
        }  # fmt: skip
        super().__init__(["bash", "--norc", "--noediting", "-i"], folder, environment, 100, 30)
        self.folder, self.seen = folder, 0
        self.until("$ ")
        self.settings_at_first = self.settings()

    def until(self, text: str) -> str:
        """Read up to a text that was not read before."""
        end = time.perf_counter() + PATIENCE
        while text not in plain(self.raw[self.seen :]):
            assert self.read(end - time.perf_counter()), (
                f"{text!r} did not come; there was:\n{plain(self.raw[self.seen :])[-1500:]}"
            )
        shown, self.seen = self.raw[self.seen :], len(self.raw)
        return plain(shown)

    def ask(self, line: str) -> str:
        """The output of a command that ends at once."""
        self.type(f"{line}; echo do''ne\n")
        return self.until("done\n")

    def settings(self) -> str:
        """The settings of the terminal."""
        return "speed" + self.ask("stty -a").partition("speed")[2].partition("done")[0]

    def program(self) -> int:
        """The process of the command."""
        end = time.perf_counter() + PATIENCE
        while time.perf_counter() < end:
            children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
            if children:
                return int(children[0])
        raise AssertionError("the command did not start")

    def open(self, name: str) -> None:
        """Open a screen."""
        command, ready = SCREENS[name]
        if name == "viewer":
            write_late(self.folder / "out.json", PEBBLES, 2, seed=53, left=4)
        self.type(f"{command}; echo code $?\n")
        self.until(ready)
        if name == "viewer in play":
            at_rest(self.program())
            self.type("\x1bOS")
            self.until("q leave")
        at_rest(self.program())

    def stop(self) -> None:
        """Press Ctrl-Z once the command waits for a key: Python heeds an earlier one only at the next key."""
        at_rest(self.program())
        self.type("\x1a")
        self.until("Stopped")

    def leave(self, name: str) -> str:
        """Leave a screen with its own key; the output up to the exit code."""
        if "viewer" in name:
            self.type("q")
        if name == "viewer in play":
            self.until("red>")
            at_rest(self.program())
        self.type({"prompt": "quit\n", "viewer": ""}.get(name, "\x11"))
        return self.until("code 0\n")


@pytest.fixture
def shell(own_folder):
    with Shell(own_folder) as opened:
        yield opened


ENDED = [(screen, signal.SIGTERM) for screen in SCREENS] + [
    *one_in(2, [("prompt", number) for number in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)]),
    *one_in(2, [("full screen", number) for number in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)], 1),
]


@pytest.mark.parametrize(("screen", "number"), ENDED, ids=str)
def test_a_signal_ends_every_screen(shell, screen, number, own_folder):
    shell.open(screen)
    os.kill(shell.program(), number)
    output = shell.until(f"code {128 + number}\n")
    assert "Traceback" not in output
    if screen != "viewer":
        assert "saved; resume with: regelwerk play --resume out.json" in output
    assert shell.settings() == shell.settings_at_first
    for mode in re.findall(r"\x1b\[\?(1049|1000|1003|2004|1004)h", shell.raw):
        assert shell.raw.rindex(f"\x1b[?{mode}l") > shell.raw.rindex(f"\x1b[?{mode}h")


def continued(shell, screen):
    """It is told to continue though it was not suspended."""
    os.kill(shell.program(), signal.SIGCONT)
    at_rest(shell.program())


def in_a_tiny_terminal(shell, screen):
    for columns, lines in TINY[screen]:
        shell.resize(columns, lines)
        at_rest(shell.program())
        if screen == "prompt":
            shell.type("view\n")
            shell.until("Hand:")
        shell.resize(100, 30)
        at_rest(shell.program())


def given_bytes_that_are_not_utf_8(shell, screen):
    os.write(shell._handle, b"\xff\xfe\xc3(")
    at_rest(shell.program())
    if screen in ("prompt", "full screen"):
        shell.type("\n" if screen == "prompt" else "\r")
        shell.until("there is no move")


def suspended(shell, screen):
    if screen == "prompt":
        shell.type("vi")
    shell.stop()
    assert shell.settings() == shell.settings_at_first
    shell.type("fg; echo code $?\n")
    shell.until("red> vi" if screen == "prompt" else SCREENS[screen][1] if "viewer" not in screen else "q leave")
    at_rest(shell.program())
    if screen == "prompt":
        shell.type("ew\n")
        shell.until("red> ")


def continued_in_the_background(shell, screen):
    """It waits for the foreground."""
    shell.stop()
    shell.ask("bg")
    at_rest(shell.program())  # it has stopped again, which the shell reports
    assert shell.settings().startswith(shell.settings_at_first)
    shell.type("fg; echo code $?\n")
    shell.until("red>")
    at_rest(shell.program())


TINY = {"prompt": [(2, 1), (0, 0)], "full screen": [(0, 0)], "viewer": [(2, 1)]}
ENDURED = {
    "prompt": (in_a_tiny_terminal, given_bytes_that_are_not_utf_8, suspended, continued_in_the_background),
    "full screen": (
        continued, in_a_tiny_terminal, given_bytes_that_are_not_utf_8, suspended, continued_in_the_background,
    ),
    "viewer in play": (suspended,),
    "viewer": (in_a_tiny_terminal, given_bytes_that_are_not_utf_8, suspended),
}  # fmt: skip
"""What happens to a screen, one after the other, as each start of the command takes longest."""


@pytest.mark.parametrize("screen", SCREENS)
def test_a_screen_goes_on_whatever_happens_and_leaves_the_terminal_as_it_was(shell, screen):
    shell.open(screen)
    for happens in ENDURED[screen]:
        happens(shell, screen)
    shell.leave(screen)
    assert shell.settings() == shell.settings_at_first
    assert "Traceback" not in shell.raw and "bug in Regelwerk" not in shell.raw


SIZES = [(2, 24), (2, 1), (1, 1), (3, 3), (80, 1), (1, 80), (5, 5), (120, 40)]


def some_sizes(number: int, long_run: bool) -> list[tuple[int, int]]:
    """All sizes; in the normal run one, which differs from number to number, and the largest."""
    return SIZES if long_run else [SIZES[number % (len(SIZES) - 1)], SIZES[-1]]


KEYS = [[], ["f1"], ["f3"], ["=why go"]]


@pytest.mark.parametrize("keys", one_in(2, KEYS), ids=str)
@pytest.mark.parametrize("game", ["chess", "mauerbauer", "hearts", WIDE], ids=lambda name: Path(name).stem)
@at_once
async def test_a_game_at_any_size(own_folder, game, keys, long_run):
    """In the normal run a game of wide characters at all sizes, and others at all of them together."""
    number = KEYS.index(keys) + len(game)
    async with at_table(session_of(game), size=(100, 30)) as table:
        await table.press(*keys)
        for size in some_sizes(number, long_run or game == WIDE):
            await table.pilot.resize_terminal(*size)
            await table.settle()
            assert table.app.mistake is None and table.app.is_running
            assert all(cell_width(line) <= size[0] for line in table.lines)


@pytest.mark.parametrize(
    "name",
    [*(pytest.param(name, marks=pytest.mark.long) for name in ("chess", "mauerbauer")), WIDE],
    ids=lambda name: Path(name).stem,
)
@at_once
async def test_the_viewer_at_any_size(own_folder, name, long_run):
    """In the normal run a game of wide characters at all sizes, and others at all of them together."""
    async with viewing(played(name, 2, most=6)) as viewer:
        for key in "1234567":
            await viewer.press(key)
            for size in some_sizes(int(key) + len(name), long_run or name == WIDE):
                await viewer.pilot.resize_terminal(*size)
                await viewer.press()
                assert viewer.app.mistake is None and viewer.app.is_running


@pytest.mark.parametrize("noticed", [True, False], ids=["with its signal", "without it"])
@pytest.mark.parametrize("screen", ["prompt", "full screen", "viewer"])
def test_a_terminal_that_goes_away_ends_the_command(shell, screen, noticed, own_folder):
    if not noticed:
        shell.ask("trap '' HUP")
    shell.open(screen)
    program = shell.program()
    os.close(shell._handle)
    end = time.monotonic() + PATIENCE
    while Path(f"/proc/{program}").exists():
        assert time.monotonic() < end, "it goes on without a terminal"
        time.sleep(0.1)
    shell.process.wait(10)


WITHOUT_STREAMS = """
import json, os, sys
from regelwerk import command
closed, lines = json.loads(sys.argv[1]), json.loads(sys.argv[2])
codes = []
for line in lines:
    child = os.fork()
    if child == 0:
        for number in closed:
            setattr(sys, ("stdin", "stdout", "stderr")[number], None)
            os.close(number)
        sys.argv = ["regelwerk", *line]
        command.main()
    codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
open("codes", "w").write(str(codes))
"""
"""A program that calls the command for each line as Python starts it without these streams."""


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1, 2)], ids=str)
def test_a_command_without_an_input_or_output(closed, own_folder):
    """As some programs start others; a file that the command opens must not become what it writes to, either."""
    (own_folder / "pebbles.rules").write_bytes(Path(PEBBLES).read_bytes())
    lines = (
        ("play", "pebbles.rules", "--bots", "random", "--save", "s.json", "--plain"),
        ("trace", "s.json"),
        ("fmt", "-"),
        ("perft", "pebbles.rules", "--from", "-"),
        ("check", "missing.rules"),
    )
    codes = subprocess.run(
        [sys.executable, "-c", WITHOUT_STREAMS, json.dumps(closed), json.dumps(lines)],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, input="", text=True,
    )  # fmt: skip
    assert "bug in Regelwerk" not in codes.stdout + codes.stderr
    assert (own_folder / "codes").read_text() == "[0, 0, 1, 2, 2]", codes
    assert read_save(own_folder / "s.json").game == "pebbles"
