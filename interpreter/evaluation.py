"""Values of expressions: each is compiled to a function of the state and of the values of the names in scope.

A function is kept for an expression and the names in scope, whatever their values, so that it serves many rows of a
table, candidates of a move, or events of a trace.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from dsl import ast
from dsl.symbols import LocalSymbol, RuleSymbol
from interpreter.compile.domains import Env
from interpreter.compile.legal import not_too_long
from interpreter.compile.points import Points
from interpreter.names import DEFERRED, Computed, InCell, Names, TakenApart
from interpreter.requirements import BoundRequirement, Requirements
from interpreter.runtime.primitives import Cells

MOST_COMPILED = 4096
"""Maximum number of compiled expressions kept; recurring ones are soon compiled again."""

Form = Literal["value", "kept", "needed", "fitted", "set", "kind", "members", "terms", "place", "cell", "argument"]
"""What of an expression is wanted.

Its value; as it is kept under a name of a type; where it must not be none; fitted to a type; as a bit set; the pieces
of a kind; what it iterates over; the terms of a sum; the number of a place; that of a cell; an argument of the value
that is taken apart.
"""


class Evaluation:
    """Compiles expressions of one program, and keeps them. `namespace` is what generated code can call."""

    def __init__(self, points: Points, namespace: dict[str, Any]) -> None:
        self.points, self.namespace = points, namespace
        self.compiled: dict[tuple[Any, ...], Callable[..., Any]] = {}
        self.required = Requirements(points.model)

    def evaluate(self, form: Form, node: ast.Expression, S: Cells, names: Names, detail: Any = None) -> Any:
        """Evaluate an expression; `detail` is the type, the piece types or the position that a form speaks of."""
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
            case TakenApart() as found:
                return self.evaluate("argument", found.test, S, found.names, found.position)
            case value:
                return value

    def requirements(self, rule: RuleSymbol, names: Names) -> list[BoundRequirement]:
        """Everything that must hold for an action whose parameters have values, in the order of the text."""
        texts = _Texts(self.points)
        return self.required.of(rule, names, lambda value, node: not_too_long(texts.of(value), node))

    def _compile(self, form: Form, node: ast.Expression, names: Names, detail: Any) -> Callable[..., Any]:
        texts = _Texts(self.points)
        text = emitted(self.points, form, node, texts.env(names), detail)
        for name, content in self.points.tables.items():
            self.namespace.setdefault(name, content)
        parameters = ", ".join(["S", *texts.parameters.values()])
        function: Callable[..., Any] = eval(f"lambda {parameters}: {text}", self.namespace)  # our own generated text
        return function


class _Shape:
    """What names stand for apart from values: equal where the same code serves. `values` are these values."""

    def __init__(self) -> None:
        self.parts: list[Any] = []
        self.values: dict[LocalSymbol, Any] = {}
        self.seen: dict[Computed | TakenApart, int] = {}

    def add(self, names: Names) -> None:
        """Add some names. A name that was added before has the same value."""
        for symbol, value in names.items():
            self.parts.append(symbol)
            match value:
                case InCell(cell=cell):
                    self.parts.append(("cell", cell))
                case Computed() | TakenApart() if value in self.seen:
                    self.parts.append(("again", self.seen[value]))
                case Computed():
                    self._nested(value, value.node, (value.fitted, value.type))
                case TakenApart():
                    self._nested(value, value.test, value.position)
                case _:
                    self.values[symbol] = value

    def _nested(self, value: Computed | TakenApart, node: ast.Expression, detail: object) -> None:
        self.seen[value] = len(self.seen)
        self.parts.append((node.number, detail, len(value.names)))
        self.add(value.names)


def shape_of(names: Names) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """A key for what the names stand for apart from values, and these values."""
    values = tuple(names.values())
    if not any(isinstance(value, DEFERRED) for value in values):
        return tuple(names), values
    shape = _Shape()
    shape.add(names)
    return tuple(shape.parts), tuple(shape.values.values())


class _Texts:
    """Python text for names: those with values are parameters, in the order in which `_Shape` lists the values."""

    def __init__(self, points: Points) -> None:
        self.points = points
        self.parameters: dict[LocalSymbol, str] = {}
        self.deferred: dict[Computed | TakenApart, str] = {}

    def env(self, names: Names) -> Env:
        """The text of each name."""
        return {symbol: self._of_name(symbol, value) for symbol, value in names.items()}

    def _of_name(self, symbol: LocalSymbol, value: Any) -> str:
        match value:
            case InCell(cell=cell):
                return f"S[{cell}]"
            case Computed() | TakenApart():
                return self.of(value)
            case _:
                return self.parameters.setdefault(symbol, f"x{len(self.parameters)}")

    def of(self, value: Computed | TakenApart) -> str:
        """The text of what stands for an expression, emitted once."""
        if value not in self.deferred:
            inner = self.env(value.names)
            if isinstance(value, Computed):
                self.deferred[value] = self.points.computed(value, inner)
            else:
                self.deferred[value] = self.points.taken_argument(value.test, value.position, inner)
        return self.deferred[value]


def emitted(points: Points, form: Form, node: ast.Expression, env: Env, detail: Any) -> str:
    """Python text for what is wanted of an expression."""
    match form:
        case "value":
            return points.value(node, env)
        case "kept":
            return points.kept(node, detail, env)
        case "needed":
            return points.needed(node, env)
        case "fitted":
            return points.fitted(node, detail, env)
        case "set":
            return points.mask(node, env)
        case "kind":
            return points.kind(node, detail, env)
        case "members":
            return f"tuple({points.loop(points.domain(node, env))})"
        case "terms":
            assert isinstance(node, ast.Aggregate)
            return points.terms(node, env)
        case "place":
            return points.place(node, env)
        case "cell":
            return points.cell(node, env)
        case "argument":
            assert isinstance(node, ast.Compare)
            return points.taken_argument(node, detail, env)
