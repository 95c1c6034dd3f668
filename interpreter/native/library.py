"""A library: the random games of one program in machine code."""

from __future__ import annotations

import ctypes
from array import array
from dataclasses import dataclass
from pathlib import Path

from interpreter.native.not_built import NotBuilt

ENTRY = "play_games"
WIDEST_SEED = 1 << 64


class StopFlag:
    """A flag that ends games from another thread."""

    def __init__(self) -> None:
        self.flag = ctypes.c_int32(0)

    def set(self) -> None:
        """Stop all games played with it."""
        self.flag.value = 1

    def clear(self) -> None:
        """Allow games to be played with it again."""
        self.flag.value = 0

    def is_set(self) -> bool:
        """True if games are to stop."""
        return self.flag.value != 0


@dataclass(frozen=True)
class ResultShape:
    """The numbers of values in the result of a game."""

    seats: int
    criteria: int


@dataclass(frozen=True)
class ResultColumns:
    """The results of games with consecutive seeds, in columns. Those of a failed game are undefined.

    `scores` has for each game the criteria of each seat, `teams` the team of each seat; winners are bits. `choices` are
    the legal moves of all decisions, `widest` is the largest number at a single one.
    """

    played: int
    scores: array[int]
    teams: array[int]
    winners: array[int]
    decisions: array[int]
    choices: array[int]
    widest: array[int]
    failed: array[int]


class Results(ctypes.Structure):
    """`Results` of c/results.h."""

    _fields_ = (
        ("scores", ctypes.c_void_p),
        ("teams", ctypes.c_void_p),
        ("winners", ctypes.c_void_p),
        ("decisions", ctypes.c_void_p),
        ("choices", ctypes.c_void_p),
        ("widest", ctypes.c_void_p),
        ("failed", ctypes.c_void_p),
    )


class Library:
    """A loaded library; several threads can play with it at the same time, as the GIL is released."""

    def __init__(self, path: Path, loaded: ctypes.CDLL) -> None:
        self.path = path
        self._loaded = loaded  # keeps the library of the function loaded
        self._play = loaded[ENTRY]
        self._play.restype = ctypes.c_int64
        self._play.argtypes = (
            ctypes.c_uint64, ctypes.c_int64, ctypes.c_double, ctypes.POINTER(ctypes.c_int32), ctypes.POINTER(Results),
        )  # fmt: skip

    def play_games(
        self, seed: int, count: int, shape: ResultShape, seconds: float = float("inf"), stop: StopFlag | None = None
    ) -> ResultColumns:
        """Play `count` games, those with the seeds `seed`, `seed + 1`, …; fewer if time is up or `stop` is set."""
        count = max(0, count)
        scores = array("q", [0]) * (count * shape.seats * shape.criteria)
        teams = array("q", [0]) * (count * shape.seats)
        winners = array("Q", [0]) * count
        decisions, choices, widest = (array("q", [0]) * count for _ in range(3))
        failed = array("B", [0]) * count
        columns = scores, teams, winners, decisions, choices, widest, failed
        addresses = Results(*(column.buffer_info()[0] for column in columns))
        flag = (stop or StopFlag()).flag
        played: int = 0
        if count:
            played = self._play(seed % WIDEST_SEED, count, seconds, ctypes.byref(flag), ctypes.byref(addresses))
        for column in columns:
            del column[len(column) // count * played if count else 0 :]
        return ResultColumns(played, *columns)


def open_library(path: Path) -> Library | NotBuilt:
    """Load a library that has been verified to be ours."""
    try:
        return Library(path, ctypes.CDLL(str(path)))
    except OSError as error:
        return NotBuilt.after("a compiled library cannot be loaded", str(error))
    except AttributeError as error:
        return NotBuilt.after("a compiled library is not complete", str(error))
