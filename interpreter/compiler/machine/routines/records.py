"""Recorded positions: a cell holds how many it has recorded; what they are is in its log, by two hashes of 64 bits.

Entries after the number in the cell belong to hypotheses and are overwritten. `heads` and `following` are lists of the
entries whose first hash is the same below `HEADS`, the last one first.
"""

from __future__ import annotations

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.machine.routines.language import (
    Array,
    Members,
    Number,
    Sequence,
    fault,
    members,
    numbers,
    sequence,
    size,
)

HEADS = 1 << 10
MAX_RECORDED = 1 << 16


@dataclass
class Log:
    """The positions recorded in a cell. Lists end in 0, entries are counted from 1."""

    heads: Array[Number]
    following: Array[Number]
    one: Array[Number]
    other: Array[Number]
    count: Number


def lying(pieces: Members, places: Array[Number], kinds: Array[Number], count: Number) -> Sequence[Number]:
    """The places of some pieces, each followed by the kind that lies there, in order; kinds are below `count`.

    Shell's sort: the pieces of a board are hundreds at most.
    """
    found = numbers(2 * size(pieces))
    length = 0
    for piece in members(pieces):
        found[length] = places[piece] * count + kinds[piece]
        length += 1
    gap = length // 2
    while gap > 0:
        for start in range(gap, length):
            item = found[start]
            place = start
            while place >= gap and found[place - gap] > item:
                found[place] = found[place - gap]
                place -= gap
            found[place] = item
        gap = gap // 2
    number = length - 1
    while number >= 0:
        item = found[number]
        found[2 * number] = item // count
        found[2 * number + 1] = item - item // count * count
        number -= 1
    return sequence(found, 2 * length)


def forget(log: Log) -> None:
    """Begin a game."""
    drop(log, 0)


def drop(log: Log, count: Number) -> None:
    """Drop all entries but the first ones: later entries come first in their lists."""
    while log.count > count:
        log.count -= 1
        log.heads[log.one[log.count] & HEADS - 1] = log.following[log.count]


def recorded(log: Log, before: Number, one: Number, other: Number) -> Number:
    """Record a position after the first ones; how many there are then."""
    drop(log, before)
    if log.count == MAX_RECORDED:
        fault()
    log.one[log.count] = one
    log.other[log.count] = other
    log.following[log.count] = log.heads[one & HEADS - 1]
    log.count += 1
    log.heads[one & HEADS - 1] = log.count
    return log.count


def times(log: Log, known: Number, one: Number, other: Number) -> Number:
    """How often a position is among the first ones."""
    found = 0
    entry = log.heads[one & HEADS - 1]
    while entry:
        if entry <= known and log.one[entry - 1] == one and log.other[entry - 1] == other:
            found += 1
        entry = log.following[entry - 1]
    return found
