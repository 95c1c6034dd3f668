"""The shape of a board: which of its places are nodes, strokes between them, or areas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache

from dsl.lazy_dataclasses import dataclass
from interpreter.seat.views.model import BoardView, PlaceView

Key = tuple[str, str]
"""The list a place belongs to, and its name in the rules."""
Point = tuple[float, float]

HEXAGON_SIDE = 3**-0.5
"""The side of a hexagon, as a share of the distance between its centre and that of the next one."""


def size_in_places(points: Iterable[Point]) -> tuple[float, float]:
    """The number of columns and of rows of the smallest rectangle that holds places at these points."""
    across, down = zip(*points, strict=True)
    return max(across) - min(across) + 1, max(down) - min(down) + 1


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
    cannot be drawn are `homeless`. A stroke between two areas crosses the stroke they have in common. A stroke
    of a list of `borders` does not join its ends but runs between them. `copies` are the names of the copies
    of a board.
    """

    def __init__(self, board: BoardView) -> None:
        self.places = self._read(board.places)
        self.drawing, self.captions = board.drawing, board.captions
        self.seams, self.blocks = board.seams, board.blocks
        self.borders = frozenset(board.borders)
        self.copies = frozenset(name.partition("[")[2].removesuffix("]") for name, _ in self.places)
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
        lists = {entry.id: entry.list for entry in reversed(entries)}
        places: dict[Key, Place] = {}
        for entry in entries:
            # The places of two grids may have the same names: the edges of each follow its own places.
            lists[entry.id] = entry.list
            ends = tuple((lists[name], name) for name in entry.ends if name in lists)
            ring = tuple((lists[name], name) for name in entry.edges if name in lists)
            key = entry.list, entry.id
            places[key] = Place(key, entry.name, entry.mark, entry.at, ends, ring, entry.within, entry.traits)
        return places

    @cached_property
    def unique_names(self) -> dict[Key, str]:
        """The name of each place; with that of its list where places of several lists have the same."""
        times = Counter(name for _, name in self.places)
        return {key: key[1] if times[key[1]] == 1 else " ".join(key) for key in self.places}

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
        """The two end points of a stroke; of a border, which is as long as the link, at both sides of the link."""
        (x, y), (to_x, to_y) = (self.centres[end] for end in place.ends)
        if not self.is_border(place):
            return (x, y), (to_x, to_y)
        middle, length = ((x + to_x) / 2, (y + to_y) / 2), self._border_lengths[place.key[0]]
        across, down = (to_y - y) * length / 2, (to_x - x) * length / 2
        return (middle[0] + across, middle[1] - down), (middle[0] - across, middle[1] + down)

    def is_border(self, place: Place) -> bool:
        """Whether a stroke runs between its ends."""
        return place.key[0] in self.borders

    def joined(self, place: Place) -> tuple[Key, ...]:
        """The places at which a stroke ends."""
        return () if self.is_border(place) else place.ends

    @cached_property
    def _border_lengths(self) -> dict[str, float]:
        """How long the borders of a list are, as a share of their links, so that those around a place meet."""
        lengths: dict[str, float] = {}
        for place in self.strokes:
            (x, y), (to_x, to_y) = (self.centres[end] for end in place.ends)
            is_slanted = x != to_x and y != to_y
            lengths[place.key[0]] = HEXAGON_SIDE if is_slanted else lengths.get(place.key[0], 1)
        return lengths

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
