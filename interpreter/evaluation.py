"""Evaluation of expressions: each is compiled to a function of the state and of the values of the names in scope.

A function is cached by its expression and the names in scope, whatever their values, so that it serves many rows of a
table, candidates of a move, or events of a trace.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dsl import ast
from dsl.symbols import LocalSymbol, RuleSymbol
from interpreter.backends.python import constants, function, question
from interpreter.ir.module import Function
from interpreter.lowering.context import Context
from interpreter.lowering.legal import not_too_long
from interpreter.lowering.program import lower_rest
from interpreter.lowering.queries import Form, Scope, wanted
from interpreter.names import DEFERRED, Computed, Destructured, InCell, Names
from interpreter.requirements import BoundRequirement
from interpreter.runtime.primitives import Cells

MOST_COMPILED = 4096
"""Maximum number of compiled expressions cached; recurring ones are soon compiled again."""


class Evaluation:
    """Compiles and caches expressions of one program. `namespace` is what generated code can call."""

    def __init__(self, lowered: Context, namespace: dict[str, Any]) -> None:
        self.lowered, self.namespace = lowered, namespace
        self.compiled: dict[tuple[Any, ...], Callable[..., Any]] = {}

    def evaluate(self, form: Form, node: ast.Expression, S: Cells, names: Names, detail: Any = None) -> Any:
        """Evaluate an expression; `detail` is the type, the piece types or the position that its form needs."""
        shape, values = shape_of(names)
        key = (form, node.number, detail, *shape)
        function = self.compiled.get(key)
        if function is None:
            if len(self.compiled) > MOST_COMPILED:
                self.compiled.clear()
            function = self.compiled[key] = self._compile(form, node, names, detail)
        return function(S, *values)

    def value_of_name(self, symbol: LocalSymbol, S: Cells, names: Names) -> Any:
        """The value of a name."""
        match names[symbol]:
            case InCell(cell=cell):
                return S[cell]
            case Computed() as found:
                return self.evaluate("fitted" if found.fitted else "kept", found.node, S, found.names, found.type)
            case Destructured() as found:
                return self.evaluate("argument", found.test, S, found.names, found.position)
            case value:
                return value

    def requirements(self, rule: RuleSymbol, names: Names) -> list[BoundRequirement]:
        """The requirements of an action whose parameters have values, in the order of the text."""
        scope = Scope(self.lowered)
        return self.lowered.required.of(rule, names, lambda value, node: not_too_long(scope.of(value), node))

    def _compile(self, form: Form, node: ast.Expression, names: Names, detail: Any) -> Callable[..., Any]:
        scope = Scope(self.lowered)
        before = len(self.lowered.module.functions)
        found = wanted(self.lowered, form, node, scope.env(names), detail)
        self._define([*self.lowered.module.functions.values()][before:])
        for name, content in constants(self.lowered.module).items():
            self.namespace.setdefault(name, content)
        text = question(tuple(scope.parameters.values()), found)
        function: Callable[..., Any] = eval(text, self.namespace)  # source generated here
        return function

    def _define(self, functions: Sequence[Function]) -> None:
        """Compile the functions that an expression has added, with those that they need."""
        if functions:
            functions = [*functions, *lower_rest(self.lowered)]
            text = "\n".join(line for each in functions for line in function(each, journal=True))
            exec(text, self.namespace)  # source generated here


class _Shape:
    """The shape of the names in scope, equal where the same code can be used; `values` are their values."""

    def __init__(self) -> None:
        self.parts: list[Any] = []
        self.values: dict[LocalSymbol, Any] = {}
        self.seen: dict[Computed | Destructured, int] = {}

    def add(self, names: Names) -> None:
        """Add some names. A name that was added before has the same value."""
        for symbol, value in names.items():
            self.parts.append(symbol)
            match value:
                case InCell(cell=cell):
                    self.parts.append(("cell", cell))
                case Computed() | Destructured() if value in self.seen:
                    self.parts.append(("again", self.seen[value]))
                case Computed():
                    self._nested(value, value.node, (value.fitted, value.type))
                case Destructured():
                    self._nested(value, value.test, value.position)
                case _:
                    self.values[symbol] = value

    def _nested(self, value: Computed | Destructured, node: ast.Expression, detail: object) -> None:
        self.seen[value] = len(self.seen)
        self.parts.append((node.number, detail, len(value.names)))
        self.add(value.names)


def shape_of(names: Names) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The shape of the names in scope, and their values."""
    values = tuple(names.values())
    if not any(isinstance(value, DEFERRED) for value in values):
        return tuple(names), values
    shape = _Shape()
    shape.add(names)
    return tuple(shape.parts), tuple(shape.values.values())
