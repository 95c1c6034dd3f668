"""Fells and becks in plain Python, written from the rules in prose and not from the rules file, to compare the two.

The rules: a tile has four sides, each with fell, beck or heath. A tile is laid beside another one, turned in any way,
that all sides that meet show the same; the dale has at most nine columns and nine rows. Sides of a tile with the same
land are joined, except that some tiles keep their fells or their becks apart. Who has laid a tile may post a warden of
their own on one of its fells or becks on which nobody's warden is. Then what the tile has finished (no side of it is
open) is scored and its wardens return: a fell gives two points for each of its tiles and two for each cairn, a beck one
for each tile. At the end a fell gives one point for each tile and each cairn, a beck one for two tiles, rounded up, and
the wardens stay. The points go to those with the most wardens, who divide them, rounded up. A tile that fits nowhere is
set aside and another one is drawn. Most points win, then most wardens at home.

`Dale` is the map. A side is (column, row, direction): every tile has four of its own, and two that meet are one thing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

SEATS = ("ann", "dora", "gil", "meg")
WARDENS = {2: 6, 3: 5, 4: 4}
DIRECTIONS = ("north", "east", "south", "west")
STEPS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
WIDEST = HIGHEST = 9

F, B, H = "fell", "beck", "heath"
DESIGNS = {
    # name: (lands from the north clockwise, land kept apart, cairns, copies)
    "force": ((F, B, H, B), None, 0, 3),
    "spring": ((H, H, B, H), None, 0, 3),
    "straight": ((H, B, H, B), None, 0, 3),
    "bend": ((H, H, B, B), None, 0, 5),
    "meeting": ((H, B, B, B), None, 0, 2),
    "tarn": ((B, B, B, B), B, 0, 1),
    "scar": ((F, H, H, H), None, 0, 3),
    "source": ((F, H, B, H), None, 0, 3),
    "sinks": ((F, B, B, B), B, 0, 1),
    "left_bend": ((F, H, B, B), None, 0, 2),
    "right_bend": ((F, B, B, H), None, 0, 2),
    "shoulder": ((F, F, H, H), None, 0, 3),
    "notch": ((F, F, H, H), F, 0, 2),
    "flank": ((F, F, B, B), None, 0, 3),
    "gorge": ((F, B, F, B), F, 0, 1),
    "saddle": ((F, H, F, H), None, 1, 1),
    "pass": ((F, H, F, H), F, 0, 1),
    "ridge": ((F, F, H, F), None, 1, 2),
    "gill": ((F, F, B, F), None, 0, 2),
    "summit": ((F, F, F, F), None, 1, 1),
}
"""The tiles; one force lies on the table at the start."""

Spot = tuple[int, int]
Side = tuple[int, int, str]
Region = frozenset[Side]


def beside(spot: Spot, direction: str) -> Spot:
    """The next place in a direction."""
    across, up = STEPS[direction]
    return spot[0] + across, spot[1] + up


def opposite(direction: str) -> str:
    """The direction that leads back."""
    return DIRECTIONS[(DIRECTIONS.index(direction) + 2) % 4]


def turned(design: str, north: str) -> tuple[str, ...]:
    """The lands of a tile from the north clockwise if its own north points to `north`."""
    lands, quarters = DESIGNS[design][0], DIRECTIONS.index(north)
    return tuple(lands[(place - quarters) % 4] for place in range(4))


@dataclass
class Dale:
    """The tiles as they lie, with the lands on their four sides."""

    highest: int = HIGHEST
    tiles: dict[Spot, str] = field(default_factory=dict)
    lands: dict[Side, str] = field(default_factory=dict)

    def put(self, design: str, spot: Spot, north: str) -> None:
        """Lay a tile, whether it fits or not."""
        self.tiles[spot] = design
        for direction, land in zip(DIRECTIONS, turned(design, north), strict=True):
            self.lands[*spot, direction] = land

    def fitting(self, design: str) -> Iterator[tuple[Spot, str]]:
        """Where a tile can be laid and its north can point to; of what looks the same, what is turned least."""
        looks = list(dict.fromkeys(turned(design, north) for north in DIRECTIONS))
        free = {beside(spot, direction) for spot in self.tiles for direction in DIRECTIONS} - self.tiles.keys()
        for spot in free:
            if self.is_too_large(spot):
                continue
            around = [self.lands.get((*beside(spot, one), opposite(one))) for one in DIRECTIONS]
            for quarters, look in enumerate(looks):
                if all(other in (None, land) for other, land in zip(around, look, strict=True)):
                    yield spot, DIRECTIONS[quarters]

    def is_too_large(self, spot: Spot) -> bool:
        """True if the dale with one more place would have too many columns or rows."""
        columns, rows = zip(*self.tiles, spot, strict=True)
        return max(columns) - min(columns) >= WIDEST or max(rows) - min(rows) >= self.highest

    def regions(self) -> list[Region]:
        """All fells and becks, as the sides of all their tiles."""
        found: list[Region] = []
        left = {side for side, land in self.lands.items() if land != H}
        while left:
            region, pending = set[Side](), [left.pop()]
            while pending:
                side = pending.pop()
                region.add(side)
                pending += (self._joined(side) & left) - region
            left -= region
            found.append(frozenset(region))
        return found

    def _joined(self, side: Side) -> set[Side]:
        """The side of the next tile that meets this one, and the sides of the same tile that it is joined with."""
        column, row, direction = side
        joined = {(*beside((column, row), direction), opposite(direction))}
        if DESIGNS[self.tiles[column, row]][1] != self.lands[side]:
            joined |= {(column, row, one) for one in DIRECTIONS if self.lands[column, row, one] == self.lands[side]}
        return joined

    def is_finished(self, region: Region) -> bool:
        """True if a tile lies at the other end of every side."""
        return all(beside((column, row), direction) in self.tiles for column, row, direction in region)

    def points(self, region: Region) -> int:
        """The points of all who share them."""
        spots = {(column, row) for column, row, _ in region}
        land, finished = self.lands[next(iter(region))], self.is_finished(region)
        if land == B:
            return len(spots) if finished else -(-len(spots) // 2)
        heights = len(spots) + sum(DESIGNS[self.tiles[spot]][2] for spot in spots)
        return 2 * heights if finished else heights


@dataclass
class Game:
    """A game of some seats: the map, who has posted a warden on which side, and the points."""

    players: int
    dale: Dale = field(default_factory=Dale)
    full_shares: bool = False
    wardens: dict[Side, str] = field(default_factory=dict)
    score: Counter[str] = field(default_factory=Counter)

    def home(self, seat: str) -> int:
        """The wardens that a seat has left."""
        return WARDENS[self.players] - sum(1 for owner in self.wardens.values() if owner == seat)

    def free(self, seat: str, spot: Spot) -> list[str]:
        """The sides of a tile where a seat may post a warden, of each fell and beck the first one clockwise."""
        if not self.home(seat):
            return []
        found: dict[Region, str] = {}
        regions = self.dale.regions()
        for direction in DIRECTIONS:
            if self.dale.lands[*spot, direction] != H:
                found.setdefault(next(region for region in regions if (*spot, direction) in region), direction)
        return [one for region, one in found.items() if not region & self.wardens.keys()]

    def post(self, seat: str, spot: Spot, direction: str) -> None:
        """Post a warden."""
        self.wardens[*spot, direction] = seat

    def finish(self, spot: Spot) -> None:
        """Score what a tile has finished, and take the wardens back."""
        for region in self.dale.regions():
            if any(side[:2] == spot for side in region) and self.dale.is_finished(region):
                self.reward(region)
                for side in region & self.wardens.keys():
                    del self.wardens[side]

    def end(self) -> None:
        """Score what is unfinished."""
        for region in self.dale.regions():
            self.reward(region)

    def reward(self, region: Region) -> None:
        """Divide the points among those with the most wardens."""
        guards = Counter(self.wardens[side] for side in region & self.wardens.keys())
        leaders = [seat for seat, number in guards.items() if number == max(guards.values())]
        for seat in leaders:
            points = self.dale.points(region)
            self.score[seat] += points if self.full_shares else -(-points // len(leaders))

    def places(self) -> dict[str, int]:
        """The place of every seat."""
        worth = {seat: (self.score[seat], self.home(seat)) for seat in SEATS[: self.players]}
        return {seat: 1 + sum(1 for other in worth.values() if other > own) for seat, own in worth.items()}


def all_tiles() -> Counter[str]:
    """How many there are of each design."""
    return Counter({name: copies for name, (_, _, _, copies) in DESIGNS.items()})
