"""Shortest ways, and all paths."""

import pytest
from hypothesis import given

from interpreter.runtime.graphs import Adjacency, TooManyPaths, path, paths
from tests.interpreter.graphs.by_hand import Case, all_paths, as_set, cases, everything, grid, in_order, neighbours


def distance(case: Case, start: int, goal: int) -> int | None:
    near = neighbours(*case)
    reached, steps = {start}, 0
    while goal not in reached:
        wider = reached | {other for place in reached for other in near[place]}
        if wider == reached:
            return None
        reached, steps = wider, steps + 1
    return steps


@given(cases())
def test_a_path_is_a_shortest_one(case: Case) -> None:
    links, _, edges = case
    places, _ = everything(links)
    for start in range(links.count):
        for goal in range(links.count):
            way = path(links, start, goal, edges)
            steps = distance((links, places, edges), start, goal)
            assert (way is None) == (steps is None)
            if way is not None:
                assert way.bit_count() == steps
                assert way & edges == way
                assert distance((links, places, way), start, goal) == steps


def test_of_several_shortest_paths_the_one_found_first() -> None:
    #   0 - 1 - 3 by edges 3 and 1, 0 - 2 - 3 by edges 0 and 2: 2 is found before 1
    links = Adjacency(4, [(0, 2), (1, 3), (2, 3), (0, 1), (0, 2)])
    assert path(links, 0, 3, 0b11111) == 0b00101
    assert path(links, 3, 0, 0b11111) == 0b01010
    assert path(links, 0, 3, 0b11110) == 0b01010
    assert path(links, 0, 2, 0b11111) == 0b00001
    assert path(links, 2, 2, 0) == 0
    assert path(links, 0, 3, 0b10001) is None


@given(cases())
def test_all_paths(case: Case) -> None:
    for least in range(1, 5):
        assert paths(*case, least) == tuple(map(as_set, all_paths(*case, least)))


def test_paths_are_in_the_order_of_their_members() -> None:
    links = grid(2, 3)
    found = [in_order(row) for row in paths(links, *everything(links), 2)]
    assert found == sorted(found)
    assert len({tuple(row) for row in found}) == len(found)


def test_too_many_paths() -> None:
    links = grid(5, 5)
    with pytest.raises(TooManyPaths) as raised:
        paths(links, *everything(links), 2, cap=1000)
    assert raised.value.cap == 1000
    with pytest.raises(TooManyPaths):
        paths(links, *everything(links), 2)
