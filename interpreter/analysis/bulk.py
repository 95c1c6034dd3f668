"""Many random games at once as columns of numbers, for statistics: no object is made for a game."""

from __future__ import annotations

import sys
from array import array
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain

from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.backends import batches, machine_for
from interpreter.analysis.playouts import play_at_random, playouts, seeds_of
from interpreter.analysis.results import Playout
from interpreter.arguments import Backend, backend_of, whole
from interpreter.compiler.machine.forms import WORD_BYTES
from interpreter.engine.machine.games import Batch, MachineGame
from interpreter.play.game import Game

MOST_THREADS = 1 if sys.platform == "emscripten" else 256
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


def playout_columns(
    game: Game, count: int, seed: int = 0, backend: Backend | None = None, threads: int = 1
) -> PlayoutColumns:
    """Play the games of `playouts`; with the machine engine on several threads.

    Raises UsageError for wrong arguments, and PlayError if a game ends in an error.
    """
    seeds = seeds_of(game, count, seed)
    chosen = game.backend if backend is None else backend_of(backend)
    workers = min(MOST_THREADS, whole(threads, "the number of threads", least=1))
    machine = machine_for(game, chosen) if chosen == "machine" or len(seeds) >= GAMES_WORTH_PREPARING else None
    if machine is None:
        return _of_playouts(game, seeds, chosen)
    parts = [seeds[len(seeds) * k // workers : len(seeds) * (k + 1) // workers] for k in range(workers)]
    play = partial(_in_machine, game, machine)
    if workers == 1:
        return play(seeds)
    with ThreadPoolExecutor(workers) as pool:
        return _joined(seeds, list(pool.map(play, parts)))


def criteria_of(game: Game) -> int:
    """The number of criteria of a seat."""
    winner = game.rules.model.winner
    assert winner is not None
    return len(winner.criteria)


def _of_playouts(game: Game, seeds: range, backend: Backend) -> PlayoutColumns:
    columns = _columns(game, seeds)
    for number, played in enumerate(playouts(game, len(seeds), seeds.start, backend)):
        _set(columns, number, played)
    return columns


def _in_machine(game: Game, machine: MachineGame, seeds: range) -> PlayoutColumns:
    columns, finished = _columns(game, seeds), 0
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


def _columns(game: Game, seeds: range) -> PlayoutColumns:
    games, criteria = len(seeds), criteria_of(game)
    scores = array("q", [0]) * (games * len(game.seats) * criteria)
    return PlayoutColumns(seeds, game.seats, criteria, array("Q", [0]) * games, scores, array("q", [0]) * games)


def _set(columns: PlayoutColumns, number: int, played: Playout) -> None:
    width = len(columns.seats) * columns.criteria
    columns.winners[number] = sum(1 << columns.seats.index(seat) for seat in played.winners)
    columns.scores[number * width : (number + 1) * width] = array("q", map(int, chain(*played.scores.values())))
    columns.decisions[number] = played.decisions


def _joined(seeds: range, parts: Sequence[PlayoutColumns]) -> PlayoutColumns:
    """The columns of consecutive seeds."""
    first = parts[0]
    joined = PlayoutColumns(seeds, first.seats, first.criteria, array("Q"), array("q"), array("q"))
    for part in parts:
        joined.winners.extend(part.winners)
        joined.scores.extend(part.scores)
        joined.decisions.extend(part.decisions)
    return joined
