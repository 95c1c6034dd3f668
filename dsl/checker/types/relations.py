"""Quantifiers, aggregates, the best of a set, and `of` with a kind of piece."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from dsl import ast
from dsl.checker.context import Scope
from dsl.checker.names.functions import FUNCTIONS
from dsl.checker.names.number_ranges import spanning
from dsl.checker.types.binders import bind_all
from dsl.checker.types.bounds import most_members
from dsl.checker.types.causes import about
from dsl.checker.types.expectations import expect_number
from dsl.checker.types.piece_kinds import kind_of, narrowed, pieces_in
from dsl.checker.types.typer import Typer
from dsl.symbols import (
    BuiltinSymbol,
    NoteSymbol,
    ZoneSymbol,
)
from dsl.types import (
    FAR,
    PLAYER,
    TRUTH,
    UNKNOWN,
    Number,
    Several,
    Type,
    Unknown,
    maybe,
    numeric,
)


def quantified_type(typer: Typer, node: ast.Quantified, scope: Scope) -> Type:
    """Type of `count`, `some`, `no`, `the`."""
    bound_scope = bind_all(typer, node.binders, node.where, scope, node)
    if node.quantifier == "count":
        return Number(0, _times(typer, node.binders))
    if node.quantifier == "the":
        if len(node.binders) != 1:
            helps = ["test for the other with `some` after `where`"]
            typer.context.error("E0317", "`the` takes only one name", node, helps)
            return UNKNOWN
        symbol = bound_scope.locals.get(node.binders[0].name)
        return maybe(symbol.type) if symbol else UNKNOWN
    return TRUTH


def aggregate_type(typer: Typer, node: ast.Aggregate, scope: Scope) -> Type:
    """Type of `sum`, `highest`, `lowest`; over an empty set they are 0."""
    bound_scope = bind_all(typer, node.binders, node.where, scope, node)
    value = expect_number(typer, node.value, bound_scope)
    if node.function == "sum":
        times = _times(typer, node.binders)
        return spanning((0, value.low * times, value.high * times))
    return Number(min(0, value.low), max(0, value.high))


def _times(typer: Typer, binders: Sequence[ast.Binder]) -> int:
    """Maximum number of iterations of the binders."""
    types = typer.context.model.types
    return min(FAR, prod(most_members(typer.context, types[b.domain.number], b.domain) for b in binders))


def best_type(typer: Typer, node: ast.Best, scope: Scope) -> Type:
    """Type of `the x in S with highest E`; of an empty set it is none."""
    bound_scope = bind_all(typer, (node.binder,), node.where, scope)
    expect_number(typer, node.value, bound_scope)
    return maybe(bound_scope.locals[node.binder.name].type)


def of_type(typer: Typer, node: ast.Of, scope: Scope) -> Type:
    """Type of `hand[me] of king`; of a zone without its index the places where such a piece lies."""
    if isinstance(node.whole, ast.Name) and _as_in_english(typer, node, node.whole, scope):
        return UNKNOWN
    whole_type = typer.infer(node.whole, scope)
    zone = typer.context.model.refers.get(node.whole.number)
    if isinstance(zone, ZoneSymbol) and zone.index and isinstance(node.whole, ast.Name):
        pieces = pieces_in(zone.contents)
        if pieces is not None and isinstance(whole_type, Several):
            kind_of(typer, node.part, pieces, scope)
        return whole_type
    pieces = pieces_in(whole_type)
    if pieces is None:
        if not isinstance(whole_type, Unknown):
            fix = "write `hand[me] of king` for pieces of that kind, `top(pile)` for an end"
            if numeric(whole_type):
                fix = "write `count hand[me] of king` for how many there are; `2 of king` is only for moves"
            typer.context.error(
                "E0318",
                f"expected pieces before `of`, found {whole_type}",
                node.whole,
                [fix],
                causes=[about(typer, node.whole)],
            )
        return UNKNOWN
    kind_of(typer, node.part, pieces, scope)
    return Several(narrowed(typer.context, node.part, pieces))


def _as_in_english(typer: Typer, node: ast.Of, whole_name: ast.Name, scope: Scope) -> bool:
    """Report `top of deck` and `hand of me`, where the language uses brackets instead of `of`."""
    symbol = None if scope.find(whole_name.name) else typer.context.globals.get(whole_name.name)
    part = node.part.span.text
    if isinstance(symbol, BuiltinSymbol) and whole_name.name in FUNCTIONS:
        new = f"{whole_name.name}({part})"
        typer.infer(node.part, scope)
        message = f"`{whole_name.name}` is a function"
        typer.context.error("E0318", message, whole_name, [f"write `{new}`"], new=new, at=node.span)
        return True
    if not isinstance(symbol, ZoneSymbol | NoteSymbol) or symbol.index != (PLAYER,):
        return False
    if isinstance(symbol, ZoneSymbol) and symbol.declaration.shape == "one":
        return False
    new = f"{whole_name.name}[{part}]"
    typer.context.error(
        "E0309", f"`{whole_name.name}` needs an index", whole_name, [f"write `{new}`"], new=new, at=node.span
    )
    return True
