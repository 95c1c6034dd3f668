"""Choices of several members: interpreter/runtime/subsets.py.

Members that nothing tells apart form a group, of which only the first ones are ever taken. A hand of three equal reds
and a blue has 16 subsets, but only 8 that a player could tell apart: the number of reds, with or without the blue. Each
of them is listed once, with the first members of each group.
"""

from __future__ import annotations

from interpreter.compiler.machine.routines.language import (
    Array,
    Members,
    Number,
    Sequence,
    Truth,
    copies,
    fault,
    has,
    longer,
    nothing,
    numbers,
    part,
    sequence,
    single,
    unset,
)  # fmt: skip

MAX_HANDFULS = 100_000
MAX_HANDFUL = 512
FIRST_ROOM = 64


def singles(pieces: Sequence[Number]) -> Sequence[Sequence[Number]]:
    """Each member as a group of its own."""
    groups = unset(len(pieces), pieces)
    for number in range(len(pieces)):
        groups[number] = part(pieces, number, 1)
    return sequence(groups, len(pieces))


def distinct(pieces: Sequence[Number], apart: Members, places: Array[Number], kinds: Array[Number]) -> Sequence[Number]:
    """One of equal pieces that lie together, the first; those in `apart` differ from all others."""
    items = numbers(len(pieces))
    count = 0
    for position in range(len(pieces)):
        piece = pieces[position]
        is_repeated = False
        if not has(apart, piece):
            number = count - 1
            while number >= 0 and not is_repeated and kinds[items[number]] == kinds[piece]:
                listed = items[number]
                is_repeated = places[listed] == places[piece] and not has(apart, listed)
                number -= 1
        if not is_repeated:
            items[count] = piece
            count += 1
    return sequence(items, count)


def precedes(first: Sequence[Number], second: Sequence[Number]) -> Truth:
    """Whether a row of words comes before another one."""
    for number in range(min(len(first), len(second))):
        if first[number] != second[number]:
            return first[number] < second[number]
    return len(first) < len(second)


def sorted_rows(rows: Sequence[Sequence[Number]]) -> Array[Number]:
    """The numbers of rows of words in order; equal ones stay as they are."""
    order = numbers(len(rows))
    for number in range(len(rows)):
        position = number
        while position > 0 and precedes(rows[number], rows[order[position - 1]]):
            order[position] = order[position - 1]
            position -= 1
        order[position] = number
    return order


def by_standing(pieces: Sequence[Number], standings: Sequence[Sequence[Number]]) -> Sequence[Number]:
    """Pieces in the order of their standings."""
    order = sorted_rows(standings)
    for position in range(len(pieces)):
        order[position] = pieces[order[position]]
    return sequence(order, len(pieces))


def joined_in_order(rows: Sequence[Sequence[Number]]) -> Sequence[Number]:
    """All words of some rows, row by row in their order."""
    count = 0
    for number in range(len(rows)):
        count += len(rows[number])
    words = numbers(count)
    order = sorted_rows(rows)
    count = 0
    for position in range(len(rows)):
        row = rows[order[position]]
        for number in range(len(row)):
            words[count] = row[number]
            count += 1
    return sequence(words, count)


def alike(
    pieces: Sequence[Number], apart: Members, places: Array[Number], kinds: Array[Number], by_kind: Truth
) -> Sequence[Sequence[Number]]:
    """Pieces that no rule can tell apart: of one kind, together, and not in `apart`; by the first of each group.

    `by_kind` says that those of a kind follow one another, so that there is less to search.
    """
    count = len(pieces)
    group_of = numbers(count)
    firsts = numbers(count)
    held = numbers(count)
    group_count = 0
    for position in range(count):
        piece = pieces[position]
        group = group_count
        if not has(apart, piece):
            number = group_count - 1
            while number >= 0 and (kinds[firsts[number]] == kinds[piece] or not by_kind):
                first = firsts[number]
                if kinds[first] == kinds[piece] and places[first] == places[piece] and not has(apart, first):
                    group = number
                    break
                number -= 1
        if group == group_count:
            firsts[group] = piece
            group_count += 1
        group_of[position] = group
        held[group] += 1
    return grouped(pieces, group_of, held, group_count)


def grouped(
    pieces: Sequence[Number], group_of: Array[Number], held: Array[Number], group_count: Number
) -> Sequence[Sequence[Number]]:
    """The groups of some pieces, given that of each piece, and how many pieces each has."""
    count = len(pieces)
    items = numbers(count)
    ends = numbers(group_count + 1)
    for group in range(group_count):
        ends[group + 1] = ends[group] + held[group]
    for position in range(count):
        group = group_of[position]
        items[ends[group]] = pieces[position]
        ends[group] += 1
    groups = unset(group_count, part(sequence(items, count), 0, 0))
    for group in range(group_count):
        groups[group] = part(sequence(items, count), ends[group] - held[group], held[group])
    return sequence(groups, group_count)


