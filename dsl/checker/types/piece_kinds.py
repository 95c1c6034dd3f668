"""Kinds of pieces: `red king`, `king`, a piece type, a value of an attribute.

The words of `move 2 red king from box to …` are not declared as a kind anywhere. Each is looked up among the attributes
of the pieces that may lie in the box: `red` is a value of `owner`, `king` one of `rank`. A word may be

    king            a value that exactly one attribute can have; recorded as a test of this attribute
    Man             a piece type
    me              a name for a value: the attribute of its type
    three           where `left: Pips` and `right: Pips` both have it, ambiguous: E0322

Elsewhere the same words may be no kind at all: `x is y` compares two pieces. Such places read them as a kind on trial
(`quiet`), and any diagnostics of a failed trial are taken back.
"""

from __future__ import annotations

from dsl import ast
from dsl import types as ty
from dsl.checker.context import Context, Scope, near, spelt
from dsl.checker.names.unknown_names import unknown_word
from dsl.checker.types.typer import Typer
from dsl.diagnostics import Cause
from dsl.symbols import LocalSymbol, PieceSymbol


def pieces_in(type_: ty.Type | None) -> ty.PieceType | None:
    """The piece type of a piece, set of pieces or zone, or None."""
    core = ty.bare(type_) if type_ is not None else None
    match core:
        case ty.PieceType():
            return core
        case ty.Contents(pieces):
            return pieces
        case ty.Several(ty.PieceType() as pieces) | ty.ListType(ty.PieceType() as pieces):
            return pieces
        case _:
            return None


def attributes_of(context: Context, pieces: ty.PieceType) -> dict[str, ty.Type]:
    """All attributes that a piece of one of the types can have."""
    attributes: dict[str, ty.Type] = {}
    for piece_type in sorted(pieces.piece_types):
        attributes.update(context.model.pieces[piece_type].attributes)
    return attributes


def narrowed(context: Context, part: ast.Expression, pieces: ty.PieceType) -> ty.PieceType:
    """Piece types that a part of a kind leaves possible: the type it names, or those that have the attribute."""
    piece_types = pieces.piece_types
    for word in part.words if isinstance(part, ast.Pattern) else (part,):
        symbol = context.model.refers.get(word.number)
        attribute = context.model.attribute_of.get(word.number)
        if isinstance(symbol, PieceSymbol):
            piece_types &= {symbol.name}
        elif attribute is not None:
            piece_types &= {name for name in piece_types if attribute in context.model.pieces[name].attributes}
    return ty.PieceType(piece_types) if piece_types else pieces


def kind_of(typer: Typer, node: ast.Expression, pieces: ty.PieceType, scope: Scope, quiet: bool = False) -> bool:
    """Read an expression as a kind of these pieces, and record the attributes it refers to.

    With `quiet`, an expression that is not a kind is left alone (False) for another reading.
    """
    context = typer.context
    attributes = attributes_of(context, pieces)
    if isinstance(node, ast.Pattern):
        context.model.types[node.number] = ty.KIND
        if not quiet and unknown_word(context, node, scope, values_of(context, attributes)):
            return False
        good = True
        for word in node.words:
            if isinstance(word, ast.Name):
                good &= _word(typer, word, pieces, attributes, scope, quiet)
            else:
                good &= _expression(typer, word, pieces, attributes, scope, quiet)
        return good
    if isinstance(node, ast.Name) and scope.find(node.name) is None:
        if node.name in context.values and _has_unknown(attributes):
            return True
        candidates = _attributes_with(context, attributes, node.name)
        is_piece = isinstance(context.globals.get(node.name), PieceSymbol)
        if (
            candidates
            or (is_piece and (node.name in pieces.piece_types or not quiet))
            or (node.name in context.values and not quiet)
        ):
            return _word(typer, node, pieces, attributes, scope, quiet)
        if quiet and (is_piece or node.name not in context.globals):
            return False
        if not any(node.name in names for names in (context.globals, context.values, context.families)):
            close = near(node.name, [*scope.visible(), *values_of(context, attributes), *pieces.piece_types])
            causes = [Cause("unknown", node.name), *([Cause("missing", "")] if context.forgotten_types else [])]
            context.error("E0201", f"there is no `{node.name}`", node, proposals=close, causes=causes)
            return False
    return _expression(typer, node, pieces, attributes, scope, quiet)


