"""Straight lines on boards that need no file: steps, rays, lines, as constant tables of the generated module."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dsl import ast
from dsl.boards.grids import Grid
from dsl.symbols import TypeSymbol
from dsl.types import Listed, Several, Type, bare
from interpreter.compile.attributes import Attributes
from interpreter.compile.domains import Env
from interpreter.compile.naming import named

GRID_FUNCTIONS = frozenset({"next", "ray", "between", "lines"})


class Straight(Attributes):
    """Emission of functions of straight lines; mixed into `Expressions`.

    Places and directions index the tables by the numbers that stand for them; where no place is, a table has None.
    """

    def grid_function(self, name: str, node: ast.Call, env: Env) -> str:
        """A call of a function of straight lines."""
        arguments = node.arguments
        places = listed(self.type_of(arguments[0]))
        if name == "lines":
            return self._lines(places, arguments, env)
        place = self.needed(arguments[0], env)
        if name == "between":
            return f"{self._between(places)}[{place}].get({self.needed(arguments[1], env)}, 0)"
        ways, way = listed(self.type_of(arguments[1])), self.needed(arguments[1], env)
        if name == "ray":
            return f"{self._rays(places, ways)}[{place}][{way}]"
        steps = self._steps(places, ways)
        if len(arguments) == 2:
            return f"{steps}[{place}][{way}]"
        return f"steps_on({steps}, {place}, {way}, {self.needed(arguments[2], env)})"

    def _grid(self, places: Listed) -> tuple[Grid, list[int]]:
        """The grid of this game, and the number that stands for each place by its position there."""
        grid = self.model.grids[places.name][self.layout.choice]
        symbol = self.model.type_symbols[places.name]
        order = {str(member): position for position, member in enumerate(symbol.members)}
        return grid, [self.layout.member(symbol, order[name]) for name in grid.names]

    def _by_way(self, ways: Listed) -> list[tuple[int, str]]:
        symbol: TypeSymbol = self.model.type_symbols[ways.name]
        return [(self.layout.member(symbol, position), str(name)) for position, name in enumerate(symbol.members)]

    def _steps(self, places: Listed, ways: Listed) -> str:
        """Table from place and direction to the next place."""
        name = named("N", places.name, ways.name)
        if name not in self.tables:
            grid, values = self._grid(places)
            rows: dict[int, object] = {}
            for position, value in enumerate(values):
                following = {number: grid.step(position, way) for number, way in self._by_way(ways)}
                there = {number: None if other is None else values[other] for number, other in following.items()}
                rows[value] = dense(there)
            self.table(name, dense(rows))
        return name

    def _rays(self, places: Listed, ways: Listed) -> str:
        """Table from place and direction to the set of places seen there."""
        name = named("R", places.name, ways.name)
        if name not in self.tables:
            grid, values = self._grid(places)
            rows: dict[int, object] = {}
            for position, value in enumerate(values):
                seen = {number: grid.ray(position, way) for number, way in self._by_way(ways)}
                rows[value] = dense({number: union(values, some) for number, some in seen.items()})
            self.table(name, dense(rows))
        return name

    def _between(self, places: Listed) -> str:
        """Table from a place to a mapping from those in line with it to the set of places between."""
        name = named("W", places.name)
        if name not in self.tables:
            grid, values = self._grid(places)
            rows: dict[int, object] = {}
            for position, value in enumerate(values):
                rows[value] = {values[other]: union(values, some) for other, some in grid.between(position).items()}
            self.table(name, dense(rows))
        return name

    def _lines(self, places: Listed, arguments: tuple[ast.Expression, ...], env: Env) -> str:
        """The lines of a length; of a set of places only those inside of it."""
        length = int(self.needed(arguments[1], env).strip("()"))
        name = named("L", places.name, str(length).replace("-", "minus"))
        if name not in self.tables:
            grid, values = self._grid(places)
            self.table(name, tuple(union(values, line) for line in grid.lines(length)))
        if isinstance(self.model.refers.get(arguments[0].number), TypeSymbol):
            return name
        return f"lines_in({name}, {self.mask(arguments[0], env)})"


def dense(cells: Mapping[int, object]) -> tuple[object, ...]:
    """A tuple that has each value at its number, None where there is none."""
    return tuple(cells.get(number) for number in range(1 + max(cells, default=-1)))


def union(values: list[int], positions: Iterable[int]) -> int:
    """The set of the places at these positions."""
    return sum(1 << values[position] for position in positions)


def listed(type_: Type) -> Listed:
    """A listed type, or that of the members of a set."""
    core = bare(type_)
    single = core.element if isinstance(core, Several) else core
    assert isinstance(single, Listed)
    return single
