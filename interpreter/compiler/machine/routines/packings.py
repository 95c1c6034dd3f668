"""The best choice of sets that share no member: interpreter/runtime/graphs/best_packing.py.

By dynamic programming: the highest total for the members that are left is computed once. Members that no set can join
any more are solved apart; `mates` are for each member others, over which every set that has it is connected. A set is
tried only if it can lead to something better: a member adds at most its `most`, the greatest worth of a set with it
divided by the members of that set, in units of 1 / SHARES.

Of the best choices it is the first in order: with an earlier set of the least member that any of them has.
"""

from __future__ import annotations

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.machine.routines.language import (
    Array,
    Members,
    Number,
    Sequence,
    copies,
    fault,
    last,
    longer,
    lowest,
    members,
    mixed,
    nothing,
    numbers,
    part,
    sequence,
    single,
    size,
)  # fmt: skip

SHARES = 1 << 20
MAX_MEMBERS = 512
MAX_WORTH = 1 << 30
MAX_PACKINGS = 200_000
FIRST_ROOM = 64


@dataclass
class Packing:
    """What is known of a choice of sets.

    `bounds` are for each set the sum of `most` over its members. `first` are for each member where the sets that begin
    with it are in `in_order`, and in `by_loss` by how much their bound exceeds their worth. `left`, `totals` and
    `slots` are what has been computed: a table by hash, with numbers counted from 1.
    """

    sets: Array[Members]
    mates: Array[Members]
    worths: Array[Number]
    bounds: Array[Number]
    most: Array[Number]
    first: Array[Number]
    in_order: Array[Number]
    by_loss: Array[Number]
    left: Array[Members]
    totals: Array[Number]
    slots: Array[Number]
    count: Number
    room: Number


def slot_of(packing: Packing, left: Members) -> Number:
    """The place in the table for some members that are left."""
    mask = 2 * packing.room - 1
    slot = mixed(0, left) & mask
    while packing.slots[slot]:
        if packing.left[packing.slots[slot] - 1] == left:
            return slot
        slot = slot + 1 & mask
    return slot


def remember(packing: Packing, left: Members, total: Number) -> None:
    """Keep the highest total for some members."""
    if packing.count == packing.room:
        room = 2 * packing.room
        packing.left = longer(packing.left, packing.count, room)
        packing.totals = longer(packing.totals, packing.count, room)
        packing.slots = numbers(2 * room)
        packing.room = room
        for number in range(packing.count):
            packing.slots[slot_of(packing, packing.left[number])] = number + 1
    packing.left[packing.count] = left
    packing.totals[packing.count] = total
    packing.count += 1
    packing.slots[slot_of(packing, left)] = packing.count


def loss(packing: Packing, number: Number) -> Number:
    """By how much the bound of a set exceeds its worth."""
    return packing.bounds[number] - packing.worths[number] * SHARES


def highest(packing: Packing, left: Members, bound: Number) -> Number:
    """The highest total for the members that are left, which is at most bound / SHARES."""
    if not left or bound < SHARES:
        return 0
    known = packing.slots[slot_of(packing, left)]
    if known:
        return packing.totals[known - 1]
    first = lowest(left)
    part = single(first, left)
    waiting = part
    while waiting:
        member = lowest(waiting)
        more = packing.mates[member] & left & ~part
        part |= more
        waiting |= more
        waiting &= ~single(member, left)
    total = 0
    if part != left:
        of_part = 0
        for member in members(part):
            of_part += packing.most[member]
        total = highest(packing, part, of_part)
        total += highest(packing, left & ~part, bound - of_part)
    else:
        for k in range(packing.first[first], packing.first[first + 1]):
            number = packing.by_loss[k]
            if bound - loss(packing, number) < (total + 1) * SHARES:
                break
            chosen = packing.sets[number]
            if not (chosen & ~left):
                rest = highest(packing, left & ~chosen, bound - packing.bounds[number])
                total = max(total, packing.worths[number] + rest)
        without = bound - packing.most[first]
        if without >= (total + 1) * SHARES:
            total = max(total, highest(packing, left & ~single(first, left), without))
    remember(packing, left, total)
    return total


def sort_by_loss(packing: Packing, start: Number, end: Number) -> None:
    """Sort the sets that begin with a member by loss: insertion, as they are few."""
    for k in range(start + 1, end):
        number = packing.by_loss[k]
        own = loss(packing, number)
        place = k
        while place > start and loss(packing, packing.by_loss[place - 1]) > own:
            packing.by_loss[place] = packing.by_loss[place - 1]
            place -= 1
        packing.by_loss[place] = number


def all_members(sets: Sequence[Members], worths: Array[Number], like: Members) -> Members:
    """The members of the sets that are worth something."""
    found = nothing(like)
    for number in range(len(sets)):
        if worths[number] > 0:
            found |= sets[number]
    return found


