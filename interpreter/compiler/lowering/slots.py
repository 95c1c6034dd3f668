"""Zones, notes and dice with their index: places, cells and contents.

A note `score[p: Player, n: 1..3]` of two seats is six cells, numbered as the digits of a number: `score[p, n]` is cell
p * 3 + (n - 1) of its group. Constants are collected at the end, `p * 3 + n + -1`, since what follows can then fold
them with the number of the first cell. Values that are not consecutive have a table from value to position.
"""

from __future__ import annotations

from math import prod

from dsl import ast
from dsl.symbols import DieSymbol, NoteSymbol, ZoneSymbol
from dsl.types import Contents, Type
from interpreter.compiler.ir import expressions as ex
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.module import named
from interpreter.compiler.lowering.context import Context, Env, group, table, variable
from interpreter.compiler.lowering.types import ir_type, piece_set, piece_type, place_type
from interpreter.compiler.lowering.values import fitted


def offset(
    ctx: Context, index: tuple[Type, ...], arguments: tuple[ast.Expression, ...], env: Env, as_declared: bool = False
) -> ex.Expr:
    """The position of a combination of index values; `as_declared`: as values with these arguments are numbered."""
    constant, terms, stride = 0, list[ex.Expr](), 1
    for type_, argument in reversed(list(zip(index, arguments, strict=True))):
        index_position = position(ctx, type_, fitted(ctx, argument, type_, env), as_declared)
        if isinstance(index_position, ex.Const):
            constant += index_position.value * stride
        elif (
            isinstance(index_position, ex.Op)
            and index_position.name == "add"
            and isinstance(index_position.args[1], ex.Const)
        ):
            constant += index_position.args[1].value * stride
            terms.append(times(index_position.args[0], stride))
        else:
            terms.append(times(index_position, stride))
        stride *= len(ctx.layout.members(type_, as_declared))
    total: ex.Expr = ex.number(0)
    for term in terms:
        total = sum_of(total, term)
    return plus(total, constant)


def sum_of(first: ex.Expr, second: ex.Expr) -> ex.Expr:
    """The sum of two numbers, of which the first may be 0."""
    return second if first == ex.number(0) else ex.Op(ir.COUNT, "add", (first, second))


def position(ctx: Context, type_: Type, value: ex.Expr, as_declared: bool = False) -> ex.Expr:
    """The position of a value among the members of an index type."""
    if isinstance(value.type, ir.Bool):
        value = ex.number(int(value.value)) if isinstance(value, ex.Const) else ex.Op(ir.Int(0, 1), "to_int", (value,))
    members = ctx.layout.members(type_, as_declared)
    positions = _positions_of(ctx, members)
    if positions is None or members == list(range(members[0], members[0] + len(members))):
        return plus(value, -members[0] if members else 0)
    return ex.Lookup(ir.Int(0, len(members) - 1), positions, (value,))


def times(node: ex.Expr, factor: int) -> ex.Expr:
    """A number times a constant."""
    return node if factor == 1 else ex.Op(ir.COUNT, "mul", (node, ex.number(factor)))


def plus(node: ex.Expr, constant: int) -> ex.Expr:
    """A number plus a constant."""
    if isinstance(node, ex.Const):
        return ex.number(node.value + constant)
    return node if constant == 0 else ex.Op(ir.COUNT, "add", (node, ex.number(constant)))


def _positions_of(ctx: Context, members: list[int]) -> ex.Table | None:
    """Table from a value to its position in an index, shared between equal ones; None if value and position agree."""
    if members == list(range(len(members))):
        return None
    content = {member: position for position, member in enumerate(members)}
    for name, existing in ctx.module.tables.items():
        if name.startswith("Pˑ") and existing.content == content:
            return existing
    return table(ctx, ex.Table(named("P", len(ctx.module.tables)), content, ir.Int(0, max(len(content) - 1, 0))))


def _slot(ctx: Context, node: ast.Expression, index: tuple[Type, ...], env: Env) -> ex.Expr:
    return offset(ctx, index, node.arguments if isinstance(node, ast.Index) else (), env)


def contents_cell(ctx: Context, node: ast.Expression, env: Env) -> ex.Cell:
    """The cell with the pieces of the place that a zone expression names, as a set."""
    symbol = zone_of(ctx, node)
    return ex.Cell(piece_set(ctx), zone(ctx, symbol).contents, _slot(ctx, node, symbol.index, env), node)


