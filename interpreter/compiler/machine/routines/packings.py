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
    unset,
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
    with it are in `in_order`, and in `by_loss` by how much their bound exceeds their worth. `remaining`, `totals` and
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
    remaining: Array[Members]
    totals: Array[Number]
    slots: Array[Number]
    count: Number
    room: Number


def slot_of(packing: Packing, remaining: Members) -> Number:
    """The place in the table for some members that are left."""
    mask = 2 * packing.room - 1
    slot = mixed(0, remaining) & mask
    while packing.slots[slot]:
        if packing.remaining[packing.slots[slot] - 1] == remaining:
            return slot
        slot = slot + 1 & mask
    return slot


def remember(packing: Packing, remaining: Members, total: Number) -> None:
    """Keep the highest total for some members."""
    if packing.count == packing.room:
        room = 2 * packing.room
        packing.remaining = longer(packing.remaining, packing.count, room)
        packing.totals = longer(packing.totals, packing.count, room)
        packing.slots = numbers(2 * room)
        packing.room = room
        for number in range(packing.count):
            packing.slots[slot_of(packing, packing.remaining[number])] = number + 1
    packing.remaining[packing.count] = remaining
    packing.totals[packing.count] = total
    packing.count += 1
    packing.slots[slot_of(packing, remaining)] = packing.count


def loss(packing: Packing, number: Number) -> Number:
    """By how much the bound of a set exceeds its worth."""
    return packing.bounds[number] - packing.worths[number] * SHARES


# A rule such as "lay out melds from your hand, no card twice" asks for the best of exponentially many choices. Two
# things keep the search small.
#
# - Parts: with cards {1, 2, 3, 7, 8} and sets {1, 2}, {2, 3}, {7, 8}, the last has nothing to do with the others. The
#   part of the first member is what is connected with it by sets; both parts are solved and added.
# - A bound: each member has a share, the greatest worth per member of any set that has it, and the sum of the shares of
#   what remains bounds the total. A set that is worth less than the shares of its members loses the difference. Sets
#   are tried by loss, so the first that could not lead above the best total so far ends the loop.
#
# INVARIANT: `bound` is the sum of the shares of `remaining`, whatever was chosen before. So what is remembered for some
# members does not depend on how they came to remain, and a branch that is cut could not have exceeded `total`.
def highest(packing: Packing, remaining: Members, bound: Number) -> Number:
    """The highest total for the members that are left, which is at most bound / SHARES."""
    if not remaining or bound < SHARES:
        return 0
    entry = packing.slots[slot_of(packing, remaining)]
    if entry:
        return packing.totals[entry - 1]
    first = lowest(remaining)
    part = single(first, remaining)
    waiting = part
    while waiting:
        member = lowest(waiting)
        more = packing.mates[member] & remaining & ~part
        part |= more
        waiting |= more
        waiting &= ~single(member, remaining)
    total = 0
    if part != remaining:
        of_part = 0
        for member in members(part):
            of_part += packing.most[member]
        total = highest(packing, part, of_part)
        total += highest(packing, remaining & ~part, bound - of_part)
    else:
        for k in range(packing.first[first], packing.first[first + 1]):
            number = packing.by_loss[k]
            if bound - loss(packing, number) < (total + 1) * SHARES:
                break
            chosen = packing.sets[number]
            if not (chosen & ~remaining):
                rest = highest(packing, remaining & ~chosen, bound - packing.bounds[number])
                total = max(total, packing.worths[number] + rest)
        without = bound - packing.most[first]
        if without >= (total + 1) * SHARES:
            total = max(total, highest(packing, remaining & ~single(first, remaining), without))
    remember(packing, remaining, total)
    return total


def sort_by_loss(packing: Packing, start: Number, end: Number) -> None:
    """Sort the sets that begin with a member by loss: insertion, as they are few."""
    for k in range(start + 1, end):
        number = packing.by_loss[k]
        loss_of_set = loss(packing, number)
        place = k
        while place > start and loss(packing, packing.by_loss[place - 1]) > loss_of_set:
            packing.by_loss[place] = packing.by_loss[place - 1]
            place -= 1
        packing.by_loss[place] = number


