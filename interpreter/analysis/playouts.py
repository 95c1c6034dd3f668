"""Playouts: many random games in one call, without journal or names, only results.

The first games are played decision by decision, the others by the machine engine (`backends.py`); a game that it
cannot finish is replayed decision by decision.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.backends import note_listed, played
from interpreter.analysis.failed_games import Failed, failed_at
from interpreter.analysis.random_choices import random_choice
from interpreter.analysis.results import FinishedGame, Playout
from interpreter.arguments import Backend, backend_of, described, integer_of
from interpreter.errors import LimitError, PlayError, UsageError
from interpreter.play.game import Game
from interpreter.runtime.cells import Cells, MoveCode
from interpreter.runtime.chance import seeded
from interpreter.runtime.layout import POINT, RANDOM
from interpreter.runtime.ranking import leaders

MAX_DECISIONS = 100_000
"""A game is assumed never to end after this many random decisions."""


MAX_CUT_OFF = 3
"""No more games are played once this many were cut off."""


def never_ends(game: Game) -> LimitError:
    """The error of a game that random moves do not bring to its end."""
    message = f"the game is not over after {MAX_DECISIONS} random decisions"
    return LimitError(message, game.rules.model.file.header.span.location)


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
    move: MoveCode | None
    fault: PlayError


def play_at_random(game: Game, seed: int) -> Playout:
    """Play one game, every legal move equally likely; chance and moves both follow from the seed.

    Raises PlayError if a rule fails, and LimitError, which is one, if the game does not end.
    """
    result = _play(game, seed)
    if isinstance(result, _Stopped):
        raise result.fault
    return _playout(game, seed, result)


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
    seats, program, state = game.seats, game.program, ended.cells
    evaluated = program.criteria_of_all(state)
    scores = dict(zip(seats, evaluated, strict=True))
    winners = tuple(seats[place] for place in leaders(program.ranks(state, evaluated)))
    teams = tuple(map(program.team_name, program.teams(state)))
    return Playout(seed, scores, winners, ended.decisions, ended.choices, ended.widest, teams)


def _play(game: Game, seed: int) -> _Ended | _Stopped:
    program = game.program
    state = Cells(program.initial)
    state[RANDOM] = seeded(seed)
    decisions = choices = widest = 0
    move: MoveCode | None = None
    try:
        program.run(state, None, 0)
        while state[POINT] >= 0:
            if decisions >= MAX_DECISIONS:
                raise never_ends(game)
            legal = program.legal(state)
            count = len(legal)
            choices += count
            if count > widest:
                widest = count
            move = legal[random_choice(seed, decisions, count)]
            program.do(state, None, move)
            move = None
            decisions += 1
    except PlayError as fault:
        return _Stopped(decisions, move, fault)
    finally:
        note_listed(program, choices)
    return _Ended(state, decisions, choices, widest)


def playouts(game: Game, games: int, seed: int = 0, backend: Backend | None = None) -> Iterator[Playout]:
    """Play random games with the seeds `seed`, `seed + 1`, ...: each is independent of the other games played.

    `backend` determines how, by default as the game was loaded; the results are the same. Raises UsageError for wrong
    arguments, and PlayError if a game ends in an error.
    """
    seeds = seeds_of(game, games, seed)
    chosen = game.backend if backend is None else backend_of(backend)
    return played(game, seeds, partial(play_at_random, game), chosen)


def finished_games(game: Game, count: int, seed: int = 0, backend: Backend | None = None) -> Iterator[FinishedGame]:
    """Play the same games as `playouts` and yield their results, with the same errors."""
    return map(partial(_finished, game), playouts(game, count, seed, backend))


def _finished(game: Game, playout: Playout) -> FinishedGame:
    winner = game.rules.model.winner
    assert winner is not None
    signs = [-1 if criterion.direction == "lowest" else 1 for criterion in winner.criteria]
    scores = {
        seat: tuple([sign * int(number) for sign, number in zip(signs, numbers, strict=True)])
        for seat, numbers in playout.scores.items()
    }
    teams = {seat: team for seat, team in zip(game.seats, playout.teams, strict=False) if team is not None}
    return FinishedGame(playout.seed, playout.winners, scores, playout.decisions, teams)


def seeds_of(game: Game, games: int, seed: int) -> range:
    """The seeds of several games. Raises UsageError."""
    if not isinstance(game, Game):
        raise UsageError(f"expected a game from `load`, not {described(game)}")
    number, first = integer_of(games, "the number of games", least=0), integer_of(seed, "a seed")
    return range(first, first + number)


def attempts(game: Game, games: int, seed: int = 0, backend: Backend = "python") -> Iterator[Playout | Failed]:
    """Play the same games; one that ends in an error does not stop the others, unless many are cut off."""
    seeds = range(seed, seed + games)
    return until_cut_off(played(game, seeds, partial(try_at_random, game), backend))


def until_cut_off(games: Iterable[Playout | Failed]) -> Iterator[Playout | Failed]:
    """Yield games up to the `MAX_CUT_OFF`th that is cut off, because each of those takes long."""
    cut_off = 0
    for game in games:
        yield game
        cut_off += isinstance(game, Failed) and game.cut_off
        if cut_off >= MAX_CUT_OFF:
            return
