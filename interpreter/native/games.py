"""Random games of a program, played by a library compiled from its rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from dsl.checker.recursion import room_for_recursion
from dsl.garbage import uncollected
from interpreter.native.building import InMachineCode
from interpreter.native.library import Library, ResultColumns, ResultShape, open_library
from interpreter.native.rules import Rules
from interpreter.native.source import source
from interpreter.passes.playouts import Playouts
from interpreter.program import Program
from interpreter.random_games import random_games
from interpreter.runtime.chance import LARGEST_SEED, seeded
from interpreter.runtime.subset_calls import SubsetCalls

SECONDS = 0.1
"""The time after which a batch of games is passed on."""

MOST = 1 << 14
"""Maximum number of games in a batch."""

Made = TypeVar("Made")
Found = TypeVar("Found")

Maker = Callable[[int, Sequence[tuple[int, ...]], Sequence[int], int, int, int, Sequence[int | None]], Made]
"""Makes a result of seed, criteria by seat, winners, decisions, choices, most choices at a decision, teams by seat."""


class NativeGames(InMachineCode[Library]):
    """The random games of a program in machine code, compiled in the background on creation of this object."""

    def __init__(self, program: Program) -> None:
        self.program, self.shape = program, shape_of(program)
        super().__init__(partial(native_source, program), open_library)

    def play(
        self, library: Library, seeds: range, made: Maker[Made], anew: Callable[[int], Found]
    ) -> Iterator[Made | Found]:
        """Play the games with these seeds; those that end in a fault are replayed by `anew`.

        Raises UsageError for an invalid seed.
        """
        teams = self.program.model.teams is not None
        place, together = 0, 1
        while place < len(seeds):
            first = seeds[place]
            seeded(first)
            many = min(together, len(seeds) - place, LARGEST_SEED - first)
            results = library.play_games(first, many, self.shape, SECONDS)
            for number in range(results.played):
                seed, failed = first + number, results.failed[number]
                yield anew(seed) if failed else result_of(results, number, seed, self.shape, teams, made)
            if not results.played:  # there is no memory for it
                yield anew(first)
            place += max(1, results.played)
            together = min(MOST, 4 * together if results.played == many else max(1, results.played))


def result_of(
    results: ResultColumns, number: int, seed: int, shape: ResultShape, teams: bool, made: Maker[Made]
) -> Made:
    """The result of one of several games."""
    seats, criteria = shape.seats, shape.criteria
    start = number * seats * criteria
    scores = [tuple(results.scores[at : at + criteria]) for at in range(start, start + seats * criteria, criteria)]
    won = results.winners[number]
    of_seats = results.teams[number * seats : (number + 1) * seats] if teams else ()
    return made(
        seed, scores, [seat for seat in range(seats) if won >> seat & 1], results.decisions[number],
        results.choices[number], results.widest[number], [None if team == NOTHING else team for team in of_seats],
    )  # fmt: skip


NOTHING = -(1 << 63)
"""None, in a 64-bit number."""


def native_source(program: Program) -> str:
    """The random games of a program as C. Raises NotInC."""
    with room_for_recursion(), uncollected():
        return source(rules_of(program))


def shape_of(program: Program) -> ResultShape:
    """The number of values in the result of a game."""
    winner = program.model.winner
    assert winner is not None
    return ResultShape(len(program.layout.seats), len(winner.criteria))


def rules_of(program: Program, prepared: Playouts | None = None) -> Rules:
    """The facts about a program that C needs; its rules are prepared for random games, or as given."""
    return Rules(
        random_games(program).prepared if prepared is None else prepared,
        program.layout,
        [[cell for cell, _, _ in entries] for entries in program.runtime.attached],
        program.conditions,
        program.model.teams is not None,
        SubsetCalls(program.runtime).choice_key,
    )


def native_games(program: Program) -> NativeGames:
    """The native games of a program; compiling them begins on first use."""
    if program.native_games is None:
        program.native_games = NativeGames(program)
    found: NativeGames = program.native_games
    return found
