"""Boards that need no file: squares, hexagons, tracks and rings, as places with coordinates and directions.

Squares are numbered as on a chessboard: `a1` is the lower left, letters go east, after `z` with `aa`, numbers north.
Hexagons form a rhombus whose rows lean to the right; `a1` is the upper left, numbers go down. A hexagon of hexagons is
such a rhombus without two of its corners. The axial coordinates of hexagons follow Amit Patel, *Hexagonal Grids*
(2013). A plane is a grid around a middle, from which its places are named: `e2n1` is two to the east and one to the
north of `e0n0`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

from dsl.boards.model import Entry
from dsl.lazy_dataclasses import dataclass

Offset = tuple[int, int]
"""Change in column and row."""
Point = tuple[float, float]

LETTERS = "abcdefghijklmnopqrstuvwxyz"
MAX_LETTERED_COLUMNS = len(LETTERS) * (len(LETTERS) + 1)
"""How many columns one or two letters can name."""

COMPASS: Mapping[str, Offset] = MappingProxyType({
    "north": (0, 1), "northeast": (1, 1), "east": (1, 0), "southeast": (1, -1),
    "south": (0, -1), "southwest": (-1, -1), "west": (-1, 0), "northwest": (-1, 1),
})  # fmt: skip
SIX_WAYS: Mapping[str, Offset] = MappingProxyType({
    "northeast": (1, -1), "east": (1, 0), "southeast": (0, 1),
    "southwest": (-1, 1), "west": (-1, 0), "northwest": (0, -1),
})  # fmt: skip
TWO_WAYS: Mapping[str, Offset] = MappingProxyType({"ahead": (1, 0), "back": (-1, 0)})


@dataclass(frozen=True)
class GridForm:
    """A form of grid: the names of its sizes, and its directions."""

    sizes: tuple[str, ...]
    ways: Mapping[str, Offset]


FORMS: Mapping[str, GridForm] = MappingProxyType({
    "grid": GridForm(("columns", "rows"), COMPASS),
    "hexes": GridForm(("columns", "rows"), SIX_WAYS),
    "hexagon": GridForm(("side",), SIX_WAYS),
    "plane": GridForm(("steps",), COMPASS),
    "track": GridForm(("places",), TWO_WAYS),
    "ring": GridForm(("places",), TWO_WAYS),
})  # fmt: skip


BLOCKS = "blocks"
"""What the blocks of a grid are taken from, such as the small boards of a large one."""
EDGES = ("beside", "around", "borders")
"""What the edges of a grid are taken from: links of places, also those of corners, or what lies between places."""


@dataclass(frozen=True)
class Grid:
    """The places of one grid, within a frame of columns and rows, except for `holes` (names of places).

    Places are identified by their position, row by row from 0. `block` is set if the places are blocks of another grid:
    the columns and rows of each. They are named by the corners of these: `a1_c3`.
    """

    form: str
    columns: int
    rows: int = 1
    holes: frozenset[str] = frozenset()
    block: Offset | None = None

    @staticmethod
    def of(form: str, *sizes: int, holes: frozenset[str] = frozenset()) -> Grid:
        """The grid of a form with its sizes as the rules give them."""
        match form:
            case "hexagon":
                frame = (2 * sizes[0] - 1, 2 * sizes[0] - 1)
            case "plane":
                frame = (2 * sizes[0] + 1, 2 * sizes[0] + 1)
            case _:
                frame = (sizes[0], sizes[1] if len(sizes) > 1 else 1)
        return Grid(form, *frame, holes)

    @property
    def ways(self) -> Mapping[str, Offset]:
        """The directions by name, in order."""
        return FORMS[self.form].ways

    @property
    def numbered(self) -> bool:
        """True if the places are called 1, 2, 3, …; otherwise by their column and row."""
        return self.form in ("track", "ring")

    @property
    def unframed(self) -> bool:
        """True if only the part of the grid that is in use is drawn."""
        return self.form == "plane"

    @cached_property
    def cells(self) -> tuple[Offset, ...]:
        """The column and row of each place, from 0 within the frame."""
        every = ((column, row) for row in range(self.rows) for column in range(self.columns))
        return tuple(cell for cell in every if self._inside(cell) and self._name(cell) not in self.holes)

    def _inside(self, cell: Offset) -> bool:
        """True if a cell of the frame belongs to the form."""
        corner = self.columns // 2
        return self.form != "hexagon" or corner <= sum(cell) <= 3 * corner

    @cached_property
    def _numbers(self) -> Mapping[Offset, int]:
        return {cell: number for number, cell in enumerate(self.cells)}

    def _name(self, cell: Offset) -> str:
        column, row = cell
        if self.numbered:
            return str(column + 1)
        if self.form == "plane":
            return self.column_name(column) + self.row_name(row)
        if self.block is not None:
            (wide, high), corners = self.block, Grid(self.form, 1)
            last = corners.column_name((column + 1) * wide - 1), (row + 1) * high
            return f"{corners.column_name(column * wide)}{row * high + 1}_{last[0]}{last[1]}"
        return f"{self.column_name(column)}{row + 1}"

    def column_name(self, column: int) -> str:
        """The part of the names of places that tells their column."""
        if self.form != "plane":
            first, second = divmod(column, len(LETTERS))
            return LETTERS[first - 1] * (first > 0) + LETTERS[second]
        east = column - self.columns // 2
        return f"{'e' if east >= 0 else 'w'}{abs(east)}"

    def row_name(self, row: int) -> str:
        """The part of the names of places that tells their row."""
        if self.form != "plane":
            return str(row + 1)
        north = row - self.rows // 2
        return f"{'n' if north >= 0 else 's'}{abs(north)}"

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of all places, in order."""
        return tuple(map(self._name, self.cells))

    def cell_named(self, name: str) -> Offset | None:
        """The column and row, from 0, of the place of a name; None if there is none."""
        return self.cells[self.names.index(name)] if name in self.names else None

    def coordinates(self, place: int) -> Offset:
        """The column and row of a place as rules know them: from 1, on a plane from its middle."""
        column, row = self.cells[place]
        first = -(self.columns // 2) if self.form == "plane" else 1
        return column + first, row + first

    def __len__(self) -> int:
        return len(self.cells)

    def step(self, place: int, way: str) -> int | None:
        """The next place in a direction, or None at the rim and at a hole. A ring has no rim."""
        across, along = self.ways[way]
        column, row = self.cells[place]
        column, row = column + across, row + along
        return self._numbers.get((column % self.columns if self.form == "ring" else column, row))

    def ray(self, place: int, way: str) -> list[int]:
        """The places in a direction, nearest first; around a ring every other place once."""
        places: list[int] = []
        following = self.step(place, way)
        while following is not None and following != place and following not in places[:1]:
            places.append(following)
            following = self.step(following, way)
        return places

    def between(self, place: int) -> dict[int, list[int]]:
        """For each place in a straight line with `place`, those between them; around a ring, going forward."""
        between: dict[int, list[int]] = {}
        for way in self.ways:
            seen = self.ray(place, way)
            for number, reached in enumerate(seen):
                between.setdefault(reached, seen[:number])
        return between

    def lines(self, length: int) -> list[list[int]]:
        """All straight lines of `length` places, each once, ordered by their first places."""
        line_of_places: dict[tuple[int, ...], list[int]] = {}
        for place in range(len(self)):
            for way in self.ways if length > 1 else list(self.ways)[:1]:
                line = [place, *self.ray(place, way)[: length - 1]]
                if len(line) == length:
                    line_of_places.setdefault(tuple(sorted(line)), line)
        return list(line_of_places.values())

    def links(self, corners: bool) -> list[tuple[int, int]]:
        """Pairs of places with a common side, and with `corners` also those with a common corner; each once."""
        pairs: dict[tuple[int, int], None] = {}
        for place in range(len(self)):
            for way, step in self.ways.items():
                neighbour = self.step(place, way)
                diagonal = self.ways is COMPASS and 0 not in step
                if neighbour is not None and neighbour != place and (corners or not diagonal):
                    pairs[min(place, neighbour), max(place, neighbour)] = None
        return list(pairs)

    def blocks(self, wide: int, high: int) -> Grid:
        """The grid whose places are blocks of this one, by their columns and rows; a block of holes is a hole."""
        blocks = Grid(self.form, self.columns // wide, self.rows // high, block=(wide, high))
        empty = (cell for cell in blocks.cells if not blocks.within(self, cell))
        return replace(blocks, holes=frozenset(map(blocks._name, empty)))

    def within(self, grid: Grid, cell: Offset) -> tuple[str, ...]:
        """The names of the places of a grid that are in one of these blocks, given by its column and row."""
        wide, high = self.block or (1, 1)
        named = zip(grid.names, grid.cells, strict=True)
        return tuple(name for name, (column, row) in named if (column // wide, row // high) == cell)

    def seams(self) -> Iterator[tuple[Point, Point]]:
        """The lines between blocks, in the coordinates at which the places of the blocks are drawn."""
        wide, high = self.block or (1, 1)
        right, below = self.columns * wide - 0.5, self.rows * high - 0.5
        for column in range(1, self.columns):
            yield (column * wide - 0.5, -0.5), (column * wide - 0.5, below)
        for row in range(1, self.rows):
            yield (-0.5, row * high - 0.5), (right, row * high - 0.5)

    def corners(self, place: int) -> tuple[Point, Point]:
        """The upper left and lower right of a block, in the same coordinates."""
        (column, row), (wide, high) = self.cells[place], self.block or (1, 1)
        left, above = column * wide - 0.5, (self.rows - 1 - row) * high - 0.5
        return (left, above), (left + wide, above + high)

    def at(self, place: int) -> tuple[float, float]:
        """Coordinates at which a place is drawn: x to the right, y down. A ring is two rows, the first half below."""
        column, row = self.cells[place]
        match self.form:
            case "grid" | "plane":
                return column, self.rows - 1 - row
            case "hexes" | "hexagon":
                return column + row / 2, row
            case "ring" if self.columns > 3:
                half = (self.columns + 1) // 2
                return (column, 1) if column < half else (self.columns - 1 - column, 0)
            case _:
                return column, 0

    # ------------------------------------------------------------ as entries of a board

    def places(self, path: str) -> tuple[Entry, ...]:
        """The places as entries of a board, with `column` and `row` if they have two coordinates."""

        def fields(place: int) -> dict[str, int]:
            return {} if self.numbered else dict(zip(("column", "row"), self.coordinates(place), strict=True))

        return tuple(entry(name, path, at=self.at(n), fields=fields(n)) for n, name in enumerate(self.names))

    def edges(self, path: str, corners: bool) -> tuple[Entry, ...]:
        """The links as entries of a board, each with two `ends`."""
        pairs = ((self.names[first], self.names[second]) for first, second in self.links(corners))
        return tuple(
            entry(f"{'p' if self.numbered else ''}{first}_{second}", path, ends=(first, second))
            for first, second in pairs
        )

    def directions(self, path: str) -> tuple[Entry, ...]:
        """The directions as entries of a board: change in column and row, and the direction back."""
        entries = []
        for way, (across, along) in self.ways.items():
            opposite = next(name for name, step in self.ways.items() if step == (-across, -along))
            change = {} if self.numbered else {"columns": across, "rows": along}
            entries.append(entry(way, path, fields={**change, "opposite": opposite}))
        return tuple(entries)


def entry(
    name: str,
    path: str,
    at: tuple[float, float] | None = None,
    ends: tuple[str, ...] = (),
    fields: Mapping[str, Any] = MappingProxyType({}),
) -> Entry:
    """Create an entry that is not in a file."""
    return Entry(name, (path,), (), None, None, at, ends, (), fields, {}, ())


# ---------------- what is drawn of a grid that needs no file: the part in use of an unframed one, and the names of
# columns and rows


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
    if not places or grid.block is not None:
        return []
    columns, rows = ({grid.cells[place][axis] for place in places} for axis in (0, 1))
    if grid.form == "hexagon" or (grid.form == "hexes" and len(places) < grid.columns * grid.rows):
        return _around(grid, places)
    if grid.form == "hexes":
        letters = [(grid.column_name(column), (column - 0.5, -1.0)) for column in sorted(columns)]
        return [*letters, *((grid.row_name(row), (row / 2 - 1, float(row))) for row in sorted(rows))]
    left, below = min(columns) - 1.0, float(grid.rows - min(rows))
    letters = [(grid.column_name(column), (float(column), below)) for column in sorted(columns)]
    return [*letters, *((grid.row_name(row), (left, float(grid.rows - 1 - row))) for row in sorted(rows))]


def _numbers(grid: Grid) -> Captions:
    """The numbers of the places of a track or ring, outside of it."""
    points = [grid.at(place) for place in range(len(grid))]
    below = max((y for _, y in points), default=0)
    beside = (-1.0 if y < below or not below else 2.0 for _, y in points)
    return [(name, (x, y)) for name, (x, _), y in zip(grid.names, points, beside, strict=True)]


def _around(grid: Grid, places: Sequence[int]) -> Captions:
    """The letters of hexagons before the upper end of their columns, the numbers after the right end of their rows."""
    top: dict[int, int] = {}
    last: dict[int, int] = {}
    for column, row in sorted(grid.cells[place] for place in places):
        top.setdefault(column, row)
        last[row] = column
    letters = [(grid.column_name(column), (column + row / 2 - 0.5, row - 1.0)) for column, row in top.items()]
    return [*letters, *((grid.row_name(row), (last[row] + row / 2 + 1.5, float(row))) for row in sorted(last))]
