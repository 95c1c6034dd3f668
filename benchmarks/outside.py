"""Whole processes, as a person starts them: time and memory."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.figures import Figure, processor_time
from benchmarks.terminal import Terminal
from interpreter.loading.game_library import find

COMMAND = str(Path(sys.executable).with_name("regelwerk"))
QUIET = 0.6  # seconds without a written letter after which `play` is waiting for an answer


def environment(home: str) -> dict[str, str]:
    """As after an ordinary installation: compiled modules are kept, data goes to a folder of its own."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "HOME": home, "XDG_DATA_HOME": home, "XDG_CACHE_HOME": f"{home}/cache", "TERM": "xterm"}


def commands(game: str, rounds: int, _: float) -> list[Figure]:
    """Start of the command: help, check, and play up to the first prompt."""
    file = str(find(game))
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryDirectory() as nothing:
        around = environment(home)

        def once(*words: str) -> float:
            before = processor_time()
            subprocess.run(words, env=around, check=True, capture_output=True)
            return processor_time() - before

        def prompt(around: dict[str, str]) -> float:
            with Terminal([COMMAND, "play", "--plain", game, "--seed", "1"], Path(home), around) as terminal:
                return terminal.wait(quiet=QUIET, prompt="> ")

        first = prompt({**environment(nothing), "PYTHONPYCACHEPREFIX": nothing})
        rows: dict[str, tuple[Callable[[], float], str]] = {
            "python, empty program": (lambda: once(sys.executable, "-c", ""), "whole process"),
            "regelwerk --help": (lambda: once(COMMAND, "--help"), "whole process"),
            f"regelwerk check {Path(file).name}": (lambda: once(COMMAND, "check", file), "whole process"),
            "regelwerk play, to the first prompt": (lambda: prompt(around), "whole process, elapsed time"),
        }
        figures = []
        for name, (measure, note) in rows.items():
            measure()  # what later starts find on the disk is written now
            figures.append(Figure(name, "s", tuple(measure() for _ in range(rounds)), note))
        return [*figures, Figure("the same, no module compiled before", "s", (first,), "once, elapsed time")]


def start_up(_: str, rounds: int, __: float) -> list[Figure]:
    """What short commands and programs cost: mostly imports, the parser, and for play compiling the rules."""
    play = [COMMAND, "play", "china", "--plain", "--seed", "1"]
    rows = {
        "python, empty program": [sys.executable, "-c", ""],
        "import regelwerk": [sys.executable, "-c", "import regelwerk"],
        "tic_tac_toe loaded and begun in Python": [
            sys.executable, "-c", "import regelwerk; regelwerk.load('tic_tac_toe').start()",
        ],
        "regelwerk --version": [COMMAND, "--version"],
        "regelwerk check tic_tac_toe": [COMMAND, "check", "tic_tac_toe"],
        "regelwerk play china, to the first prompt": play,
    }  # fmt: skip
    with tempfile.TemporaryDirectory() as home:
        around = environment(home)

        def once(words: list[str]) -> float:
            before = processor_time()
            with subprocess.Popen(
                words, env=around, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            ) as process:
                _read_to_prompt(process)
                process.kill()  # what a game does after its first prompt, and when it ends, is not its start
            return processor_time() - before

        for words in rows.values():
            once(words)  # what later starts find on the disk is written now
        times = [[once(words) for words in rows.values()] for _ in range(rounds)]
    return [
        Figure(name, "s", column, "whole process") for name, column in zip(rows, zip(*times, strict=True), strict=True)
    ]


def _read_to_prompt(process: subprocess.Popen[bytes]) -> None:
    """Read what a process writes until it waits for an answer, or ends."""
    assert process.stdout is not None
    shown = b" "
    while shown and not shown.endswith(b"> "):
        shown = os.read(process.stdout.fileno(), 65_536)


PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def memory(game: str, rounds: int, _: float) -> list[Figure]:
    """Peak memory of whole processes."""
    figures = []
    with tempfile.TemporaryDirectory() as home:
        for name, arguments in (
            ("regelwerk play, a whole game of bots", ("play", game, "--seat", "all=random", "--seed", "1")),
            ("regelwerk simulate, 300 games", ("simulate", game, "--games", "300", "--seed", "1", "--jobs", "1")),
        ):
            peaks = [peak([COMMAND, *arguments], environment(home)) for _ in range(min(rounds, 3))]
            figures.append(Figure(f"{name}: peak memory", "MB", tuple(peaks)))
    return figures


def peak(words: list[str], around: dict[str, str]) -> float:
    """The most memory a process held, in MB; started by a small one, whose own size would count for the child."""
    printed = subprocess.run(
        [sys.executable, "-c", PEAK, *words], env=around, check=True, capture_output=True, text=True
    ).stdout
    return int(printed) / (1024 * 1024 if sys.platform == "darwin" else 1024)
