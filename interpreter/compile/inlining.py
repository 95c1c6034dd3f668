"""Small definitions stand where they are asked: a call costs more than what they work out."""

from __future__ import annotations

import re

from dsl import ast
from dsl.symbols import DefineSymbol
from interpreter.compile.domains import Env
from interpreter.compile.families import Families
from interpreter.compile.graphs import Graphs
from interpreter.compile.naming import named

SMALLEST = 24
"""How many nodes a definition may have, those it asks in turn with it, to stand where it is asked."""

SIMPLE = re.compile(r"\w+|S\[\d+\]|\(-\d+\)")


def once_name(name: str) -> str:
    """The Python name under which a definition's value is kept while legal moves are listed."""
    return named("once", name)


class Inlining(Graphs, Families):
    """Emission of small definitions; mixed into `Expressions`."""

    sizes: dict[str, int]

    asked_once: list[str] | None
    """In legal moves, while nothing changes: the definitions that are worked out once."""

    def inlined(self, symbol: DefineSymbol, arguments: list[str]) -> str | None:
        """The cases of a small definition as one expression; None if it is to be called.

        One without parameters that is not small is asked once where nothing changes meanwhile.
        Arguments that are worked out, and not just named, would be worked out again for each use: these are called.
        """
        if self.size_of(symbol) > SMALLEST and not arguments and self.asked_once is not None:
            if symbol.name not in self.asked_once:
                self.asked_once.append(symbol.name)
            return f"once({once_name(symbol.name)}, {named('f', symbol.name)}, S)"
        if self.size_of(symbol) > SMALLEST or not all(SIMPLE.fullmatch(argument) for argument in arguments):
            return None
        inner: Env = dict(zip(symbol.parameters, arguments, strict=True))
        assert symbol.type is not None
        text = ""
        for case in symbol.declaration.cases:
            known = inner if case.condition is None else self.taken(case.condition, inner)
            value = self.fitted(case.value, symbol.type, known)
            text += value if case.condition is None else f"{value} if {self.value(case.condition, known)} else "
        return f"({text})"

    def size_of(self, symbol: DefineSymbol) -> int:
        """How many nodes a definition has, with those of the definitions it asks."""
        if symbol.name not in self.sizes:
            cases = symbol.declaration.cases
            self.sizes[symbol.name] = sum(1 + self._behind(node) for case in cases for node in case.walk())
        return self.sizes[symbol.name]

    def _behind(self, node: ast.Node) -> int:
        asked = self.model.refers.get(node.number)
        called = isinstance(asked, DefineSymbol) and isinstance(node, ast.Call | ast.Name)
        return self.size_of(asked) if called and isinstance(asked, DefineSymbol) else 0
