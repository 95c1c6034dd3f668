"""Unions of listed types: `Suit or Honour`; dice that show values of types and words of their own."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ast
from dsl.checker.context import Context, spelt
from dsl.diagnostics import Label
from dsl.symbols import DieSymbol, TypeSymbol
from dsl.types import PLAYER, UNKNOWN, Listed, Type, Unknown


def union(context: Context, types: Sequence[Type], node: ast.Node) -> Type:
    """Union of these types, which must be listed and share no value name."""
    if any(isinstance(type_, Unknown) for type_ in types):
        return UNKNOWN
    names: set[str] = set()
    for type_ in types:
        if not isinstance(type_, Listed) or type_.numeric or type_ == PLAYER:
            helps = ["use one type, one type `or none`, or listed types: `Suit or Honour`"]
            message = f"only listed types can be combined, found {type_}"
            context.error("E0303", message, node, helps)
            return UNKNOWN
        names |= type_.owners
    type_symbols = context.model.type_symbols
    parts = tuple(name for name in type_symbols if name in names)
    if len(parts) == 1:
        return Listed(parts[0])
    name = " or ".join(parts)
    if name not in type_symbols:
        owners: dict[str, str] = {}
        for part in parts:
            for word in [*map(str, type_symbols[part].members), *type_symbols[part].families]:
                if owners.setdefault(word, part) != part:
                    message = f"`{word}` is ambiguous: it is a value of `{owners[word]}` and of `{part}`"
                    labels = [
                        Label(spelt(node_of_owner, word), f"a value of `{owner}`")
                        for owner in (owners[word], part)
                        if (node_of_owner := type_symbols[owner].node) is not None
                    ]
                    context.error("E0205", message, node, ["give one of them another name"], labels)
                    return UNKNOWN
        members = tuple(member for part in parts for member in type_symbols[part].members)
        attributes: dict[str, Type] = {}
        for part in parts:
            attributes = {**type_symbols[part].attributes, **attributes}
        type_symbols[name] = TypeSymbol(name, None, Listed(name, parts=parts), members, attributes)
    return type_symbols[name].type


def lacks(context: Context, type_: Listed, attribute: str) -> bool:
    """True if some of the types lack an attribute."""
    return any(attribute not in context.model.type_symbols[part].attributes for part in type_.parts)


def mixed_faces(context: Context, die: DieSymbol, faces: Sequence[str]) -> Type:
    """Type of faces that are values of one or several types, or words of the die only."""
    uncovered, types = list(faces), list[Type]()
    declared = [symbol for symbol in context.model.type_symbols.values() if symbol.node]
    while True:
        most = max((len(set(uncovered) & set(symbol.members)) for symbol in declared), default=0)
        if not most:
            break
        best = next(symbol for symbol in declared if len(set(uncovered) & set(symbol.members)) == most)
        covered = set(uncovered) & set(best.members)
        owners = [
            symbol
            for symbol in declared
            if len(shared_faces := set(uncovered) & set(symbol.members)) == most and shared_faces & covered
        ]
        if len(owners) > 1:
            names = " and of ".join(f"`{symbol.name}`" for symbol in owners)
            helps = ["give the values of these types different names"]
            message = f"the faces of `{die.name}` are ambiguous: values of {names}"
            context.error("E0205", message, die.declaration, helps)
            return UNKNOWN
        types.append(best.type)
        uncovered = [face for face in uncovered if face not in best.members]
    if uncovered:
        die_type = Listed(f"die {die.name}")
        context.model.type_symbols[die_type.name] = TypeSymbol(die_type.name, None, die_type, tuple(uncovered))
        types.append(die_type)
    return types[0] if len(types) == 1 else union(context, types, die.declaration)
