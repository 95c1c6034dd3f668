"""What another process or machine does of a run: some games, by their numbers."""

from __future__ import annotations

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

Numbers = tuple[int, ...]
"""The numbers of the games of a chunk; they are consecutive."""


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


def open_and_play(opening: Opening, how: How, chunks: Sequence[Numbers]) -> Iterator[list[list[Record]]]:
    """Open a game and play chunks of games."""
    return play_chunks(open_game(*opening), how, chunks)


def play_chunks(game: Game, how: How, chunks: Sequence[Numbers]) -> Iterator[list[list[Record]]]:
    """Play chunks of games, yielding for each one list of all its games."""
    courses = Courses(game, how.rollouts, how.backend)
    return ([play_chunk(courses, how, numbers)] for numbers in chunks)


def play_chunk(courses: Courses, how: How, numbers: Numbers) -> list[Record]:
    """Play the games of a chunk."""
    consecutive, detailed = range(numbers[0], numbers[-1] + 1), range(how.details).__contains__
    return list(records(courses, how.bots, how.seed, consecutive, detailed, how.expected))
