"""`python -m benchmarks.native`: random games in machine code, against hand-written and generated Python."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks import hand_written
from benchmarks.by_hand import GAMES as BY_HAND
from benchmarks.by_hand import theirs
from benchmarks.classic import GAMES as CLASSIC
from benchmarks.classic import Play, installed, there
from benchmarks.figures import Figure, shown, table
from benchmarks.large import GAMES as LARGE
from benchmarks.paired import Slice, compared, timed
from interpreter import Game, load
from interpreter.analysis.backends import why_not_native
from interpreter.analysis.bulk import playout_columns
from interpreter.arguments import Backend
from interpreter.native.building import build, cached
from interpreter.native.games import native_source
from interpreter.native.library import Library, open_library

PART = 0.6
"""The part of the length of a playout measurement that a round takes."""

MOST_SEATS = 4
"""The large games are measured at every number of seats up to this."""

THREADS = 2
COMPILED = ("tic_tac_toe", *LARGE, "fells_and_becks")


def measure(_: str, rounds: int, span: float) -> list[Figure]:
    """Machine code against hand-written Python, generated Python and OpenSpiel, threads, and compiling."""
    against = (*by_hand(rounds, span), *large(rounds, span), *open_spiel(rounds, span))
    return [*against, threads(rounds, span), *compiling(rounds)]


def by_hand(rounds: int, span: float, names: Iterable[str] = tuple(BY_HAND)) -> Iterator[Figure]:
    """The classics against hand-written Python."""
    for name in names:
        other, _ = BY_HAND[name]
        game = load(name, 2)
        found = compared(timed(ours(game, "native")), timed(theirs(hand_written.GAMES[other][0])), rounds, span * PART)
        speeds = f"{shown(found.first)} against {shown(found.second)} games/s"
        yield Figure(f"{name} in machine code against hand-written Python", "times", found.ratios, speeds)


def large(rounds: int, span: float, names: Iterable[str] = LARGE) -> Iterator[Figure]:
    """The large games against the Python generated for them."""
    for name in names:
        rules = load(name).rules.model.file.header
        for seats in range(rules.fewest, min(rules.most, MOST_SEATS) + 1):
            game = load(name, seats)
            slices = [timed(ours(game, backend)) for backend in ("native", "python")]
            found = compared(slices[0], slices[1], rounds, span * PART)
            speeds = f"{shown(found.first)} against {shown(found.second)} games/s"
            yield Figure(f"{name}, {seats} players, in machine code against Python", "times", found.ratios, speeds)


def open_spiel(rounds: int, span: float, names: Iterable[str] = tuple(CLASSIC)) -> Iterator[Figure]:
    """Random games against OpenSpiel, driven from Python at each decision."""
    spiel = installed()
    for name in names if spiel is not None else ():
        other = CLASSIC[name]
        if other is None:
            continue
        play = there(spiel.load_game(other))

        def theirs_played(seed: int, games: int, play: Play = play) -> float:
            for number in range(games):
                play(seed + number)
            return games

        found = compared(timed(ours(load(name), "native")), timed(theirs_played), rounds, span * PART)
        speeds = f"{shown(found.first)} against {shown(found.second)} games/s"
        yield Figure(f"{name} in machine code against OpenSpiel", "times", found.ratios, speeds)


def threads(rounds: int, span: float) -> Figure:
    """Two threads against one, in elapsed time."""
    game = load("chinesische_mauer", 3)
    found = compared(elapsed(ours(game, "native", THREADS)), elapsed(ours(game, "native")), rounds, span * PART)
    note = f"{shown(found.first)} against {shown(found.second)} games/s"
    return Figure(f"chinesische_mauer: {THREADS} threads against one", "times", found.ratios, note)


def compiling(rounds: int, names: Iterable[str] = COMPILED) -> Iterator[Figure]:
    """Seconds until a library is ready: compiled, and from the cache."""
    for name in names:
        source = native_source(load(name, None).program)
        cold, kept = [], []
        for _ in range(min(3, rounds)):
            with empty_cache():
                started = time.perf_counter()
                assert isinstance(build(source, open_library), Library)
                cold.append(time.perf_counter() - started)
                started = time.perf_counter()
                assert cached(source, open_library) is not None
                kept.append((time.perf_counter() - started) * 1000)
        yield Figure(f"{name}: compiling {len(source) // 1000} kB of C", "s", tuple(cold))
        yield Figure(f"{name}: the library from the cache", "ms", tuple(kept))


def ours(game: Game, backend: Backend, workers: int = 1) -> Callable[[int, int], float]:
    """Our random games; with the native backend compiled before they are measured."""
    assert backend == "python" or why_not_native(game) is None

    def play(seed: int, games: int) -> float:
        return len(playout_columns(game, games, seed, backend, workers))

    return play


def elapsed(work: Callable[[int, int], float]) -> Slice:
    """A slice in elapsed time."""

    def measured(seed: int, games: int) -> tuple[float, float]:
        started = time.perf_counter()
        amount = work(seed, games)
        return amount, time.perf_counter() - started

    return measured


@contextmanager
def empty_cache() -> Iterator[None]:
    """A separate cache folder."""
    before = os.environ.get("REGELWERK_CACHE")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["REGELWERK_CACHE"] = str(Path(folder))
        try:
            yield
        finally:
            os.environ.pop("REGELWERK_CACHE")
            if before is not None:
                os.environ["REGELWERK_CACHE"] = before


if __name__ == "__main__":
    print(table(measure("", 7, 1.0)))
