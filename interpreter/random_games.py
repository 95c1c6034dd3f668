"""Random games by one generated function, compiled from the rules only for this purpose."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import count
from typing import Any, TypeVar

from dsl.checker.recursion import room_for_recursion
from dsl.garbage import uncollected
from interpreter.backends.python import constants, function
from interpreter.backends.python_playout import Playout, playout
from interpreter.errors import PlayError
from interpreter.passes.playouts import Playouts, copied, for_playouts
from interpreter.passes.record import PassRecords
from interpreter.program import Program
from interpreter.runtime.chance import first_chance_state, shuffled
from interpreter.runtime.ranking import leaders, ranks_of, ranks_of_teams
from interpreter.runtime.selection import select, select16, select64
from interpreter.runtime.streams import Streams, TooLong
from interpreter.visibility.sight import offered

NUMBERS = count(1)

FAULTS = (PlayError, RecursionError, TooLong)
"""The exceptions after which a game is replayed by the program, which reports what happened."""

RUNTIME: dict[str, Any] = {
    "first_chance_state": first_chance_state, "select": select, "select16": select16, "select64": select64,
    "TooLong": TooLong, "shuffled": shuffled, "ranks_of": ranks_of, "ranks_of_teams": ranks_of_teams,
    "leaders": leaders,
}  # fmt: skip
"""The run-time functions that only generated random games call."""

Made = TypeVar("Made")
"""The result of a game, made from its seed, scores, winners, decisions, choices, most choices at a decision, teams."""

Found = TypeVar("Found")
"""The result of a game that is replayed."""


@dataclass
class Pace:
    """How long games took that the generated function played."""

    games: int = 0
    spent: float = 0.0

    def add(self, seconds: float) -> None:
        """Count one more game."""
        self.games += 1
        self.spent += seconds

    def seconds(self, expected: int) -> float:
        """How long the rest of the expected games will take; 0 while no game has been played."""
        return max(0, expected - self.games) * self.spent / self.games if self.games else 0.0


@dataclass(frozen=True)
class Compiled:
    """The generated function as source, and the names in it: its own is `games`, unless Python refused it."""

    source: str
    names: dict[str, Any]


class RandomGames:
    """The rules of a program prepared for random games, and the generated function, compiled on first use."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.records = PassRecords(off=program.records.off)
        with room_for_recursion(), uncollected():
            self.prepared: Playouts = for_playouts(
                copied(program.as_lowered), program.layout, program.initial, self.records
            )
        self.opening = self.prepared.opening
        self.streams = Streams()
        self.pace = Pace()

    @cached_property
    def compiled(self) -> Compiled:
        """The source of the function, and the names in it."""
        with room_for_recursion(), uncollected():
            return self._compiled()

    def _compiled(self) -> Compiled:
        program, module = self.program, self.prepared.module
        printed = Playout(
            module, self.prepared.first, self.prepared.results, self.opening, program.layout.seats, program.conditions,
            program.model.teams is not None,
        )  # fmt: skip
        lines = [line for each in module.functions.values() for line in function(each, journal=False)]
        source = "\n".join([*lines, *playout(printed)]) + "\n"
        names = {
            **program.called,
            **constants(module),
            **printed.names,
            **RUNTIME,
            "offered": partial(offered, program),
            "team_name": program.team_name,
        }
        filename = f"<random games of {program.model.file.header.title.value} {next(NUMBERS)}>"
        linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
        with suppress(SyntaxError, MemoryError, RecursionError):  # nested too deeply for Python
            exec(compile(source, filename, "exec"), names)  # source generated here
        return Compiled(source, names)

    @property
    def source(self) -> str:
        """The source of the function."""
        return self.compiled.source

    @property
    def names(self) -> dict[str, Any]:
        """The names in it."""
        return self.compiled.names

    def play(self, seeds: range, made: type[Made], anew: Callable[[int], Found]) -> Iterator[Made | Found]:
        """Play the games with these seeds; those that end in a fault are replayed by `anew`.

        So are all of them if the blocks of the function are nested more deeply than Python allows.
        """
        if "games" not in self.names:
            return map(anew, seeds)
        streams = self.streams
        games: Iterator[Made | Found] = self.names["games"](
            streams.rows(seeds), streams.more_choices, streams.more_chances, self.opening.copy, FAULTS, anew,
            tuple.__new__, made,
        )  # fmt: skip
        return games


def random_games(program: Program) -> RandomGames:
    """The random games of a program, prepared on first use."""
    if program.random_games is None:
        program.random_games = RandomGames(program)
    found: RandomGames = program.random_games
    return found
