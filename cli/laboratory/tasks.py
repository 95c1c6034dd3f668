"""What another process or machine does of a run: some games, by their numbers."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cli.arguments import open_game
from cli.laboratory.games_file import Record
from cli.workers import Opening
from interpreter import Game
from interpreter.arguments import Backend
from interpreter.laboratory.courses import Courses
from interpreter.laboratory.playing import records
from interpreter.opponents.specs import BotSpec


@dataclass(frozen=True)
class How:
    """How the games of a run are played: what another process needs to know besides the game.

    `expected` is about how many games each process plays.
    """

    bots: tuple[BotSpec, ...]
    seed: int
    details: int
    rollouts: int
    backend: Backend
    expected: int


@dataclass(frozen=True)
class Played:
    """The games of a chunk, and the seconds they took."""

    records: list[Record]
    seconds: float


def open_and_play(opening: Opening, how: How, chunks: Sequence[range]) -> Iterator[list[Played]]:
    """Open a game and play chunks of games."""
    return play_chunks(open_game(*opening), how, chunks)


def play_chunks(game: Game, how: How, chunks: Sequence[range]) -> Iterator[list[Played]]:
    """Play chunks of games, yielding for each a list of one item."""
    courses = Courses(game, how.rollouts, how.backend)
    return ([play_chunk(courses, how, numbers)] for numbers in chunks)


def play_chunk(courses: Courses, how: How, numbers: range) -> Played:
    """Play the games of a chunk."""
    started, detailed = time.monotonic(), range(how.details).__contains__
    found = list(records(courses, how.bots, how.seed, numbers, detailed, how.expected))
    return Played(found, time.monotonic() - started)
