"""What hangs together: the same answers whatever was asked before."""

import hypothesis.strategies as st
import pytest
from hypothesis import given

from interpreter.runtime.graphs import Adjacency, groups, reach
from interpreter.runtime.graphs.components import REMEMBERED
from tests.interpreter.graphs.by_hand import Case, as_set, cases, everything, grid, hanging_together, in_order, side

Changes = list[tuple[int, int]]  # bits of places, and of edges, that change


def test_edges_that_join_nothing_twice_or_one_place_do_no_harm() -> None:
    links = Adjacency(5, [(0, 1), (1, 2), (2, 3), (3, 3), None, (1, 2)])
    assert reach(links, 0, 0b111111) == 0b1111
    assert reach(links, 0, 0b000010) == 0b1
    assert groups(links, 0b11111, 0b111111) == (0b1111, 0b10000)
    assert groups(links, 0b11111, 0b100001) == (0b111, 0b1000, 0b10000)
    assert groups(links, 0b11101, 0b111111) == (0b1, 0b1100, 0b10000)
    assert groups(links, 0, 0b111111) == ()


@given(cases(12), st.lists(st.tuples(st.integers(0, 2**12 - 1), st.integers(0, 2**30 - 1)), max_size=20))
def test_groups_and_reach_through_a_game(case: Case, changes: Changes) -> None:
    links, places, edges = case
    all_places, all_edges = everything(links)
    for some_places, some_edges in [(0, 0), *changes]:
        places ^= some_places & (some_places >> 3) & (some_places >> 5) & all_places
        edges ^= some_edges & (some_edges >> 7) & all_edges
        assert groups(links, places, edges) == tuple(map(as_set, hanging_together(links, places, edges)))
        for part in hanging_together(links, all_places, edges):
            assert reach(links, max(part), edges) == as_set(part)
            assert reach(links, min(part), edges) == as_set(part)


@given(cases(12), st.permutations(range(20)))
def test_edges_are_removed_one_by_one_and_added_again(case: Case, order: list[int]) -> None:
    links, places, edges = case
    gone = [edge for edge in order if edges >> edge & 1]
    asked = [edges ^ as_set(gone[:count]) for count in range(len(gone) + 1)]
    found = [groups(links, places, each) for each in asked]
    fresh = Adjacency(links.count, links.ends)
    assert [groups(fresh, places, each) for each in reversed(asked)] == found[::-1]
    assert found == [tuple(map(as_set, hanging_together(links, places, each))) for each in asked]


@pytest.mark.parametrize("links", [side("4-5"), grid(8, 8)])
def test_the_cache_is_bounded_and_changes_nothing(links: Adjacency) -> None:
    places, edges = everything(links)
    for number in range(3 * REMEMBERED):
        some = edges & ~(number * 0x9E3779B97F4A7C15)
        part = groups(links, places, some)
        assert sum(part) == places
        assert all(reach(links, in_order(group)[0], some) == group for group in part)
    assert len(links.groups) <= REMEMBERED
    assert len(links.reached) <= REMEMBERED
