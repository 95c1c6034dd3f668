"""Attributes of pieces and values, and kinds of pieces, as constant tables.

    c.rank          A·rank[c]            by piece
    red king        M·colour[red] & M·rank[king]     sets of pieces by value: kinds are sets
    x.matches       T·Pile·matches[x]    a column of a type, by value

What is printed on a piece never changes, so that nothing of it is in the state, and passes can evaluate it in advance.
"""

from __future__ import annotations

from dsl import ast
from dsl.checker.types.type_declarations import NOTHING_WORDS
from dsl.symbols import Cell as TableCell
from dsl.symbols import PieceSymbol, ValueSymbol
from dsl.types import Contents, Listed, PieceType, Several, Truth, Type, bare, numeric
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.expressions import Const, Expr, Lookup, Op, Table
from interpreter.compiler.ir.module import named
from interpreter.compiler.lowering.context import Context, Env, table
from interpreter.compiler.lowering.types import ir_type, piece_set, piece_type
from interpreter.compiler.lowering.values import mask, needed, type_of, value


def attribute(ctx: Context, node: ast.Attribute, env: Env) -> Expr:
    """`c.rank`, which is none if `c` is."""
    base_type, base = type_of(ctx, node.base), value(ctx, node.base, env)
    core = bare(base_type)
    if isinstance(core, Contents):
        base, core = Op(ir.Opt(piece_type(ctx)), "first", (base,), node.base), core.pieces
    column = attribute_column(ctx, node.name) if isinstance(core, PieceType) else value_column(ctx, core, node.name)
    optional = isinstance(base.type, ir.Opt)
    looked_up = Lookup(ir.optional(column.type) if optional else column.type, column, (base,), node)
    if optional and isinstance(type_of(ctx, node), Several):
        return Op(column.type, "or_empty", (looked_up,), node)
    return looked_up


def attribute_column(ctx: Context, name: str) -> Table:
    """Table from piece to attribute value."""
    content = tuple(piece.attributes.get(name) for piece in ctx.layout.pieces)
    type_ = next(symbol.attributes[name] for symbol in ctx.model.pieces.values() if name in symbol.attributes)
    value_type = ir_type(ctx, type_)
    return table(ctx, Table(named("A", name), content, ir.optional(value_type) if None in content else value_type))


def pieces_by_attribute(ctx: Context, name: str) -> Table:
    """Table from attribute value to the set of pieces that have it."""
    existing = ctx.module.tables.get(named("M", name))
    if existing is not None:
        return existing
    sets: dict[int | None, int] = {}
    for piece in ctx.layout.pieces:
        if name in piece.attributes:
            attribute_value = piece.attributes[name]
            sets[attribute_value] = sets.get(attribute_value, 0) | 1 << piece.number
    type_ = next(p.attributes[name] for p in ctx.model.pieces.values() if name in p.attributes)
    members = ctx.layout.members(type_)
    if isinstance(type_, Listed) and not type_.numeric:  # it has an entry for every value it can be compared with
        members = list(range(ctx.layout.room(type_)))
    if not numeric(type_) and members == list(range(len(members))):
        content = tuple(sets.get(member, 0) for member in members)
        return table(ctx, Table(named("M", name), content, piece_set(ctx)))
    return table(ctx, Table(named("M", name), sets, piece_set(ctx), True, 0))


def having(ctx: Context, name: str, attribute_value: Expr, source: ast.Node) -> Expr:
    """The set of pieces whose attribute has the value."""
    if isinstance(attribute_value, Const) and attribute_value.value is None:  # a seat that is not in this game
        return Const(piece_set(ctx), 0)
    return Lookup(piece_set(ctx), pieces_by_attribute(ctx, name), (attribute_value,), source)


