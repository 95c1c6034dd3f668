"""Two pieces of work compared in alternating short slices, so that both have the same conditions."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

Slice = Callable[[int, int], tuple[float, float]]
"""Plays that many games from a seed on; returns how much was done, in games or decisions, and the seconds it took."""

LENGTH = 0.05
"""About how many seconds a slice takes: short beside what else the machine does, long beside what a call costs."""


@dataclass(frozen=True)
class Comparison:
    """The speed of the first as a multiple of the second, once per round; and the overall rate of each per second."""

    ratios: tuple[float, ...]
    first: float
    second: float


def compared(first: Slice, second: Slice, rounds: int, span: float) -> Comparison:
    """Compare two pieces of work in rounds of about that many seconds."""
    sides = (first, second)
    games = [fitting(side) for side in sides]
    pairs = max(1, round(span / LENGTH / 2))
    done, spent, ratios = [0.0, 0.0], [0.0, 0.0], []
    for turn in range(rounds):
        did, took = [0.0, 0.0], [0.0, 0.0]
        for pair in range(turn * pairs, turn * pairs + pairs):
            for side in ((0, 1), (1, 0))[pair % 2]:  # the second one finds the caches of the other
                amount, seconds = sides[side](pair * games[side], games[side])
                did[side] += amount
                took[side] += seconds
        ratios.append(did[0] / took[0] / (did[1] / took[1]))
        done = [one + more for one, more in zip(done, did, strict=True)]
        spent = [one + more for one, more in zip(spent, took, strict=True)]
    return Comparison(tuple(ratios), done[0] / spent[0], done[1] / spent[1])


def fitting(side: Slice) -> int:
    """How many games fill a slice; finding out warms up.

    The faster of two measurements counts: one may be slow for other reasons, and a slice of few games measures calls.
    """
    games = 1
    side(0, games)
    while (spent := min(side(0, games)[1] for _ in range(2))) < LENGTH / 4:
        games *= 2
    return max(1, round(games * LENGTH / spent))


def timed(work: Callable[[int, int], float]) -> Slice:
    """A slice from work that returns how much it did, in processor time, so that other work matters less."""

    def measured(seed: int, games: int) -> tuple[float, float]:
        started = time.process_time()
        amount = work(seed, games)
        return amount, time.process_time() - started

    return measured
