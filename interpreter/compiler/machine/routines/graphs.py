"""Searches over graphs: those of interpreter/runtime/graphs, without their caches.

A graph is given by its edges at each place: those of place `p` are entries `first[p]` to `first[p + 1]` of `edges` and
`others`, each with the number of an edge and the place at its other end.
"""

from __future__ import annotations

from interpreter.compiler.machine.routines.language import (
    NONE,
    Array,
    Edges,
    Number,
    Places,
    Route,
    Sequence,
    Truth,
    copies,
    fault,
    has,
    last,
    lowest,
    members,
    nothing,
    numbers,
    sequence,
    single,
    size,
)  # fmt: skip


def near(
    first: Array[Number], edges: Array[Number], others: Array[Number], start: Number, used: Edges, like: Places
) -> Places:
    """The places beside one, over some edges."""
    found = nothing(like)
    for k in range(first[start], first[start + 1]):
        if has(used, edges[k]):
            found |= single(others[k], like)
    return found


def reach(
    first: Array[Number], edges: Array[Number], others: Array[Number], start: Number, used: Edges, like: Places
) -> Places:
    """The places that can be reached from one, over some edges; with that one."""
    reached = single(start, like)
    waiting = reached
    while waiting:
        place = lowest(waiting)
        waiting &= ~single(place, like)
        for k in range(first[place], first[place + 1]):
            if has(used, edges[k]) and not has(reached, others[k]):
                reached |= single(others[k], like)
                waiting |= single(others[k], like)
    return reached


def neighbours(
    first: Array[Number], edges: Array[Number], others: Array[Number], count: Number, places: Places, used: Edges
) -> Array[Places]:
    """For each place its neighbours over some edges, both ends in `places`."""
    found = copies(count, nothing(places))
    for place in members(places):
        if place >= count:
            fault()
        beside = nothing(places)
        for k in range(first[place], first[place + 1]):
            if has(used, edges[k]) and has(places, others[k]):
                beside |= single(others[k], places)
        found[place] = beside
    return found


def groups(
    first: Array[Number], edges: Array[Number], others: Array[Number], count: Number, places: Places, used: Edges
) -> Sequence[Places]:
    """The components of places over some edges, by their lowest members; `count` is the number of all places."""
    return hanging(neighbours(first, edges, others, count, places, used), places)


def hanging(neighbours: Array[Places], places: Places) -> Sequence[Places]:
    """The components where every link counts, by their lowest members."""
    found = copies(size(places), places)
    left = places
    count = 0
    while left:
        group = single(lowest(left), places)
        left &= ~group
        waiting = group
        while waiting:
            place = lowest(waiting)
            waiting &= ~single(place, places)
            more = neighbours[place] & left
            waiting |= more
            left &= ~more
            group |= more
        found[count] = group
        count += 1
    return sequence(found, count)


def by_place(places: Places, linked: Sequence[Places]) -> Array[Places]:
    """The neighbours of each place, given those of some places in ascending order."""
    found = copies(last(places) + 1 if places else 0, nothing(places))
    position = 0
    for place in members(places):
        found[place] = linked[position]
        position += 1
    return found


def groups_by(places: Places, linked: Sequence[Places]) -> Sequence[Places]:
    """The components of places over a relation, where a link in either direction counts, by their lowest members."""
    beside = by_place(places, linked)
    for place in members(places):
        for other in members(beside[place] & places):
            beside[other] |= single(place, places)
    return hanging(beside, places)


def joined(neighbours: Array[Places], places: Places, ends: Places, others: Places) -> Truth:
    """Whether one of `ends` and one of `others` are connected within `places`."""
    waiting = places & ends
    left = places & ~waiting
    goals = others & places
    if waiting & goals:
        return True
    while waiting:
        place = lowest(waiting)
        waiting &= ~single(place, places)
        more = neighbours[place] & left
        if more & goals:
            return True
        waiting |= more
        left &= ~more
    return False


def path(
    first: Array[Number], edges: Array[Number], others: Array[Number], places: Number, start: Number, goal: Number,
    used: Edges, like: Route,
) -> Route:  # fmt: skip
    """The edges of the shortest path that breadth-first search finds between two places; nothing if there is none."""
    found = nothing(like)
    queue = numbers(places)
    before = numbers(places)
    over = copies(places, -1)
    queue[0] = start
    count = 1
    done = 0
    while done < count:
        place = queue[done]
        done += 1
        for k in range(first[place], first[place + 1]):
            other = others[k]
            if has(used, edges[k]) and other != start and over[other] < 0:
                over[other] = edges[k]
                before[other] = place
                if other == goal:
                    back = goal
                    while back != start:
                        found |= single(over[back], like)
                        back = before[back]
                    return found
                queue[count] = other
                count += 1
    return found


def steps_on(steps: Array[Number], places: Number, ways: Number, start: Number, way: Number, count: Number) -> Number:
    """The place after some steps in a direction; none beyond the edge."""
    place = start
    if count > 0 and (way < 0 or way >= ways):
        fault()
    for _ in range(count):
        if place == NONE:
            return NONE
        if place < 0 or place >= places:
            fault()
        place = steps[place * ways + way]
    return place
