"""Pieces that no zone holds, and zones that nothing enters or leaves."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.types.piece_kinds import pieces_in
from dsl.checker.types.statements import all_statements
from dsl.model import Model
from dsl.symbols import DefineSymbol, LocalSymbol, PieceSymbol, ZoneSymbol


def pieces_without_place(context: Context) -> None:
    """Report a piece that no zone holds."""
    held = {kind.name for zone in context.model.zones.values() for kind in zone.declaration.holds}
    for name, piece in context.model.pieces.items():
        if name not in held:
            helps = [f"let a zone hold it: `holds {name}`", "or remove it"]
            context.error("E0505", f"no zone can hold `{name}`", piece.declaration, helps, severity="warning")


def pieces_without_home(context: Context) -> None:
    """Report a piece without a home that nothing moves by its name: no zone ever holds it to move it from."""
    for name in _never_in_play(context):
        piece = context.model.pieces[name]
        zones = [zone for zone in context.model.zones.values() if name in _held(zone)]
        message = f"`{name}` begins in no zone, and nothing brings it into play"
        helps = [f"declare where it begins: `{_heading(piece.declaration)} in {_home(zones[0])}`"]
        helps.append(f"or bring it into play by its name: `for each x in {name}: move x to …`")
        context.error("E0510", message, piece.declaration, helps, severity="warning")


def _never_in_play(context: Context) -> list[str]:
    """Pieces that some zone can hold but none ever does."""
    model = context.model
    held = {name for zone in model.zones.values() for name in _held(zone)}
    begun = {name for name, piece in model.pieces.items() if piece.declaration.home is not None}
    for move in statements(model):
        pieces = pieces_in(model.types.get(move.what.number)) if isinstance(move, ast.Move) else None
        if isinstance(move, ast.Move) and move.source is None and _from_anywhere(context, move.what, set()):
            begun |= held if pieces is None else pieces.piece_types
    return [name for name in model.pieces if name in held and name not in begun]


def _from_anywhere(context: Context, node: ast.Node, seen: set[int]) -> bool:
    """True if the moved piece may lie nowhere: it is named by its piece type, or by an expression without a zone."""
    named = False
    for part in node.walk():
        symbol = context.model.refers.get(part.number)
        if isinstance(symbol, PieceSymbol):
            return True
        named |= isinstance(symbol, ZoneSymbol)
        if isinstance(symbol, LocalSymbol) and symbol.node is not None and symbol.node.number not in seen:
            source = _source_of(symbol.node)
            if source is None:
                return True
            seen.add(symbol.node.number)
            if _from_anywhere(context, source, seen):
                return True
            named = True
        elif isinstance(symbol, DefineSymbol) and symbol.declaration.number not in seen:
            seen.add(symbol.declaration.number)
            if _from_anywhere(context, symbol.declaration, seen):
                return True
            named = True
    return not named


def _source_of(node: ast.Node) -> ast.Expression | None:
    """The set that a local name iterates over, or the value it is bound to."""
    match node:
        case ast.Binder(domain=source) | ast.Choose(domain=source) | ast.Let(value=source):
            return source
        case ast.Parameter(domain=source):
            return source
        case _:
            return None


def _held(zone: ZoneSymbol) -> set[str]:
    return {kind.name for kind in zone.declaration.holds}


def _heading(node: ast.Piece) -> str:
    return node.span.text.partition("#")[0].partition("[")[0].strip()


def _home(zone: ZoneSymbol) -> str:
    return f"{zone.name}[…]" if zone.index else zone.name


def idle_zones(context: Context) -> None:
    """Report a zone that nothing enters; the home of a piece only if nothing leaves it either."""
    model = context.model
    moves = [node for node in statements(model) if isinstance(node, ast.Move)]
    entered = {model.refers.get(zone.number) for node in statements(model) for zone in ast.entered(node)}
    homes = {model.refers.get(p.declaration.home.number) for p in model.pieces.values() if p.declaration.home}
    missing = set(_never_in_play(context))
    for zone in model.zones.values():
        if zone in entered or zone.declaration.number not in context.used or _held(zone) <= missing:
            continue
        kinds = {kind.name for kind in zone.declaration.holds}
        if zone not in homes:
            helps = [
                f"move something there: `move … to {_home(zone)}`",
                f"or let pieces begin there: `piece … in {_home(zone)}`",
            ]
            message = f"nothing ever enters `{zone.name}`: it is always empty"
        elif not any(_leaves(context, move, zone, kinds) for move in moves):
            helps = ["move something out of it, or remove it"]
            message = f"nothing ever enters or leaves `{zone.name}`"
        else:
            continue
        context.error("E0506", message, zone.declaration, helps, severity="warning")


def _leaves(context: Context, move: ast.Move, zone: ZoneSymbol, kinds: set[str]) -> bool:
    """True if a move can take a piece out of a zone: by naming the zone, or a piece that may lie there."""
    refers = context.model.refers
    if move.source is not None:
        return refers.get(move.source.number) is zone
    if any(refers.get(part.number) is zone for part in move.what.walk()):
        return True
    named = any(isinstance(refers.get(part.number), ZoneSymbol) for part in move.what.walk())
    pieces = pieces_in(context.model.types.get(move.what.number))
    return not named and (pieces is None or bool(pieces.piece_types & kinds))


def statements(model: Model) -> Iterator[ast.Statement]:
    """All statements of the rules."""
    yield from all_statements(model.setup)
    for rule in model.rules.values():
        yield from all_statements(rule.declaration.body)
    for when in model.whens:
        yield from all_statements(when.declaration.body)
    waiting = list(model.course)
    while waiting:
        phase = waiting.pop()
        yield from all_statements(phase.body)
        waiting += phase.phases