def _expression(
    typer: Typer, node: ast.Expression, pieces: ty.PieceType, attributes: dict[str, ty.Type], scope: Scope, quiet: bool
) -> bool:
    """Read an expression as a kind: a value of the attribute that has its type."""
    context = typer.context
    diagnostics_before = list(context.diagnostics)
    called = node.base.name if isinstance(node, ast.Call) and isinstance(node.base, ast.Name) else ""
    families = {family.type.name for family in context.families.get(called, ())}
    # A constructor such as `some(3)` may belong to several types; an attribute that has one of them decides.
    hints = [type_ for type_ in attributes.values() if _owners(type_) & families]
    type_ = typer.infer(node, scope, hints[0] if len(hints) == 1 else None)
    # What the trial has recorded about the types of nodes is overwritten by the next reading.
    if quiet and len(context.diagnostics) > len(diagnostics_before):
        context.diagnostics[:] = diagnostics_before
        return False
    core = ty.bare(type_)
    if isinstance(core, ty.PieceType) and not quiet:
        return True
    if typer.in_example and isinstance(core, ty.Several) and isinstance(node, ast.SetOf | ast.Filter | ast.Builder):
        members = ty.bare(core.element)
        if isinstance(members, ty.PieceType) and members.piece_types & pieces.piece_types:
            return True  # in a list of pieces, any of these
    candidates = [
        name
        for name, attribute in attributes.items()
        if ty.bare(attribute) == core
        or ty.overlap(ty.bare(attribute), core)
        or (ty.numeric(core) and ty.numeric(attribute) and isinstance(core, ty.Number | ty.Listed))
    ]
    if len(candidates) == 1:
        context.model.attribute_of[node.number] = candidates[0]
        return True
    if not quiet and _has_unknown(attributes):
        return True
    if not quiet and not isinstance(core, ty.Unknown | ty.Kind):
        names = " or ".join(f"`{name}`" for name in candidates)
        message = f"this could be a value of {names}" if candidates else f"no attribute of {pieces} can be {type_}"
        context.error("E0322", message, node, causes=[_about(context, pieces, type_)])
    return False


def _about(context: Context, pieces: ty.PieceType, instead: ty.Type | None) -> Cause:
    """Cause of diagnostics about kinds that these pieces do not have."""
    name = " or ".join(sorted(pieces.piece_types))
    symbol = context.model.pieces.get(name)
    words = "" if instead is None else "a number" if ty.numeric(instead) else str(ty.bare(instead))
    return Cause("declared", name, spelt(symbol.declaration, name) if symbol is not None else None, words)


def _owners(type_: ty.Type) -> frozenset[str]:
    """Names of the listed types whose values an attribute can have."""
    core = ty.bare(type_)
    return core.owners if isinstance(core, ty.Listed) else frozenset()


def _attributes_with(context: Context, attributes: dict[str, ty.Type], name: str) -> list[str]:
    """Attributes that have a value of that name."""
    return [
        attribute
        for attribute, type_ in attributes.items()
        if isinstance(core := ty.bare(type_), ty.Listed) and name in context.model.type_symbols[core.name].members
    ]


def _has_unknown(attributes: dict[str, ty.Type]) -> bool:
    """True if the type of an attribute is unknown because of an error, so that any word may be a value of it."""
    return any(isinstance(type_, ty.Unknown) for type_ in attributes.values())


def values_of(context: Context, attributes: dict[str, ty.Type]) -> list[str]:
    """All values that the attributes can have."""
    return [
        str(member)
        for type_ in attributes.values()
        if isinstance(core := ty.bare(type_), ty.Listed)
        for member in context.model.type_symbols[core.name].members
    ]


def _word(
    typer: Typer, word: ast.Name, pieces: ty.PieceType, attributes: dict[str, ty.Type], scope: Scope, quiet: bool
) -> bool:
    """Read one word of a kind: a value of an attribute, a piece type, or a name for such a value."""
    context = typer.context
    local = scope.find(word.name)
    if local is None and word.name in pieces.piece_types:
        typer.infer(word, scope)
        return True
    if isinstance(local, LocalSymbol):
        core = ty.bare(local.type)
        candidates = [
            name for name, type_ in attributes.items() if ty.bare(type_) == core or ty.overlap(ty.bare(type_), core)
        ]
    else:
        candidates = _attributes_with(context, attributes, word.name)
    if len(candidates) == 1:
        typer.infer(word, scope, attributes[candidates[0]])
        context.model.attribute_of[word.number] = candidates[0]
        return True
    if _has_unknown(attributes):
        return True
    if not quiet:
        values = values_of(context, attributes)
        what = "could be a value of several attributes" if candidates else f"does not describe {pieces}"
        close = [] if candidates else near(word.name, [*values, *pieces.piece_types])
        owners = [value.type for value in context.values.get(word.name, ())]
        causes = [_about(context, pieces, owners[0] if owners else None)]
        helps = ["chance chooses pieces `at random`: `move 1 at random from …`"] * (word.name in ("random", "randomly"))
        context.error("E0322", f"`{word.name}` {what}", word, helps, proposals=close, causes=causes)
    return False
