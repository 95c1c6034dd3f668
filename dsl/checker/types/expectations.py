"""Expected types: values, conditions, numbers and texts where nothing else is allowed.

For numbers, only what is certainly wrong is an error here. With `note hour: 0..23`, `set hour to 24` is reported, as no
value of the expression is in the range (`is_outside`). `set hour to hour + 1` may be right or wrong, so it is checked
in play, each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dsl import ast
from dsl import types as ty
from dsl.checker.context import Scope, spelt
from dsl.checker.types.corrections import number_of
from dsl.checker.types.typer import Typer
from dsl.diagnostics import Cause, Replacement
from dsl.symbols import LocalSymbol, Symbol


def refer(typer: Typer, node: ast.Node, symbol: Symbol) -> None:
    """Record what a node refers to, and that it is used."""
    typer.context.model.refers[node.number] = symbol
    if symbol.node is not None:
        typer.context.used.add(symbol.node.number)


def expect_number(typer: Typer, node: ast.Expression, scope: Scope) -> ty.Number:
    """Infer a number, with its range."""
    return number_range(typer, typer.infer(node, scope), node)


def number_range(typer: Typer, type_: ty.Type, node: ast.Expression, others: Sequence[str] = ()) -> ty.Number:
    """The range of a type that must be a number."""
    core = ty.bare(type_)
    if isinstance(core, ty.Number):
        return core
    if isinstance(core, ty.Listed) and core.numeric:
        members = [m for m in typer.context.model.type_symbols[core.name].members if isinstance(m, int)]
        return ty.Number(min(members, default=0), max(members, default=0))
    if not isinstance(core, ty.Unknown):
        new = f"count {node.span.text}" if ty.element_of(core) is not None and is_short(node) else None
        helps = [f"for how many there are, write `{new or 'count …'}`"] if ty.element_of(core) is not None else []
        fix = Replacement(node.span, new) if new else number_of(typer.context, node, type_)
        if fix is not None and new is None:
            helps = [f"for its number, write `{fix.text}`"]
        helps += others
        message = f"expected a number, found {type_}"
        typer.context.error("E0321", message, node, helps, new=fix, causes=[about(typer, node, ty.ANY_NUMBER)])
    return ty.ANY_NUMBER


def is_short(node: ast.Expression) -> bool:
    """True if a keyword before it certainly applies to all of it."""
    return isinstance(node, ast.Name | ast.Index | ast.Attribute | ast.Call | ast.Of)


def expect(
    typer: Typer, node: ast.Expression, scope: Scope, expected: ty.Type, where: str, cause: Cause | None = None
) -> ty.Type:
    """Infer a type and report it if it does not fit: "expected a seat for `leader`, found the number 3".

    `where` says in the message what the value is for, `cause` is the declaration that the expected type comes from.
    """
    type_ = typer.infer(node, scope, expected)
    if not ty.fits(type_, expected) or is_outside(typer, type_, expected):
        helps = ["declare its type as `… or none`, or `Player or nobody`"] if type_ == ty.NOTHING else []
        message = f"expected {expected} {where}, found {type_}"
        causes = [cause and replace(cause, instead=described(type_)), about(typer, node, expected)]
        typer.context.error("E0306", message, node, helps, causes=causes)
    return type_


def is_outside(typer: Typer, actual: ty.Type, expected: ty.Type) -> bool:
    """True if a number is certainly none of those expected."""
    actual, expected = ty.bare(actual), ty.bare(expected)
    if not isinstance(actual, ty.Number):
        return False
    if isinstance(expected, ty.Number):
        return actual.high < expected.low or expected.high < actual.low
    if isinstance(expected, ty.Listed) and expected.numeric and actual.low == actual.high:
        return actual.low not in typer.context.model.type_symbols[expected.name].members
    return False


def expect_condition(
    typer: Typer, node: ast.Expression, scope: Scope, where: str, repetition: str | None = None
) -> None:
    """Check a condition. `repetition` is the comparison before it, repeated for this operand."""
    type_ = typer.infer(node, scope, ty.TRUTH)
    if not ty.fits(type_, ty.TRUTH):
        short = isinstance(node, ast.Name | ast.Index | ast.Attribute | ast.Call)
        test = "is not empty" if ty.element_of(type_) is not None else "is not 0" if ty.numeric(type_) else ""
        new = f"{node.span.text} {test}" if short and test else None
        helps = [f"compare it: `{new}`" if new else "compare it: `… is …`, `… > 0`, `… is not empty`"]
        if repetition is not None and (not test or isinstance(node, ast.Number)):
            new, helps = repetition, [f"repeat the comparison: `{repetition}`"]
        message = f"expected a condition {where}, found {type_}"
        typer.context.error("E0307", message, node, helps, new=new, causes=[about(typer, node)])


def check_text(typer: Typer, node: ast.Text, scope: Scope) -> None:
    """Check a text where one is allowed, with the expressions in its braces."""
    for part in node.parts:
        if not isinstance(part, str):
            typer.infer(part, scope)
    typer.context.model.types[node.number] = ty.TEXT


# ---------------- causes of diagnostics about types: the declarations they come from


def about(typer: Typer, node: ast.Expression, instead: ty.Type | None = None) -> Cause | None:
    """Cause of a diagnostic about the type of an expression: the declaration that the type comes from."""
    match node:
        case ast.Attribute():
            return Cause("declared", f".{node.name}", None, described(instead))
        case ast.Of():
            return about(typer, node.whole, instead)
        case ast.Count():
            return about(typer, node.operand, instead)
        case ast.Arithmetic() | ast.Division():
            return about(typer, node.left, instead) or about(typer, node.right, instead)
        case ast.Filter():
            return about(typer, node.binder.domain, instead)
        case _:
            pass
    symbol = typer.context.model.refers.get(node.number)
    match symbol.node if isinstance(symbol, LocalSymbol) else None:
        case ast.Binder(domain=source) | ast.Choose(domain=source) | ast.Pick(domain=source):
            return about(typer, source, instead)
        case ast.Let(value=source):
            return about(typer, source, instead)
        case ast.Parameter(domain=source) if source is not None:
            return about(typer, source, instead)
    return declared(symbol, instead)


def declared(symbol: Symbol | None, instead: ty.Type | None = None) -> Cause | None:
    """Cause of diagnostics about uses that disagree with a declaration; `instead` is the type they take it for."""
    if symbol is None or symbol.node is None:
        return None
    name = f"{symbol.name}@{symbol.node.number}" if isinstance(symbol, LocalSymbol) else symbol.name
    return Cause("declared", name, spelt(symbol.node, symbol.name), described(instead))


def described(instead: ty.Type | None) -> str:
    """The type that a declaration is taken for, in words; the range of a number does not matter."""
    if instead is None:
        return ""
    core = ty.bare(ty.settled(instead))
    return "a number" if ty.numeric(core) else str(core)
