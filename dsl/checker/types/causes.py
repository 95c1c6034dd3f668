"""Causes of diagnostics about types: the declarations they come from."""

from __future__ import annotations

from dsl import ast
from dsl.checker.context import spelt
from dsl.checker.types.typer import Typer
from dsl.diagnostics import Cause
from dsl.symbols import LocalSymbol, Symbol
from dsl.types import Type, bare, numeric, settled


def about(typer: Typer, node: ast.Expression, instead: Type | None = None) -> Cause | None:
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
        case ast.Binder(domain=source) | ast.Choose(domain=source):
            return about(typer, source, instead)
        case ast.Let(value=source):
            return about(typer, source, instead)
        case ast.Parameter(domain=source) if source is not None:
            return about(typer, source, instead)
    return declared(symbol, instead)


def declared(symbol: Symbol | None, instead: Type | None = None) -> Cause | None:
    """Cause of diagnostics about uses that disagree with a declaration; `instead` is the type they take it for."""
    if symbol is None or symbol.node is None:
        return None
    name = f"{symbol.name}@{symbol.node.number}" if isinstance(symbol, LocalSymbol) else symbol.name
    return Cause("declared", name, spelt(symbol.node, symbol.name), described(instead))


def described(instead: Type | None) -> str:
    """The type that a declaration is taken for, in words; the range of a number does not matter."""
    if instead is None:
        return ""
    core = bare(settled(instead))
    return "a number" if numeric(core) else str(core)