def zone(ctx: Context, symbol: ZoneSymbol) -> ex.Zone:
    """A zone with its cells."""
    existing = ctx.module.zones.get(symbol.name)
    if existing is not None:
        return existing
    layout, name, shape = ctx.layout, symbol.name, symbol.declaration.shape
    count, positions = prod(len(layout.members(type_)) for type_ in symbol.index), None
    contents = group(ctx, name, layout.first_mask[name], count, piece_set(ctx))
    order = filled = None
    if shape in ("row", "stack"):
        order = group(ctx, f"{name} in order", layout.first_order[name], count, ir.Seq(piece_type(ctx)))
    if name in layout.filled:
        filled = group(ctx, f"{name} filled", layout.filled[name], 1, index_set(ctx, symbol))
        positions = _positions_of(ctx, layout.members(symbol.index[0]))
    created = ex.Zone(name, layout.first_place[name], count, shape, contents, order, filled, positions)
    return ctx.module.zones.setdefault(name, created)


def place(ctx: Context, node: ast.Expression, env: Env) -> ex.Slot:
    """The number of the place that a zone expression names."""
    symbol = zone_of(ctx, node)
    return ex.Slot(place_type(ctx), zone(ctx, symbol), _slot(ctx, node, symbol.index, env), node)


def zone_of(ctx: Context, node: ast.Expression) -> ZoneSymbol:
    """The zone that a zone expression names."""
    symbol = ctx.model.refers[node.number]
    assert isinstance(symbol, ZoneSymbol)
    return symbol


def contents(ctx: Context, node: ast.Expression, env: Env) -> ex.Op:
    """The pieces of a place in order."""
    return ex.Op(ir.Seq(piece_type(ctx)), "contents", (place(ctx, node, env),), node)


def filled_cell(ctx: Context, symbol: ZoneSymbol) -> ex.Cell:
    """The cell with those indices of a zone for single pieces whose place is filled."""
    filled = zone(ctx, symbol).filled
    assert filled is not None
    return ex.Cell(filled.type, filled, ex.number(0))


def index_set(ctx: Context, symbol: ZoneSymbol) -> ir.Set:
    """Sets of the indices of a zone with one index."""
    index = ir_type(ctx, symbol.index[0])
    if isinstance(index, ir.Ref):
        return ir.Set(index.domain, index.width)
    return ir.Set(ir.NUMBER_DOMAIN, max(ctx.layout.members(symbol.index[0]), default=0) + 1)


def filled_with(ctx: Context, symbol: ZoneSymbol, kind: ex.Expr, source: ast.Node) -> ex.Expr:
    """The indices of a zone for single pieces where a piece of a kind lies."""
    filled = filled_cell(ctx, symbol)
    index = variable(ctx, "at", ir.element(filled.type))
    pieces = ex.Cell(piece_set(ctx), zone(ctx, symbol).contents, position(ctx, symbol.index[0], index))
    matching = ex.Op(pieces.type, "both", (pieces, kind))
    return ex.Fold(filled.type, "set", (ex.Loop(index, filled, ex.not_empty(matching)),), index, source)


def note_cell(ctx: Context, node: ast.Expression, env: Env) -> ex.Cell:
    """The cell of a note or die."""
    symbol = ctx.model.refers[node.number]
    assert isinstance(symbol, NoteSymbol | DieSymbol)
    cells = note_cells(ctx, symbol)
    return ex.Cell(cells.type, cells, _slot(ctx, node, symbol.index, env), node)


def note_cells(ctx: Context, symbol: NoteSymbol | DieSymbol) -> ex.Group:
    """All cells of a note or die."""
    assert symbol.type is not None
    count = prod(len(ctx.layout.members(type_)) for type_ in symbol.index)
    kept_type = ir_type(ctx, symbol.type)
    if isinstance(symbol, DieSymbol):
        kept_type = ir.optional(kept_type)
    return group(ctx, symbol.name, ctx.layout.first_note[symbol.name], count, kept_type)


def is_ordered(type_: Type) -> bool:
    """Whether a zone keeps its pieces in order."""
    return isinstance(type_, Contents) and type_.shape in ("row", "stack")