def in_turn(
    groups: Sequence[Sequence[Number]], places: Array[Number], zones: Array[Number], ordered: Array[Number],
    ranks: Array[Number], factor: Number,
) -> Sequence[Sequence[Number]]:  # fmt: skip
    """The groups in the order in which their pieces are chosen: by place, then by rank where pieces are not in order.

    `zones` is for each place where the ranks of its zone begin, `factor` is larger than every rank.
    """
    count = len(groups)
    if count == 0:
        return groups
    sorted_groups = unset(count, groups[0])
    order = numbers(count)
    for number in range(count):
        group = groups[number]
        place = places[group[0]]
        rank = place * factor + (0 if ordered[place] else ranks[zones[place] + group[0]])
        position = number
        while position > 0 and order[position - 1] > rank:
            order[position] = order[position - 1]
            sorted_groups[position] = sorted_groups[position - 1]
            position -= 1
        order[position] = rank
        sorted_groups[position] = group
    return sequence(sorted_groups, count)


def members_from(groups: Sequence[Sequence[Number]]) -> Array[Number]:
    """The number of members from each group on, and 0 after the last."""
    count = len(groups)
    members_left = numbers(count + 1)
    number = count - 1
    while number >= 0:
        members_left[number] = members_left[number + 1] + len(groups[number])
        number -= 1
    return members_left


# The subsets are counted before any is listed: `counts[n]` are those of size n from the groups so far. Numbers stop
# just above the limit, so that they cannot overflow.
def check_number(groups: Sequence[Sequence[Number]], fewest: Number, most: Number) -> None:
    """A fault if there are too many subsets of these sizes."""
    most = min(most, members_from(groups)[0])
    if most < 0:
        return
    counts = numbers(most + 1)
    more = numbers(most + 1)
    counts[0] = 1
    for number in range(len(groups)):
        for held in range(most + 1):
            more[held] = 0
        for held in range(most + 1):
            if counts[held]:
                for amount in range(min(len(groups[number]), most - held) + 1):
                    more[held + amount] = min(more[held + amount] + counts[held], MAX_HANDFULS + 1)
        swapped = counts
        counts = more
        more = swapped
    total = 0
    for held in range(max(0, fewest), most + 1):
        total += counts[held]
    if total > MAX_HANDFULS:
        fault()


def picks(groups: Sequence[Sequence[Number]], chosen: Members, fewest: Number) -> Sequence[Number]:
    """The members that may be taken next after a set, so that `fewest` in all can still be reached."""
    remaining = members_from(groups)
    count = len(groups)
    taken_of = numbers(count)
    items = numbers(count)
    held = 0
    last_taken = 0
    for number in range(count):
        group = groups[number]
        for place in range(len(group)):
            if has(chosen, group[place]):
                taken_of[number] += 1
        if taken_of[number]:
            last_taken = number
        held += taken_of[number]
    # Members are picked in the order of the groups, so what may follow begins at the group of the last pick, and a pick
    # is offered only if enough members come after it: with 3 to choose of five groups of one, the fifth is no first
    # pick.
    needed = max(1, min(fewest, remaining[0]) - held)
    pick_count = 0
    for number in range(last_taken, count):
        if taken_of[number] < len(groups[number]) and remaining[number] - taken_of[number] >= needed:
            items[pick_count] = groups[number][taken_of[number]]
            pick_count += 1
    return sequence(items, pick_count)


def handfuls(groups: Sequence[Sequence[Number]], fewest: Number, most: Number, like: Members) -> Sequence[Members]:
    """All subsets of some sizes, the small ones first.

    `held` are for each member taken so far its group, and `used` how many of this group are taken then.
    """
    check_number(groups, fewest, most)
    remaining = members_from(groups)
    if most > MAX_HANDFUL and remaining[0] > MAX_HANDFUL:
        fault()
    room = FIRST_ROOM
    all_subsets = unset(room, like)
    count = 0
    for target_size in range(max(0, fewest), min(most, remaining[0]) + 1):
        subsets = copies(target_size + 1, nothing(like))
        held = numbers(target_size + 1)
        used = numbers(target_size + 1)
        following = numbers(target_size + 1)
        depth = 0
        while depth >= 0:
            if depth == target_size:
                if count == room:
                    room *= 2
                    all_subsets = longer(all_subsets, count, room)
                all_subsets[count] = subsets[depth]
                count += 1
                depth -= 1
                continue
            number = following[depth]
            if number >= len(groups):
                depth -= 1
                continue
            used_of_group = used[depth] if number == held[depth] else 0
            # Too few members are left from this group on, and from every later one.
            if remaining[number] - used_of_group < target_size - depth:
                depth -= 1
                continue
            following[depth] = number + 1
            if used_of_group < len(groups[number]):
                subsets[depth + 1] = subsets[depth] | single(groups[number][used_of_group], like)
                held[depth + 1] = number
                used[depth + 1] = used_of_group + 1
                following[depth + 1] = number
                depth += 1
    return sequence(all_subsets, count)
