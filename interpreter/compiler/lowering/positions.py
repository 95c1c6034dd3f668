"""Positions: the key by which a position is looked up, and the cells with the recorded positions.

Whether a position has occurred before depends on kinds of pieces, not on pieces: two red stones that have changed
places make no difference. So the cells of a zone, which hold pieces by number, are no key. What becomes one is

    stone (a piece on each of 81 places)    two sets: the places with a red stone, those with a blue one
    hand[p] (no order, few kinds)           how many there are of each kind
    deck (a row or stack), many kinds       the kind of each piece, in order
    a note with pieces                      their kinds, and where each lies

A set is one number to compare and to hash, and it is in the state already; a list would be built for each key.
"""

from __future__ import annotations

from dsl import ast
from dsl.symbols import DieSymbol, LocalSymbol, NoteSymbol, PositionSymbol, ZoneSymbol
from dsl.types import PieceType, Several, Type, bare, settled
from interpreter.compiler.ir import expressions as ex
from interpreter.compiler.ir import types as ir
from interpreter.compiler.ir.module import Function, named
from interpreter.compiler.ir.statements import Return
from interpreter.compiler.lowering.context import Context, Env, single_cell, table, variable
from interpreter.compiler.lowering.slots import contents_cell, filled_with, note_cells, times, zone
from interpreter.compiler.lowering.types import piece_set, piece_type, place_type
from interpreter.compiler.lowering.values import mask, plain, type_of

FEW_KINDS = 16
"""The number of kinds up to which the pieces of a zone are described by kind, not one by one."""

RECORD = ir.Opaque("record")


def recorded(ctx: Context, node: ast.Record) -> ex.Expr:
    """The recorded positions, with the present values recorded once more."""
    symbol = _position(ctx, node.target)
    return ex.Op(RECORD, "recorded", (record_cell(ctx, symbol), _key(ctx, symbol, node)), node)


def times_recorded(ctx: Context, node: ast.Times, env: Env) -> ex.Expr:
    """`times(pattern)`: how often the present values have been recorded."""
    symbol = _position(ctx, node.position)
    return ex.Op(ir.COUNT, "times", (record_cell(ctx, symbol), _key(ctx, symbol, node)), node)


def present_position(ctx: Context, node: ast.Name) -> ex.Expr:
    """The present values of a position, as they would be recorded."""
    return _key(ctx, _position(ctx, node), node)


def record_cell(ctx: Context, symbol: PositionSymbol) -> ex.Cell:
    """The cell with the recorded positions."""
    return single_cell(ctx, f"record of {symbol.name}", ctx.layout.first_record[symbol.name], RECORD)


def position_recorded(ctx: Context, node: ast.Record) -> ex.Cell:
    """The cell into which a statement records."""
    return record_cell(ctx, _position(ctx, node.target))


def _position(ctx: Context, node: ast.Name) -> PositionSymbol:
    symbol = ctx.model.refers[node.number]
    assert isinstance(symbol, PositionSymbol)
    return symbol


def _key(ctx: Context, symbol: PositionSymbol, source: ast.Node) -> ex.Expr:
    """The present values of a position, computed by a separate function."""
    name, functions = named("key", symbol.name), ctx.module.functions
    if name not in functions:
        parts = tuple(value for part in symbol.declaration.parts for value in _part(ctx, part))
        row = ir.Row(tuple(part.type for part in parts))
        body = (Return(ex.Op(row, "key", parts, symbol.declaration), symbol.declaration),)
        functions[name] = Function("define", name, (), body, row, 0, (), symbol.declaration)
    key_type = functions[name].result
    assert key_type is not None
    return ex.Call(key_type, name, (), source)


def _part(ctx: Context, node: ast.Expression) -> list[ex.Expr]:
    """The values of a part: of a zone its pieces by kind, of a note or die with an index all its entries."""
    symbol = ctx.model.refers.get(node.number)
    complete = isinstance(node, ast.Name)
    if isinstance(symbol, ZoneSymbol) and isinstance(node, ast.Name | ast.Index):
        return _pieces(ctx, symbol, None if complete and symbol.index else contents_cell(ctx, node, {}).index, node)
    if isinstance(symbol, NoteSymbol | DieSymbol) and complete and symbol.index:
        assert symbol.type is not None
        cells = note_cells(ctx, symbol)
        at = _each(ctx, cells.count)
        entry = _alike(ctx, bare(symbol.type), ex.Cell(cells.type, cells, at))
        return [_all(at, cells.count, entry, node)]
    no_names: dict[LocalSymbol, ex.Expr] = {}
    type_ = bare(settled(type_of(ctx, node)))
    if _of_pieces(type_):
        return [_lying(mask(ctx, node, no_names), node)]
    return [plain(ctx, node, no_names)]


