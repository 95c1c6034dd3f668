"""Expressions whose type nothing determines: `first({})`, `{} + {}`, `{none}`."""

from __future__ import annotations

from collections.abc import Iterable

from dsl import ast
from dsl.checker.context import Context
from dsl.checker.types.sets import report_unknown_element
from dsl.types import Contents, ListType, Maybe, Nothing, Several, Type, Unknown


def undetermined_types(context: Context, nodes: Iterable[ast.Node] | None = None) -> None:
    """Report each expression of undetermined type, where no error has been reported; by default in the whole file.

    An empty set alone is none of them: what it is compared or joined with determines its type.
    """
    types = context.model.types
    open_nodes = {
        node.number: node
        for node in (context.model.nodes if nodes is None else nodes)
        if node.number in types and not _is_determined(types[node.number]) and not _is_empty(node)
    }
    for node in open_nodes.values():
        parts = [part for part in node.walk() if part is not node]
        if not any(part.number in open_nodes for part in parts):
            report_unknown_element(context, next(filter(_is_empty, parts), node))


def _is_empty(node: ast.Node) -> bool:
    return isinstance(node, ast.SetOf | ast.ListOf) and not node.items


def _is_determined(type_: Type) -> bool:
    match type_:
        case Unknown():
            return False
        case Several(element) | ListType(element):
            return not isinstance(element, Nothing) and _is_determined(element)
        case Maybe(of):
            return _is_determined(of)
        case Contents(pieces):
            return _is_determined(pieces)
        case _:
            return True