def kind(ctx: Context, node: ast.Expression, env: Env) -> Expr:
    """The set of all pieces of a kind: `king`, `red king`, a value of an attribute."""
    if isinstance(node, ast.Pattern):
        pieces: Expr | None = None
        for word in node.words:
            of_word = _of_kind(ctx, word, env)
            pieces = of_word if pieces is None else Op(piece_set(ctx), "both", (pieces, of_word), node)
        assert pieces is not None
        return pieces
    return _of_kind(ctx, node, env) if node.number in ctx.model.attribute_of else mask(ctx, node, env)


def _of_kind(ctx: Context, node: ast.Expression, env: Env) -> Expr:
    symbol = ctx.model.refers.get(node.number)
    if isinstance(symbol, PieceSymbol):
        return value(ctx, node, env)
    attribute_value = value(ctx, node, env) if isinstance(symbol, ValueSymbol) else needed(ctx, node, env)
    return having(ctx, ctx.model.attribute_of[node.number], attribute_value, node)


def kinds_listed(ctx: Context, item: ast.Expression, env: Env) -> list[Expr]:
    """The kinds that an item of a list of pieces denotes: `2 king` denotes two."""
    amount = item.amount if isinstance(item, ast.Pattern) and item.amount is not None else 1
    return [kind(ctx, item, env)] * amount


def value_column(ctx: Context, type_: Type, name: str) -> Table:
    """Table from a value of a listed type to its attribute; in a union, none for types without such an attribute."""
    assert isinstance(type_, Listed)
    if type_.parts:
        return _joined_column(ctx, type_, name)
    existing = ctx.module.tables.get(named("T", type_.name, name))
    if existing is not None:
        return existing
    cells = column_values(ctx, type_, name)
    column_type = ir_type(ctx, ctx.model.type_symbols[type_.name].attributes[name])
    if None in cells.values():
        column_type = ir.optional(column_type)
    # A tuple where the members are 0, 1, 2 …; a type that shares its numbering with others may begin later, and numbers
    # of a table may have gaps.
    dense = sorted(cells) == list(range(len(cells)))
    content = tuple([cells[member] for member in range(len(cells))]) if dense else cells
    return table(ctx, Table(named("T", type_.name, name), content, column_type))


def column_values(ctx: Context, type_: Listed, name: str) -> dict[int, int | bool | None]:
    """The values of a column by member."""
    symbol = ctx.model.type_symbols[type_.name]
    column_type = symbol.attributes[name]
    cells = ctx.layout.rows(symbol, name)
    values = _cell_values(ctx, frozenset(cells.values()), column_type)
    return {member: values[cell] for member, cell in cells.items()}


def _joined_column(ctx: Context, type_: Listed, name: str) -> Table:
    cells: dict[int, int | bool | None] = dict.fromkeys(ctx.layout.members(type_))
    column_type: ir.Type = ir.NONE
    for part in type_.parts:
        symbol = ctx.model.type_symbols[part]
        if name in symbol.attributes:
            column_type = ir_type(ctx, symbol.attributes[name])
            cells.update(column_values(ctx, Listed(part), name))
    return table(ctx, Table(named("T", *type_.parts, "or", name), cells, ir.optional(column_type)))


def _cell_values(ctx: Context, cells: frozenset[TableCell], type_: Type) -> dict[TableCell, int | bool | None]:
    """The values of cells; each word in them is resolved once."""
    core = bare(type_)
    if not isinstance(core, Several):
        return {cell: _cell_value(ctx, cell, core) for cell in cells}
    sets = [cell for cell in cells if isinstance(cell, tuple)]
    values = _cell_values(ctx, cells.difference(sets), core.element)
    value_by_word = _cell_values(ctx, frozenset().union(*sets), core.element)
    bits = {word: 0 if member is None else 1 << member for word, member in value_by_word.items()}
    return values | {cell: sum([bits[word] for word in cell]) for cell in sets}


def _cell_value(ctx: Context, cell: TableCell, core: Type) -> int | bool | None:
    if cell in NOTHING_WORDS:
        return None
    if isinstance(core, Truth):
        return cell == "true"
    assert not isinstance(cell, tuple)
    if isinstance(core, Listed):
        return ctx.layout.value_of(core, cell)
    assert isinstance(cell, int)
    return cell
