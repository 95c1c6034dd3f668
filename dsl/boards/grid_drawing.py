"""What is drawn of a grid that needs no file: the part in use of an unframed one, and the names of columns and rows."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from dsl.boards.grids import Grid

Captions = list[tuple[str, tuple[float, float]]]

RIM = 1
"""The number of empty columns and rows shown around the part of an unframed grid that is in use."""


def window(grid: Grid, used: Collection[int]) -> list[int]:
    """The places of an unframed grid in the smallest rectangle around those in use, and its rim; at first the middle's.

    Of any other grid all places are shown.
    """
    if not grid.unframed:
        return list(range(len(grid)))
    cells = [grid.cells[place] for place in used] or [(grid.columns // 2, grid.rows // 2)]
    left, right = min(column for column, _ in cells) - RIM, max(column for column, _ in cells) + RIM
    below, above = min(row for _, row in cells) - RIM, max(row for _, row in cells) + RIM
    return [
        place for place, (column, row) in enumerate(grid.cells) if left <= column <= right and below <= row <= above
    ]


def captions(grid: Grid, places: Sequence[int]) -> Captions:
    """Names of columns and rows, with their coordinates beside the places that are shown."""
    if grid.numbered:
        return _numbers(grid)
    if not places:
        return []
    columns, rows = ({grid.cells[place][axis] for place in places} for axis in (0, 1))
    if grid.form == "hexes":
        letters = [(grid.column_name(column), (column - 0.5, -1.0)) for column in sorted(columns)]
        return [*letters, *((grid.row_name(row), (row / 2 - 1, float(row))) for row in sorted(rows))]
    if grid.form == "hexagon":
        return _around(grid)
    left, below = min(columns) - 1.0, float(grid.rows - min(rows))
    letters = [(grid.column_name(column), (float(column), below)) for column in sorted(columns)]
    return [*letters, *((grid.row_name(row), (left, float(grid.rows - 1 - row))) for row in sorted(rows))]


def _numbers(grid: Grid) -> Captions:
    """The numbers of the places of a track or ring, outside of it."""
    points = [grid.at(place) for place in range(len(grid))]
    below = max((y for _, y in points), default=0)
    beside = (-1.0 if y < below or not below else 2.0 for _, y in points)
    return [(name, (x, y)) for name, (x, _), y in zip(grid.names, points, beside, strict=True)]


def _around(grid: Grid) -> Captions:
    """The letters of a hexagon before the upper end of their columns, its numbers after the right end of their rows."""
    corner = grid.columns // 2
    letters_and_numbers: Captions = []
    for column in range(grid.columns):
        top = max(0, corner - column)
        letters_and_numbers.append((grid.column_name(column), (column + top / 2 - 0.5, top - 1.0)))
    for row in range(grid.rows):
        last = min(grid.columns - 1, 3 * corner - row)
        letters_and_numbers.append((grid.row_name(row), (last + row / 2 + 1.5, float(row))))
    return letters_and_numbers
