"""The outlines of a board at the size at which a page draws it, with room for what its places can hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import dist
from typing import Literal

from dsl.lazy_dataclasses import dataclass
from interpreter.seat.views.board_shape import Key, Place, Point, Shape
from interpreter.seat.views.model import Caption

NEAREST = {"node": 42, "area": 54}
"""Distance between the two nearest places of a kind that can hold something, in units of the drawing."""
TALL = 2
"""Height of a line of text in columns, for boards that are described in columns and lines."""

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
    """Places in the order in which they are drawn, areas first, and the words beside the board."""

    places: tuple[DrawnPlace, ...]
    captions: tuple[Caption, ...]


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
        for place in shape.strokes:
            if place.key not in shape.crossings:
                (x, y), (to_x, to_y) = ends = shape.points(place)
                yield drawn(place, "stroke", ((x + to_x) / 2, (y + to_y) / 2), ends)
        for place in shape.nodes:
            yield drawn(place, "node", shape.centres[place.key], ())

    captions = tuple(Caption(caption.text, at(caption.at)) for caption in shape.captions)
    return BoardDrawing(tuple(places()), captions)


def _scale(shape: Shape, tabled: frozenset[str]) -> Point:
    """The factors from board coordinates to those of the drawing."""
    columns, lines = shape.drawing or (TALL, 1)
    across, down = float(columns), float(lines * TALL)
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
