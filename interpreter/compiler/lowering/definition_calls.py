"""Calls of definitions."""

from __future__ import annotations

from dsl import ast
from dsl.symbols import DefineSymbol, WhenSymbol
from interpreter.compiler.ir.expressions import Call, Expr, Local
from interpreter.compiler.ir.module import named
from interpreter.compiler.lowering.context import Context
from interpreter.compiler.lowering.types import ir_type
from interpreter.compiler.lowering.values import holding


def ask(ctx: Context, symbol: DefineSymbol, args: tuple[Expr, ...], source: ast.Node) -> Call:
    """A call of a definition, whose function will be lowered."""
    assert symbol.type is not None
    name = function_of(symbol.name)
    ctx.defined.setdefault(name, symbol)
    return Call(ir_type(ctx, symbol.type), name, args, source)


def function_of(name: str) -> str:
    """The name of the function of a definition."""
    return named("f", name)


def reaction_holds(ctx: Context, when: WhenSymbol, arguments: tuple[Local, ...]) -> Expr:
    """Whether the definition that a reaction waits for holds."""
    return holding(ask(ctx, ctx.model.defines[when.name], arguments, when.declaration), when.declaration)
