"""Boards that need no file: what holds for the geometry of every size."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsl.boards.grids import FORMS, Grid

SIZES = st.integers(1, 9)
GRIDS = st.one_of(
    st.builds(Grid, st.sampled_from(["grid", "hexes"]), SIZES, SIZES),
    st.builds(Grid, st.sampled_from(["track", "ring"]), st.integers(1, 30)),
)


def opposite(grid: Grid, way: str) -> str:
    return next(str(entry.fields["opposite"]) for entry in grid.directions("Way") if entry.id == way)


@given(GRIDS)
def test_every_place_has_a_name_and_a_point_of_its_own(grid: Grid) -> None:
    assert len(grid.names) == len(set(grid.names)) == len(grid) == len({grid.at(place) for place in range(len(grid))})
    assert len(grid.places("Cell")) == len(grid)


@given(GRIDS)
def test_a_step_can_be_taken_back(grid: Grid) -> None:
    for place in range(len(grid)):
        for way in grid.ways:
            following = grid.step(place, way)
            if following is not None:
                assert grid.step(following, opposite(grid, way)) == place


@given(GRIDS)
def test_rays_are_steps_one_after_the_other(grid: Grid) -> None:
    for place in range(len(grid)):
        between = grid.between(place)
        for way in grid.ways:
            ray = grid.ray(place, way)
            assert place not in ray and len(set(ray)) == len(ray)
            assert ray[:1] == [each for each in [grid.step(place, way)] if each not in (None, place)]
            if grid.form != "ring":
                assert all(between[other] == ray[:number] for number, other in enumerate(ray))


@given(GRIDS)
def test_links_are_single_steps(grid: Grid) -> None:
    around = set(grid.links(corners=True))
    assert set(grid.links(corners=False)) <= around
    steps = {(place, grid.step(place, way)) for place in range(len(grid)) for way in grid.ways}
    assert around == {(one, other) for one, other in steps if other is not None and one < other}
    assert all(set(entry.ends) <= set(grid.names) for entry in grid.edges("Side", True))


@given(SIZES, SIZES, st.integers(2, 5))
def test_how_many_lines_a_grid_has(columns: int, rows: int, length: int) -> None:
    across, up = max(0, columns - length + 1), max(0, rows - length + 1)
    assert len(Grid("grid", columns, rows).lines(length)) == across * rows + up * columns + 2 * across * up
    assert len(Grid("hexes", columns, rows).lines(length)) == across * rows + up * columns + across * up


@pytest.mark.parametrize(
    ("grid", "sides", "corners"),
    [
        (Grid("grid", 8, 8), 112, 210), (Grid("hexes", 11, 11), 320, 320),
        (Grid("track", 5), 4, 4), (Grid("ring", 5), 5, 5), (Grid("ring", 1), 0, 0), (Grid("grid", 1, 1), 0, 0),
    ],
)  # fmt: skip
def test_how_many_links_there_are(grid: Grid, sides: int, corners: int) -> None:
    assert (len(grid.links(corners=False)), len(grid.links(corners=True))) == (sides, corners)


def test_the_places_of_small_boards() -> None:
    assert Grid("grid", 3, 2).names == ("a1", "b1", "c1", "a2", "b2", "c2")
    assert Grid("ring", 3).names == ("1", "2", "3")
    assert [Grid("grid", 3, 2).at(place) for place in (0, 5)] == [(0, 1), (2, 0)]
    assert Grid("hexes", 3, 3).at(8) == (3.0, 2)
    assert set(FORMS) == {"grid", "hexes", "track", "ring"}
