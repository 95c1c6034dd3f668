"""Random games of printed rules, played by Wasmtime."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass

import wasmtime

from interpreter.machine.course import MAX_BATCH, PLAY, PLAYED, print_games
from interpreter.machine.forms import NONE, WORD_BITS
from interpreter.native.rules import Rules

FIGURES = 4
"""The values of a game beside those of each seat: winners, decisions, choices, most choices at a decision."""


@dataclass(frozen=True)
class MachineResult:
    """A random game: the criteria and the team of each seat, the seats that won, and counts of legal moves.

    `choices` are the legal moves of all decisions, `widest` is the largest number at a single one.
    """

    seed: int
    scores: list[tuple[int, ...]]
    winners: list[int]
    decisions: int
    choices: int
    widest: int
    teams: list[int | None]


@dataclass(frozen=True)
class Failure:
    """A random game that ended in a fault, which Python has to name."""

    seed: int


class MachineGames:
    """The random games of prepared rules as a module. Raises UnprintableError."""

    def __init__(self, rules: Rules) -> None:
        printed = print_games(rules)
        engine = wasmtime.Engine()
        self.store = wasmtime.Store(engine)
        instance = wasmtime.Instance(self.store, wasmtime.Module(engine, printed.module.binary()), [])
        exports = instance.exports(self.store)
        play, memory, played = exports[PLAY], exports["memory"], exports[PLAYED]
        assert isinstance(play, wasmtime.Func) and isinstance(memory, wasmtime.Memory)
        assert isinstance(played, wasmtime.Global)
        self.play_batch, self.memory, self.played, self.address = play, memory, played, printed.results
        self.seats, self.teams = len(rules.prepared.results), rules.teams
        self.criteria = len(rules.prepared.results[0]) - rules.teams

    def play(self, seed: int, count: int) -> Iterator[MachineResult | Failure]:
        """Play games with consecutive seeds."""
        first = seed
        while first < seed + count:
            failed = False
            try:
                self.play_batch(self.store, _signed(first), min(MAX_BATCH, seed + count - first))
            except wasmtime.Trap:
                failed = True
            played: int = self.played.value(self.store)
            yield from self._results(first, played)
            first += played
            if failed:
                yield Failure(first)
                first += 1

    def _results(self, first: int, count: int) -> Iterator[MachineResult]:
        words = self.seats * (self.criteria + self.teams) + FIGURES
        base = ctypes.addressof(self.memory.data_ptr(self.store).contents)
        values = list((ctypes.c_int64 * (words * count)).from_address(base + self.address))
        for number in range(count):
            game = values[number * words : (number + 1) * words]
            scores = game[: self.seats * self.criteria]
            teams = game[len(scores) : -FIGURES]
            winners, decisions, choices, widest = game[-FIGURES:]
            yield MachineResult(
                first + number,
                [tuple(scores[at : at + self.criteria]) for at in range(0, len(scores), self.criteria)],
                [seat for seat in range(self.seats) if winners >> seat & 1],
                decisions, choices, widest,
                [None if team == NONE else team for team in teams],
            )  # fmt: skip


def _signed(seed: int) -> int:
    """A word as the signed number that the package expects."""
    return seed - (1 << WORD_BITS) if seed >> WORD_BITS - 1 else seed
