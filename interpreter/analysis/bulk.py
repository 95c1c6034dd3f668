"""Many random games at once as columns of numbers, for statistics: no object is made for a game."""

from __future__ import annotations

import sys
from array import array
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from functools import partial
from itertools import chain
from time import perf_counter
from typing import TypeVar

from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.backends import batches, machine_for, next_count
from interpreter.analysis.playouts import MAX_DECISIONS, never_ends, play_at_random, playouts, seeds_of
from interpreter.analysis.random_choices import random_choice
from interpreter.analysis.results import Playout
from interpreter.arguments import Backend, backend_of, integer_of
from interpreter.compiler.machine.forms import WORD_BYTES
from interpreter.engine.machine.games import Batch, MachineGame, MachineState
from interpreter.errors import PlayError
from interpreter.play.game import Game
from interpreter.runtime.cells import Cells
from interpreter.runtime.chance import MAX_SEED, seeded
from interpreter.runtime.layout import POINT, RANDOM
from interpreter.runtime.ranking import leaders

MAX_THREADS = 1 if sys.platform == "emscripten" else 256
"""The number of threads that games are divided among at most. In a browser no thread can be started."""
GAMES_WORTH_PREPARING = 1000
"""Number of games from which on the machine engine is prepared at once."""


@dataclass(frozen=True)
class PlayoutColumns:
    """The results of games with consecutive seeds.

    `winners` has the winning seats of each game as bits, bit 0 for the first seat. `scores` has one number per game,
    seat and criterion, in this order, higher is better; a condition is 1 or 0. All numbers are 64 bits wide, so that
    other libraries can use the columns as they are.
    """

    seeds: range
    seats: tuple[str, ...]
    criteria: int
    winners: array[int]
    scores: array[int]
    decisions: array[int]

    def __len__(self) -> int:
        return len(self.seeds)

    def wins(self) -> dict[str, int]:
        """How many games each seat has won, alone or with others."""
        games = Counter(self.winners)
        return {
            seat: sum(count for won, count in games.items() if won >> place & 1)
            for place, seat in enumerate(self.seats)
        }


Columns = TypeVar("Columns", bound=PlayoutColumns)

TYPE_CODES = {"winners": "Q", "scores": "q", "decisions": "q", "over": "B", "scored": "B"}
"""The types of the numbers of each column, as the module `array` names them."""


def empty_columns(kind: type[Columns], game: Game, seeds: range) -> Columns:
    """Columns for games with these seeds, full of zeros."""
    criteria = criteria_of(game)
    sizes = {name: len(seeds) * (len(game.seats) * criteria if name == "scores" else 1) for name in _names(kind)}
    return kind(
        seeds, game.seats, criteria, **{name: array(TYPE_CODES[name], [0]) * size for name, size in sizes.items()}
    )


