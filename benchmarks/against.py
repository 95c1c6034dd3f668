"""This checkout against another one: a process for each, measured alternately under the same conditions."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.figures import Figure, shown
from benchmarks.large import GAMES, MOVED, PLAYERS
from benchmarks.paired import Slice, compared
from benchmarks.worker import main as worker

HERE = Path(__file__).resolve().parents[1]
WORKER = Path(str(sys.modules[worker.__module__].__file__))

Process = subprocess.Popen[str]


BOARDS = (("hex", 5), ("hex", 9), ("hex", 11), ("go", 5), ("go", 9), ("go", 13))
"""Games with boards of several sizes, each with some of them."""

ENGINES = (("games", "Python"), ("machine", "machine"))
"""What plays, as workers know it, and its name."""


def measure(other: Path, rounds: int, span: float) -> list[Figure]:
    """The large games of both checkouts, and the single moves of one of them; more than 1 is faster here than there."""
    figures = []
    with measuring(HERE) as mine, measuring(other.resolve()) as theirs:
        for kind, engine in ENGINES:
            for name in GAMES:
                found = compared(games_of(mine, kind, name), games_of(theirs, kind, name), rounds, span)
                note = f"{shown(found.first)} against {shown(found.second)} games/s"
                what = f"random games of {name}, {PLAYERS} players, {engine}"
                figures.append(Figure(what, "times", found.ratios, note))
        found = compared(moves_of(mine, MOVED), moves_of(theirs, MOVED), rounds, span)
        note = f"{shown(1e6 / found.first)} against {shown(1e6 / found.second)} µs a decision"
        figures.append(Figure(f"{MOVED}: legal_moves and push", "times", found.ratios, note))
    return [*figures, *measure_boards(other, rounds, span)]


def measure_boards(other: Path, rounds: int, span: float) -> list[Figure]:
    """Boards of several sizes in both checkouts, in generated Python and by the machine engine."""
    figures = []
    with measuring(HERE) as mine, measuring(other.resolve()) as theirs:
        for kind, engine in ENGINES:
            for name, size in BOARDS:
                sides = [decisions_of(process, kind, name, size) for process in (mine, theirs)]
                found = compared(sides[0], sides[1], rounds, span)
                note = f"{shown(1e6 / found.first)} against {shown(1e6 / found.second)} µs a decision"
                figures.append(Figure(f"{name}, {size} by {size}, {engine}", "times", found.ratios, note))
    return figures


@contextmanager
def measuring(checkout: Path) -> Iterator[Process]:
    """A process that measures the packages and games of a checkout."""
    process = subprocess.Popen(
        [sys.executable, "-P", WORKER],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        found = Path(json.loads(answer(process)))
        if found.resolve() != checkout:
            raise SystemExit(f"{checkout} is not a checkout of this project: the packages found are those of {found}")
        yield process
        process.communicate()


def games_of(process: Process, kind: str, game: str) -> Slice:
    """Random games of a process, counted in games."""

    def play(seed: int, games: int) -> tuple[float, float]:
        _, spent = asked(process, [kind, game, PLAYERS, None], seed, games)
        return games, spent

    return play


def moves_of(process: Process, game: str) -> Slice:
    """Games of a process move by move, counted in decisions."""
    return lambda seed, games: asked(process, ["moves", game, PLAYERS, None], seed, games)


def decisions_of(process: Process, kind: str, game: str, size: int) -> Slice:
    """Random games of a process on a board of some size, counted in decisions."""
    return lambda seed, games: asked(process, [kind, game, None, size], seed, games)


def asked(process: Process, what: list[str | int | None], seed: int, games: int) -> tuple[float, float]:
    """Have a process measure: the decisions made and the seconds they took."""
    assert process.stdin is not None
    print(json.dumps([*what, seed, games]), file=process.stdin, flush=True)
    decisions, spent = json.loads(answer(process))
    return decisions, spent


def answer(process: Process) -> str:
    """The next line from a process."""
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise SystemExit(f"the measuring process ended with exit code {process.wait()}")
    return line
