"""A library to play one game step by step: states in machine code, and the calls that change them.

The GIL is released while many games are played, but not during the other calls, which are short.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from ctypes import POINTER, byref, c_double, c_int, c_int32, c_int64, c_uint64, c_void_p
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from interpreter.native.library import Results, ResultShape, StopFlag
from interpreter.native.not_built import NotBuilt

DONE, FAULT, NOT_LEGAL, NO_MEMORY, NOT_SCORED = range(5)
"""How a call ended, as in c/steps.h."""

DEEPEST = 200
WIDEST_SEED = 1 << 64


class Shown(ctypes.Structure):
    """`Shown` of c/steps.h: the parts of a state that can be read without a call."""

    point: int
    acting: int
    count: int
    words: int
    depth: int
    rows: int
    _fields_ = (
        ("point", c_int64), ("acting", c_int64), ("count", c_int64), ("words", c_int64), ("depth", c_int64),
        ("rows", c_void_p),
    )  # fmt: skip


class Counting(ctypes.Structure):
    """`Counting` of c/steps.h: move sequences and games that are over, by length.

    `unmade`: moves of the last level are counted without being made, so that games that end there are not known.
    """

    depth: int
    level: int
    unmade: int
    chance: int
    failed: int
    nodes: Sequence[int]
    over: Sequence[int]
    _fields_ = (
        ("depth", c_int64), ("level", c_int64), ("unmade", c_int64), ("chance", c_int64), ("failed", c_int64),
        ("next", c_int64 * (DEEPEST + 1)), ("nodes", c_int64 * (DEEPEST + 1)), ("over", c_int64 * (DEEPEST + 1)),
    )  # fmt: skip


class StepLibrary:
    """The functions of a library."""

    def __init__(self, path: Path) -> None:
        self.path = path
        quick, slow = ctypes.PyDLL(str(path)), ctypes.CDLL(str(path))
        self.new_state = _typed(quick["new_state"], c_void_p, c_void_p, c_int64)
        self.copy_state = _typed(quick["copy_state"], c_void_p, c_void_p)
        self.free_state = _typed(quick["free_state"], None, c_void_p)
        self.shown = _typed(quick["shown"], POINTER(Shown), c_void_p)
        self.save_state = _typed(quick["save_state"], c_int64, c_void_p, c_void_p, c_int64)
        self.key_of = _typed(quick["key_of"], None, c_void_p, POINTER(c_uint64 * 2))
        self.push = _typed(quick["push"], c_int, c_void_p, c_int64)
        self.pop = _typed(quick["pop"], c_int, c_void_p)
        self.scores_of = _typed(quick["scores_of"], c_int, c_void_p, c_void_p, c_void_p, POINTER(c_uint64))
        self.set_chance = _typed(quick["set_chance"], None, c_void_p, c_uint64)
        self.rollout = _typed(
            quick["rollout"], c_int, c_void_p, c_uint64, c_int64, c_void_p, c_void_p, POINTER(c_uint64)
        )
        self.rollouts = _typed(
            slow["rollouts"], c_int64, c_void_p, c_uint64, c_int64, c_int64, c_double, POINTER(c_int32),
            POINTER(Results), c_void_p, c_void_p,
        )  # fmt: skip
        self.count_sequences = _typed(quick["count_sequences"], c_int, c_void_p, POINTER(Counting), c_double)


def _typed(function: Any, result: Any, *arguments: Any) -> Any:
    function.restype, function.argtypes = result, arguments
    return function


def open_step_library(path: Path) -> StepLibrary | NotBuilt:
    """Load a library that is known to be one of ours."""
    try:
        return StepLibrary(path)
    except OSError as error:
        return NotBuilt.after("a compiled library cannot be loaded", str(error))
    except AttributeError as error:
        return NotBuilt.after("a compiled library is not complete", str(error))


@dataclass(frozen=True)
class RolloutResults:
    """The results of games played from a state, in columns; those of a failed game are undefined.

    `scores` has for each game the criteria of each seat, if they could be computed (`scored`); winners are bits.
    """

    played: int
    scores: array[int]
    winners: array[int]
    decisions: array[int]
    failed: array[int]
    over: array[int]
    scored: array[int]


class MemoryState:
    """A state in machine code, freed with this object."""

    __slots__ = ("_address", "_key", "_library", "_pop", "_push", "_result", "shown")

    def __init__(self, library: StepLibrary, address: int | None) -> None:
        self._library, self._address = library, address  # which is freed in any case
        if not address:
            raise MemoryError
        self._push, self._pop, self._key = library.push, library.pop, (c_uint64 * 2)()
        self._result: tuple[Any, ...] | None = None
        self.shown: Shown = library.shown(address).contents

    @classmethod
    def from_words(cls, library: StepLibrary, words: array[int]) -> Self | None:
        """The state with these cells; None if it cannot be in machine code."""
        address = library.new_state(words.buffer_info()[0], len(words))
        return cls(library, address) if address else None

    def __del__(self) -> None:
        self._library.free_state(self._address)

    def copy(self) -> Self:
        """The same state without decisions to take back."""
        return type(self)(self._library, self._library.copy_state(self._address))

    def push(self, number: int) -> int:
        """Make a move; returns how that ended."""
        ended: int = self._push(self._address, number)
        return ended

    def pop(self) -> int:
        """Take a move back; returns how that ended."""
        ended: int = self._pop(self._address)
        return ended

    def rows(self) -> bytes:
        """The rows of all legal moves."""
        shown = self.shown
        return ctypes.string_at(shown.rows, 8 * shown.count * shown.words) if shown.count else b""

    def words(self) -> list[int]:
        """All cells as words."""
        room = self._library.save_state(self._address, None, 0)
        found = array("q", [0]) * room
        self._library.save_state(self._address, found.buffer_info()[0], room)
        words: list[int] = found.tolist()
        return words

    def key(self) -> int:
        """A number of 128 bits, equal for equal states."""
        self._library.key_of(self._address, byref(self._key))
        low, high = self._key
        return int(high) << 64 | int(low)

    def scores(self, shape: ResultShape) -> tuple[array[int], array[int], int] | None:
        """The criteria of all seats, their teams, and who is ahead, as bits; None if a rule fails."""
        scores, teams = array("q", [0]) * (shape.seats * shape.criteria), array("q", [0]) * shape.seats
        winners = c_uint64(0)
        addresses = scores.buffer_info()[0], teams.buffer_info()[0]
        failed = self._library.scores_of(self._address, *addresses, byref(winners))
        return None if failed else (scores, teams, winners.value)

    def set_chance(self, chance: int) -> None:
        """Change the future chance."""
        self._library.set_chance(self._address, chance)

    def rollout(self, seed: int, horizon: int, shape: ResultShape) -> tuple[int, int, list[int]]:
        """Play one random game and go back; returns how it ended, the winners as bits, and all seats' criteria."""
        if self._result is None:
            scores, teams, winners = (c_int64 * (shape.seats * shape.criteria))(), (c_int64 * shape.seats)(), c_uint64()
            addresses = ctypes.addressof(scores), ctypes.addressof(teams), byref(winners)
            self._result = scores, teams, winners, addresses
        found, _, won, addresses = self._result
        ended = self._library.rollout(self._address, seed % WIDEST_SEED, horizon, *addresses)
        return ended, won.value, found[:]

    def rollouts(
        self, seed: int, count: int, horizon: int, shape: ResultShape, seconds: float = float("inf"),
        stop: StopFlag | None = None,
    ) -> RolloutResults:  # fmt: skip
        """Play random games from copies of the state, which must not be used by others meanwhile."""
        scores, teams = (
            array("q", [0]) * (count * shape.seats * shape.criteria),
            array("q", [0]) * (count * shape.seats),
        )
        winners, decisions = array("Q", [0]) * count, array("q", [0]) * count
        failed, over, scored = (array("B", [0]) * count for _ in range(3))
        at = [column.buffer_info()[0] for column in (scores, teams, winners, decisions, failed, over, scored)]
        results = Results(at[0], at[1], at[2], at[3], None, None, at[4])
        flag = (stop or StopFlag()).flag
        played: int = self._library.rollouts(
            self._address, seed % WIDEST_SEED, count, horizon, seconds, byref(flag), byref(results), at[5], at[6]
        )
        return RolloutResults(played, scores, winners, decisions, failed, over, scored)

    def count_sequences(self, counting: Counting, seconds: float) -> bool:
        """Continue counting for some time; returns True when finished."""
        return bool(self._library.count_sequences(self._address, byref(counting), seconds))
