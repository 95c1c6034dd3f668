"""The cells of a board at one scale: the positions of nodes and strokes, shared by all pictures at that scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from math import isqrt
from typing import TYPE_CHECKING

from cli.render.board.ink import Stroke, rounded, trace
from interpreter.seat.views.board_drawing import LINE_HEIGHT
from interpreter.seat.views.board_shape import Key, Point, Shape

if TYPE_CHECKING:
    from interpreter.seat.views.model import BoardView

Cell = tuple[int, int]
"""Line and column."""


def parted(board: BoardView) -> BoardView:
    """The board with its blocks a unit apart: between two columns of text there is no room for a line."""

    def moved(point: Point) -> Point:
        x, y = point
        across = {x1 for (x1, y1), (x2, y2) in board.seams if x1 == x2 < x and y1 - 1 <= y <= y2 + 1}
        down = {y1 for (_, y1), (_, y2) in board.seams if y1 == y2 < y}
        return x + len(across), y + len(down)

    if not board.seams:
        return board
    places = tuple(place if place.at is None else replace(place, at=moved(place.at)) for place in board.places)
    return replace(board, places=places, captions=tuple(replace(word, at=moved(word.at)) for word in board.captions))


class Geometry:
    """The cells of a shape at a scale, in text columns and lines per unit.

    `cells` are the centres of nodes and areas, `cores` the nodes by their cells, `traces` the cells of each stroke that
    is drawn along its whole length, `reserved` the same by cell; `tied` are the nodes at which such strokes end,
    `posts` the cells at which borders end.
    """

    def __init__(self, shape: Shape, scale: tuple[int, int]) -> None:
        self.scale = scale
        self.cells = {key: self.cell(point) for key, point in shape.centres.items()}
        self.cores = {self.cells[place.key]: place.key for place in shape.nodes}
        self.traces = {
            place.key: trace(*map(self.cell, shape.points(place)))
            for place in shape.strokes
            if place.key not in shape.crossings
        }
        self.reserved: dict[Cell, list[tuple[Key, Stroke]]] = {}
        for key, strokes in self.traces.items():
            for stroke in strokes:
                self.reserved.setdefault(stroke.cell, []).append((key, stroke))
        self.tied = {end for key in self.traces for end in shape.joined(shape.places[key])}
        self.posts = {
            self.cell(point) for place in shape.strokes if shape.is_border(place) for point in shape.points(place)
        }
        self.corners = {place.key: [self.cell(corner) for corner in shape.outline(place)] for place in shape.areas}
        self._centres: dict[int, list[Cell]] = {}
        for centre in self.cells.values():
            self._centres.setdefault(centre[1], []).append(centre)

    def cell(self, point: Point) -> Cell:
        """The cell of a point of the board."""
        columns, lines = self.scale
        return rounded(point[1] * lines), rounded(point[0] * columns)

    @cached_property
    def columns(self) -> tuple[int, int]:
        """The first and the last column of the board, without the contents of its places."""
        columns = [column for _, column in (*self.cells.values(), *self.reserved)]
        columns += [column for corners in self.corners.values() for _, column in corners]
        return min(columns, default=0), max(columns, default=0)

    def is_nearest(self, key: Key, cell: Cell) -> bool:
        """True if a node is nearer to a cell than any other node or area."""
        own_distance = distance(self.cells[key], cell)
        reach = isqrt(own_distance)
        near = (self._centres.get(column, ()) for column in range(cell[1] - reach, cell[1] + reach + 1))
        return sum(distance(centre, cell) <= own_distance for column in near for centre in column) == 1


def crossings(corners: Sequence[Cell], line: int) -> Iterator[tuple[float, float]]:
    """The columns between which a line runs inside an outline (even-odd rule along the line)."""
    # Corners may lie exactly on the line. Slightly below it there are none, so that each edge is crossed or not, and
    # the crossings of an outline come in pairs.
    height = line + 1e-6
    meets = sorted(
        column + (height - top) * (end - column) / (bottom - top)
        for (top, column), (bottom, end) in zip(corners, [*corners[1:], corners[0]], strict=True)
        if (top > height) != (bottom > height)
    )
    return zip(meets[::2], meets[1::2], strict=False)


@lru_cache(maxsize=64)
def geometry(shape: Shape, scale: tuple[int, int]) -> Geometry:
    """The geometry of a shape at a scale, computed once."""
    return Geometry(shape, scale)


def distance(cell: Cell, target: Cell) -> int:
    """The square of the distance between two cells, in column widths."""
    return (LINE_HEIGHT * (cell[0] - target[0])) ** 2 + (cell[1] - target[1]) ** 2
