"""Rounds of repeated phases: their numbers, and the notes that are reset."""

from __future__ import annotations

from dsl import ast
from dsl.symbols import NoteSymbol
from dsl.types import PieceType
from interpreter.compiler.ir.expressions import Cell, Expr, Loop, Op, number
from interpreter.compiler.ir.statements import For, Idle, Statement, Store
from interpreter.compiler.lowering.binders import bound_local, in_order
from interpreter.compiler.lowering.context import Context
from interpreter.compiler.lowering.effects import Lines, mark
from interpreter.compiler.lowering.slots import note_cells, position, sum_of, times
from interpreter.compiler.lowering.values import fitted, local


def round_cell(ctx: Context, node: ast.Phase) -> Cell | None:
    """The cell with the number of the current round; None if the phase is not repeated."""
    note = ctx.model.phases[node.name].round
    if note is None:
        return None
    cells = note_cells(ctx, note)
    return Cell(cells.type, cells, number(0))


def present_round(cell: Cell) -> Expr:
    """The number of the current round, or of the first one if none has begun."""
    return Op(cell.type, "greatest", (cell, number(1)))


def begin_round(ctx: Context, out: Lines, node: ast.Phase) -> frozenset[str]:
    """Begin a round of a phase, or the phase if it has none; returns the notes that this may change."""
    changed: set[str] = set()
    cell = round_cell(ctx, node)
    if cell is not None:
        out += [Idle(False, node), Store(cell, Op(cell.type, "add", (cell, number(1))), node)]
        mark(ctx, out, "round", node, {})
        changed.add(cell.group.name)
    for note in ctx.model.notes.values():
        if note.declaration.anew_in == node.name:
            _begin_anew(ctx, out, note, node)
            changed.add(note.name)
    return frozenset(changed)


def _begin_anew(ctx: Context, out: Lines, note: NoteSymbol, node: ast.Phase) -> None:
    """Set every entry of a note to its first value.

    Loops over pieces are the outer ones, and recorded: their order may tell a seat what hidden pieces are.
    """
    assert note.type is not None
    symbols = [local(ctx, parameter) for parameter in note.declaration.index]
    env = {symbol: bound_local(ctx, symbol) for symbol in symbols}
    index = list(zip(note.index, env.values(), strict=True))
    cells = note_cells(ctx, note)
    at: Expr = number(0)
    stride = 1
    for type_, entry in reversed(index):
        at = sum_of(at, times(position(ctx, type_, entry), stride))
        stride *= len(ctx.layout.members(type_))
    body: tuple[Statement, ...] = (
        Store(Cell(cells.type, cells, at), fitted(ctx, note.declaration.first, note.type, env), node),
    )
    for type_, entry in sorted(index, key=lambda each: isinstance(each[0], PieceType)):
        over = in_order(entry.type, ctx.layout.members(type_))
        body = (For((Loop(entry, over),), body, isinstance(type_, PieceType), node),)
    out += body
