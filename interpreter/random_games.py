"""Random games by one generated function: the rules of a program, prepared for nothing but being played at random."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
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
"""What ends a game that the program plays anew, to say what has happened."""

RUNTIME: dict[str, Any] = {
    "first_chance_state": first_chance_state, "select": select, "select16": select16, "select64": select64,
    "TooLong": TooLong, "shuffled": shuffled, "ranks_of": ranks_of, "ranks_of_teams": ranks_of_teams,
    "leaders": leaders,
}  # fmt: skip
"""What generated random games call besides what all generated code does."""

Made = TypeVar("Made")
"""What is made of a game: seed, scores, winners, decisions, choices, most choices at a decision, teams."""

Found = TypeVar("Found")
"""What comes of a game that is played anew."""


class RandomGames:
    """The generated function of a program, and its text."""

    def __init__(self, program: Program) -> None:
        with room_for_recursion(), uncollected():
            self._build(program)

    def _build(self, program: Program) -> None:
        self.records = PassRecords(off=program.records.off)
        self.prepared: Playouts = for_playouts(
            copied(program.as_lowered), program.layout, program.initial, self.records
        )
        module = self.prepared.module
        self.opening = self.prepared.opening
        printed = Playout(
            module, self.prepared.first, self.prepared.results, self.opening, program.layout.seats, program.conditions,
            program.model.teams is not None,
        )  # fmt: skip
        lines = [line for each in module.functions.values() for line in function(each, journal=False)]
        self.source = "\n".join([*lines, *playout(printed)]) + "\n"
        self.names = {
            **program.called,
            **constants(module),
            **printed.names,
            **RUNTIME,
            "offered": partial(offered, program),
            "team_name": program.team_name,
        }
        filename = f"<random games of {program.model.file.header.title.value} {next(NUMBERS)}>"
        linecache.cache[filename] = (len(self.source), None, self.source.splitlines(keepends=True), filename)
        with suppress(SyntaxError, MemoryError, RecursionError):  # where too much is nested
            exec(compile(self.source, filename, "exec"), self.names)  # our own generated text
        self.streams = Streams()

    def play(self, seeds: range, made: type[Made], anew: Callable[[int], Found]) -> Iterator[Made | Found]:
        """Play the games with these seeds; those that end in a fault are played `anew`.

        So are all of them if more blocks of the function would stand in one another than Python allows.
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
    """The random games of a program, prepared when they are first asked for."""
    if program.random_games is None:
        program.random_games = RandomGames(program)
    found: RandomGames = program.random_games
    return found
