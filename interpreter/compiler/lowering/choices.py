"""Simultaneous choices: the cells that keep them until all seats have chosen."""

from __future__ import annotations

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.symbols import LocalSymbol
from interpreter.compiler.decisions import FIRST_ACT
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import Cell, Expr, Group, number
from interpreter.compiler.lowering.context import Context, group
from interpreter.compiler.lowering.types import ir_type
from interpreter.compiler.lowering.values import local


@dataclass(frozen=True)
class Choices:
    """The cells of a decision, each with one for every seat.

    `stages` hold the progress of each seat, or the act it has chosen; `parts` are the arguments of each act, or the
    chosen value.
    """

    stages: Group
    parts: tuple[tuple[tuple[Group, ir.Type], ...], ...]

    def stage(self, seat: Expr) -> Cell:
        """The progress of a seat, or the number of the act it has chosen."""
        return Cell(self.stages.type, self.stages, seat)

    def part(self, act: int, position: int, seat: Expr) -> Cell:
        """An argument of an act as a seat has chosen it."""
        group, type_ = self.parts[act][position]
        return Cell(type_, group, seat)

    def of_seat(self, seat: int) -> list[Cell]:
        """All cells of a seat."""
        at = number(seat)
        places = [(act, place) for act, groups in enumerate(self.parts) for place in range(len(groups))]
        return [self.stage(at), *(self.part(act, place, at) for act, place in places)]


def choice_cells(ctx: Context, node: ast.Question) -> Choices:
    """Reserve the cells of a simultaneous decision."""
    if isinstance(node, ast.Choose):
        chosen: list[list[LocalSymbol]] = [[local(ctx, node)]]
    else:
        chosen = [list(ctx.model.rules[act.name].parameters) for act in node.offered]
    count = len(ctx.layout.seats)
    first = ctx.layout.take(count)
    stages = group(ctx, f"choices #{first}", first, count, ir.Int(0, FIRST_ACT + len(chosen) - 1))
    return Choices(stages, tuple(tuple(_part(ctx, symbol, count) for symbol in symbols) for symbols in chosen))


def _part(ctx: Context, symbol: LocalSymbol, count: int) -> tuple[Group, ir.Type]:
    type_ = ir_type(ctx, symbol.type)
    first = ctx.layout.take(count)
    for cell in range(first, first + count):
        ctx.layout.locals_of_cell[cell], ctx.layout.local_types[cell] = symbol.name, symbol.type
    return group(ctx, f"{symbol.name} #{first}", first, count, ir.optional(type_)), type_
