"""Names as expressions: locals, values, constants, options, zones and notes, predeclared names."""

from __future__ import annotations

from dsl import ast
from dsl.checker.types.type_declarations import NOTHING_WORDS
from dsl.symbols import (
    BuiltinSymbol,
    ConstantSymbol,
    DefineSymbol,
    DieSymbol,
    LocalSymbol,
    NoteSymbol,
    OptionSymbol,
    TypeSymbol,
    ValueSymbol,
    ZoneSymbol,
)
from dsl.types import PLAYER, Listed, Truth, bare, numeric
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import FALSE, NOTHING, TRUE, Cell, Const, Expr, Op, number
from interpreter.compiler.lowering.context import Context, Env, single_cell
from interpreter.compiler.lowering.slots import contents_cell, filled_cell, note_cell
from interpreter.compiler.lowering.types import ir_type, piece_set, player_type, set_type
from interpreter.compiler.lowering.values import ask, ir_type_of
from interpreter.runtime.layout import ME


def name(ctx: Context, node: ast.Name, env: Env) -> Expr:
    """The value of a name."""
    symbol = ctx.model.refers[node.number]
    match symbol:
        case LocalSymbol():
            return env[symbol]
        case ValueSymbol():
            return named_value(ctx, symbol)
        case ConstantSymbol():
            return _constant(ctx, symbol)
        case OptionSymbol():
            return option(ctx, symbol)
        case TypeSymbol():
            return every(ctx, symbol)
        case ZoneSymbol():
            return filled_cell(ctx, symbol) if symbol.index else contents_cell(ctx, node, env)
        case NoteSymbol() | DieSymbol():
            return note_cell(ctx, node, env)
        case DefineSymbol():
            return ask(ctx, symbol, (), node)
        case BuiltinSymbol():
            return _builtin(ctx, symbol, node)
        case _:
            low, high = ctx.layout.piece_range[symbol.name]
            return Const(piece_set(ctx), (1 << high) - (1 << low), node)


def acting_seat(ctx: Context) -> Cell:
    """The seat that `me` names."""
    return single_cell(ctx, "me", ME, player_type(ctx))


def every(ctx: Context, symbol: TypeSymbol) -> Const:
    """All values of a type, as a set."""
    return Const(set_type(ctx, symbol.type), sum(1 << value for value in ctx.layout.members(symbol.type)))


def named_value(ctx: Context, symbol: ValueSymbol) -> Expr:
    """A named value; none if it does not exist in this game."""
    assert isinstance(symbol.type, Listed)
    if symbol.type.numeric:
        return number(int(symbol.name))
    value = ctx.layout.numbers(ctx.model.type_symbols[symbol.type.name]).get(symbol.position)
    return _value_or_none(ir_type(ctx, symbol.type), value)


def _value_or_none(type_: ir.Type, value: int | None) -> Const:
    return Const(ir.Opt(type_) if value is None else type_, value)


def _constant(ctx: Context, symbol: ConstantSymbol) -> Expr:
    """An entry of a table by number of players: a number, a truth value, the value of an option, a value."""
    cell = symbol.by_count[len(ctx.layout.seats)]
    chosen = ctx.model.options.get(str(cell))
    core = bare(symbol.type)
    if chosen is not None:
        return option(ctx, chosen)
    if isinstance(core, Truth):
        return TRUE if cell == "true" or cell is True else FALSE
    if isinstance(cell, int):
        return number(cell)
    assert isinstance(core, Listed)
    return _value_or_none(ir_type(ctx, core), ctx.layout.value_of(core, cell))


def option(ctx: Context, symbol: OptionSymbol) -> Expr:
    """The value of an option; if it is random, it is in the state."""
    type_ = ir_type(ctx, symbol.type)
    if symbol.by_chance and ctx.layout.options[symbol.name] == "random":
        return single_cell(ctx, f"option {symbol.name}", ctx.layout.first_note[f"option {symbol.name}"], type_)
    return Const(type_, option_value(ctx, symbol))


def option_value(ctx: Context, symbol: OptionSymbol) -> int | bool | None:
    """The stored value of an option; a seat that is not in this game becomes the first seat."""
    text, core = ctx.layout.options[symbol.name], bare(symbol.type)
    if text in NOTHING_WORDS:
        return None
    if isinstance(core, Truth):
        return text == "true"
    if numeric(core):
        return int(text)
    assert isinstance(core, Listed)
    value = ctx.layout.value_of(core, text)
    return 0 if value is None and core == PLAYER else value


def _builtin(ctx: Context, symbol: BuiltinSymbol, node: ast.Name) -> Expr:
    match symbol.name:
        case "me":
            return acting_seat(ctx)
        case "none" | "nobody":
            return NOTHING
        case "true":
            return TRUE
        case "false":
            return FALSE
        case "all":
            players = len(ctx.layout.seats)
            return Const(ir.Set("Player", players), (1 << players) - 1)
        case word:
            return Op(ir_type_of(ctx, node), word, (), node)
