"""Types of positions: what counts as the same, and names of positions."""

from __future__ import annotations

from dsl import ast
from dsl.checker.context import Scope, near
from dsl.checker.types.causes import declared
from dsl.checker.types.expectations import refer
from dsl.checker.types.typer import Typer
from dsl.diagnostics import Cause
from dsl.symbols import DieSymbol, NoteSymbol, PositionSymbol, ZoneSymbol
from dsl.types import UNKNOWN, Kind, PieceType, Several, Type, bare, settled

MOST_TIMES = 100_000
"""How often a position can have been recorded, as far as the checker knows: once for each decision of a long game."""


def check_position(typer: Typer, node: ast.PositionDeclaration, scope: Scope) -> None:
    """Check the parts of a position."""
    for part in node.parts:
        family = _family(typer, part)
        if family is None:
            _value(typer, part, settled(typer.infer(part, scope)))
            continue
        refer(typer, part, family)
        type_ = family.contents if isinstance(family, ZoneSymbol) else family.type
        typer.context.model.types[part.number] = type_ or UNKNOWN
        if any(isinstance(bare(index), PieceType) for index in family.index):
            helps = [
                "say which pieces count: `{c in … where …}`; they count by their kind and where they lie",
                f"or name one of the places: `{family.name}[…]`",
            ]
            message = f"`{family.name}` has a place for every piece, but a position does not distinguish equal pieces"
            typer.context.error("E0425", message, part, helps, causes=[declared(family)])


def _family(typer: Typer, part: ast.Expression) -> ZoneSymbol | NoteSymbol | DieSymbol | None:
    """The zone, note or die that a part names as a whole; None if it does not."""
    symbol = typer.context.globals.get(part.name) if isinstance(part, ast.Name) else None
    return symbol if isinstance(symbol, ZoneSymbol | NoteSymbol | DieSymbol) else None


def _value(typer: Typer, part: ast.Expression, type_: Type) -> None:
    """Report a part that has no value, or one that distinguishes equal pieces."""
    if isinstance(type_, Kind):
        helps = [f"name the places where such pieces lie: `… of {part.span.text}`"]
        typer.context.error("E0311", "a kind of piece is not a value", part, helps)
    core = bare(type_)
    if isinstance(core, Several) and isinstance(bare(core.element), Several):
        member = bare(core.element)
        if isinstance(member, Several) and isinstance(member.element, PieceType):
            message = "sets of sets of pieces cannot be compared by kind"
            typer.context.error("E0425", message, part, ["name the sets one by one"])


def position_of(typer: Typer, node: ast.Name) -> PositionSymbol | None:
    """The position that a name after `record` or in `times(…)` refers to; report it if there is none."""
    context = typer.context
    symbol = context.model.positions.get(node.name)
    if symbol is not None:
        refer(typer, node, symbol)
        return symbol
    namesake = context.globals.get(node.name)
    is_declared = namesake is not None or node.name in context.values
    message = f"`{node.name}` is not a position" if is_declared else f"there is no position `{node.name}`"
    proposals = near(node.name, context.model.positions)
    counted = isinstance(namesake, ZoneSymbol | NoteSymbol | DieSymbol)
    helps = [f"declare what counts as the same: `position NAME: {node.name if counted else '…'}`"]
    cause = declared(namesake) if namesake is not None else Cause("unknown", node.name)
    context.error("E0201", message, node, helps, proposals=proposals, causes=[cause])
    return None
