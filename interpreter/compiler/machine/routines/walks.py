"""Paths and trails, as the sets of their places or edges: interpreter/runtime/graphs/paths.py.

There are many ways through the same places. What a rule asks for is the set, so two walks with the same set and the
same end are one: whatever continues one of them continues the other. Without this, a grid of 4 by 4 has 28,512 paths to
extend instead of 13,716 pairs of a set and an end, a grid of 5 by 5 3,060,417 instead of 959,085.
"""

from __future__ import annotations

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.machine.routines.graphs import by_place
from interpreter.compiler.machine.routines.language import (
    Array,
    Edges,
    Members,
    Number,
    Places,
    Sequence,
    Truth,
    fault,
    has,
    longer,
    lowest,
    members,
    mixed,
    numbers,
    sequence,
    single,
    size,
    unset,
    until,
)  # fmt: skip

MAX_PATHS = 100_000
MAX_WALKS = 2_000_000
FIRST_ROOM = 32
RUN = 8


@dataclass
class Walks:
    """Walks that have begun, each once: what each has visited, and where it ends.

    `slots` is a table by hash, twice as long as there is room, with the number of a walk counted from 1.
    """

    seen: Array[Members]
    ends: Array[Number]
    slots: Array[Number]
    count: Number
    room: Number


def no_walks(like: Members) -> Walks:
    """No walks yet, of sets like one."""
    return Walks(
        seen=unset(FIRST_ROOM, like), ends=numbers(FIRST_ROOM), slots=numbers(2 * FIRST_ROOM), count=0, room=FIRST_ROOM
    )


def make_room(walks: Walks) -> None:
    """Make room for twice as many walks."""
    room = 2 * walks.room
    walks.seen = longer(walks.seen, walks.count, room)
    walks.ends = longer(walks.ends, walks.count, room)
    walks.slots = numbers(2 * room)
    walks.room = room
    for number in range(walks.count):
        slot = mixed(walks.ends[number], walks.seen[number]) & 2 * room - 1
        while walks.slots[slot]:
            slot = slot + 1 & 2 * room - 1
        walks.slots[slot] = number + 1


def begin(walks: Walks, seen: Members, end: Number, most: Number) -> None:
    """Add a walk unless it is there; a fault if there are too many."""
    if walks.count == walks.room:
        make_room(walks)
    mask = 2 * walks.room - 1
    slot = mixed(end, seen) & mask
    while walks.slots[slot]:
        number = walks.slots[slot] - 1
        if walks.ends[number] == end and walks.seen[number] == seen:
            return
        slot = slot + 1 & mask
    if walks.count >= most:
        fault()
    walks.seen[walks.count] = seen
    walks.ends[walks.count] = end
    walks.count += 1
    walks.slots[slot] = walks.count


# Compared as lists: {1, 4} comes before {2, 3}, and {1} before {1, 4}. Where the sets differ first decides: who has
# this member comes first, unless the other one has no more members, which makes it a beginning of this one.
def precedes(first_set: Members, second_set: Members) -> Truth:
    """Whether the ascending list of the members of a set comes before that of another."""
    apart = first_set & ~second_set | second_set & ~first_set
    if not apart:
        return False
    first = lowest(apart)
    beyond = until(first + 1, apart)
    if has(first_set, first):
        return bool(second_set & ~beyond)
    return not first_set & ~beyond


def in_order(items: Array[Members], count: Number) -> Array[Members]:
    """The sets in order: insertion in short runs, then runs are merged."""
    start = 0
    while start < count:
        for k in range(start + 1, min(start + RUN, count)):
            item = items[k]
            place = k
            while place > start and precedes(item, items[place - 1]):
                items[place] = items[place - 1]
                place -= 1
            items[place] = item
        start += RUN
    if count <= RUN:
        return items
    merged = unset(count, items[0])
    run = RUN
    while run < count:
        start = 0
        while start < count:
            middle = min(count, start + run)
            end = min(count, start + 2 * run)
            low = start
            right = middle
            for place in range(start, end):
                if right == end or (low < middle and not precedes(items[right], items[low])):
                    merged[place] = items[low]
                    low += 1
                else:
                    merged[place] = items[right]
                    right += 1
            start += 2 * run
        swapped = items
        items = merged
        merged = swapped
        run *= 2
    return items


def visited(walks: Walks, fewest: Number, like: Members) -> Sequence[Members]:
    """What walks of `fewest` members or more have visited, each set once and in order."""
    items = unset(walks.count, like)
    count = 0
    for number in range(walks.count):
        if size(walks.seen[number]) >= fewest:
            items[count] = walks.seen[number]
            count += 1
    items = in_order(items, count)
    once = 0
    for number in range(count):
        if once == 0 or items[once - 1] != items[number]:
            items[once] = items[number]
            once += 1
    return sequence(items, once)


def paths_among(beside: Array[Members], places: Members, fewest: Number, most: Number) -> Sequence[Members]:
    """The paths of `fewest` places or more; `beside` are the neighbours of each place, within `places`."""
    walks = no_walks(places)
    for place in members(places):
        begin(walks, single(place, places), place, most)
    extended = 0
    while extended < walks.count:
        seen = walks.seen[extended]
        for place in members(beside[walks.ends[extended]] & ~seen):
            begin(walks, seen | single(place, places), place, most)
        extended += 1
    return visited(walks, fewest, places)


def paths_by(places: Members, linked: Sequence[Members], fewest: Number) -> Sequence[Members]:
    """The same over a relation, given the neighbours of each place in ascending order."""
    return paths_among(by_place(places, linked), places, fewest, MAX_PATHS)


def trails(
    first: Array[Number],
    edges: Array[Number],
    others: Array[Number],
    count: Number,
    through: Places,
    used: Edges,
    fewest: Number,
) -> Sequence[Edges]:
    """The trails over some edges with `fewest` of them or more; they pass only through places in `through`."""
    walks = no_walks(used)
    for place in range(count):
        for k in range(first[place], first[place + 1]):
            if has(used, edges[k]):
                begin(walks, single(edges[k], used), others[k], MAX_PATHS)
    extended = 0
    while extended < walks.count:
        seen = walks.seen[extended]
        end = walks.ends[extended]
        if has(through, end):
            for k in range(first[end], first[end + 1]):
                if has(used, edges[k]) and not has(seen, edges[k]):
                    begin(walks, seen | single(edges[k], used), others[k], MAX_PATHS)
        extended += 1
    return visited(walks, fewest, used)
