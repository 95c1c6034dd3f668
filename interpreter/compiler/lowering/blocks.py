"""The numbered blocks of rules that suspend, and the cells of their locals."""

from __future__ import annotations

from dsl import ast
from dsl.symbols import LocalSymbol, RuleSymbol
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import Cell, Const, Expr
from interpreter.compiler.ir.module import Function
from interpreter.compiler.ir.statements import Goto, Statement, Store
from interpreter.compiler.lowering.context import Context, Entry, new_cell
from interpreter.compiler.lowering.types import ir_type

BLOCK_NUMBER = ir.Int(-1, 10**6)


def new_block(ctx: Context, source: ast.Node | None = None) -> int:
    """A new, empty block."""
    block = len(ctx.module.blocks)
    ctx.module.blocks[block] = Function("block", f"b{block}", (), (), None, block, (), source)
    ctx.lines[block] = []
    return block


def symbol_cell(ctx: Context, symbol: LocalSymbol) -> Cell:
    """A new cell for a parameter or local of a rule in blocks."""
    type_ = ir_type(ctx, symbol.type)
    cell = new_cell(ctx, symbol.name, ir.optional(type_))
    first = cell.group.first
    ctx.layout.locals_of_cell[first], ctx.layout.local_types[first] = symbol.name, symbol.type
    return Cell(type_, cell.group, cell.index)


def entry(ctx: Context, rule: RuleSymbol, quiet: bool) -> Entry:
    """The blocks of a rule, lowered only once."""
    name = rule.name + (" quiet" if quiet else "")
    if name not in ctx.entries:
        parameters = [symbol_cell(ctx, parameter) for parameter in rule.parameters]
        back = new_cell(ctx, f"back from {name}", BLOCK_NUMBER)
        ctx.entries[name] = Entry(new_block(ctx, rule.declaration), parameters, back)
        ctx.waiting.append((name, rule, quiet))
    return ctx.entries[name]


def enter(out: list[Statement], way_in: Entry, values: tuple[Expr, ...], back: int, source: ast.Node | None) -> None:
    """Call a rule in blocks, which returns to a block."""
    for cell, argument in zip(way_in.parameters, values, strict=True):
        out.append(Store(cell, argument, source))
    out += [Store(way_in.back, Const(BLOCK_NUMBER, back), source), Goto(way_in.block, source)]


def reactions_entry(ctx: Context) -> Entry:
    """The blocks in which all reactions are tried, repeatedly until none holds."""
    if ctx.reacting is None:
        ctx.reacting = Entry(new_block(ctx), [], new_cell(ctx, "back from reactions", BLOCK_NUMBER))
    return ctx.reacting
