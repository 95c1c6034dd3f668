"""The tables of straight lines and neighbours of grids, and random sets of their places."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from dsl.boards.grids import Grid
from interpreter.compiler.ir.expressions import Expr, Local, Table
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.ir.statements import Return
from interpreter.compiler.ir.types import Opt, Ref, Seq, Set
from interpreter.compiler.ir.verifier import verify
from interpreter.compiler.python.printing import constants
from tests.interpreter.naive_ir import value
from tests.interpreter.python_code import called, text_of


@dataclass(frozen=True)
class Board:
    """A grid whose rows are numbered as if they had `wide` places: nothing relies on numbers without gaps."""

    grid: Grid
    wide: int

    @property
    def numbers(self) -> list[int]:
        """The number of each place by its position."""
        return [place // self.grid.columns * self.wide + place % self.grid.columns for place in range(len(self.grid))]

    @property
    def width(self) -> int:
        return max(self.wide * self.grid.rows, self.numbers[-1] + 1)

    @property
    def place(self) -> Ref:
        return Ref("Cell", self.width)

    @property
    def places(self) -> Set:
        return Set("Cell", self.width)

    @property
    def whole(self) -> int:
        return self.mask(range(len(self.grid)))

    def mask(self, positions: Any) -> int:
        return sum(1 << self.numbers[position] for position in positions)

    def dense(self, rows: dict[int, Any]) -> tuple[Any, ...]:
        return tuple(rows.get(number) for number in range(self.numbers[-1] + 1))

    def between(self) -> Table:
        rows = {
            self.numbers[place]: {
                self.numbers[other]: self.mask(found) for other, found in self.grid.between(place).items()
            }
            for place in range(len(self.grid))
        }  # fmt: skip
        return Table("W", self.dense(rows), self.places, True, 0)

    def lines(self, length: int) -> Table:
        return Table("L", tuple(map(self.mask, self.grid.lines(length))), Seq(self.places))

    def steps(self) -> Table:
        rows = {}
        for place in range(len(self.grid)):
            following = [self.grid.step(place, way) for way in self.grid.ways]
            rows[self.numbers[place]] = tuple(None if other is None else self.numbers[other] for other in following)
        return Table("N", self.dense(rows), Opt(self.place))

    def neighbours(self) -> Table:
        near: dict[int, int] = {}
        for one, other in self.grid.links(True):
            for place, beside in ((one, other), (other, one)):
                number = self.numbers[place]
                near[number] = near.get(number, 0) | 1 << self.numbers[beside]
        return Table("near", tuple(near.get(number, 0) for number in range(self.width)), self.places)

    def some(self, random: Random, density: float) -> int:
        return sum(1 << number for number in self.numbers if random.random() < density)


def board(form: str, columns: int, rows: int = 1, wide: int = 0) -> Board:
    return Board(Grid(form, columns, rows), wide or columns)


BOARDS = [
    board("grid", 1), board("grid", 1, 6), board("grid", 6, 1), board("grid", 2, 2), board("grid", 2, 6),
    board("grid", 3, 3), board("grid", 3, 5), board("grid", 7, 6), board("grid", 8, 8), board("grid", 4, 4, wide=7),
    board("hexes", 2, 2), board("hexes", 2, 5), board("hexes", 4, 4), board("hexes", 7, 5),
    board("hexes", 6, 6, wide=19), board("track", 7), board("ring", 3), board("ring", 8),
]  # fmt: skip


def name_of(given: Board) -> str:
    return f"{given.grid.form} {given.grid.columns}x{given.grid.rows} of {given.wide}"


def agreed(before: Expr, after: Expr, module: Module, names: dict[str, Any], params: tuple[Local, ...]) -> Any:
    """The value of an expression, which the Python of another one must give as well."""
    module.functions["f"] = Function("define", "f", params, (Return(after),), after.type)
    assert verify(module) == []
    meant = value(before, names, [])
    text = text_of(Return(after), params=params)
    got = called(text, [], *[names[param.name] for param in params], **constants(module))
    assert got == meant and isinstance(got, bool) == isinstance(meant, bool), f"{got}, not {meant}, for {names}\n{text}"
    return meant
