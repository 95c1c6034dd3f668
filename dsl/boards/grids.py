"""Boards that need no file: squares, hexagons, tracks and rings, as places with coordinates and directions.

Squares are numbered as on a chessboard: `a1` is the lower left, letters go east, numbers north. Hexagons form a rhombus
whose rows lean to the right; `a1` is the upper left, numbers go down. The axial coordinates of hexagons follow Amit
Patel, *Hexagonal Grids* (2013).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

from dsl.boards.model import Entry

Step = tuple[int, int]
"""Change in column and row."""

LETTERS = "abcdefghijklmnopqrstuvwxyz"

COMPASS: Mapping[str, Step] = MappingProxyType({
    "north": (0, 1), "northeast": (1, 1), "east": (1, 0), "southeast": (1, -1),
    "south": (0, -1), "southwest": (-1, -1), "west": (-1, 0), "northwest": (-1, 1),
})  # fmt: skip
SIX_WAYS: Mapping[str, Step] = MappingProxyType({
    "northeast": (1, -1), "east": (1, 0), "southeast": (0, 1),
    "southwest": (-1, 1), "west": (-1, 0), "northwest": (0, -1),
})  # fmt: skip
TWO_WAYS: Mapping[str, Step] = MappingProxyType({"ahead": (1, 0), "back": (-1, 0)})


@dataclass(frozen=True)
class Form:
    """A form of grid: the names of its sizes, and its directions."""

    sizes: tuple[str, ...]
    ways: Mapping[str, Step]


FORMS: Mapping[str, Form] = MappingProxyType({
    "grid": Form(("columns", "rows"), COMPASS),
    "hexes": Form(("columns", "rows"), SIX_WAYS),
    "track": Form(("places",), TWO_WAYS),
    "ring": Form(("places",), TWO_WAYS),
})  # fmt: skip


@dataclass(frozen=True)
class Grid:
    """The places of one grid. Places are identified by their position, row by row from 0."""

    form: str
    columns: int
    rows: int = 1

    @property
    def ways(self) -> Mapping[str, Step]:
        """The directions by name, in order."""
        return FORMS[self.form].ways

    @property
    def numbered(self) -> bool:
        """True if the places are called 1, 2, 3, …; otherwise by letter and number."""
        return self.form in ("track", "ring")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of all places, in order."""
        if self.numbered:
            return tuple(str(number) for number in range(1, self.columns + 1))
        return tuple(f"{LETTERS[column]}{row + 1}" for row in range(self.rows) for column in range(self.columns))

    def __len__(self) -> int:
        return self.columns * self.rows

    def step(self, place: int, way: str) -> int | None:
        """The next place in a direction, or None at the rim. A ring has no rim."""
        across, along = self.ways[way]
        row, column = divmod(place, self.columns)
        row, column = row + along, column + across
        if self.form == "ring":
            return column % self.columns
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            return None
        return row * self.columns + column

    def ray(self, place: int, way: str) -> list[int]:
        """The places in a direction, nearest first; around a ring every other place once."""
        found: list[int] = []
        following = self.step(place, way)
        while following is not None and following != place and following not in found[:1]:
            found.append(following)
            following = self.step(following, way)
        return found

    def between(self, place: int) -> dict[int, list[int]]:
        """For each place in a straight line with `place`, those between them; around a ring, going forward."""
        found: dict[int, list[int]] = {}
        for way in self.ways:
            seen = self.ray(place, way)
            for number, other in enumerate(seen):
                found.setdefault(other, seen[:number])
        return found

    def lines(self, length: int) -> list[list[int]]:
        """All straight lines of `length` places, each once, ordered by their first places."""
        found: dict[tuple[int, ...], list[int]] = {}
        for place in range(len(self)):
            for way in self.ways if length > 1 else list(self.ways)[:1]:
                line = [place, *self.ray(place, way)[: length - 1]]
                if len(line) == length:
                    found.setdefault(tuple(sorted(line)), line)
        return list(found.values())

    def links(self, corners: bool) -> list[tuple[int, int]]:
        """Pairs of places with a common side, and with `corners` also those with a common corner; each once."""
        found: dict[tuple[int, int], None] = {}
        for place in range(len(self)):
            for way, step in self.ways.items():
                other = self.step(place, way)
                diagonal = self.form == "grid" and 0 not in step
                if other is not None and other != place and (corners or not diagonal):
                    found[min(place, other), max(place, other)] = None
        return list(found)

    # ------------------------------------------------------------ drawing

    def at(self, place: int) -> tuple[float, float]:
        """Coordinates at which a place is drawn: x to the right, y down. A ring is two rows, the first half below."""
        row, column = divmod(place, self.columns)
        match self.form:
            case "grid":
                return column, self.rows - 1 - row
            case "hexes":
                return column + row / 2, row
            case "ring" if self.columns > 3:
                half = (self.columns + 1) // 2
                return (column, 1) if column < half else (self.columns - 1 - column, 0)
            case _:
                return column, 0

    def captions(self) -> list[tuple[str, tuple[float, float]]]:
        """Names of columns and rows, with their coordinates beside the places."""
        if self.numbered:
            points = [self.at(place) for place in range(len(self))]
            below = max(y for _, y in points)
            beside = (-1.0 if y < below or not below else 2.0 for _, y in points)
            return [(name, (x, y)) for name, (x, _), y in zip(self.names, points, beside, strict=True)]
        if self.form == "hexes":
            letters = [(LETTERS[column], (column - 0.5, -1.0)) for column in range(self.columns)]
            return [*letters, *((str(row + 1), (row / 2 - 1, float(row))) for row in range(self.rows))]
        letters = [(LETTERS[column], (float(column), float(self.rows))) for column in range(self.columns)]
        return [*letters, *((str(row + 1), (-1.0, float(self.rows - 1 - row))) for row in range(self.rows))]

    # ------------------------------------------------------------ as entries of a board

    def places(self, path: str) -> tuple[Entry, ...]:
        """The places as entries of a board, with `column` and `row` if they have two coordinates."""

        def fields(place: int) -> dict[str, int]:
            row, column = divmod(place, self.columns)
            return {} if self.numbered else {"column": column + 1, "row": row + 1}

        return tuple(entry(name, path, at=self.at(n), fields=fields(n)) for n, name in enumerate(self.names))

    def edges(self, path: str, corners: bool) -> tuple[Entry, ...]:
        """The links as entries of a board, each with two `ends`."""
        pairs = ((self.names[one], self.names[other]) for one, other in self.links(corners))
        return tuple(
            entry(f"{'p' if self.numbered else ''}{one}_{other}", path, ends=(one, other)) for one, other in pairs
        )

    def directions(self, path: str) -> tuple[Entry, ...]:
        """The directions as entries of a board: change in column and row, and the direction back."""
        found = []
        for way, (across, along) in self.ways.items():
            opposite = next(name for name, step in self.ways.items() if step == (-across, -along))
            change = {} if self.numbered else {"columns": across, "rows": along}
            found.append(entry(way, path, fields={**change, "opposite": opposite}))
        return tuple(found)


def entry(
    name: str,
    path: str,
    at: tuple[float, float] | None = None,
    ends: tuple[str, ...] = (),
    fields: Mapping[str, Any] = MappingProxyType({}),
) -> Entry:
    """Create an entry that is not in a file."""
    return Entry(name, (path,), (), None, None, at, ends, (), fields, {}, ())
