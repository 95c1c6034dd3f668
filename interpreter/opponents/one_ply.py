"""The positions after each legal move, evaluated as if the game were over: a search of depth one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean

from interpreter.analysis.search_states import SearchState
from interpreter.errors import PlayError
from interpreter.opponents.evaluation import Scoring
from interpreter.play.game import State

NEUTRAL = 0.5


def values_after_one_move(
    worlds: Sequence[SearchState[State]], seat: int, scoring: Scoring, enough: Callable[[], bool]
) -> list[float]:
    """For each legal move the mean value of the position after it for a seat, over some worlds.

    Worlds that come after `enough` are ignored; in the first one, the remaining moves count as neutral.
    """
    found: list[list[float]] = []
    for number, world in enumerate(worlds):
        if number and enough():
            break
        found.append([
            NEUTRAL if not number and enough() else _value_after(world, move, seat, scoring)
            for move in range(world.move_count)
        ])  # fmt: skip
    return [fmean(values) for values in zip(*found, strict=True)]


def _value_after(world: SearchState[State], move: int, seat: int, scoring: Scoring) -> float:
    try:
        world.push(move)
    except PlayError:
        return NEUTRAL
    try:
        return value_now(world, seat, scoring)
    finally:
        world.pop()


def value_now(world: SearchState[State], seat: int, scoring: Scoring) -> float:
    """The value of a position for a seat, as if the game were over."""
    if world.over or scoring.win_share == 1.0:
        return scoring.values(*world.rollout(0, horizon=0))[seat]
    scores = world.scores()
    if scores is None:
        return NEUTRAL
    return scoring.of_margin(scoring.margins([number for row in scores for number in row])[seat])
