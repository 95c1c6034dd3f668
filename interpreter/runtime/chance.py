"""Chance: a specified generator and our own shuffle, so that a seed means the same game everywhere.

The generator is SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014). A number
below n is the high half of the 128-bit product of a 64-bit output with n (Lemire: Fast Random Integer Generation in an
Interval, 2019), drawn again where that would favour some results. A shuffle is Fisher-Yates from the last position.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from itertools import islice
from operator import index
from secrets import randbits

from dsl.lazy_dataclasses import dataclass
from dsl.text.visible import brief
from interpreter.errors import SaveError, UsageError
from interpreter.runtime.recorded import StoredValue
from interpreter.wording.phrases import Phrase

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
MAX_SEED = 1 << 64
"""The absolute value of every seed is below this."""
SEED_MULTIPLIER = 0xD1B54A32D192ED03
CHOICE_OFFSET = 0x243F6A8885A308D3
CHANCE_OFFSET = 0x13198A2E03707344
"""The two streams of a seed, of random moves and of chance, start at `seed * SEED_MULTIPLIER` plus one of these.

Consecutive seeds are the games of one sample, so their streams must not overlap: the states of two streams, of either
kind, whose seeds are less than 2^30 apart are different wherever they are less than 2^30 draws apart. A test computes
this. The offsets are the first digits of pi.
"""


@dataclass(frozen=True)
class ChanceEvent:
    """A random event.

    `kind` is shuffle, roll, pick (of an option) or choose; `what` names it; `size` is the number of possible results
    (for a shuffle: the number of pieces); `faces` names the results of all others, and for a shuffle the pieces in
    their present order, first or top first. `pieces` are the numbers of the pieces that chance chooses from. A roll or
    pick sets the `cell` to one of the `values`, which are in the order of the faces.
    """

    kind: str
    what: str
    size: int
    faces: tuple[str, ...]
    pieces: tuple[int, ...] = field(default=(), repr=False)
    cell: int | None = field(default=None, repr=False, compare=False)
    values: tuple[StoredValue, ...] = field(default=(), repr=False, compare=False)


Chance = Callable[[ChanceEvent], object]
"""Supplies the results of chance from outside. It may return anything: what it returns is checked before it is used."""

ChanceResult = int | list[int]
"""The number of the result of a roll or pick; for a shuffle the new order of the old positions."""


def supplied_number(result: object, size: int) -> int | None:
    """A supplied result as a whole number from 0 to `size` - 1; None if it is not one."""
    try:
        number = index(result)  # type: ignore[arg-type]
    except TypeError:
        return None
    return number if 0 <= number < size and not isinstance(result, bool) else None


def supplied_order(result: object, size: int) -> list[int] | None:
    """A supplied order of the numbers from 0 to `size` - 1; None if it is not one."""
    if not isinstance(result, Iterable):
        return None
    numbers = [supplied_number(number, size) for number in islice(result, size + 1)]
    order = [number for number in numbers if number is not None]
    return order if len(numbers) == size and sorted(order) == list(range(size)) else None


class RecordedChance:
    """Chance that replays the results of a save first, then continues with `more`."""

    def __init__(self, results: Sequence[object], more: Chance | None) -> None:
        self.results, self.more = deque(results), more

    def __call__(self, event: ChanceEvent) -> object:
        """Return the next result. Raises SaveError if there is none."""
        if self.results:
            return self.results.popleft()
        if self.more is None:
            raise SaveError(
                Phrase("the shuffles and dice of this save were supplied from outside; supply more to continue")
            )
        return self.more(event)


def drawn_seed() -> int:
    """A seed nobody can guess, for a game that was given none: 64 random bits of the system.

    A seat that sees part of a deck can compare it with the deck of every possible seed, and a million seeds take less
    than a second. All 64 bits would take thousands of years.
    """
    return randbits(64)


def seeded(seed: int) -> int:
    """The first state of the generator for a seed. Raises UsageError for an invalid seed."""
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise UsageError(f"a seed must be a whole number, not {brief(seed, 40)} ({type(seed).__name__})")
    if abs(seed) >= MAX_SEED:
        raise UsageError(f"a seed must be between -{MAX_SEED - 1} and {MAX_SEED - 1}")
    return first_chance_state(seed)


def first_chance_state(seed: int) -> int:
    """The first state of the generator for the chance events of a seed."""
    return (seed * SEED_MULTIPLIER + CHANCE_OFFSET) & MASK


def first_choice_state(seed: int) -> int:
    """The first state of the generator for the random moves of a seed: another stream than that of chance."""
    return (seed * SEED_MULTIPLIER + CHOICE_OFFSET) & MASK


def below(state: int, n: int) -> tuple[int, int]:
    """Draw a number from 0 to n - 1, all equally likely; returns the new state and the number."""
    threshold = ((1 << 64) - n) % n
    while True:
        state = (state + GOLDEN) & MASK
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        product = (z ^ (z >> 31)) * n
        if product & MASK >= threshold:
            return state, product >> 64


def shuffled(state: int, items: Sequence[int]) -> tuple[int, list[int]]:
    """Shuffle the items; returns the new state and the new order."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        state, position = below(state, last + 1)
        order[last], order[position] = order[position], order[last]
    return state, order
