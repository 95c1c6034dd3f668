"""The outlines of a board at the size at which a page draws it, with room for what its places can hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import filterfalse
from math import dist, prod
from typing import Literal

from dsl.lazy_dataclasses import dataclass
from interpreter.seat.views.board_shape import Key, Place, Point, Shape, size_in_places
from interpreter.seat.views.model import BlockView, Caption

NEAREST = {"node": 42, "area": 54}
"""Distance between the two nearest places of a kind that can hold something, in units of the drawing."""
LINE_HEIGHT = 2
"""The height of a line of text in columns, approximately."""

MIN_TILES, MIN_TILED_SHARE = 4, 0.6
"""Fewest tiles of a board, and the least share of the rectangles of its lists that they fill."""

DrawnKind = Literal["area", "stroke", "node"]


@dataclass(frozen=True)
class DrawnPlace:
    """A place of the drawing: `points` are the corners of an area, the ends of a stroke."""

    key: Key
    kind: DrawnKind
    name: str
    at: Point
    points: tuple[Point, ...]


@dataclass(frozen=True)
class BoardDrawing:
    """Places in the order in which they are drawn, areas first and borders last, and the words beside the board.

    `seams` are lines between `blocks` of places. `linked` is true if any strokes lead from place to place.
    """

    places: tuple[DrawnPlace, ...]
    captions: tuple[Caption, ...]
    seams: tuple[tuple[Point, Point], ...]
    blocks: tuple[BlockView, ...]
    linked: bool


@lru_cache(maxsize=16)
def drawing_of(shape: Shape, tabled: frozenset[str]) -> BoardDrawing:
    """The drawing of a board; the places of `tabled` lists can hold something."""
    scale = _scale(shape, tabled)

    def at(point: Point) -> Point:
        return round(point[0] * scale[0], 1), round(point[1] * scale[1], 1)

    def drawn(place: Place, kind: DrawnKind, centre: Point, points: Sequence[Point]) -> DrawnPlace:
        return DrawnPlace(place.key, kind, place.name or place.key[1], at(centre), tuple(map(at, points)))

    def places() -> Iterator[DrawnPlace]:
        for place in shape.areas:
            yield drawn(place, "area", shape.centres[place.key], shape.outline(place))
        strokes = [place for place in shape.strokes if place.key not in shape.crossings]
        yield from map(stroke, filterfalse(shape.is_border, strokes))
        for place in shape.nodes:
            yield drawn(place, "node", shape.centres[place.key], ())
        yield from map(stroke, filter(shape.is_border, strokes))

    def stroke(place: Place) -> DrawnPlace:
        (x, y), (to_x, to_y) = ends = shape.points(place)
        return drawn(place, "stroke", ((x + to_x) / 2, (y + to_y) / 2), ends)

    captions = tuple(Caption(caption.text, at(caption.at)) for caption in shape.captions)
    seams = tuple((at(start), at(end)) for start, end in shape.seams)
    blocks = tuple(replace(block, start=at(block.start), end=at(block.end)) for block in shape.blocks)
    return BoardDrawing(tuple(places()), captions, seams, blocks, not all(map(shape.is_border, shape.strokes)))


def tiles_of(drawing: BoardDrawing) -> dict[Key, tuple[Point, ...]]:
    """The corners of the places as tiles, if the board is nothing but a lattice of them and borders; else empty.

    Tiles are squares; if every second row or each row further is shifted by half a tile, hexagons.
    """
    side, places = NEAREST["node"], [place for place in drawing.places if place.kind == "node"]
    if drawing.linked or any(place.kind == "area" for place in drawing.places) or len(places) < MIN_TILES:
        return {}
    left, top = (min(place.at[axis] for place in places) for axis in (0, 1))
    rows = {place.key: ((place.at[0] - left) / side, (place.at[1] - top) / side) for place in places}
    is_shifted = any(x % 1 for x, _ in rows.values())
    if any(x * 2 % 1 or y % 1 for x, y in rows.values()):
        return {}
    points_by_list: dict[str, list[Point]] = {}
    for place in places:
        points_by_list.setdefault(place.key[0], []).append(rows[place.key])
    if len(places) < MIN_TILED_SHARE * sum(prod(size_in_places(points)) for points in points_by_list.values()):
        return {}
    half, third = side / 2, side / 6
    square = ((-half, -half), (half, -half), (half, half), (-half, half))
    hexagon = (
        (0, -half - third),
        (half, -half + third),
        (half, half - third),
        (0, half + third),
        (-half, half - third),
        (-half, -half + third),
    )
    corners = hexagon if is_shifted else square
    return {
        place.key: tuple((round(place.at[0] + x, 1), round(place.at[1] + y, 1)) for x, y in corners) for place in places
    }


def _scale(shape: Shape, tabled: frozenset[str]) -> Point:
    """The factors from board coordinates to those of the drawing."""
    columns, lines = shape.drawing or (LINE_HEIGHT, 1)
    across, down = float(columns), float(lines * LINE_HEIGHT)
    kinds = {"node": shape.nodes, "area": shape.areas}
    holding = {kind: [place for place in places if place.key[0] in tabled] for kind, places in kinds.items()}
    factors = [
        NEAREST[kind] / nearest
        for kind, places in (holding if any(holding.values()) else kinds).items()
        if (nearest := _nearest([shape.centres[place.key] for place in places], across, down))
    ]
    factor = max(factors, default=NEAREST["node"] / down)
    return across * factor, down * factor


def _nearest(points: Sequence[Point], across: float, down: float) -> float:
    """The smallest distance between two different points; 0 if there are no two."""
    scaled = sorted({(x * across, y * down) for x, y in points})
    return min(
        (dist(point, neighbour) for number, point in enumerate(scaled) for neighbour in scaled[:number]), default=0.0
    )