def _each(ctx: Context, count: int) -> ex.Local:
    """A loop variable for the entries of a zone or note."""
    return variable(ctx, "at", ir.Int(0, max(count - 1, 0)))


def _all(at: ex.Local, count: int, value: ex.Expr, source: ast.Node) -> ex.Expr:
    """The values of all entries in order."""
    every = ex.Op(ir.Seq(at.type), "span", (ex.number(0), ex.number(count - 1)))
    return ex.Fold(ir.Seq(value.type), "list", (ex.Loop(at, every),), value, source)


def _of_pieces(type_: Type) -> bool:
    return isinstance(type_, PieceType) or (isinstance(type_, Several) and isinstance(type_.element, PieceType))


def _alike(ctx: Context, type_: Type, stored: ex.Expr) -> ex.Expr:
    """The value of a note, with pieces by their kind and where they lie."""
    if isinstance(type_, PieceType):
        return _lying(ex.Op(piece_set(ctx), "single", (stored,), stored.source), stored.source)
    if _of_pieces(type_):
        pieces = ex.Op(piece_set(ctx), "or_empty", (stored,)) if isinstance(stored.type, ir.Opt) else stored
        return _lying(pieces, stored.source)
    return stored


def _lying(pieces: ex.Expr, source: ast.Node | None) -> ex.Expr:
    """The kinds of some pieces, each with where it lies."""
    return ex.Op(ir.Seq(ir.Row((ir.COUNT, ir.COUNT))), "lying", (pieces,), source)


# ---------------------------------------------------------------- zones


def _pieces(ctx: Context, symbol: ZoneSymbol, index: ex.Expr | None, source: ast.Node) -> list[ex.Expr]:
    """The contents of a place, or (without an index) of all places of a zone, as part of a key."""
    cells, complete = zone(ctx, symbol), index is None
    at = _each(ctx, cells.count)
    place = at if index is None else index
    kinds = _kinds(ctx, symbol)
    if cells.order is not None or len(kinds) > FEW_KINDS:
        return [_one_by_one(ctx, symbol, at if complete else None, place, source)]
    if complete and cells.filled is not None:
        return [filled_with(ctx, symbol, ex.Const(piece_set(ctx), kind), source) for kind in kinds]
    parts: list[ex.Expr] = []
    pieces = ex.Cell(piece_set(ctx), cells.contents, place, source)
    for kind in kinds:
        of_kind = ex.Op(piece_set(ctx), "both", (pieces, ex.Const(piece_set(ctx), kind)), source)
        amount = ex.Op(ir.COUNT, "size", (pieces if len(kinds) == 1 else of_kind,), source)
        parts.append(_all(at, cells.count, amount, source) if complete else amount)
    return parts


def _kinds(ctx: Context, symbol: ZoneSymbol) -> list[int]:
    """The kinds of pieces that may lie in a zone, as sets of pieces."""
    types = {held.name for held in symbol.declaration.holds}
    kinds: dict[int, int] = {}
    for piece in ctx.layout.pieces:
        if piece.type in types:
            kinds[piece.kind] = kinds.get(piece.kind, 0) | 1 << piece.number
    return list(kinds.values())


def _one_by_one(ctx: Context, symbol: ZoneSymbol, at: ex.Local | None, place: ex.Expr, source: ast.Node) -> ex.Expr:
    """The kinds of the pieces in order, those without an order by kind; with `at`, of all places, each with its place.

    Equal pieces are numbered consecutively, so pieces by number are pieces by kind.
    """
    cells, piece = zone(ctx, symbol), variable(ctx, "piece", piece_type(ctx))
    contained: ex.Expr = ex.Cell(piece_set(ctx), cells.contents, place, source)
    if cells.order is not None:
        contained = ex.Op(
            ir.Seq(piece_type(ctx)), "contents", (ex.Slot(place_type(ctx), cells, place, source),), source
        )
    pieces = len(ctx.layout.pieces)
    column = table(
        ctx,
        ex.Table(
            named("K", "pieces"), tuple(numbered.kind for numbered in ctx.layout.pieces), ir.Int(0, max(pieces, 1))
        ),
    )
    kind: ex.Expr = ex.Lookup(column.type, column, (piece,), source)
    if at is None:
        return ex.Fold(ir.Seq(kind.type), "list", (ex.Loop(piece, contained),), kind, source)
    every = ex.Op(ir.Seq(at.type), "span", (ex.number(0), ex.number(cells.count - 1)))
    code = ex.Op(ir.COUNT, "add", (times(at, pieces), kind), source)
    return ex.Fold(ir.Seq(code.type), "list", (ex.Loop(at, every), ex.Loop(piece, contained)), code, source)
