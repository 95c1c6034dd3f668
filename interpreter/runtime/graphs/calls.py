"""Graph functions as generated code calls them; searches that are too large raise an error with the rule's location."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from interpreter.errors import PlayError
from interpreter.runtime.cells import Namespace
from interpreter.runtime.graphs import (
    Adjacency,
    Objective,
    TooManyPaths,
    best_rows,
    best_sets,
    enclosed,
    groups,
    groups_by,
    hanging,
    near,
    packings,
    path,
    path_by,
    paths,
    paths_by,
    reach,
    reach_by,
    seen_over,
    trails,
)  # fmt: skip
from interpreter.wording.phrases import Phrase

MAX_PACKINGS = 200_000


class GraphCalls:
    """The graph functions of one game; `names()` is what generated code sees."""

    def __init__(self, location_of: Callable[[int], str]) -> None:
        self.location_of = location_of

    def names(self) -> Namespace:
        """The graph functions in the namespace of generated code."""
        methods = (self.all_paths, self.paths_by, self.all_trails, self.all_packings, self.best_rows, self.best_sets)
        free = (
            reach, near, groups, hanging, path, places_with, nth_set, steps_on, lines_in, seen_over, enclosed,
            reach_by, groups_by, path_by, Objective,
        )  # fmt: skip
        return {function.__name__: function for function in (*methods, *free)}

    def all_paths(self, links: Adjacency, places: int, edges: int, least: int, node: int) -> tuple[int, ...]:
        """List the sets of places of all paths. Raises PlayError if there are too many to list."""
        try:
            return paths(links, places, edges, least)
        except TooManyPaths as fault:
            raise PlayError(fault.message, self.location_of(node)) from None

    def paths_by(self, places: int, neighbours: Sequence[int], least: int, node: int) -> tuple[int, ...]:
        """List the sets of places of all paths over a relation. Raises PlayError if there are too many to list."""
        try:
            return paths_by(places, neighbours, least)
        except TooManyPaths as fault:
            raise PlayError(fault.message, self.location_of(node)) from None

    def all_trails(self, links: Adjacency, through: int, edges: int, least: int, node: int) -> tuple[int, ...]:
        """List the sets of edges of all trails. Raises PlayError if there are too many to list."""
        try:
            return trails(links, through, edges, least)
        except TooManyPaths as fault:
            raise PlayError(fault.message, self.location_of(node)) from None

    def all_packings(self, sets: Sequence[int], node: int) -> Iterator[tuple[int, ...]]:
        """Yield every choice of disjoint sets. Raises PlayError if there are too many to enumerate."""
        # The error is raised only after the last packing that is listed: a rule that is satisfied earlier never reaches
        # it.
        yield from islice(packings(sets), MAX_PACKINGS)
        if next(islice(packings(sets), MAX_PACKINGS, None), None) is not None:
            raise PlayError(Phrase("there are more than {number} choices", number=MAX_PACKINGS), self.location_of(node))

    def best_rows(
        self, links: Adjacency, places: int, edges: int, least: int, worth: Callable[[int], int], node: int
    ) -> tuple[int, tuple[int, ...]]:
        """Find the best paths that share no place. Raises PlayError if there are too many to compare."""
        try:
            return best_rows(links, places, edges, least, worth)
        except TooManyPaths as fault:
            raise PlayError(fault.message, self.location_of(node)) from None

    def best_sets(self, sets: Sequence[int], worth: Callable[[int], int], node: int) -> tuple[int, tuple[int, ...]]:
        """Find the best sets that share no member. Raises PlayError if there are too many to compare."""
        try:
            return best_sets(sets, worth)
        except RecursionError:
            raise PlayError(Phrase("there are too many sets to compare"), self.location_of(node)) from None


def places_with(state: Sequence[int], filled: int, first: int, kind: int) -> int:
    """The filled places where one of these pieces lies; the cell of place 0 is `first`."""
    matching = 0
    while filled:
        low = filled & -filled
        if state[first - 1 + low.bit_length()] & kind:
            matching |= low
        filled ^= low
    return matching


def nth_set(number: int, sets: Sequence[int]) -> int | None:
    """The set number `number`, from 1, or -1 for the last; None if there is no such set."""
    if number == -1:
        return sets[-1] if sets else None
    return sets[number - 1] if 1 <= number <= len(sets) else None


def steps_on(steps: Sequence[Sequence[int | None] | None], place: int, direction: int, count: int) -> int | None:
    """The place `count` steps on in one direction; None if the board ends before, or for no place."""
    reached: int | None = place
    for _ in range(count):
        row = None if reached is None else steps[reached]
        if row is None:
            return None
        reached = row[direction]
    return reached


def lines_in(lines: Sequence[int], places: int) -> tuple[int, ...]:
    """The lines that lie inside a set of places."""
    outside = ~places
    return tuple([line for line in lines if not line & outside])
