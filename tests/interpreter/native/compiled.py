"""C compiled for a test, as a library."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from functools import cache
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from interpreter.analysis.playouts import Playout
from interpreter.native.source import Rules, source
from interpreter.passes.playouts import copied, for_playouts
from interpreter.passes.record import PassRecords
from interpreter.runtime.subset_calls import SubsetCalls
from interpreter.seated_game import SeatedGame

COMPILERS = ("cc", "gcc", "clang")
SANITIZED = (
    "-O1",
    "-std=gnu11",
    "-Wall",
    "-Wextra",
    "-Wno-unused",
    "-Werror",
    "-fsanitize=undefined",
    "-fno-sanitize-recover",
)


def header(name: str) -> str:
    """One of the headers of the C backend."""
    return (files("interpreter.native") / "c" / f"{name}.h").read_text("ascii")


@cache
def library(source: str, *flags: str) -> ctypes.CDLL:
    """The library of a C source. Skips the test where there is no compiler."""
    compiler = next(filter(None, map(shutil.which, COMPILERS)), None)
    if compiler is None:
        pytest.skip("there is no C compiler")
    with TemporaryDirectory() as folder:
        written, built = Path(folder, "it.c"), Path(folder, "it.so")
        written.write_text(source, "ascii")
        done = subprocess.run(
            [compiler, *(flags or ("-O1", "-std=gnu11")), "-fPIC", "-shared", "-o", built, written],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return ctypes.CDLL(str(built))


RESULTS = ("scores", "teams", "winners", "decisions", "choices", "widest", "failed")


class Results(ctypes.Structure):
    """Where the results of games are written."""

    _fields_ = [(name, ctypes.c_void_p) for name in RESULTS]


def played(game: SeatedGame, seed: int, count: int, *flags: str) -> list[Playout | None]:
    """Random games played in C, None for each that failed there."""
    program = game.program
    layout, teams = program.layout, program.model.teams is not None
    prepared = for_playouts(copied(program.as_lowered), layout, program.initial, PassRecords())
    attached = [[entry[0] for entry in entries] for entries in program.runtime.attached]
    rules = Rules(layout, attached, program.conditions, teams, SubsetCalls(program.runtime).choice_key)
    play = library(source(prepared, rules), *flags).play_games
    play.argtypes = [ctypes.c_uint64, ctypes.c_int64, ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p]
    play.restype = ctypes.c_int64
    seats, criteria = len(layout.seats), len(prepared.results[0]) - teams
    sizes = {"scores": seats * criteria, "teams": seats}
    arrays = {name: (ctypes.c_int64 * (count * sizes.get(name, 1)))() for name in RESULTS[:-1]}
    failed = (ctypes.c_uint8 * count)()
    addresses = {name: ctypes.addressof(array) for name, array in arrays.items()}
    results, stop = Results(**addresses, failed=ctypes.addressof(failed)), ctypes.c_int32(0)
    assert play(seed, count, 600.0, ctypes.addressof(stop), ctypes.addressof(results)) == count
    found: list[Playout | None] = []
    for number in range(count):
        scores = {
            seat: tuple(arrays["scores"][(number * seats + place) * criteria :][:criteria])
            for place, seat in enumerate(layout.seats)
        }
        winners = tuple(seat for place, seat in enumerate(layout.seats) if arrays["winners"][number] >> place & 1)
        decisions, choices, widest = (arrays[name][number] for name in RESULTS[3:6])
        ended = Playout(seed + number, scores, winners, decisions, choices, widest)
        found.append(None if failed[number] else ended)
    return found
