"""Boards that need no file: what holds for the geometry of every size."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsl.boards.grids import FORMS, Grid, captions, window

SIZES = st.integers(1, 9)
WHOLE = st.one_of(
    st.builds(Grid.of, st.sampled_from(["grid", "hexes"]), SIZES, SIZES),
    st.builds(Grid.of, st.sampled_from(["track", "ring"]), st.integers(1, 30)),
    st.builds(Grid.of, st.sampled_from(["plane", "hexagon"]), st.integers(1, 5)),
)


@st.composite
def with_holes(draw: st.DrawFn) -> Grid:
    grid = draw(WHOLE)
    return replace(grid, holes=frozenset(draw(st.lists(st.sampled_from(grid.names), max_size=len(grid) - 1))))


GRIDS = st.one_of(WHOLE, with_holes())


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
        (Grid.of("hexagon", 3), 42, 42), (Grid.of("plane", 2), 40, 72), (Grid.of("hexagon", 1), 0, 0),
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
    assert Grid.of("hexagon", 2).names == ("b1", "c1", "a2", "b2", "c2", "a3", "b3")
    assert Grid.of("plane", 1).names == ("w1s1", "e0s1", "e1s1", "w1n0", "e0n0", "e1n0", "w1n1", "e0n1", "e1n1")
    assert Grid.of("grid", 2, 2, holes=frozenset({"b1"})).names == ("a1", "a2", "b2")
    assert set(FORMS) == {"grid", "hexes", "hexagon", "plane", "track", "ring"}


@given(st.integers(1, 13))
def test_a_hexagon_has_three_times_as_many_lines_as_rows(side: int) -> None:
    grid = Grid.of("hexagon", side)
    assert len(grid) == 3 * side * side - 3 * side + 1
    middle = grid.cells.index((side - 1, side - 1))
    assert all(len(grid.ray(middle, way)) == side - 1 for way in grid.ways)


@given(WHOLE, st.data())
def test_a_hole_is_where_steps_and_rays_end(grid: Grid, data: st.DataObject) -> None:
    hole = data.draw(st.sampled_from(grid.names))
    holed = replace(grid, holes=frozenset({hole}))
    for place, name in enumerate(holed.names):
        for way in grid.ways:
            was = grid.step(grid.names.index(name), way)
            now = holed.step(place, way)
            assert (None if now is None else holed.names[now]) == (
                None if was is None or grid.names[was] == hole else grid.names[was]
            )


@given(st.integers(1, 6), st.data())
def test_of_a_plane_the_part_in_use_is_shown_with_its_rim(steps: int, data: st.DataObject) -> None:
    grid = Grid.of("plane", steps)
    used = data.draw(st.frozensets(st.integers(0, len(grid) - 1)))
    shown = set(window(grid, used))
    around = {other for place in used for way in grid.ways if (other := grid.step(place, way)) is not None}
    assert used | around <= shown or not used
    assert grid.names.index("e0n0") in shown or used
    columns, rows = ({grid.cells[place][axis] for place in shown} for axis in (0, 1))
    assert len(shown) == len(columns) * len(rows)
    written = captions(grid, sorted(shown))
    assert sorted(text for text, _ in written) == sorted(
        [*map(grid.column_name, columns), *map(grid.row_name, rows)]
    )  # fmt: skip
    points = {grid.at(place) for place in shown}
    assert not points & {at for _, at in written}


@given(GRIDS.filter(lambda grid: not grid.numbered))
def test_no_two_captions_are_in_one_point(grid: Grid) -> None:
    written = captions(grid, range(len(grid)))
    assert len({at for _, at in written}) == len(written)


@given(GRIDS.filter(lambda grid: grid.form == "hexes"), st.data())
def test_captions_of_hexagons_are_beside_their_column_or_row_however_many_are_missing(
    grid: Grid, data: st.DataObject
) -> None:
    left = sorted(data.draw(st.frozensets(st.integers(0, len(grid) - 1), min_size=1)))
    written = captions(grid, left)
    assert len({at for _, at in written}) == len(written)
    cells = [(grid.cells[place], grid.at(place)) for place in left]
    for text, (x, y) in written:
        line = [at for (column, row), at in cells if text in (grid.column_name(column), grid.row_name(row))]
        assert min(abs(x - at[0]) + abs(y - at[1]) for at in line) <= 1.5
        assert (x, y) not in {at for _, at in cells}
