"""Playouts: many random games in one call, without journal or names, only results.

The first games are played decision by decision. Once it pays off, a function is generated that plays the same games
several times as fast but returns only their results; a game that it cannot finish is replayed decision by decision.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypeVar

from interpreter.analysis.failed_games import Failed, failed_at
from interpreter.analysis.random_choices import random_choice
from interpreter.arguments import described, whole
from interpreter.errors import LimitError, PlayError, UsageError
from interpreter.explain.outcome import Outcome, outcome_of
from interpreter.game import Game
from interpreter.layout.cells import POINT, RANDOM
from interpreter.program import Move
from interpreter.random_games import random_games
from interpreter.runtime.chance import seeded
from interpreter.runtime.primitives import Cells
from interpreter.runtime.ranking import leaders

MOST_DECISIONS = 100_000
"""A game is assumed never to end after this many random decisions."""


MOST_CUT_OFF = 3
"""No more games are played once this many were cut off."""

WORTH_PREPARING = 20_000
"""Number of legal moves listed in random games beyond which generating a faster function pays off."""

Found = TypeVar("Found")


def never_ends(game: Game) -> LimitError:
    """The error of a game that random moves do not bring to its end."""
    message = f"the game is not over after {MOST_DECISIONS} random decisions"
    return LimitError(message, game.rules.model.file.header.span.location)


class Playout(NamedTuple):
    """A game played at random.

    `decisions` is the number of decisions, `choices` the number of legal moves summed over all of them, `widest` the
    largest number at a single one; scores hold one number per criterion, higher is better. `teams` are the names of the
    teams of the seats in their order, None for a seat that plays alone; empty if there are no teams.
    """

    seed: int
    scores: dict[str, tuple[int, ...]]
    winners: tuple[str, ...]
    decisions: int
    choices: int
    widest: int
    teams: tuple[str | None, ...] = ()


@dataclass(frozen=True)
class FinishedGame:
    """A game that random play has brought to its end; `length` is the number of decisions."""

    seed: int
    outcome: Outcome
    length: int


@dataclass(frozen=True)
class _Ended:
    """A game that is over, with its cells."""

    cells: Cells
    decisions: int
    choices: int
    widest: int


@dataclass(frozen=True)
class _Stopped:
    """A game that ended in an error after this many decisions, while making `move`, if one was chosen already."""

    decisions: int
    move: Move | None
    fault: PlayError


def play_at_random(game: Game, seed: int) -> Playout:
    """Play one game, every legal move equally likely; chance and moves both follow from the seed.

    Raises PlayError if a rule fails, and LimitError, which is one, if the game does not end.
    """
    result = _play(game, seed)
    if isinstance(result, _Stopped):
        raise result.fault
    return _playout(game, seed, result)


def finish_at_random(game: Game, seed: int) -> FinishedGame:
    """Play the same game as `play_at_random` and return its outcome, with the same errors."""
    result = _play(game, seed)
    if isinstance(result, _Stopped):
        raise result.fault
    return FinishedGame(seed, outcome_of(game.program, result.cells), result.decisions)


def try_at_random(game: Game, seed: int) -> Playout | Failed:
    """Play the same game as `play_at_random`; return an error as data, with the place where it occurred."""
    result = _play(game, seed)
    if isinstance(result, _Ended):
        try:
            return _playout(game, seed, result)
        except PlayError as fault:
            result = _Stopped(result.decisions, None, fault)
    return failed_at(game, game.program, seed, result.decisions, result.move, result.fault)


def _playout(game: Game, seed: int, ended: _Ended) -> Playout:
    seats, program, S = game.seats, game.program, ended.cells
    evaluated = program.criteria_of_all(S)
    scores = dict(zip(seats, evaluated, strict=True))
    winners = tuple(seats[place] for place in leaders(program.ranks(S, evaluated)))
    teams = tuple(map(program.team_name, program.teams(S)))
    return Playout(seed, scores, winners, ended.decisions, ended.choices, ended.widest, teams)


def _play(game: Game, seed: int) -> _Ended | _Stopped:
    program = game.program
    S = list(program.initial)
    S[RANDOM] = seeded(seed)
    decisions = choices = widest = 0
    move: Move | None = None
    try:
        program.run(S, None, 0)
        while S[POINT] >= 0:
            if decisions >= MOST_DECISIONS:
                raise never_ends(game)
            legal = program.legal(S)
            count = len(legal)
            choices += count
            if count > widest:
                widest = count
            move = legal[random_choice(seed, decisions, count)]
            program.do(S, None, move)
            move = None
            decisions += 1
    except PlayError as fault:
        return _Stopped(decisions, move, fault)
    finally:
        program.listed += choices
    return _Ended(S, decisions, choices, widest)


def playouts(game: Game, games: int, seed: int = 0) -> Iterator[Playout]:
    """Play random games with the seeds `seed`, `seed + 1`, ...: each is independent of the other games played.

    Raises UsageError for wrong arguments, and PlayError if a game ends in an error.
    """
    return _played(game, seeds_of(game, games, seed), partial(play_at_random, game))


def _played(game: Game, seeds: range, step_by_step: Callable[[int], Found]) -> Iterator[Playout | Found]:
    """Play the games with these seeds: the first, and those with a fault, step by step."""
    program = game.program
    for place, seed in enumerate(seeds):
        if program.listed >= WORTH_PREPARING:
            yield from random_games(program).play(seeds[place:], Playout, step_by_step)
            return
        yield step_by_step(seed)


def finished_games(game: Game, games: int, seed: int = 0) -> Iterator[FinishedGame]:
    """Play the same games as `playouts` and yield their outcomes, with the same errors."""
    return (finish_at_random(game, number) for number in seeds_of(game, games, seed))


def seeds_of(game: Game, games: int, seed: int) -> range:
    """The seeds of several games. Raises UsageError."""
    if not isinstance(game, Game):
        raise UsageError(f"expected a game from `load`, not {described(game)}")
    number, first = whole(games, "the number of games", least=0), whole(seed, "a seed")
    return range(first, first + number)


def attempts(game: Game, games: int, seed: int = 0) -> Iterator[Playout | Failed]:
    """Play the same games; one that ends in an error does not stop the others, unless many are cut off."""
    return until_cut_off(_played(game, range(seed, seed + games), partial(try_at_random, game)))


def until_cut_off(games: Iterable[Playout | Failed]) -> Iterator[Playout | Failed]:
    """Yield games up to the `MOST_CUT_OFF`th that is cut off, because each of those takes long."""
    cut_off = 0
    for game in games:
        yield game
        cut_off += isinstance(game, Failed) and game.cut_off
        if cut_off >= MOST_CUT_OFF:
            return