def in_parts(seeds: range, threads: int, play: Callable[[range], Columns]) -> Columns:
    """The columns of games with consecutive seeds, of which each thread plays a part."""
    if threads == 1:
        return play(seeds)
    parts = [seeds[len(seeds) * k // threads : len(seeds) * (k + 1) // threads] for k in range(threads)]
    with ThreadPoolExecutor(threads) as pool:
        played = list(pool.map(play, parts))
    joined = {name: array(TYPE_CODES[name]) for name in _names(type(played[0]))}
    for part in played:
        for name, column in joined.items():
            column.extend(getattr(part, name))
    return type(played[0])(seeds, played[0].seats, played[0].criteria, **joined)


def _names(kind: type[PlayoutColumns]) -> list[str]:
    return [field.name for field in fields(kind) if field.name in TYPE_CODES]


def playout_columns(
    game: Game, count: int, seed: int = 0, backend: Backend | None = None, threads: int = 1
) -> PlayoutColumns:
    """Play the games of `playouts`; with the machine engine on several threads.

    Raises UsageError for wrong arguments, and PlayError if a game ends in an error.
    """
    seeds = seeds_of(game, count, seed)
    chosen = game.backend if backend is None else backend_of(backend)
    workers = min(MAX_THREADS, integer_of(threads, "the number of threads", least=1))
    machine = machine_for(game, chosen) if chosen == "machine" or len(seeds) >= GAMES_WORTH_PREPARING else None
    if machine is None:
        return _of_playouts(game, seeds, chosen)
    return in_parts(seeds, workers, partial(_in_machine, game, machine))


def criteria_of(game: Game) -> int:
    """The number of criteria of a seat."""
    winner = game.rules.model.winner
    assert winner is not None
    return len(winner.criteria)


def _of_playouts(game: Game, seeds: range, backend: Backend) -> PlayoutColumns:
    columns = empty_columns(PlayoutColumns, game, seeds)
    for number, played in enumerate(playouts(game, len(seeds), seeds.start, backend)):
        _set(columns, number, played)
    return columns


def _in_machine(game: Game, machine: MachineGame, seeds: range) -> PlayoutColumns:
    columns, finished = empty_columns(PlayoutColumns, game, seeds), 0
    for _, batch in batches(machine, seeds):
        set_from_batch(columns, finished, batch)
        finished += batch.played
        if batch.failed:
            _set(columns, finished, play_at_random(game, seeds[finished]))
            finished += 1
    return columns


def set_from_batch(columns: PlayoutColumns, first: int, batch: Batch) -> None:
    """Set the results of consecutive games from `first` on."""
    end, places = first + batch.played, batch.game.printed.of_result
    width = batch.game.seats * batch.game.criteria
    columns.winners[first:end] = array("Q", batch.column(places.winners).tobytes())
    columns.decisions[first:end] = batch.column(places.decisions)
    for place in range(width):
        columns.scores[first * width + place : end * width : width] = batch.column(WORD_BYTES * place)


def _set(columns: PlayoutColumns, number: int, played: Playout) -> None:
    width = len(columns.seats) * columns.criteria
    columns.winners[number] = sum(1 << columns.seats.index(seat) for seat in played.winners)
    columns.scores[number * width : (number + 1) * width] = array("q", map(int, chain(*played.scores.values())))
    columns.decisions[number] = played.decisions


# ---- Rollouts: random games from a position to their end or for some decisions, with their results as columns
#
# Results are columns of numbers rather than objects, as a search takes the mean of thousands of games and looks at
# none of them. Game number k has the seed `seeds[k]` whatever the backend, the number of threads and the size of the
# batches, and is entry k of each column; each criterion of each seat has its own place in `scores`, game after game.


FIRST_BATCH = 16
"""Number of games of the first batch; later ones follow from the time that a batch takes."""


@dataclass(frozen=True)
class Rollouts(PlayoutColumns):
    """The results of random games from a position, with consecutive seeds.

    Where a game is not `over`, `winners` are the seats that are ahead, and a criterion can have no value yet: then
    `scored` is 0, and nobody is ahead.
    """

    over: array[int]
    scored: array[int]


def rollouts_in_python(game: Game, state: Cells, seeds: range, horizon: int) -> Rollouts:
    """Play on from these cells, decision by decision. Raises PlayError if a rule fails."""
    results = empty_columns(Rollouts, game, seeds)
    for number, seed in enumerate(seeds):
        _play(game, state, seed, horizon, results, number)
    return results


def rollouts_in_machine(
    game: Game, state: MachineState, position: Callable[[], Cells], seeds: range, horizon: int, threads: int
) -> Rollouts:
    """Play on from a state of the machine engine; `position` gives its cells in Python.

    Raises PlayError if a rule fails.
    """
    if threads == 1:
        return _from_state(game, position, horizon, state, seeds)
    pieces = state.pieces()

    def play(part: range) -> Rollouts:
        return _from_state(game, position, horizon, MachineState(state.game, pieces, state.game.machine()), part)

    return in_parts(seeds, threads, play)


def _from_state(game: Game, position: Callable[[], Cells], horizon: int, state: MachineState, seeds: range) -> Rollouts:
    columns, finished, count = empty_columns(Rollouts, game, seeds), 0, FIRST_BATCH
    while finished < len(seeds):
        first = seeds[finished]
        seeded(first)
        begun = perf_counter()
        batch = state.play(first, min(count, len(seeds) - finished, MAX_SEED - first), horizon)
        set_from_batch(columns, finished, batch)
        end, places = finished + batch.played, state.game.printed.of_result
        columns.over[finished:end] = array("B", batch.column(places.over))
        columns.scored[finished:end] = array("B", batch.column(places.scored))
        for number in range(finished, end):
            if not columns.scored[number]:
                _clear(columns, number)
        # A batch ends at a game that fails. Python plays that one again, as it can say where the rules failed, and the
        # next batch begins after it.
        if batch.failed:
            _play(game, position(), seeds[end], horizon, columns, end)
        finished = end + batch.failed
        count = next_count(count, perf_counter() - begun)
    return columns


def _clear(results: Rollouts, number: int) -> None:
    """Forget what was computed of a game that cannot be scored."""
    width = len(results.seats) * results.criteria
    results.winners[number] = 0
    results.scores[number * width : (number + 1) * width] = array("q", [0]) * width


def _play(game: Game, start: Cells, seed: int, horizon: int, results: Rollouts, number: int) -> None:
    """Play on once. Raises PlayError if a rule fails."""
    program, state = game.program, Cells(start)
    state[RANDOM] = seeded(seed)
    decisions = 0
    while state[POINT] >= 0 and decisions < horizon:
        if decisions >= MAX_DECISIONS:
            raise never_ends(game)
        legal = program.legal(state)
        program.do(state, None, legal[random_choice(seed, decisions, len(legal))])
        decisions += 1
    results.decisions[number], results.over[number] = decisions, state[POINT] < 0
    try:
        criteria = program.criteria_of_all(state)
        ahead = leaders(program.ranks(state, criteria))
    except PlayError:
        if state[POINT] < 0:
            raise
        return
    width = len(results.seats) * results.criteria
    results.scores[number * width : (number + 1) * width] = array("q", [value for row in criteria for value in row])
    results.winners[number] = sum(1 << seat for seat in ahead)
    results.scored[number] = 1
