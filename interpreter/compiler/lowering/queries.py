"""Lowering of single expressions, with the names in scope."""

from __future__ import annotations

from typing import Literal, assert_never, cast

from dsl import ast
from dsl.symbols import LocalSymbol
from dsl.types import Type
from interpreter.compiler.ir.expressions import Cell, Expr, Fold, Local, Loop, Op, number
from interpreter.compiler.ir.identity import IdentityMap
from interpreter.compiler.ir.types import COUNT, Seq, element
from interpreter.compiler.lowering.attributes import kind
from interpreter.compiler.lowering.binders import iterated, terms
from interpreter.compiler.lowering.context import Context, Env, variable
from interpreter.compiler.lowering.families import argument_of
from interpreter.compiler.lowering.positions import present_position
from interpreter.compiler.lowering.slots import note_cell, place
from interpreter.compiler.lowering.types import ir_type
from interpreter.compiler.lowering.values import fitted, mask, needed, stored_value, value
from interpreter.compiler.names import Bound, Computed, Destructured, InCell, Names

QueryForm = Literal[
    "value", "kept", "needed", "fitted", "set", "kind", "members", "terms", "place", "cell", "argument", "position"
]
"""The form in which an expression is evaluated.

Its value; as it is stored under a name of a type; where it must not be none; fitted to a type; as a set; the pieces of
a kind; the values it iterates over; the terms of a sum; the number of a place; that of a cell; an argument of the
destructured value; the present values of a position.
"""


Detail = Type | int | None
"""What a form needs besides the expression: the type that its value must fit, or the position of an argument."""


def wanted(ctx: Context, form: QueryForm, node: ast.Expression, env: Env, detail: Detail) -> Expr:
    """An expression lowered in a form; `detail` is the type or the position that the form needs."""
    match form:
        case "value":
            return value(ctx, node, env)
        case "kept":
            return stored_value(ctx, node, _as_type(detail), env)
        case "needed":
            return needed(ctx, node, env)
        case "fitted":
            return fitted(ctx, node, _as_type(detail), env)
        case "set":
            return mask(ctx, node, env)
        case "kind":
            return kind(ctx, node, env)
        case "members":
            return _members(ctx, iterated(ctx, node, env))
        case "terms":
            assert isinstance(node, ast.Aggregate)
            return terms(ctx, node, env)
        case "place":
            return place(ctx, node, env)
        case "cell":
            cell = note_cell(ctx, node, env)
            return Op(COUNT, "add", (cell.index, number(cell.group.first)))
        case "argument":
            assert isinstance(node, ast.Compare)
            assert isinstance(detail, int)
            return argument_of(ctx, node, detail, env)
        case "position":
            assert isinstance(node, ast.Name)
            return present_position(ctx, node)
        case _ as never:
            assert_never(never)


def _as_type(detail: Detail) -> Type:
    assert detail is not None
    assert not isinstance(detail, int)
    return detail


def _members(ctx: Context, over: Expr) -> Expr:
    """The values that an expression iterates over, in order."""
    member = variable(ctx, "member", element(over.type))
    return Fold(Seq(member.type), "list", (Loop(member, over),), member)


class Substitution:
    """The environments of names that are bound to expressions; each lazily evaluated name is lowered once.

    The names in scope of every `let` contain all those before it: 100 of them would otherwise be lowered 166,750 times.
    """

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.deferred: dict[Computed | Destructured, Expr] = {}
        self._envs = IdentityMap[Names, Env]()

    def env(self, names: Names) -> Env:
        """The environment of the names."""
        env = self._envs.get(names)
        if env is None:
            env = self._envs.keep(names, {symbol: self._of_name(symbol, what) for symbol, what in names.items()})
        return env

    def _of_name(self, symbol: LocalSymbol, what: Bound) -> Expr:
        return self.of(what) if isinstance(what, Computed | Destructured) else self._bound(symbol, what)

    def _bound(self, symbol: LocalSymbol, what: Bound) -> Expr:
        """The expression of a name that is not lazily evaluated."""
        return cast("Expr", what)  # as `legal.requirements` binds them

    def of(self, what: Computed | Destructured) -> Expr:
        """The expression of a lazily evaluated name, lowered once."""
        if what not in self.deferred:
            names_env = self.env(what.names)
            if isinstance(what, Destructured):
                self.deferred[what] = argument_of(self.ctx, what.test, what.position, names_env)
            elif what.fitted:
                self.deferred[what] = fitted(self.ctx, what.node, what.type, names_env)
            else:
                self.deferred[what] = stored_value(self.ctx, what.node, what.type, names_env)
        return self.deferred[what]


class Scope(Substitution):
    """The environment of an expression: names bound to values are its parameters."""

    def __init__(self, ctx: Context) -> None:
        super().__init__(ctx)
        self.parameters: dict[LocalSymbol, Local] = {}

    def _bound(self, symbol: LocalSymbol, what: Bound) -> Expr:
        if isinstance(what, InCell):
            return self._in_cell(symbol.type, what.cell)
        type_ = ir_type(self.ctx, symbol.type)
        return self.parameters.setdefault(symbol, Local(type_, f"x{len(self.parameters)}"))

    def _in_cell(self, type_: Type, cell: int) -> Cell:
        group = next(group for group in self.ctx.module.cells.values() if group.first == cell)
        return Cell(ir_type(self.ctx, type_), group, number(0))
