"""Whole processes, as a person starts them: time and memory."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.figures import Figure, seconds

COMMAND = str(Path(sys.executable).with_name("regelwerk"))
QUIET = 0.6  # seconds without a written letter after which `play` is waiting for an answer


def environment(home: str) -> dict[str, str]:
    """As after an ordinary installation: compiled modules are kept, data goes to a folder of its own."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "HOME": home, "XDG_DATA_HOME": home, "XDG_CACHE_HOME": f"{home}/cache", "TERM": "xterm-256color"}


def commands(game: str, rounds: int, _: float) -> list[Figure]:
    """Start of the command: help, check, and play up to the first prompt."""
    with tempfile.TemporaryDirectory() as home:
        around = environment(home)

        def once(*arguments: str) -> float:
            words = [COMMAND, *arguments]
            return seconds(lambda: subprocess.run(words, env=around, check=True, capture_output=True))

        def prompt() -> float:
            from benchmarks.terminal import Terminal

            with Terminal([COMMAND, "play", game, "--seed", "1"], Path(home), around) as terminal:
                return terminal.wait(quiet=QUIET)

        file = str(path_of(game))
        rows = {
            "python, empty program": lambda: seconds(lambda: subprocess.run([sys.executable, "-c", ""], check=True)),
            "regelwerk --help": lambda: once("--help"),
            f"regelwerk check {Path(file).name}": lambda: once("check", file),
            "regelwerk play, to the first prompt": prompt,
        }
        figures = []
        for name, measure in rows.items():
            first = measure()  # writes what later starts find compiled
            note = f"the very first: {first:.2f} s" if name.startswith("regelwerk play") else "whole process"
            figures.append(Figure(name, "s", tuple(measure() for _ in range(rounds)), note))
        return figures


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
    """The most memory a process held, in MB."""
    process = subprocess.Popen(words, env=around, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(words)} ended with {process.returncode}")
    return used.ru_maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024)


def path_of(game: str) -> Path:
    """The rules file of a game."""
    from interpreter.library import find

    return find(game)
