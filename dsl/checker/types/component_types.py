"""Types of table columns, pieces, zones, notes and dice: everything rule bodies refer to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from dsl import ast
from dsl import types as ty
from dsl.checker.context import Context, near, spelt
from dsl.checker.types.board_types import board_columns, check_selectors
from dsl.checker.types.grid_types import size_names
from dsl.checker.types.type_declarations import columns, die_type, type_of_union
from dsl.diagnostics import Cause, Label
from dsl.symbols import DieSymbol, NoteSymbol, ZoneSymbol

MAX_PLACES = 50_000
"""Maximum number of places of a zone, or of entries of a note."""

MAX_CELLS_TOGETHER = 100_000
"""Maximum number of places and entries of all zones, notes and dice together."""

MAX_KINDS = 10_000
"""Maximum number of attribute combinations of a piece."""


def shapes(context: Context) -> None:
    """Give every declaration its type."""
    model = context.model
    check_selectors(context)
    size_names(context)
    for type_symbol in list(model.type_symbols.values()):
        if isinstance(type_symbol.node, ast.TypeBoard):
            board_columns(context, type_symbol)
        else:
            columns(context, type_symbol)
    for die in model.dice.values():
        die.index = index_types(context, die.declaration)
        die_type(context, die)
    _attributes(context)
    for zone in model.zones.values():
        zone.index = index_types(context, zone.declaration)
        piece_types = set()
        for held in zone.declaration.holds:
            if held.name in model.pieces:
                piece_types.add(held.name)
            else:
                message, cause = f"there is no piece `{held.name}`", Cause("unknown", held.name)
                context.error("E0206", message, held, proposals=near(held.name, model.pieces), causes=[cause])
        all_are_known = len(piece_types) == len(zone.declaration.holds)
        pieces = ty.PieceType(frozenset(piece_types)) if piece_types and all_are_known else None
        zone.contents = ty.Contents(pieces, zone.declaration.shape) if pieces is not None else ty.UNKNOWN
    for note in model.notes.values():
        note.index = index_types(context, note.declaration)
        if note.type is None:  # not the number of a round
            note.type = type_of_union(context, note.declaration.type)
    _together(context)


def model_types(context: Context) -> frozenset[str]:
    """Names of the existing types."""
    return frozenset({*context.model.type_symbols, "Player", "Truth"})


def _together(context: Context) -> None:
    """Check the total size of the state; what lies on pieces is counted when their number is known."""
    model, places = context.model, 0
    components: list[ZoneSymbol | NoteSymbol | DieSymbol] = [*model.zones.values(), *model.notes.values()]
    for symbol in (*components, *model.dice.values()):
        places += combinations(context, symbol.index)
        if places > MAX_CELLS_TOGETHER:
            message = f"`{symbol.name}` brings the places and notes to {places}, more than {MAX_CELLS_TOGETHER}"
            context.error("E0338", message, symbol.declaration)
            return


def _attributes(context: Context) -> None:
    """Check the attributes of the pieces: single values, and the same type wherever the name is the same."""
    owners: dict[str, tuple[str, ty.Type, ast.Node]] = {}
    for piece in context.model.pieces.values():
        for attribute in piece.declaration.attributes:
            if attribute.type is None:
                new = f"{attribute.name.lower()}: {attribute.name}" if attribute.name in model_types(context) else None
                at = spelt(attribute, attribute.name)
                if isinstance(attribute.domain, ast.Name) and attribute.domain.name in model_types(context):
                    new, at = f"{attribute.name}: {attribute.domain.name}", attribute.span
                message = "an attribute of a piece needs a name and a type: `for each rank: Rank`"
                context.error("E0323", message, attribute, [f"write `{new}`"] * bool(new), new=new, at=at)
                piece.attributes[attribute.name] = ty.UNKNOWN
                continue
            type_ = type_of_union(context, attribute.type)
            if not isinstance(type_, ty.Unknown | ty.Listed | ty.Number) and type_ != ty.TRUTH:
                context.error("E0339", f"an attribute of a piece cannot be {type_}", attribute)
                type_ = ty.UNKNOWN
            if isinstance(type_, ty.Number) and type_.high - type_.low > 999:
                message = f"`{attribute.name}` has {type_.high - type_.low + 1} values, more than 1000"
                context.error("E0338", message, attribute)
                type_ = ty.UNKNOWN
            piece.attributes[attribute.name] = type_
            owner, first_type, first = owners.setdefault(attribute.name, (piece.name, type_, attribute))
            if first_type != type_ and ty.UNKNOWN not in (first_type, type_):
                context.error(
                    "E0342",
                    f"`{attribute.name}` is {first_type} for `{owner}`, but {type_} for `{piece.name}`",
                    attribute,
                    ["give one of the attributes another name"],
                    [Label(first.span, f"{first_type} here")],
                )
        kinds = combinations(context, tuple(piece.attributes.values()))
        if kinds > MAX_KINDS:
            message = f"`{piece.name}` has {kinds} combinations of attributes, more than {MAX_KINDS}"
            context.error("E0338", message, piece.declaration)


def index_types(context: Context, node: ast.Zone | ast.Note | ast.Die) -> tuple[ty.Type, ...]:
    """Types of an index: single values, and not too many."""
    types = [index_type(context, parameter) for parameter in node.index]
    places = 1
    for type_ in types:
        places *= size(context, type_)
    if places > MAX_PLACES:
        message = f"`{node.name}` would have {places} places, more than {MAX_PLACES}"
        context.error("E0338", message, node.index[0].span.to(node.index[-1].span))
        return (ty.UNKNOWN,) * len(types)
    return tuple(types)


def index_type(context: Context, parameter: ast.Parameter) -> ty.Type:
    """Type of one parameter of an index."""
    if parameter.type is None:
        context.error("E0323", "an index needs a type: `[p: Player]`", parameter)
        return ty.UNKNOWN
    type_ = type_of_union(context, parameter.type)
    if isinstance(type_, ty.Unknown | ty.Listed | ty.Number | ty.PieceType) or type_ == ty.TRUTH:
        return type_
    helps = ["use a type of single values, without `or none`"]
    context.error("E0337", f"an index cannot be {type_}", parameter, helps)
    return ty.UNKNOWN


def size(context: Context, type_: ty.Type) -> int:
    """Number of values of a type, with none if it may be none; pieces are not counted yet."""
    match type_:
        case ty.Maybe(of):
            return size(context, of) + 1
        case ty.Number(low, high):
            return high - low + 1
        case ty.Listed(name=name):
            return len(context.model.type_symbols[name].members)
        case (
            ty.Truth() | ty.PieceType() | ty.Several() | ty.Contents() | ty.Nothing() | ty.Kind()
            | ty.ListType() | ty.TextType() | ty.Unknown()
        ):  # fmt: skip
            return 2
        case _ as never:
            assert_never(never)


def combinations(context: Context, types: Sequence[ty.Type]) -> int:
    """Number of combinations of values of the types."""
    product = 1
    for type_ in types:
        product *= size(context, type_)
    return product