def prepared(
    sets: Sequence[Members], items: Array[Members], mates: Array[Members], worths: Array[Number], every: Members
) -> Packing:
    """The sets by their least members, and what their members add at most."""
    if size(every) > MAX_MEMBERS:
        fault()
    count = last(every) + 1 if every else 0
    packing = Packing(
        sets=items, mates=mates, worths=worths, bounds=numbers(len(sets)), most=numbers(count),
        first=numbers(count + 2), in_order=numbers(len(sets)), by_loss=numbers(len(sets)),
        left=copies(FIRST_ROOM, every), totals=numbers(FIRST_ROOM), slots=numbers(2 * FIRST_ROOM), count=0,
        room=FIRST_ROOM,
    )  # fmt: skip
    for number in range(len(sets)):
        worth = worths[number]
        if worth > 0 and sets[number]:
            if worth > MAX_WORTH:
                fault()
            those = sets[number]
            share = (worth * SHARES + size(those) - 1) // size(those)
            for member in members(those):
                packing.most[member] = max(packing.most[member], share)
            packing.first[lowest(those) + 2] += 1
    for member in range(count):
        packing.first[member + 2] += packing.first[member + 1]
    for number in range(len(sets)):
        those = sets[number]
        if worths[number] > 0 and those:
            bound = 0
            for member in members(those):
                bound += packing.most[member]
            packing.bounds[number] = bound
            place = packing.first[lowest(those) + 1]
            packing.in_order[place] = number
            packing.by_loss[place] = number
            packing.first[lowest(those) + 1] = place + 1
    for member in range(count):
        sort_by_loss(packing, packing.first[member], packing.first[member + 1])
    return packing


@dataclass
class Choice:
    """A choice of sets, and what they are worth together."""

    total: Number
    sets: Array[Members]
    count: Number


def best(
    sets: Sequence[Members], items: Array[Members], mates: Array[Members], worths: Array[Number], like: Members
) -> Choice:
    """The best choice of sets."""
    left = all_members(sets, worths, like)
    packing = prepared(sets, items, mates, worths, left)
    found = copies(size(left), like)
    count = 0
    bound = 0
    for member in members(left):
        bound += packing.most[member]
    total = highest(packing, left, bound)
    wanted = total
    while wanted:
        first = lowest(left)
        without = bound - packing.most[first]
        rest = left & ~single(first, left)
        taken = False
        for k in range(packing.first[first], packing.first[first + 1]):
            number = packing.in_order[k]
            chosen = packing.sets[number]
            if not (chosen & ~left) and bound - loss(packing, number) >= wanted * SHARES:
                after = left & ~chosen
                if worths[number] + highest(packing, after, bound - packing.bounds[number]) == wanted:
                    found[count] = chosen
                    count += 1
                    wanted -= worths[number]
                    bound -= packing.bounds[number]
                    rest = after
                    taken = True
                    break
        left = rest
        if not taken:
            bound = without
    return Choice(total=total, sets=found, count=count)


def mates_of(sets: Sequence[Members], like: Members) -> Array[Members]:
    """For each member the members of all sets that have it."""
    every = nothing(like)
    for number in range(len(sets)):
        every |= sets[number]
    found = copies(last(every) + 1 if every else 0, nothing(like))
    for number in range(len(sets)):
        for member in members(sets[number]):
            found[member] |= sets[number]
    return found


def sum_over(added: Sequence[Number], row: Members) -> Number:
    """The sum of the numbers of the places of a row."""
    found = 0
    for place in members(row):
        if place >= len(added):
            fault()
        found += added[place]
    return found


def all_packings(sets: Sequence[Members], like: Members) -> Sequence[Sequence[Members]]:
    """Every choice of sets that share no member, the empty one first; a fault if there are too many.

    `taken` are the numbers of the sets in the choice, `used` for each number of them their members.
    """
    taken = numbers(len(sets))
    used = copies(len(sets) + 1, nothing(like))
    room = FIRST_ROOM
    found = copies(room, part(sets, 0, 0))
    count = 1
    size_of_choice = 0
    number = 0
    while number < len(sets) or size_of_choice > 0:
        if number == len(sets):
            size_of_choice -= 1
            number = taken[size_of_choice] + 1
            continue
        if not sets[number] & used[size_of_choice]:
            used[size_of_choice + 1] = used[size_of_choice] | sets[number]
            taken[size_of_choice] = number
            size_of_choice += 1
            choice = copies(size_of_choice, like)
            for place in range(size_of_choice):
                choice[place] = sets[taken[place]]
            if count == MAX_PACKINGS:
                fault()
            if count == room:
                room *= 2
                found = longer(found, count, room)
            found[count] = sequence(choice, size_of_choice)
            count += 1
        number += 1
    return sequence(found, count)


def lines_in(lines: Sequence[Members], places: Members) -> Sequence[Members]:
    """The lines that lie inside a set of places."""
    found = copies(len(lines), places)
    count = 0
    for number in range(len(lines)):
        if not (lines[number] & ~places):
            found[count] = lines[number]
            count += 1
    return sequence(found, count)
