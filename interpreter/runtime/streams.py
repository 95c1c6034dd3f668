"""Random numbers for whole games at once: many steps of the generator as operations on one large number.

The generator is that of `chance.py`. Its steps are packed into lanes of 128 bits: half of a lane holds a 64-bit state,
half the carry of multiplications. A step costs a third of what it costs alone.
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
"""The number of bits of a lane, which holds one step."""

AT_ONCE = 512
"""The approximate number of steps made at once."""

FEWEST = 4
"""The minimum number of numbers added when those of a game run out."""

OFTEN = 3
"""More numbers are made per game once they run out in more than one out of this many games."""

ENOUGH, LONG_AGO = 20, 200
"""The number of games in which they must have run out, and the number of games after which counting starts again."""

KEPT = 256
"""The number of constants cached, by the number of games and lanes."""

MOST = 100_000
"""The maximum number of random numbers of a game, after which it is replayed by the program."""

Row = tuple[int, list[int], list[int]]
"""The seed of a game, the numbers for its decisions, and those for its chance events."""


class TooLong(Exception):
    """A game needs more random numbers than are made for one."""


@lru_cache(KEPT)
def _ones(count: int) -> int:
    """The number 1 in each lane."""
    return sum(1 << PLACE * place for place in range(count))


@lru_cache(KEPT)
def _steps(count: int) -> int:
    """The distance from the initial state after one step, two steps, and so on, in consecutive lanes."""
    return sum(((step + 1) * GOLDEN & MASK) << PLACE * step for step in range(count))


@lru_cache(KEPT)
def _masks(count: int) -> int:
    """A mask of the 64 bits of a state in each lane."""
    return _ones(count) * MASK


def outputs(states: int, places: int) -> list[int]:
    """The outputs for the states in the lanes, of which only the low 64 bits count."""
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
    """The number of games packed together, and how many numbers each has for decisions and for chance events."""

    games: int
    choices: int
    chances: int

    @property
    def width(self) -> int:
        """The number of lanes of a game."""
        return self.choices + self.chances


@lru_cache(KEPT)
def _distances(shape: Shape) -> int:
    """The distance of the state in each lane from the initial state of the first game."""
    found = 0
    for game in range(shape.games):
        further = game * SEED_MULTIPLIER & MASK
        choices = _steps(shape.choices) + (further + CHOICE_OFFSET & MASK) * _ones(shape.choices)
        chances = _steps(shape.chances) + (further + CHANCE_OFFSET & MASK) * _ones(shape.chances)
        found |= (choices | chances << PLACE * shape.choices) << PLACE * shape.width * game
    return found


@dataclass
class Supply:
    """How many numbers are made per game, and in how many of the last games they ran out."""

    count: int
    games: int = 0
    short: int = 0

    def after(self, games: int) -> None:
        """Adapt the count after more games."""
        self.games += games
        enough = self.short * OFTEN <= self.games
        if not enough and self.short >= ENOUGH:
            self.count = min(self.count + max(1, self.count // 4), AT_ONCE)
        elif self.games < LONG_AGO:
            return
        self.games = self.short = 0

    def longer(self, known: list[int], first: int) -> list[int]:
        """The known numbers of a game and more; `first` is its initial state. Raises TooLong."""
        if len(known) >= MOST:
            raise TooLong
        self.short += 1
        more = max(self.count // 4, FEWEST)
        return known + next_outputs((first + len(known) * GOLDEN) & MASK, more)


class Streams:
    """The random numbers of games with consecutive seeds; how many are made per game adapts to previous games."""

    def __init__(self) -> None:
        self.choices, self.chances = Supply(1), Supply(0)

    def rows(self, seeds: range) -> Iterator[Row]:
        """The random numbers of games, generated for several at once. Raises UsageError for an invalid seed."""
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
            most += most  # start small: the first games show how many numbers are needed
            self.choices.after(shape.games)
            self.chances.after(shape.games)

    def more_choices(self, seed: int, known: list[int]) -> list[int]:
        """More numbers for the decisions of a game, after the known ones. Raises TooLong."""
        return self.choices.longer(known, first_choice_state(seed))

    def more_chances(self, seed: int, known: list[int]) -> list[int]:
        """More numbers for the chance events of a game, after the known ones. Raises TooLong."""
        return self.chances.longer(known, first_chance_state(seed))


def _numbers(seeds: range, shape: Shape) -> Iterable[Row]:
    """The random numbers of games with consecutive seeds."""
    places = shape.games * shape.width
    found = outputs(_distances(shape) + (seeds[0] * SEED_MULTIPLIER & MASK) * _ones(places), places)
    starts, between = range(0, places, shape.width), shape.choices
    choices = [found[start : start + between] for start in starts]
    if not shape.chances:
        return zip(seeds, choices, repeat([]), strict=False)
    return zip(seeds, choices, [found[start + between : start + shape.width] for start in starts], strict=True)
