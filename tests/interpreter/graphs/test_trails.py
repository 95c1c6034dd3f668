"""Trails: all walks that use no edge twice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.runtime.graphs import Adjacency, TooManyPaths, trails
from tests.interpreter.graphs.by_hand import Case, as_set, cases, everything, grid, in_order


def is_trail(links: Adjacency, through: int, edges: tuple[int, ...]) -> bool:
    """True if the edges can be walked in this order."""
    ends = [links.ends[edge] for edge in edges]
    if any(pair is None or pair[0] == pair[1] for pair in ends):
        return False
    for start in ends[0] or ():
        place = start
        for number, pair in enumerate(ends):
            if pair is None or place not in pair or (number > 0 and not through >> place & 1):
                break
            place = pair[1] if pair[0] == place else pair[0]
        else:
            return True
    return False


def subsets(members: list[int]) -> Iterator[tuple[int, ...]]:
    for chosen in range(1, 1 << len(members)):
        yield tuple(member for number, member in enumerate(members) if chosen >> number & 1)


@given(cases(5), st.integers(-1, 4))
def test_all_trails(case: Case, least: int) -> None:
    links, through, edges = case
    edges = as_set(in_order(edges)[:6])
    wanted = [
        as_set(some)
        for some in sorted(subsets(in_order(edges)))
        if len(some) >= least and any(is_trail(links, through, order) for order in permutations(some))
    ]
    assert list(trails(links, through, edges, least)) == wanted


def test_loops_and_branches() -> None:
    #   0 - 1 - 2 - 0 is a loop, 3 hangs on 0, 4 on 1
    links = Adjacency(5, [(0, 1), (1, 2), (2, 0), (0, 3), (1, 4)])
    places, edges = everything(links)
    assert max(map(int.bit_count, trails(links, places, edges, 1))) == 4
    assert 0b01111 in trails(links, places, edges, 4) and 0b11110 in trails(links, places, edges, 4)
    assert max(map(int.bit_count, trails(links, places & ~1, edges, 1))) == 3
    assert max(map(int.bit_count, trails(links, 0b11100, edges, 1))) == 2


def test_too_many_trails() -> None:
    links = grid(5, 5)
    places, edges = everything(links)
    with pytest.raises(TooManyPaths, match="more than 100000 partial trails"):
        trails(links, places, edges, 1)
