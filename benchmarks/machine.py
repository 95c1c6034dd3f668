"""`python -m benchmarks.machine`: the machine engine against Python, with threads, and preparing it."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from statistics import median
from unittest.mock import patch

from benchmarks.figures import Figure, shown, table
from benchmarks.large import GAMES as LARGE
from benchmarks.paired import compared, timed
from dsl.garbage import uncollected
from interpreter.analysis.backends import why_no_machine
from interpreter.analysis.bulk import playout_columns
from interpreter.arguments import Backend
from interpreter.compiler.machine.printing import print_rules
from interpreter.engine.machine.games import rules_of
from interpreter.engine.machine.wasmtime_host import WasmtimeInstance, WasmtimeModule
from interpreter.play.game import Game, load

PART = 0.6
"""The part of the length of a playout measurement that a round takes."""

MAX_SEATS = 4
"""The large games are measured at every number of seats up to this."""

THREADS, GAMES_OF_THREADS = 2, 20_000
PREPARED = ("tic_tac_toe", "connect_four", "othello", "hex", "leduc_poker", "go", "chess", *LARGE, "fells_and_becks")


def measure(_: str, rounds: int, span: float) -> list[Figure]:
    """The machine engine against Python, with two threads, and preparing it."""
    return [*large(rounds, span), threads(rounds), threads_on_idle_cores(rounds), *preparing(rounds)]


def large(rounds: int, span: float, names: Iterable[str] = LARGE) -> Iterator[Figure]:
    """The large games against Python."""
    for name in names:
        rules = load(name).rules.model.file.header
        for seats in (count for count in rules.counts if count <= MAX_SEATS):
            game = load(name, seats)
            found = compared(timed(ours(game, "machine")), timed(ours(game, "python")), rounds, span * PART)
            speeds = f"{shown(found.first)} against {shown(found.second)} games/s"
            yield Figure(
                f"{name}, {seats} players, in the machine engine against Python", "times", found.ratios, speeds
            )


def threads(rounds: int, games: int = GAMES_OF_THREADS, name: str = "chinesische_mauer") -> Figure:
    """Two threads against one, in elapsed time, over the same games."""
    game = load(name)
    ours(game, "machine", THREADS)(0, THREADS)
    ratios, fastest = [], 0.0
    for turn in range(rounds):
        spent = []
        for workers in (1, THREADS):
            started = time.perf_counter()
            ours(game, "machine", workers)(turn * games, games)
            spent.append(time.perf_counter() - started)
        ratios.append(spent[0] / spent[1])
        fastest = max(fastest, games / spent[1])
    note = f"{games:,} games, up to {shown(fastest)} games/s"
    return Figure(f"{name}: {THREADS} threads against one", "times", tuple(ratios), note)


def threads_on_idle_cores(rounds: int, games: int = GAMES_OF_THREADS, name: str = "chinesische_mauer") -> Figure:
    """Two threads against one if each had a core to itself, from processor time.

    What calls of a module take happens at the same time, as they release the interpreter's lock, all else does not.
    """
    game = load(name)
    ours(game, "machine", THREADS)(0, THREADS)
    in_calls: defaultdict[int, float] = defaultdict(float)
    untimed = WasmtimeInstance.call

    def call(self: WasmtimeInstance, function: str, *arguments: int) -> int | None:
        started = time.thread_time()
        try:
            return untimed(self, function, *arguments)
        finally:
            in_calls[threading.get_ident()] += time.thread_time() - started

    ratios, shares = [], []
    with patch.object(WasmtimeInstance, "call", call):
        for turn in range(rounds):
            in_calls.clear()
            started = time.process_time()
            ours(game, "machine", THREADS)(turn * games, games)
            spent = time.process_time() - started
            alone = spent - sum(in_calls.values())
            ratios.append(spent / (alone + max(in_calls.values())))
            shares.append(1 - alone / spent)
    note = f"{games:,} games, {median(shares):.0%} of the time without the lock"
    return Figure(f"{name}: {THREADS} threads against one, from processor time", "times", tuple(ratios), note)


def preparing(rounds: int, names: Iterable[str] = PREPARED) -> Iterator[Figure]:
    """Processor time from a loaded game to machine speed: passes, printing, and compiling by Wasmtime."""
    for name in names:
        program = load(name).program
        parts: list[list[float]] = [[], [], []]
        for _ in range(rounds):
            with uncollected():  # as the engine does it
                started = time.process_time()
                rules = rules_of(program)
                passed = time.process_time()
                binary = print_rules(rules).module.binary()
                printed = time.process_time()
                WasmtimeModule(binary).instance()
                ends = (passed, printed, time.process_time())
            for part, begin, end in zip(parts, (started, *ends), ends, strict=False):
                part.append((end - begin) * 1000)
        passes, printing, compiling = (shown(median(part)) for part in parts)
        note = f"passes {passes}, printing {printing}, compiling {compiling}; {len(binary) / 1000:,.0f} kB"
        yield Figure(f"{name}: preparing the machine engine", "ms", tuple(map(sum, zip(*parts, strict=True))), note)


def ours(game: Game, backend: Backend, workers: int = 1) -> Callable[[int, int], float]:
    """Our random games, as columns; the machine engine is prepared before they are measured."""
    assert backend == "python" or why_no_machine(game) is None

    def play(seed: int, games: int) -> float:
        return len(playout_columns(game, games, seed, backend, workers))

    return play


if __name__ == "__main__":
    print(table(measure("", 7, 1.0)))
