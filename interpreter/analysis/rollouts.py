"""Rollouts: random games from a position to their end or for some decisions, with their results as columns.

Results are columns of numbers rather than objects, as a search takes the mean of thousands of games and looks at none
of them. Game number k has the seed `seeds[k]` whatever the backend, the number of threads and the size of the batches,
and is entry k of each column; each criterion of each seat has its own place in `scores`, game after game.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter

from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.backends import next_count
from interpreter.analysis.bulk import PlayoutColumns, criteria_of, set_from_batch
from interpreter.analysis.playouts import MOST_DECISIONS, never_ends
from interpreter.analysis.random_choices import random_choice
from interpreter.engine.machine.games import MachineState
from interpreter.errors import PlayError
from interpreter.play.game import Game
from interpreter.runtime.cells import Cells
from interpreter.runtime.chance import LARGEST_SEED, seeded
from interpreter.runtime.layout import POINT, RANDOM
from interpreter.runtime.ranking import leaders

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
    results = _columns(game, seeds)
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
        return _in_machine(game, position, horizon, state, seeds)
    parts = [seeds[len(seeds) * k // threads : len(seeds) * (k + 1) // threads] for k in range(threads)]
    pieces = state.pieces()

    def play(part: range) -> Rollouts:
        return _in_machine(game, position, horizon, MachineState(state.game, pieces), part)

    with ThreadPoolExecutor(threads) as pool:
        return _joined(seeds, list(pool.map(play, parts)))


def _in_machine(game: Game, position: Callable[[], Cells], horizon: int, state: MachineState, seeds: range) -> Rollouts:
    columns, finished, count = _columns(game, seeds), 0, FIRST_BATCH
    while finished < len(seeds):
        first = seeds[finished]
        seeded(first)
        begun = perf_counter()
        batch = state.play(first, min(count, len(seeds) - finished, LARGEST_SEED - first), horizon)
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
        if decisions >= MOST_DECISIONS:
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


def _columns(game: Game, seeds: range) -> Rollouts:
    games, criteria = len(seeds), criteria_of(game)
    scores = array("q", [0]) * (games * len(game.seats) * criteria)
    winners, decisions = array("Q", [0]) * games, array("q", [0]) * games
    over, scored = array("B", [0]) * games, array("B", [0]) * games
    return Rollouts(seeds, game.seats, criteria, winners, scores, decisions, over, scored)


def _joined(seeds: range, parts: Sequence[Rollouts]) -> Rollouts:
    """The columns of consecutive seeds."""
    joined = Rollouts(
        seeds, parts[0].seats, parts[0].criteria, array("Q"), array("q"), array("q"), array("B"), array("B")
    )
    for part in parts:
        joined.winners.extend(part.winners)
        joined.scores.extend(part.scores)
        joined.decisions.extend(part.decisions)
        joined.over.extend(part.over)
        joined.scored.extend(part.scored)
    return joined
