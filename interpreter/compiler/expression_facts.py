"""Facts about expressions that follow from the checked tree alone: names, pieces, and the order they are listed in."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import ast
from dsl.model import Model
from dsl.symbols import FamilySymbol, LocalSymbol, ZoneSymbol
from dsl.types import Contents, PieceType, Several, bare, element_of


def mentions(model: Model, node: ast.Node, symbol: LocalSymbol) -> bool:
    """True if a node mentions a local name."""
    return any(model.refers.get(part.number) is symbol for part in node.walk())


def captured(model: Model, argument: ast.Expression) -> LocalSymbol | None:
    """The name that an argument of `x is run(n)` introduces; None if it is an ordinary expression."""
    symbol = model.refers.get(argument.number)
    return symbol if isinstance(symbol, LocalSymbol) and symbol.node is argument else None


def captures(model: Model, condition: ast.Expression) -> Iterator[tuple[LocalSymbol, ast.Compare, int]]:
    """The names that a condition introduces, each with its comparison `x is run(n)` and its position there."""
    for part in ast.conjuncts(condition):
        if not isinstance(part, ast.Compare) or not isinstance(part.right, ast.Call):
            continue
        if isinstance(model.refers.get(part.right.number), FamilySymbol):
            for position, argument in enumerate(part.right.arguments):
                symbol = captured(model, argument)
                if symbol is not None:
                    yield symbol, part, position


def piece_types(model: Model, node: ast.Expression) -> frozenset[str]:
    """The types of the pieces that an expression is about."""
    core = bare(model.types[node.number])
    element = core if isinstance(core, PieceType) else element_of(core)
    assert isinstance(element, PieceType)
    return element.piece_types


def loose_pieces(model: Model, node: ast.Expression) -> bool:
    """True if an expression iterates over pieces, or sets of them, ordered only by their numbers."""
    type_ = model.types[node.number]
    core = element_of(type_)
    while isinstance(core, Several):
        core = element_of(core)
    ordered = isinstance(type_, Contents) and type_.shape in ("row", "stack")
    plain = isinstance(model.refers.get(node.number), ZoneSymbol)
    return core is not None and isinstance(bare(core), PieceType) and not (ordered and plain)
