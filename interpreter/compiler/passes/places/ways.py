"""Straight lines as shifts of whole sets: the steps of each direction, derived from the tables of lines.

A step adds the same number to the number of every place from which it can be taken.
"""

from __future__ import annotations

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.ir.expressions import Data, Table
from interpreter.compiler.ir.module import Module, named
from interpreter.compiler.ir.types import Opaque
from interpreter.runtime.bitset import bits

WAYS, RAYS = Opaque("ways"), Opaque("rays")

Ray = tuple[int, int]
"""The places of a ray as a set, and its first place as a set of one."""

Rays = tuple[tuple[Ray, ...], tuple[Ray, ...]]
"""The upward rays of a place, and the downward ones."""


@dataclass(frozen=True)
class Ways:
    """For each direction, by what its steps add to the number of a place, the places they lead to."""

    reached: dict[int, int]

    def between(self) -> dict[int, dict[int, int]]:
        """For each place, the places in a straight line with it, with those in between."""
        passed_by_end: dict[int, dict[int, int]] = {}
        for step, reached in self.reached.items():
            for end in bits(reached):
                start, place, passed = end - step, end, 0
                while True:
                    passed_by_end.setdefault(place, {})[start] = passed
                    passed |= 1 << place
                    place += step
                    if place < 0 or not reached >> place & 1:
                        break
        return passed_by_end

    def pairs(self) -> tuple[tuple[int, int], ...]:
        """For each upward direction its step, and the inner places of lines in it and in the opposite direction."""
        return tuple([
            (step, reached & self.reached[-step])
            for step, reached in self.reached.items() if step > 0 and reached & self.reached[-step]
        ])  # fmt: skip

    def rays(self, count: int) -> tuple[Rays, ...]:
        """For each place, the upward and downward rays of two or more places, each with its first place."""
        rays: list[Rays] = []
        for place in range(count):
            sides: tuple[list[Ray], list[Ray]] = ([], [])
            for step, reached in self.reached.items():
                ray, following = 0, place + step
                while following >= 0 and reached >> following & 1:
                    ray |= 1 << following
                    following += step
                if ray.bit_count() > 1:
                    sides[step < 0].append((ray, 1 << place + step))
            rays.append((tuple(sides[0]), tuple(sides[1])))
        return tuple(rays)


def ways_between(table: Table) -> Ways | None:
    """The straight lines of a table of places in between; None if it holds anything else."""
    rows = [{} if row is None else row for row in table.content]
    if not all(isinstance(row, dict) for row in rows):
        return None
    reached: dict[int, int] = {}
    for place, row in enumerate(rows):
        for start, passed in row.items():
            if not passed:
                reached[place - start] = reached.get(place - start, 0) | 1 << place
    if any(-step not in reached for step in reached):
        return None
    ways = Ways(reached)
    connections = ways.between()
    return ways if all(connections.get(place, {}) == row for place, row in enumerate(rows)) else None


def ways_data(module: Module, table: Table, ways: Ways) -> Data:
    """The steps of a table of places in between, for a search from all places."""
    return _data(module, Table(named("ways", table.name), ways.pairs(), WAYS), WAYS)


def rays_data(module: Module, table: Table, ways: Ways) -> Data:
    """The rays of a table of places in between, for a search from one place."""
    name = named("rays", table.name)
    rays = module.tables.get(name)
    return _data(module, rays or Table(name, ways.rays(len(table.content)), RAYS), RAYS)


def _data(module: Module, table: Table, type_: Opaque) -> Data:
    return Data(type_, module.tables.setdefault(table.name, table))
