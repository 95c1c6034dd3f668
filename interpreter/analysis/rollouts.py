"""Rollouts: random games from a position to their end or for some decisions, with their results as columns."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from interpreter.analysis.bulk import MOST, PlayoutColumns
from interpreter.analysis.playouts import MOST_DECISIONS, never_ends
from interpreter.analysis.random_choices import random_choice
from interpreter.errors import PlayError
from interpreter.game import Game
from interpreter.layout.cells import POINT, RANDOM
from interpreter.native.games import SECONDS, shape_of
from interpreter.native.step_library import MemoryState
from interpreter.runtime.chance import LARGEST_SEED, seeded
from interpreter.runtime.primitives import Cells
from interpreter.runtime.ranking import leaders

NO_HORIZON = 1 << 62


@dataclass(frozen=True)
class Rollouts(PlayoutColumns):
    """The results of random games from a position, with consecutive seeds.

    Where a game is not `over`, `winners` are the seats that are ahead, and a criterion can have no value yet: then
    `scored` is 0, and nobody is ahead.
    """

    over: array[int]
    scored: array[int]


def rollouts_in_python(game: Game, S: Cells, seeds: range, horizon: int) -> Rollouts:
    """Play on from these cells, decision by decision. Raises PlayError if a rule fails."""
    found = _columns(game, seeds)
    for number, seed in enumerate(seeds):
        _play(game, S, seed, horizon, found, number)
    return found


def rollouts_in_machine_code(
    game: Game, state: MemoryState, position: Callable[[], Cells], seeds: range, horizon: int, threads: int
) -> Rollouts:
    """Play on from a state in machine code; `position` gives its cells in Python. Raises PlayError if a rule fails."""
    parts = [seeds[len(seeds) * k // threads : len(seeds) * (k + 1) // threads] for k in range(threads)]
    play = partial(_natively, game, position, horizon)
    if threads == 1:
        return play(state.copy(), seeds)
    with ThreadPoolExecutor(threads) as pool:
        return _joined(seeds, list(pool.map(play, [state.copy() for _ in parts], parts)))


def _natively(game: Game, position: Callable[[], Cells], horizon: int, state: MemoryState, seeds: range) -> Rollouts:
    columns, shape, done = _columns(game, seeds), shape_of(game.program), 0
    width = shape.seats * shape.criteria
    while done < len(seeds):
        first = seeds[done]
        seeded(first)
        found = state.rollouts(first, min(len(seeds) - done, MOST, LARGEST_SEED - first), horizon, shape, SECONDS)
        after = done + found.played
        columns.winners[done:after] = found.winners[: found.played]
        columns.scores[done * width : after * width] = found.scores[: found.played * width]
        columns.decisions[done:after] = found.decisions[: found.played]
        columns.over[done:after], columns.scored[done:after] = found.over[: found.played], found.scored[: found.played]
        for number in range(max(1, found.played)):  # none is played if there is no memory for it
            if number >= found.played or found.failed[number]:
                _play(game, position(), seeds[done + number], horizon, columns, done + number)
        done += max(1, found.played)
    return columns


def _play(game: Game, start: Cells, seed: int, horizon: int, found: Rollouts, number: int) -> None:
    """Play on once. Raises PlayError if a rule fails."""
    program, S = game.program, list(start)
    S[RANDOM] = seeded(seed)
    decisions = 0
    while S[POINT] >= 0 and decisions < horizon:
        if decisions >= MOST_DECISIONS:
            raise never_ends(game)
        legal = program.legal(S)
        program.do(S, None, legal[random_choice(seed, decisions, len(legal))])
        decisions += 1
    found.decisions[number], found.over[number] = decisions, S[POINT] < 0
    try:
        criteria = program.criteria_of_all(S)
        ahead = leaders(program.ranks(S, criteria))
    except PlayError:
        if S[POINT] < 0:
            raise
        return
    width = len(found.seats) * found.criteria
    found.scores[number * width : (number + 1) * width] = array("q", [value for row in criteria for value in row])
    found.winners[number] = sum(1 << seat for seat in ahead)
    found.scored[number] = 1


def _columns(game: Game, seeds: range) -> Rollouts:
    games, shape = len(seeds), shape_of(game.program)
    scores = array("q", [0]) * (games * shape.seats * shape.criteria)
    winners, decisions = array("Q", [0]) * games, array("q", [0]) * games
    over, scored = array("B", [0]) * games, array("B", [0]) * games
    return Rollouts(seeds, game.seats, shape.criteria, winners, scores, decisions, over, scored)


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
