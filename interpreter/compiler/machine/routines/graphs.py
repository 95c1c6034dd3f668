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
    unset,
)  # fmt: skip


def near(
    first: Array[Number], edges: Array[Number], others: Array[Number], start: Number, used: Edges, like: Places
) -> Places:
    """The places beside one, over some edges."""
    places_near = nothing(like)
    for k in range(first[start], first[start + 1]):
        if has(used, edges[k]):
            places_near |= single(others[k], like)
    return places_near


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
    neighbours_of = copies(count, nothing(places))
    for place in members(places):
        if place >= count:
            fault()
        beside = nothing(places)
        for k in range(first[place], first[place + 1]):
            if has(used, edges[k]) and has(places, others[k]):
                beside |= single(others[k], places)
        neighbours_of[place] = beside
    return neighbours_of


def groups(
    first: Array[Number], edges: Array[Number], others: Array[Number], count: Number, places: Places, used: Edges
) -> Sequence[Places]:
    """The components of places over some edges, by their lowest members; `count` is the number of all places."""
    return hanging(neighbours(first, edges, others, count, places, used), places)


def hanging(neighbours: Array[Places], places: Places) -> Sequence[Places]:
    """The components where every link counts, by their lowest members."""
    components = unset(size(places), places)
    unvisited = places
    count = 0
    while unvisited:
        group = nothing(places)
        waiting = single(lowest(unvisited), places)
        # All places that wait are visited together, and their neighbours in one set: operations on sets of several
        # words for each place took twice as long.
        while waiting:
            group |= waiting
            unvisited &= ~waiting
            reached = nothing(places)
            for place in members(waiting):
                reached |= neighbours[place]
            waiting = reached & unvisited
        components[count] = group
        count += 1
    return sequence(components, count)


def by_place(places: Places, linked: Sequence[Places]) -> Array[Places]:
    """The neighbours of each place, given those of some places in ascending order."""
    neighbours_of = copies(last(places) + 1 if places else 0, nothing(places))
    position = 0
    for place in members(places):
        neighbours_of[place] = linked[position]
        position += 1
    return neighbours_of


def groups_by(places: Places, linked: Sequence[Places]) -> Sequence[Places]:
    """The components of places over a relation, where a link in either direction counts, by their lowest members."""
    beside = by_place(places, linked)
    for place in members(places):
        for linked_place in members(beside[place] & places):
            beside[linked_place] |= single(place, places)
    return hanging(beside, places)


# A flood from `ends` that stops at the first place of `others` it reaches: most of a component is never visited.
def joined(neighbours: Array[Places], places: Places, ends: Places, others: Places) -> Truth:
    """Whether one of `ends` and one of `others` are connected within `places`."""
    waiting = places & ends
    unvisited = places & ~waiting
    goals = others & places
    if waiting & goals:
        return True
    while waiting:
        place = lowest(waiting)
        waiting &= ~single(place, places)
        more = neighbours[place] & unvisited
        if more & goals:
            return True
        waiting |= more
        unvisited &= ~more
    return False


# Of several shortest paths it is the one that Python finds: places are visited in the same order, over the edges of
# each place in the same order, and the first edge to a place is kept (`over`).
def path(
    first: Array[Number], edges: Array[Number], others: Array[Number], places: Number, start: Number, goal: Number,
    used: Edges, like: Route,
) -> Route:  # fmt: skip
    """The edges of the shortest path that breadth-first search finds between two places; nothing if there is none."""
    route = nothing(like)
    queue = numbers(places)
    previous = numbers(places)
    over = copies(places, -1)
    queue[0] = start
    count = 1
    visited = 0
    while visited < count:
        place = queue[visited]
        visited += 1
        for k in range(first[place], first[place + 1]):
            following = others[k]
            if has(used, edges[k]) and following != start and over[following] < 0:
                over[following] = edges[k]
                previous[following] = place
                if following == goal:
                    back = goal
                    while back != start:
                        route |= single(over[back], like)
                        back = previous[back]
                    return route
                queue[count] = following
                count += 1
    return route


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
