"""Random numbers for whole games at once: many steps of the generator as operations on one large number.

The generator is the one of `chance.py`, its steps at places of 128 bits beside each other: half of it for a 64-bit
state, half for what multiplication carries over. A step then costs a third of what it costs by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain

from interpreter.runtime.chance import (
    GOLDEN,
    LARGEST_SEED,
    MASK,
    SEED_MULTIPLIER,
    first_chance_state,
    first_choice_state,
    seeded,
)

PLACE = 128
"""How many bits a step takes."""

AT_ONCE = 128
"""About so many steps are made at once."""

FEWEST = 4
"""So many numbers at least are made when those of a game are too few."""

OFTEN = 3
"""More numbers are made at once if they were too few for more than one of so many games."""

MOST = 100_000
"""A game that needs more numbers is not played with them."""

Row = tuple[int, list[int], list[int]]
"""The seed of a game, the numbers for its decisions, and those for its chance events."""


class TooLong(Exception):
    """A game needs more numbers than are made for one."""


@cache
def _ones(count: int) -> int:
    """One at each of so many places."""
    return sum(1 << PLACE * place for place in range(count))


@cache
def _steps(count: int) -> int:
    """At each place how far the state is from the first after one step, two steps, and so on."""
    return sum(((step + 1) * GOLDEN & MASK) << PLACE * step for step in range(count))


def outputs(states: int, places: int) -> list[int]:
    """The outputs for states beside each other; of each the first 64 bits count."""
    masks = _ones(places) * MASK
    z = states & masks
    z = ((z ^ z >> 30) & masks) * 0xBF58476D1CE4E5B9 & masks
    z = ((z ^ z >> 27) & masks) * 0x94D049BB133111EB & masks
    z = (z ^ z >> 31) & masks
    return memoryview(z.to_bytes(PLACE // 8 * places, "little")).cast("Q")[::2].tolist()


def next_outputs(state: int, count: int) -> list[int]:
    """The outputs of the next steps from a state."""
    return outputs(_steps(count) + state * _ones(count), count)


@dataclass(frozen=True)
class Shape:
    """So many games beside each other, each with numbers for so many decisions, and so many for chance events."""

    games: int
    choices: int
    chances: int

    @property
    def width(self) -> int:
        """The places of a game."""
        return self.choices + self.chances


@cache
def _constants(shape: Shape) -> tuple[int, int, int]:
    """What is added to the states of the first game, and where those for decisions and for chance events are."""
    added = choices = chances = 0
    for game in range(shape.games):
        start = PLACE * shape.width * game
        behind = start + PLACE * shape.choices
        choices |= _ones(shape.choices) << start
        chances |= _ones(shape.chances) << behind
        further = game * SEED_MULTIPLIER & MASK
        added += (_steps(shape.choices) + further * _ones(shape.choices)) << start
        added += (_steps(shape.chances) + further * _ones(shape.chances)) << behind
    return added, choices, chances


class Streams:
    """The numbers of games with consecutive seeds; how many are made for a game follows from those played before."""

    def __init__(self) -> None:
        self.choices, self.chances = 1, 0
        self.longer = [0, 0]

    def rows(self, seeds: range) -> Iterator[Row]:
        """The numbers of games, those of several made at once. Raises UsageError for an invalid seed."""
        return chain.from_iterable(self._blocks(seeds))

    def _blocks(self, seeds: range) -> Iterator[Iterable[Row]]:
        place = 0
        while place < len(seeds):
            first = seeds[place]
            seeded(first)
            games = max(1, AT_ONCE // (self.choices + self.chances))
            shape = Shape(min(games, len(seeds) - place, LARGEST_SEED - first), self.choices, self.chances)
            yield _numbers(seeds[place : place + shape.games], shape)
            place += shape.games
            self.choices = _next(self.choices, self.longer[0], shape.games)
            self.chances = _next(self.chances, self.longer[1], shape.games)
            self.longer = [0, 0]

    def more_choices(self, seed: int, known: list[int]) -> list[int]:
        """The numbers for the decisions of a game, more of them than before."""
        self.longer[0] += 1
        return _longer(known, first_choice_state(seed), self.choices)

    def more_chances(self, seed: int, known: list[int]) -> list[int]:
        """The numbers for the chance events of a game, more of them than before."""
        self.longer[1] += 1
        return _longer(known, first_chance_state(seed), self.chances)


def _numbers(seeds: range, shape: Shape) -> Iterable[Row]:
    """The numbers of games with consecutive seeds."""
    added, choices, chances = _constants(shape)
    states = added + first_choice_state(seeds[0]) * choices + first_chance_state(seeds[0]) * chances
    found = outputs(states, shape.games * shape.width)
    starts = range(0, len(found), shape.width)
    between = shape.choices
    return zip(
        seeds,
        [found[start : start + between] for start in starts],
        [found[start + between : start + shape.width] for start in starts],
        strict=True,
    )


def _next(count: int, longer: int, games: int) -> int:
    """How many numbers to make for a game next, if so many of the last ones were too few for their games."""
    return min(count + max(1, count // 4), AT_ONCE) if longer * OFTEN > games else count


def _longer(known: list[int], first: int, count: int) -> list[int]:
    if len(known) >= MOST:
        raise TooLong
    return known + next_outputs((first + len(known) * GOLDEN) & MASK, max(count, FEWEST))
