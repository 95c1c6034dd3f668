"""The member of a set with a number, from 0, without going through those before it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from interpreter.bitset import bits

BYTES = tuple(tuple(bits(mask)) for mask in range(1 << 8))


def select16(mask: int, number: int) -> int:
    """Of a set of 16 bits."""
    low = mask & 0xFF
    count = low.bit_count()
    return BYTES[low][number] if number < count else 8 + BYTES[mask >> 8][number - count]


def select64(mask: int, number: int) -> int:
    """Of a set of 64 bits: each half is looked at only for how many members it has."""
    base = 0
    low = mask & 0xFFFFFFFF
    count = low.bit_count()
    if number < count:
        mask = low
    else:
        mask >>= 32
        number -= count
        base = 32
    low = mask & 0xFFFF
    count = low.bit_count()
    if number < count:
        mask = low
    else:
        mask >>= 16
        number -= count
        base += 16
    low = mask & 0xFF
    count = low.bit_count()
    return base + BYTES[low][number] if number < count else base + 8 + BYTES[mask >> 8][number - count]


def select(mask: int, number: int) -> int:
    """Of any set."""
    base = 0
    low = mask & 0xFFFFFFFFFFFFFFFF
    while number >= (count := low.bit_count()):
        number -= count
        mask >>= 64
        base += 64
        low = mask & 0xFFFFFFFFFFFFFFFF
    return base + select64(low, number)


# ---------------------------------------------------------------- sets side by side

MOST_WAYS = 12
"""Maximum number of sets side by side whose last bits are looked up in a table."""


def lane(width: int) -> int:
    """How many bits each set has in a number with several of them, of a width."""
    return 1 << max(3, (width - 1).bit_length())


@lru_cache
def selecting_way(width: int, count: int) -> Callable[[int, int], tuple[int, int]]:
    """The function that finds a member of several sets side by side, with the number of its set.

    Members come in ascending order, the same one in several sets in the order of these.
    """
    step, last = lane(width), 1
    while last * 2 * count <= MOST_WAYS:
        last *= 2
    halves = []
    half = step // 2
    while half >= last:
        halves.append((half, _in_each((1 << half) - 1, step, count)))
        half //= 2
    table = [_ways_of(key, last, count) for key in range(1 << last * count)]
    ends = tuple([(number * (step - last), (1 << last) - 1 << number * last) for number in range(1, count)])
    low = (1 << last) - 1

    def select_way(sets: int, number: int) -> tuple[int, int]:
        base = 0
        for half, lower in halves:
            below = (sets & lower).bit_count()
            if number >= below:
                number -= below
                sets >>= half
                base += half
        key = sets & low
        for distance, bits_there in ends:
            key |= sets >> distance & bits_there
        place, way = table[key][number]
        return base + place, way

    return select_way


def _in_each(part: int, step: int, count: int) -> int:
    """The same part of each set."""
    return sum(part << number * step for number in range(count))


def _ways_of(key: int, width: int, count: int) -> tuple[tuple[int, int], ...]:
    """The members of small sets side by side, each with the number of its set."""
    return tuple(
        (place, way) for place in range(width) for way in range(count) if key >> way * width + place & 1
    )  # fmt: skip
