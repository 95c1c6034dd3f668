"""Upper bounds on what can be counted: the values of a type, the pieces of a game."""

from __future__ import annotations

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.types.component_types import combinations, size
from dsl.symbols import ConstantSymbol, OptionSymbol, PieceSymbol
from dsl.types import FAR, Listed, ListType, Number, PieceType, Truth, Type, bare, element_of

MOST_PIECES = 10_000
MOST_OF_EACH = 999
"""Maximum number of pieces of a game, and of each kind; both are checked elsewhere."""


def most_members(context: Context, type_: Type, node: ast.Expression | None = None) -> int:
    """Maximum size of a set of this type; FAR if unknown."""
    if isinstance(type_, ListType):
        return len(node.items) if isinstance(node, ast.ListOf) else FAR
    element = element_of(type_)
    return FAR if element is None else most_values(context, element)


def most_values(context: Context, type_: Type) -> int:
    """Maximum number of values of a type; FAR if unknown."""
    match bare(type_):
        case PieceType(piece_types):
            pieces = context.model.pieces
            return min(MOST_PIECES, sum(_pieces(context, pieces[piece_type]) for piece_type in piece_types))
        case Number() | Listed() | Truth() as core:
            return size(context, core)
        case _:
            return FAR


def _pieces(context: Context, piece: PieceSymbol) -> int:
    """Maximum number of pieces of a type."""
    kinds = combinations(context, tuple(piece.attributes.values()))
    return kinds * min(MOST_OF_EACH, max(0, _amount(context, piece, piece.declaration.amount)))


def _amount(context: Context, piece: PieceSymbol, node: ast.Expression) -> int:
    """Maximum number of pieces of each kind, as far as it can be determined before types are known."""
    model = context.model
    match node:
        case ast.Number():
            return node.value
        case ast.Attribute(base=ast.Name(name=name)) if isinstance(type_ := piece.attributes.get(name), Listed):
            column = model.type_symbols[type_.name].attributes.get(node.name)
            return column.high if isinstance(column, Number) else MOST_OF_EACH
        case ast.Name() if isinstance(symbol := model.globals.get(node.name), OptionSymbol | ConstantSymbol):
            return symbol.type.high if isinstance(symbol.type, Number) else MOST_OF_EACH
        case ast.Arithmetic(operator="+" | "*"):
            left, right = _amount(context, piece, node.left), _amount(context, piece, node.right)
            return left + right if node.operator == "+" else left * right
        case _:
            return MOST_OF_EACH
