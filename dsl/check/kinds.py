"""Kinds of pieces: `red king`, `king`, a value that stands for the attribute of its type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl import ast
from dsl.check.context import Context, Scope, suggest
from dsl.symbols import LocalSymbol
from dsl.types import KIND, Contents, Kind, Listed, ListType, Number, PieceType, Several, Type, Unknown, bare, numeric

if TYPE_CHECKING:
    from dsl.check.infer import Inference


def pieces_in(type_: Type | None) -> PieceType | None:
    """The sort of piece that a piece, set of pieces or zone is about, or None."""
    core = bare(type_) if type_ is not None else None
    match core:
        case PieceType():
            return core
        case Contents(pieces):
            return pieces
        case Several(PieceType() as pieces) | ListType(PieceType() as pieces):
            return pieces
        case _:
            return None


def attributes_of(context: Context, pieces: PieceType) -> dict[str, Type]:
    """All attributes that a piece of one of the sorts can have."""
    found: dict[str, Type] = {}
    for sort in sorted(pieces.sorts):
        found.update(context.model.pieces[sort].attributes)
    return found


def kind_of(inference: Inference, node: ast.Expression, pieces: PieceType, scope: Scope, quiet: bool = False) -> bool:
    """Read an expression as a kind of these pieces and note the attributes meant.

    With `quiet`, an expression that is no kind is left alone (False) for another reading.
    """
    context = scope.context
    attributes = attributes_of(context, pieces)
    if isinstance(node, ast.Pattern):
        context.model.types[node.number] = KIND
        return all([_word(inference, word, attributes, scope, quiet) for word in node.words])
    if isinstance(node, ast.Name) and scope.find(node.name) is None:
        if node.name in context.values or not quiet:
            meant = [name for name, type_ in attributes.items() if _has_value(context, type_, node.name)]
            if meant or not quiet:
                return _word(inference, node, attributes, scope, quiet)
        return False
    before = len(context.diagnostics)
    type_ = inference.infer(node, scope)
    if len(context.diagnostics) > before and quiet:
        return False
    core = bare(type_)
    if isinstance(core, PieceType) and not quiet:
        return True
    meant = [
        name for name, attribute in attributes.items()
        if attribute == core or (numeric(core) and numeric(attribute) and isinstance(core, Number | Listed))
    ]  # fmt: skip
    if len(meant) == 1:
        context.model.attribute_of[node.number] = meant[0]
        return True
    if not quiet and not isinstance(core, Unknown | Kind):
        names = ", ".join(f"`{name}`" for name in meant)
        what = f"{names} could be meant" if meant else f"no attribute of {pieces} has this type: {type_}"
        context.error("E0322", what, node)
    return False


def _has_value(context: Context, type_: Type, name: str) -> bool:
    core = bare(type_)
    return isinstance(core, Listed) and name in context.model.type_symbols[core.name].members


def _word(inference: Inference, word: ast.Name, attributes: dict[str, Type], scope: Scope, quiet: bool) -> bool:
    context = scope.context
    local = scope.find(word.name)
    if isinstance(local, LocalSymbol):
        meant = [name for name, type_ in attributes.items() if type_ == local.type]
    else:
        meant = [name for name, type_ in attributes.items() if _has_value(context, type_, word.name)]
    if len(meant) == 1:
        inference.infer(word, scope, attributes[meant[0]])
        context.model.attribute_of[word.number] = meant[0]
        return True
    if not quiet:
        values = [
            str(member) for type_ in attributes.values() if isinstance(core := bare(type_), Listed)
            for member in context.model.type_symbols[core.name].members
        ]  # fmt: skip
        what = "could be a value of several attributes" if meant else "is no value of an attribute of these pieces"
        context.error("E0322", f"`{word.name}` {what}", word, suggest(word.name, values))
    return False
