"""The tasks into which a run is divided for other processes and machines: chunks of games, by their numbers."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from cli.arguments import open_game
from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.workers import Opening
from interpreter.arguments import Backend
from interpreter.laboratory.courses import Courses
from interpreter.laboratory.playing import records
from interpreter.laboratory.results_file import Record
from interpreter.opponents.specs import BotSpec
from interpreter.play.game import Game


@dataclass(frozen=True)
class Parameters:
    """The parameters of all tasks of a run: what another process needs besides the game."""

    bots: tuple[BotSpec, ...]
    seed: int
    details: int
    rollouts: int
    backend: Backend


@dataclass(frozen=True)
class PlayedChunk:
    """The games of a chunk, and the seconds they took."""

    records: list[Record]
    seconds: float


def open_and_play(opening: Opening, parameters: Parameters, chunks: Sequence[range]) -> Iterator[list[PlayedChunk]]:
    """Open a game and play chunks of games."""
    return play_chunks(open_game(*opening), parameters, chunks)


def play_chunks(game: Game, parameters: Parameters, chunks: Sequence[range]) -> Iterator[list[PlayedChunk]]:
    """Play chunks of games; each result is a list with one item, as `spread` expects."""
    courses = Courses(game, parameters.rollouts, parameters.backend)
    return ([play_chunk(courses, parameters, numbers)] for numbers in chunks)


def play_chunk(courses: Courses, parameters: Parameters, numbers: range) -> PlayedChunk:
    """Play the games of a chunk."""
    started, detailed = time.monotonic(), range(parameters.details).__contains__
    played = list(records(courses, parameters.bots, parameters.seed, numbers, detailed))
    return PlayedChunk(played, time.monotonic() - started)
