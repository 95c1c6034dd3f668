"""Which definitions play evaluates: all but those that only say what people see, in tables and labels."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import ast
from dsl.model import Model
from dsl.symbols import DefineSymbol


def definitions_in_play(model: Model) -> frozenset[str]:
    """The names of the definitions that rules of play mention, or definitions mentioned by these."""
    names: set[str] = set()
    waiting = {name for root in _roots(model) for name in _mentioned(model, root)}
    waiting |= {when.name for when in model.whens}
    while waiting:
        names |= waiting
        waiting = {
            name
            for mentioned in waiting
            if mentioned in model.defines
            for name in _mentioned(model, model.defines[mentioned].declaration)
        } - names
    return frozenset(names)


def _roots(model: Model) -> Iterator[ast.Node]:
    """The nodes that are evaluated in play: statements and declarations, of actions all but the label."""
    for part in model.file.parts:
        yield from part.statements
        for node in part.declarations:
            if isinstance(node, ast.Action):
                yield from (child for child in node.children() if child is not node.label)
            elif not isinstance(node, ast.Define | ast.Table | ast.Names | ast.Example):
                yield node


def _mentioned(model: Model, node: ast.Node) -> set[str]:
    symbols = (model.refers.get(part.number) for part in node.walk())
    return {symbol.name for symbol in symbols if isinstance(symbol, DefineSymbol)}