def all_members(sets: Sequence[Members], worths: Array[Number], like: Members) -> Members:
    """The members of the sets that are worth something."""
    every = nothing(like)
    for number in range(len(sets)):
        if worths[number] > 0:
            every |= sets[number]
    return every


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
        remaining=unset(FIRST_ROOM, every), totals=numbers(FIRST_ROOM), slots=numbers(2 * FIRST_ROOM), count=0,
        room=FIRST_ROOM,
    )  # fmt: skip
    for number in range(len(sets)):
        worth = worths[number]
        if worth > 0 and sets[number]:
            if worth > MAX_WORTH:
                fault()
            set_members = sets[number]
            share = (worth * SHARES + size(set_members) - 1) // size(set_members)
            for member in members(set_members):
                packing.most[member] = max(packing.most[member], share)
            packing.first[lowest(set_members) + 2] += 1
    for member in range(count):
        packing.first[member + 2] += packing.first[member + 1]
    for number in range(len(sets)):
        set_members = sets[number]
        if worths[number] > 0 and set_members:
            bound = 0
            for member in members(set_members):
                bound += packing.most[member]
            packing.bounds[number] = bound
            place = packing.first[lowest(set_members) + 1]
            packing.in_order[place] = number
            packing.by_loss[place] = number
            packing.first[lowest(set_members) + 1] = place + 1
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
    remaining = all_members(sets, worths, like)
    packing = prepared(sets, items, mates, worths, remaining)
    chosen_sets = unset(size(remaining), like)
    count = 0
    bound = 0
    for member in members(remaining):
        bound += packing.most[member]
    total = highest(packing, remaining, bound)
    missing = total
    while missing:
        first = lowest(remaining)
        without = bound - packing.most[first]
        rest = remaining & ~single(first, remaining)
        has_set = False
        for k in range(packing.first[first], packing.first[first + 1]):
            number = packing.in_order[k]
            chosen = packing.sets[number]
            # Sets in their order, not by loss: of several best choices the first in order is given, as in Python.
            if not (chosen & ~remaining) and bound - loss(packing, number) >= missing * SHARES:
                others = remaining & ~chosen
                if worths[number] + highest(packing, others, bound - packing.bounds[number]) == missing:
                    chosen_sets[count] = chosen
                    count += 1
                    missing -= worths[number]
                    bound -= packing.bounds[number]
                    rest = others
                    has_set = True
                    break
        remaining = rest
        if not has_set:
            bound = without
    return Choice(total=total, sets=chosen_sets, count=count)


def mates_of(sets: Sequence[Members], like: Members) -> Array[Members]:
    """For each member the members of all sets that have it."""
    every = nothing(like)
    for number in range(len(sets)):
        every |= sets[number]
    mates = copies(last(every) + 1 if every else 0, nothing(like))
    for number in range(len(sets)):
        for member in members(sets[number]):
            mates[member] |= sets[number]
    return mates


def sum_over(added: Sequence[Number], row: Members) -> Number:
    """The sum of the numbers of the places of a row."""
    total = 0
    for place in members(row):
        if place >= len(added):
            fault()
        total += added[place]
    return total


def all_packings(sets: Sequence[Members], like: Members) -> Sequence[Sequence[Members]]:
    """Every choice of sets that share no member, the empty one first; a fault if there are too many.

    `chosen` are the numbers of the sets in the choice, `used` for each number of them their members.
    """
    chosen = numbers(len(sets))
    used = copies(len(sets) + 1, nothing(like))
    room = FIRST_ROOM
    packings = copies(room, part(sets, 0, 0))
    count = 1
    size_of_choice = 0
    number = 0
    while number < len(sets) or size_of_choice > 0:
        if number == len(sets):
            size_of_choice -= 1
            number = chosen[size_of_choice] + 1
            continue
        if not sets[number] & used[size_of_choice]:
            used[size_of_choice + 1] = used[size_of_choice] | sets[number]
            chosen[size_of_choice] = number
            size_of_choice += 1
            choice = unset(size_of_choice, like)
            for place in range(size_of_choice):
                choice[place] = sets[chosen[place]]
            if count == MAX_PACKINGS:
                fault()
            if count == room:
                room *= 2
                packings = longer(packings, count, room)
            packings[count] = sequence(choice, size_of_choice)
            count += 1
        number += 1
    return sequence(packings, count)


def lines_in(lines: Sequence[Members], places: Members) -> Sequence[Members]:
    """The lines that lie inside a set of places."""
    inside = unset(len(lines), places)
    count = 0
    for number in range(len(lines)):
        if not (lines[number] & ~places):
            inside[count] = lines[number]
            count += 1
    return sequence(inside, count)
