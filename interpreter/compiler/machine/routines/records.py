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
    first_hashes: Array[Number]
    second_hashes: Array[Number]
    count: Number


# A place and a kind are sorted as one number, and taken apart in place: from the last, because two words are written
# where one was read.
def lying(pieces: Members, places: Array[Number], kinds: Array[Number], count: Number) -> Sequence[Number]:
    """The places of some pieces, each followed by the kind that lies there, in order; kinds are below `count`.

    Shell's sort: the pieces of a board are hundreds at most.
    """
    items = numbers(2 * size(pieces))
    length = 0
    for piece in members(pieces):
        items[length] = places[piece] * count + kinds[piece]
        length += 1
    gap = length // 2
    while gap > 0:
        for start in range(gap, length):
            item = items[start]
            place = start
            while place >= gap and items[place - gap] > item:
                items[place] = items[place - gap]
                place -= gap
            items[place] = item
        gap = gap // 2
    number = length - 1
    while number >= 0:
        item = items[number]
        items[2 * number] = item // count
        items[2 * number + 1] = item - item // count * count
        number -= 1
    return sequence(items, 2 * length)


def forget(log: Log) -> None:
    """Begin a game."""
    drop(log, 0)


# A game that is taken back, or a hypothesis that ends, leaves entries behind the number in its cell. Each was put at
# the head of its list, and nothing that remains was put there after it, so dropping them from the last one on restores
# the lists as they were.
def drop(log: Log, count: Number) -> None:
    """Drop all entries but the first ones: later entries come first in their lists."""
    while log.count > count:
        log.count -= 1
        log.heads[log.first_hashes[log.count] & HEADS - 1] = log.following[log.count]


def recorded(log: Log, earlier_count: Number, first_hash: Number, second_hash: Number) -> Number:
    """Record a position after the first ones; how many there are then."""
    drop(log, earlier_count)
    if log.count == MAX_RECORDED:
        fault()
    log.first_hashes[log.count] = first_hash
    log.second_hashes[log.count] = second_hash
    log.following[log.count] = log.heads[first_hash & HEADS - 1]
    log.count += 1
    log.heads[first_hash & HEADS - 1] = log.count
    return log.count


def times(log: Log, count: Number, first_hash: Number, second_hash: Number) -> Number:
    """How often a position is among the first ones."""
    occurrences = 0
    entry = log.heads[first_hash & HEADS - 1]
    while entry:
        if entry <= count and log.first_hashes[entry - 1] == first_hash and log.second_hashes[entry - 1] == second_hash:
            occurrences += 1
        entry = log.following[entry - 1]
    return occurrences


# ---- Several games take turns in one log: each keeps the hashes of its positions while another one is played.


def put_away(log: Log, saved: Array[Number], room: Number) -> None:
    """Move the entries to `saved`: their number, then both hashes of each. A fault if there are more than `room`."""
    if log.count > room:
        fault()
    saved[0] = log.count
    for entry in range(log.count):
        saved[2 * entry + 1] = log.first_hashes[entry]
        saved[2 * entry + 2] = log.second_hashes[entry]
    drop(log, 0)


def bring_back(log: Log, saved: Array[Number]) -> None:
    """Record the entries in `saved` again, instead of those that are there."""
    drop(log, 0)
    entries = saved[0]
    for entry in range(entries):
        saved[0] = recorded(log, entry, saved[2 * entry + 1], saved[2 * entry + 2])
