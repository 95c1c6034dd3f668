"""The shape of a board: which of its places are nodes, strokes between them, or areas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from cli.render.board.ink import Stroke, rounded, trace
from dsl.lazy_dataclasses import dataclass

if TYPE_CHECKING:
    from interpreter.seat.views.model import BoardView, PlaceView


Key = tuple[str, str]
"""The list a place belongs to, and its name in the rules."""
Point = tuple[float, float]


@dataclass(frozen=True)
class Place:
    """A place as the board describes it.

    `ends` and `ring` are the places it refers to, `within` the names of those it lies in, outermost first, and `traits`
    its attributes in the rules.
    """

    key: Key
    name: str | None
    mark: str | None
    at: Point | None
    ends: tuple[Key, ...]
    ring: tuple[Key, ...]
    within: tuple[str, ...]
    traits: Mapping[str, str]


class Shape:
    """The places of a board by their shape.

    A place with a ring is an area, one with two ends is a stroke, any other with a position is a node. Places that
    cannot be drawn are `homeless`. A stroke between two areas crosses the stroke they have in common.
    """

    def __init__(self, board: BoardView) -> None:
        self.places = self._read(board.places)
        self.drawing, self.captions = board.drawing, board.captions
        everything = self.places.values()
        self.areas = [place for place in everything if place.ring and self.outline(place)]
        self.strokes = [place for place in everything if not place.ring and self._spans(place)]
        drawn = {place.key for place in (*self.areas, *self.strokes)}
        self.nodes = [place for place in everything if place.key not in drawn and place.at is not None]
        drawn |= {place.key for place in self.nodes}
        self.homeless = [place for place in everything if place.key not in drawn]
        self.crossings = {place.key: crossed for place in self.strokes if (crossed := self._crossed(place))}

    @staticmethod
    def _read(entries: Sequence[PlaceView]) -> dict[Key, Place]:
        lists: dict[str, list[str]] = {}
        for entry in entries:
            lists.setdefault(entry.id, []).append(entry.list)

        def keys(names: Sequence[str]) -> tuple[Key, ...]:
            return tuple((lists[name][0], name) for name in names if name in lists)

        return {
            (entry.list, entry.id): Place(
                (entry.list, entry.id),
                entry.name,
                entry.mark,
                entry.at,
                keys(entry.ends),
                keys(entry.edges),
                entry.within,
                entry.traits,
            )
            for entry in entries
        }

    @cached_property
    def centres(self) -> dict[Key, Point]:
        """The centre of every node and area: as given by the board, or the middle of its outline."""
        centres = {place.key: place.at for place in self.places.values() if place.at is not None and not place.ends}
        for place in self.places.values():
            if place.ring and place.at is None and (corners := self.outline(place)):
                centres[place.key] = (
                    sum(x for x, _ in corners) / len(corners),
                    sum(y for _, y in corners) / len(corners),
                )
        return centres

    def outline(self, place: Place) -> list[Point]:
        """The corners of an area in order; empty if some have no position."""
        rings = [self.places[key].ends for key in place.ring]
        if len(rings) < 2 or any(len(ends) != 2 for ends in rings):
            return []
        # Edges have no direction. The outline begins where the first edge does not touch the second, and follows from
        # there.
        shared = set(rings[0]) & set(rings[1])
        corner = next((end for end in rings[0] if end not in shared), rings[0][0])
        corners: list[Point] = []
        for ends in rings:
            at = self.places[corner].at
            if corner not in ends or at is None:
                return []
            corners.append(at)
            corner = ends[1] if ends[0] == corner else ends[0]
        return corners

    def points(self, place: Place) -> tuple[Point, Point]:
        """The two end points of a stroke."""
        first, second = (self.centres[end] for end in place.ends)
        return first, second

    def _spans(self, place: Place) -> bool:
        return len(place.ends) == 2 and all(end in self.centres for end in place.ends)

    def _crossed(self, place: Place) -> Key | None:
        """The stroke between the two areas that this stroke links."""
        first, second = (self.places[end] for end in place.ends)
        between = [key for key in first.ring if key in second.ring]
        return between[0] if between else None


@lru_cache(maxsize=16)
def shape_of(board: BoardView) -> Shape:
    """The shape of a board, computed once; the same object for equal boards."""
    return Shape(board)


# ---------------- the cells of a board at one scale: the positions of nodes and strokes, shared by all pictures at
# that scale


Cell = tuple[int, int]
"""Line and column."""
TALL = 2
"""Height of a line in column widths, approximately."""


class Geometry:
    """The cells of a shape at a scale, in text columns and lines per unit.

    `cells` are the centres of nodes and areas, `cores` the nodes by their cells, `traces` the cells of each stroke that
    is drawn along its whole length, `reserved` the same by cell; `tied` are the nodes at which such strokes end.
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
        self.tied = {end for key in self.traces for end in shape.places[key].ends}
        self.corners = {place.key: [self.cell(corner) for corner in shape.outline(place)] for place in shape.areas}
        self._nearest: dict[Cell, Key | None] = {}

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
        if cell not in self._nearest:
            ranked = sorted((distance(centre, cell), number) for number, centre in enumerate(self.cells.values()))
            alone = len(ranked) == 1 or ranked[0][0] < ranked[1][0]
            self._nearest[cell] = list(self.cells)[ranked[0][1]] if alone else None
        return self._nearest[cell] == key


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
    return (TALL * (cell[0] - target[0])) ** 2 + (cell[1] - target[1]) ** 2
