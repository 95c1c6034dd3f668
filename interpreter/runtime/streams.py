"""Random numbers for whole games at once: many steps of the generator as operations on one large number.

The generator is the one of `chance.py`, its steps at places of 128 bits beside each other: half of it for a 64-bit
state, half for what multiplication carries over. A step then costs a third of what it costs by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, repeat

from interpreter.runtime.chance import (
    CHANCE_OFFSET,
    CHOICE_OFFSET,
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

AT_ONCE = 512
"""About so many steps are made at once."""

FEWEST = 4
"""So many numbers at least are made when those of a game are too few."""

OFTEN = 3
"""More numbers are made at once if they were too few for more than one of so many games."""

ENOUGH, LONG_AGO = 20, 200
"""If they were too few for so many games at least; what happened before so many games does not count."""

KEPT = 256
"""For so many numbers of games and places the constants are kept."""

MOST = 100_000
"""A game that needs more numbers is not played with them."""

Row = tuple[int, list[int], list[int]]
"""The seed of a game, the numbers for its decisions, and those for its chance events."""


class TooLong(Exception):
    """A game needs more numbers than are made for one."""


@lru_cache(KEPT)
def _ones(count: int) -> int:
    """One at each of so many places."""
    return sum(1 << PLACE * place for place in range(count))


@lru_cache(KEPT)
def _steps(count: int) -> int:
    """At each place how far the state is from the first after one step, two steps, and so on."""
    return sum(((step + 1) * GOLDEN & MASK) << PLACE * step for step in range(count))


@lru_cache(KEPT)
def _masks(count: int) -> int:
    """The 64 bits of a state at each place."""
    return _ones(count) * MASK


def outputs(states: int, places: int) -> list[int]:
    """The outputs for states beside each other; of each the first 64 bits count."""
    masks = _masks(places)
    z = states & masks
    z = ((z ^ z >> 30) & masks) * 0xBF58476D1CE4E5B9 & masks
    z = ((z ^ z >> 27) & masks) * 0x94D049BB133111EB & masks
    z ^= z >> 31
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


@lru_cache(KEPT)
def _distances(shape: Shape) -> int:
    """At each place how far its state is from where the seed of the first game begins."""
    found = 0
    for game in range(shape.games):
        further = game * SEED_MULTIPLIER & MASK
        choices = _steps(shape.choices) + (further + CHOICE_OFFSET & MASK) * _ones(shape.choices)
        chances = _steps(shape.chances) + (further + CHANCE_OFFSET & MASK) * _ones(shape.chances)
        found |= (choices | chances << PLACE * shape.choices) << PLACE * shape.width * game
    return found


@dataclass
class Supply:
    """How many numbers are made for a game at once, and for how many of the last games they were too few."""

    count: int
    games: int = 0
    short: int = 0

    def after(self, games: int) -> None:
        """Adapt to so many more games."""
        self.games += games
        enough = self.short * OFTEN <= self.games
        if not enough and self.short >= ENOUGH:
            self.count = min(self.count + max(1, self.count // 4), AT_ONCE)
        elif self.games < LONG_AGO:
            return
        self.games = self.short = 0

    def longer(self, known: list[int], first: int) -> list[int]:
        """The numbers of a game from its first state on, more of them than are known."""
        if len(known) >= MOST:
            raise TooLong
        self.short += 1
        more = max(self.count // 4, FEWEST)
        return known + next_outputs((first + len(known) * GOLDEN) & MASK, more)


class Streams:
    """The numbers of games with consecutive seeds; how many are made for a game follows from those played before."""

    def __init__(self) -> None:
        self.choices, self.chances = Supply(1), Supply(0)

    def rows(self, seeds: range) -> Iterator[Row]:
        """The numbers of games, those of several made at once. Raises UsageError for an invalid seed."""
        return chain.from_iterable(self._blocks(seeds))

    def _blocks(self, seeds: range) -> Iterator[Iterable[Row]]:
        place, most = 0, ENOUGH
        while place < len(seeds):
            first = seeds[place]
            seeded(first)
            games = max(1, min(most, AT_ONCE // (self.choices.count + self.chances.count)))
            shape = Shape(min(games, len(seeds) - place, LARGEST_SEED - first), self.choices.count, self.chances.count)
            yield _numbers(seeds[place : place + shape.games], shape)
            place += shape.games
            most += most  # the first games tell how many numbers the others need
            self.choices.after(shape.games)
            self.chances.after(shape.games)

    def more_choices(self, seed: int, known: list[int]) -> list[int]:
        """The numbers for the decisions of a game, more of them than before."""
        return self.choices.longer(known, first_choice_state(seed))

    def more_chances(self, seed: int, known: list[int]) -> list[int]:
        """The numbers for the chance events of a game, more of them than before."""
        return self.chances.longer(known, first_chance_state(seed))


def _numbers(seeds: range, shape: Shape) -> Iterable[Row]:
    """The numbers of games with consecutive seeds."""
    places = shape.games * shape.width
    found = outputs(_distances(shape) + (seeds[0] * SEED_MULTIPLIER & MASK) * _ones(places), places)
    starts, between = range(0, places, shape.width), shape.choices
    choices = [found[start : start + between] for start in starts]
    if not shape.chances:
        return zip(seeds, choices, repeat([]), strict=False)
    return zip(seeds, choices, [found[start + between : start + shape.width] for start in starts], strict=True)
