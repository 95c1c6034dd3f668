"""Loops `at once`: everything is computed for all iterations first, then all changes are made.

    for each p in Player at once:                  rows = list((p, index of left(p), hand[p]) for p in Player)
      move hand[p] to hand[left(p)]                for row in rows: move part(row, 2) to @hand[part(row, 1)]

One iteration after the other, the first seat would pass on its hand, the second one that hand with its own, and so on.
The rows that are computed first hold, for each iteration, the values of its names, the branches it takes, and the
operands of its statements. A first loop over the rows marks what happens, for the trace; a second changes the state.

The values inside an `if` are computed only where its condition holds: the part is `value if condition else none`, so
that a fault in a branch that is not taken does not happen. The second loop tests the kept conditions, not the state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from typing import assert_never

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.symbols import LocalSymbol, NoteSymbol
from dsl.types import numeric
from interpreter.compiler.expression_facts import loose_pieces
from interpreter.compiler.ir import expressions as ex
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.statements import For, If, MoveSet, Overfull, Store
from interpreter.compiler.lowering.binders import loops
from interpreter.compiler.lowering.comparisons import negated
from interpreter.compiler.lowering.context import Context, Env, variable
from interpreter.compiler.lowering.effects import (
    Lines,
    add_amount,
    assign,
    at_bottom,
    change_members,
    mark,
    members,
    reason_values,
)
from interpreter.compiler.lowering.families import with_captures
from interpreter.compiler.lowering.slots import note_cell, note_cells, place, zone, zone_of
from interpreter.compiler.lowering.types import piece_set, place_type
from interpreter.compiler.lowering.values import fitted, local, mask, needed, stored_value, truth, type_of


def simultaneous_loop(ctx: Context, out: Lines, node: ast.ForEach, env: Env) -> None:
    """Lower a loop `at once`, without the reactions to it."""
    mark(ctx, out, "loop", node, env)
    levels, body_env = loops(ctx, node.binders, node.where, env)
    plan = _Plan(ctx)
    for loop, binder in zip(levels, node.binders, strict=True):  # the first parts: the log relies on it
        plan.name(local(ctx, binder), loop.local, None)
    _compute(plan, node.body, dict(body_env), None)
    type_ = ir.Row(tuple([part.type for part in plan.parts]))
    rows, row = variable(ctx, "rows", ir.Seq(type_)), variable(ctx, "row", type_)
    assign(out, rows, ex.Fold(rows.type, "list", levels, ex.Op(type_, "row", tuple(plan.parts), node), node), node)
    loose = any(loose_pieces(ctx.model, binder.domain) for binder in node.binders)
    second_part = _Made(ctx, plan, row)
    out.append(For((ex.Loop(row, rows),), tuple(second_part.marks(node, env)), loose, node))
    mark(ctx, out, "changes", node, env)
    out.append(For((ex.Loop(row, rows),), tuple(second_part.changes(node.body)), loose, node))
    # While pieces change places, one place may hold two of them for a moment. Whether it still does is tested
    # afterwards.
    if checks := second_part.checks(node.body):
        out.append(For((ex.Loop(row, rows),), tuple(checks), False, node))


Change = ast.Move | ast.Assignment | ast.Let
"""The simple statements that can happen at once; besides them there is only `if`."""


def _allowed(statements: Sequence[ast.Statement]) -> Iterator[Change | ast.If]:
    """The statements of a loop at once: the checker lets no others pass (`unsuitable`)."""
    for node in statements:
        assert isinstance(node, Change | ast.If), node.kind
        yield node


# ---------------------------------------------------------------- computing


@dataclass
class _Plan:
    """The parts of a row, their types where they are read, and their positions: of names, and of operands of nodes."""

    ctx: Context
    parts: list[ex.Expr] = field(default_factory=list)
    types: list[ir.Type] = field(default_factory=list)
    names: dict[LocalSymbol, int] = field(default_factory=dict)
    operands: dict[int, range] = field(default_factory=dict)

    def name(self, symbol: LocalSymbol, value: ex.Expr, path: ex.Expr | None) -> None:
        """Add the value of a name."""
        self.names[symbol] = len(self.parts)
        self._add(value, path)

    def keep(self, node: ast.Node, operands: Sequence[ex.Expr], path: ex.Expr | None) -> None:
        """Add the operands of a node."""
        self.operands[node.number] = range(len(self.parts), len(self.parts) + len(operands))
        for operand in operands:
            self._add(operand, path)

    def _add(self, value: ex.Expr, path: ex.Expr | None) -> None:
        """Add a part that is computed only where a condition holds."""
        self.parts.append(value if path is None else ex.Choice(ir.optional(value.type), path, value, ex.NOTHING))
        self.types.append(value.type)


def _compute(
    plan: _Plan, statements: Sequence[ast.Statement], env: dict[LocalSymbol, ex.Expr], path: ex.Expr | None
) -> None:
    """Add what statements need; `path` is the condition under which they are reached."""
    ctx = plan.ctx
    for node in _allowed(statements):
        match node:
            case ast.If():
                holds = dict(with_captures(ctx, node.condition, env))
                condition = truth(ctx, node.condition, holds)
                plan.keep(node, (condition,), path)
                then = _both(path, condition)
                for symbol in [symbol for symbol in holds if symbol not in env]:
                    plan.name(symbol, holds[symbol], then)
                _compute(plan, node.then, holds, then)
                _compute(plan, node.otherwise, dict(env), _both(path, negated(condition, node.condition)))
            case ast.Let():
                symbol = local(ctx, node)
                env[symbol] = stored_value(ctx, node.value, symbol.type, env)
                plan.name(symbol, env[symbol], path)
            case ast.Move() | ast.SetTo() | ast.Add() | ast.Remove():
                plan.keep(node, _operands(ctx, node, env), path)
            case _ as never:
                assert_never(never)


def _both(path: ex.Expr | None, condition: ex.Expr) -> ex.Expr:
    return condition if path is None else ex.both([path, condition])


def _operands(ctx: Context, node: ast.Move | ast.Assignment, env: Env) -> tuple[ex.Expr, ...]:
    """The place or the index of the cell that a statement changes, and what it moves or writes there."""
    if isinstance(node, ast.Move):
        return place(ctx, node.target, env).index, mask(ctx, node.what, env)
    target = note_cell(ctx, node.target, env)
    match node:
        case ast.SetTo():
            return target.index, fitted(ctx, node.value, type_of(ctx, node.target), env)
        case ast.Add() if numeric(type_of(ctx, node.target)):
            return target.index, needed(ctx, node.value, env), *reason_values(ctx, node, env)
        case ast.Add() | ast.Remove():
            return target.index, members(ctx, node, target.type, env)
        case _ as never:
            assert_never(never)


# ---------------------------------------------------------------- marking and changing


@dataclass(frozen=True)
class _Made:
    """The statements for the present row."""

    ctx: Context
    plan: _Plan
    row: ex.Local

    def _part(self, position: int) -> ex.Expr:
        # A constant is the same in every row; read from there it would lose its value, which passes use.
        constant = self.plan.parts[position]
        computed = ex.Op(self.plan.types[position], "part", (self.row, ex.number(position)))
        return constant if isinstance(constant, ex.Const) else computed

    def _operands(self, node: ast.Node) -> list[ex.Expr]:
        return [self._part(position) for position in self.plan.operands[node.number]]

    def _named(self, symbol: LocalSymbol) -> ex.Expr:
        return self._part(self.plan.names[symbol])

    def marks(self, node: ast.ForEach, env: Env) -> Lines:
        """Marks for the trace, which names the iterations and what happens in each before anything changes."""
        out: Lines = []
        body_env = {**env, **{(symbol := local(self.ctx, binder)): self._named(symbol) for binder in node.binders}}
        mark(self.ctx, out, "each", node, body_env)
        self._marks(out, node.body, body_env)
        return out

    def _marks(self, out: Lines, statements: Sequence[ast.Statement], env: dict[LocalSymbol, ex.Expr]) -> None:
        for node in _allowed(statements):
            match node:
                case ast.If():
                    then: Lines = []
                    otherwise: Lines = []
                    mark(self.ctx, then, "holds", node, env)
                    captured = [symbol for symbol in with_captures(self.ctx, node.condition, env) if symbol not in env]
                    self._marks(then, node.then, {**env, **{symbol: self._named(symbol) for symbol in captured}})
                    mark(self.ctx, otherwise, "fails", node, env)
                    self._marks(otherwise, node.otherwise, dict(env))
                    out.append(If(self._operands(node)[0], tuple(then), tuple(otherwise), node))
                case ast.Let():
                    symbol = local(self.ctx, node)
                    env[symbol] = self._named(symbol)
                    mark(self.ctx, out, "at", node, env)
                case ast.Move() | ast.SetTo() | ast.Add() | ast.Remove():
                    mark(self.ctx, out, "at", node, env)
                case _ as never:
                    assert_never(never)

    def changes(self, statements: Sequence[ast.Statement]) -> Lines:
        """The changes to the state."""
        return self._lowered(statements, self._change)

    def checks(self, statements: Sequence[ast.Statement]) -> Lines:
        """Checks that no place for one piece holds several after the changes."""
        return self._lowered(statements, self._check)

    def _lowered(self, statements: Sequence[ast.Statement], lower: Callable[[Lines, Change], None]) -> Lines:
        """What `lower` adds for each simple statement, within the branches of `if`."""
        out: Lines = []
        for node in _allowed(statements):
            if isinstance(node, ast.If):
                then, otherwise = self._lowered(node.then, lower), self._lowered(node.otherwise, lower)
                if then or otherwise:
                    out.append(If(self._operands(node)[0], tuple(then), tuple(otherwise), node))
            else:
                lower(out, node)
        return out

    def _change(self, out: Lines, node: Change) -> None:
        match node:
            case ast.Move():
                target, pieces = self._place(node), self._operands(node)[1]
                out.append(MoveSet(pieces, target, at_bottom(node), node, target.zone.shape == "one"))
            case ast.SetTo() | ast.Add() | ast.Remove():
                self._write(out, node)
            case ast.Let():
                pass
            case _ as never:
                assert_never(never)

    def _check(self, out: Lines, node: Change) -> None:
        if isinstance(node, ast.Move) and (target := self._place(node)).zone.shape == "one":
            contents = ex.Cell(piece_set(self.ctx), target.zone.contents, target.index)
            several = ex.Op(ir.BOOL, "gt", (ex.Op(ir.COUNT, "size", (contents,)), ex.number(1)))
            out.append(If(several, (Overfull(target, node),), (), node))

    def _place(self, node: ast.Move) -> ex.Slot:
        index = self._operands(node)[0]
        return ex.Slot(place_type(self.ctx), zone(self.ctx, zone_of(self.ctx, node.target)), index, node.target)

    def _write(self, out: Lines, node: ast.Assignment) -> None:
        symbol = self.ctx.model.refers[node.target.number]
        assert isinstance(symbol, NoteSymbol)
        cells = note_cells(self.ctx, symbol)
        index, operand, *reasons = self._operands(node)
        target = ex.Cell(cells.type, cells, index, node.target)
        match node:
            case ast.SetTo():
                out.append(Store(target, operand, node))
            case ast.Add() if numeric(type_of(self.ctx, node.target)):
                add_amount(self.ctx, out, node, target, operand, tuple(reasons))
            case ast.Add() | ast.Remove():
                change_members(out, node, target, operand)
            case _ as never:
                assert_never(never)
