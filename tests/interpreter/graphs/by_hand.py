"""Graphs, and slow plain answers to compare with."""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random

from hypothesis import strategies as st

from interpreter.runtime.graphs import Adjacency

DATA = json.loads((Path(__file__).parent / "roads.json").read_text("utf-8"))
SIDES = ("3-4", "4-5")
Case = tuple[Adjacency, int, int]  # a graph, some places, some edges


def as_set(members: Iterator[int] | Sequence[int] | set[int]) -> int:
    return sum({1 << member for member in members})


def in_order(mask: int) -> list[int]:
    return [number for number in range(mask.bit_length()) if mask >> number & 1]


def everything(links: Adjacency) -> tuple[int, int]:
    return (1 << links.count) - 1, (1 << len(links.ends)) - 1


def side(name: str) -> Adjacency:
    number = {space: number for number, space in enumerate(DATA["spaces"])}
    return Adjacency(len(number), [(number[one], number[other]) for one, other in DATA["roads"][name]])


def grid(rows: int, columns: int, rungs: Callable[[int, int], bool] = lambda row, column: True) -> Adjacency:
    """Places in rows; those of neighbouring rows are joined where there is a rung."""
    ends = []
    for row in range(rows):
        for column in range(columns):
            here = row * columns + column
            if column + 1 < columns:
                ends.append((here, here + 1))
            if row + 1 < rows and rungs(row, column):
                ends.append((here, here + columns))
    return Adjacency(rows * columns, ends)


def hexagons(rows: int, columns: int) -> Adjacency:
    return grid(rows, columns, lambda row, column: (row + column) % 2 == 0)


def tree(count: int, seed: int) -> Adjacency:
    rng = Random(seed)
    return Adjacency(count, [(place, rng.randrange(max(0, place - 6), place)) for place in range(1, count)])


@st.composite
def cases(draw: st.DrawFn, most: int = 8) -> Case:
    """Small graphs, with parallel edges, edges that lead nowhere and edges that join nothing."""
    count = draw(st.integers(1, most))
    place = st.integers(0, count - 1)
    ends = draw(st.lists(st.one_of(st.none(), st.tuples(place, place)), max_size=int(1.8 * count) + 2))
    if draw(st.booleans()):
        ends += [(number, number + 1) for number in range(count - 1)]
    links = Adjacency(count, ends)
    left_out = draw(st.sets(place, max_size=2))
    matching = draw(st.sets(st.integers(0, max(0, len(ends) - 1)), max_size=3)) if ends else set()
    places, edges = everything(links)
    return links, places & ~as_set(left_out), edges & ~as_set(matching)


def neighbours(links: Adjacency, places: int, edges: int) -> dict[int, set[int]]:
    near: dict[int, set[int]] = {place: set() for place in in_order(places)}
    for edge in in_order(edges):
        pair = links.ends[edge]
        if pair is not None and pair[0] != pair[1] and all(place in near for place in pair):
            near[pair[0]].add(pair[1])
            near[pair[1]].add(pair[0])
    return near


def hanging_together(links: Adjacency, places: int, edges: int) -> list[set[int]]:
    parts: list[set[int]] = [{place} for place in in_order(places)]
    for one, others in neighbours(links, places, edges).items():
        for other in others:
            joined = [part for part in parts if one in part or other in part]
            parts = [part for part in parts if part not in joined] + [set().union(*joined)]
    return sorted(parts, key=min)


def all_paths(links: Adjacency, places: int, edges: int, least: int) -> list[list[int]]:
    """The places of all paths, each once, in order."""
    near = neighbours(links, places, edges)
    found = set()

    def go_on(way: tuple[int, ...]) -> None:
        if len(way) >= least:
            found.add(tuple(sorted(way)))
        for place in near[way[-1]]:
            if place not in way:
                go_on((*way, place))

    for place in near:
        go_on((place,))
    return sorted(map(list, found))


def all_choices(rows: Sequence[list[int]]) -> Iterator[list[list[int]]]:
    """Every choice of rows without a common place."""
    yield []
    for number, first in enumerate(rows):
        for rest in all_choices([row for row in rows[number + 1 :] if not set(row) & set(first)]):
            yield [first, *rest]


def best_by_hand(case: Case, least: int, worth: Callable[[int], int]) -> tuple[int, tuple[int, ...]]:
    """The best choice of rows, by comparing all."""
    rows = [row for row in all_paths(*case, max(least, 1)) if worth(as_set(row)) > 0]
    total, chosen = min((-sum(worth(as_set(row)) for row in choice), sorted(choice)) for choice in all_choices(rows))
    return -total, tuple(map(as_set, chosen))


def best_in_tree(links: Adjacency, least: int, worth_of: Sequence[int]) -> int:
    """The highest total worth of rows in a tree whose places are each worth something: place by place from the leaves.

    For a place, what the places beyond it can give: if a row goes on upwards from it with so many places (0: none
    does).
    """
    near = neighbours(links, *everything(links))

    @cache
    def beyond(place: int, parent: int) -> dict[int, int]:
        below = [beyond(other, place) for other in near[place] if other != parent]
        closed = [max(_closed(each, least)) for each in below]
        base = sum(closed)
        found = {0: base, 1: base + worth_of[place]}
        for number, each in enumerate(below):
            for length, value in each.items():
                if length:
                    now = min(length + 1, least)
                    found[now] = max(found.get(now, 0), base - closed[number] + value + worth_of[place])
        for (one, first), (two, second) in combinations(enumerate(below), 2):
            for length, value in first.items():
                for more, other in second.items():
                    if length and more and length + more + 1 >= least:
                        total = base - closed[one] - closed[two] + value + other + worth_of[place]
                        found[0] = max(found[0], total)
        return found

    return max(_closed(beyond(0, -1), least))


def _closed(found: dict[int, int], least: int) -> list[int]:
    return [value for length, value in found.items() if length in (0, least)]
