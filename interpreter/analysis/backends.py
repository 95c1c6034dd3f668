"""Which backend plays random games: step by step at first, then generated Python, then machine code.

Each is faster than the one before, but takes longer to get ready. Nobody waits for a compiler unless the native backend
was asked for. The results are the same.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from time import perf_counter
from typing import TypeVar

from interpreter.analysis.results import Playout
from interpreter.arguments import Backend
from interpreter.game import Game
from interpreter.native.games import native_games
from interpreter.native.library import Library
from interpreter.native.step_games import native_steps
from interpreter.native.step_library import StepLibrary
from interpreter.program import Program
from interpreter.random_games import random_games

WORTH_PREPARING = 20_000
"""Number of legal moves listed in random games beyond which generating a faster function pays off."""

WORTH_COMPILING = 5.0
"""Expected seconds of random games in Python beyond which compiling a library pays off."""

BETWEEN_LOOKS = 0.25
"""Seconds between two checks whether the library is ready."""

Found = TypeVar("Found")


class NativeWarning(UserWarning):
    """Games are played by Python although the native backend was asked for."""


def played(
    game: Game, seeds: range, step_by_step: Callable[[int], Found], backend: Backend, expected: int
) -> Iterator[Playout | Found]:
    """Play the games with these seeds; those that end in a fault are replayed by `step_by_step`.

    `expected` is the number of games that will be played in all, with other calls.
    """
    program, place = game.program, 0
    while place < len(seeds):
        library = ready_library(game, backend, expected)
        if library is not None:
            yield from native_games(program).play(library, seeds[place:], partial(playout_of, game), step_by_step)
            return
        if program.listed < WORTH_PREPARING:
            yield step_by_step(seeds[place])
            place += 1
            continue
        pace = random_games(program).pace
        looked = before = perf_counter()
        for found in random_games(program).play(seeds[place:], Playout, step_by_step):
            now = perf_counter()
            pace.add(now - before)
            yield found
            place += 1
            before = perf_counter()
            if backend == "auto" and before - looked > BETWEEN_LOOKS:
                looked = before
                if ready_library(game, backend, expected) is not None:
                    break


def ready_library(game: Game, backend: Backend, expected: int) -> Library | None:
    """The library, if games are to be played with it and it is ready."""
    program = game.program
    if backend == "python":
        return None
    if backend == "auto" and program.native_games is None and not _worth_compiling(program, expected):
        return None
    games = native_games(program)
    library = games.library(wait=backend == "native")
    if library is None and backend == "native" and not games.warned:
        games.warned = True
        warnings.warn(f"the games are played by Python: {games.failure()}", NativeWarning, stacklevel=2)
    return library


def ready_steps(game: Game, backend: Backend) -> StepLibrary | None:
    """The library to play a game step by step, if it is to be used and ready; "auto" begins to compile it."""
    if backend == "python":
        return None
    native = native_steps(game.program)
    library = native.library(wait=backend == "native")
    if library is None and backend == "native" and not native.warned:
        native.warned = True
        warnings.warn(f"the game is played by Python: {native.failure()}", NativeWarning, stacklevel=2)
    return library


def _worth_compiling(program: Program, expected: int) -> bool:
    """Whether enough games are left, judging by the time the games so far have taken."""
    return program.random_games is not None and program.random_games.pace.seconds(expected) >= WORTH_COMPILING


def why_not_native(game: Game) -> str | None:
    """Why the native backend cannot play a game, with what to do about it; None if it can. May wait for a compiler."""
    games = native_games(game.program)
    return None if games.library(wait=True) is not None else games.failure()


def why_not_steps(game: Game) -> str | None:
    """Why the native backend cannot play a game step by step; None if it can. May wait for a compiler."""
    native = native_steps(game.program)
    return None if native.library(wait=True) is not None else native.failure()


def playout_of(
    game: Game,
    seed: int,
    scores: Sequence[tuple[int, ...]],
    winners: Sequence[int],
    decisions: int,
    choices: int,
    widest: int,
    teams: Sequence[int | None],
) -> Playout:
    """The result of a game from numbers."""
    seats = game.seats
    names = tuple([seats[seat] for seat in winners])
    of_seats = dict(zip(seats, scores, strict=True))
    return Playout(seed, of_seats, names, decisions, choices, widest, tuple(map(game.program.team_name, teams)))
