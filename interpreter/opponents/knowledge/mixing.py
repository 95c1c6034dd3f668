"""Mixing: a random walk over the histories that agree with an observation.

The walk is Markov chain Monte Carlo (Metropolis et al. 1953, Hastings 1970). Its stationary distribution weights a
history by the probability of its chance results, assuming that all moves that look the same to the seat are equally
likely: nothing is concluded from a choice of the others except that it was legal.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from interpreter.opponents.knowledge.following import ends_right, follow, options
from interpreter.opponents.knowledge.histories import History, Moment, Observer, Ply, shuffles_in
from interpreter.opponents.knowledge.observation import Observation
from interpreter.opponents.knowledge.slots import Slots
from interpreter.opponents.knowledge.variations import Variation, Varied, exchanging, varied, with_result

SWAPS = (1, 2, 4, 16)
"""Numbers of swaps that an exchange tries; with many swaps it changes more but succeeds less often."""


def mixed(observer: Observer, observation: Observation, history: History, rng: random.Random, steps: int) -> History:
    """Take some steps of the walk from a history."""
    walk = (_exchanged, _exchanged, _moved, _drawn, _continued)
    for _ in range(steps):
        history = rng.choice(walk)(observer, observation, history, rng)
    return history


def _agrees(observer: Observer, observation: Observation, candidate: Varied) -> bool:
    return candidate.mismatch is None and ends_right(observer, observation, candidate.history[-1])


def _exchanged(observer: Observer, observation: Observation, history: History, rng: random.Random) -> History:
    """Exchange pieces of a shuffle until now, or until another shuffle of them."""
    shuffles = shuffles_in(history)
    if not shuffles:
        return history
    moment = rng.choice(shuffles)
    end = rng.choice([None, *(other for other in shuffles if other > moment)])
    slots = Slots.of(observer, history, moment, end)
    slots.walk(rng, rng.choice((*SWAPS, 4 * len(slots.pieces))))
    if not slots.exchange:
        return history
    candidate = varied(observer, observation, history, exchanging(history, moment, slots.exchange, end), rng)
    if not _agrees(observer, observation, candidate) or len(shuffles_in(candidate.history)) != len(shuffles):
        return history
    return candidate.history if rng.random() < candidate.odds else history


def _hidden_moves(history: Sequence[Ply]) -> list[int]:
    return [number for number, ply in enumerate(history) if ply.alike > 1]


def _moved(observer: Observer, observation: Observation, history: History, rng: random.Random) -> History:
    """Replace a move by another one that the seat could not have distinguished."""
    hidden = _hidden_moves(history)
    if not hidden:
        return history
    number = rng.choice(hidden)
    others = [code for code in options(observer, observation, history[number - 1]) if code != history[number].code]
    if not others:
        return history
    candidate = varied(observer, observation, history, Variation(number, rng.choice(others)), rng)
    if not _agrees(observer, observation, candidate):
        return history
    odds = candidate.odds * len(hidden) / max(1, len(_hidden_moves(candidate.history)))
    return candidate.history if rng.random() < odds else history


def _picks(history: Sequence[Ply]) -> list[Moment]:
    return [
        (number, index)
        for number, ply in enumerate(history)
        for index, result in enumerate(ply.chance)
        if not result.is_shuffle and result.size > 1
    ]


def _drawn(observer: Observer, observation: Observation, history: History, rng: random.Random) -> History:
    """Draw another result of a roll or pick."""
    picks = _picks(history)
    if not picks:
        return history
    moment = number, index = rng.choice(picks)
    result = history[number].chance[index]
    other = (result.result + 1 + rng.randrange(result.size - 1)) % result.size
    candidate = varied(observer, observation, history, with_result(history, moment, other), rng)
    if not _agrees(observer, observation, candidate):
        return history
    odds = candidate.odds * len(picks) / len(_picks(candidate.history))
    return candidate.history if rng.random() < odds else history


def _continued(observer: Observer, observation: Observation, history: History, rng: random.Random) -> History:
    """Redraw everything after one of the entries."""
    entry = rng.randrange(len(observation.entries))
    kept = next(number for number, ply in enumerate(history) if ply.entry == entry)
    candidate, mismatch = follow(observer, observation, history[: kept + 1], rng)
    return history if mismatch is not None else candidate
