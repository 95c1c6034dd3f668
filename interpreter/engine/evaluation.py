"""Evaluation of expressions: each is compiled to a function of the state and of the values of the names in scope.

A function is cached by its expression and the names in scope, whatever their values: one compiled function serves all
rows of a table, candidates of a move, or events of a trace. Threads share the functions; one at a time compiles more.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from threading import Lock
from typing import Any

from dsl import ast
from dsl.symbols import LocalSymbol, RuleSymbol
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.lowering.context import Context
from interpreter.compiler.lowering.effects import rule_function
from interpreter.compiler.lowering.legal import Sizes
from interpreter.compiler.lowering.program import lower_rest
from interpreter.compiler.lowering.queries import Detail, QueryForm, Scope, wanted
from interpreter.compiler.names import DEFERRED, Computed, Destructured, InCell, Names
from interpreter.compiler.python.printing import constants, function, question
from interpreter.compiler.requirements import BoundRequirement
from interpreter.runtime.cells import Cells, Generated, Namespace, NoteCell, StoredValue

MAX_COMPILED = 4096
"""Maximum number of compiled expressions cached; recurring ones are soon compiled again."""


class Evaluation:
    """Compiles and caches expressions of one program, which it never changes.

    `names` are those that generated code of the program reads. What expressions add is kept in copies, which are made
    when the first one is compiled.
    """

    def __init__(self, lowered: Context, names: Namespace) -> None:
        self._program = lowered, names
        self._compiling = Lock()
        self.compiled: dict[tuple[Hashable, ...], Generated] = {}

    @cached_property
    def lowered(self) -> Context:
        """The rules in intermediate form, with the functions that expressions have added."""
        return self._program[0].extended()

    @cached_property
    def namespace(self) -> Namespace:
        """The names that compiled expressions read."""
        return dict(self._program[1])

    @property
    def module(self) -> Module:
        """The functions of the rules, and those that expressions have added."""
        return self.lowered.module

    # `Any`: what comes out is what the form says, a number, a list of terms, a place …
    def evaluate(self, form: QueryForm, node: ast.Expression, state: Cells, names: Names, detail: Detail = None) -> Any:
        """Evaluate an expression; `detail` is the type, the piece types or the position that its form needs."""
        shape, values = shape_of(names)
        key = (form, node.number, detail, *shape)
        function = self.compiled.get(key)
        if function is None:
            with self._compiling:
                function = self.compiled.get(key)
                if function is None:
                    if len(self.compiled) > MAX_COMPILED:
                        self.compiled.clear()
                    function = self.compiled[key] = self._compile(form, node, names, detail)
        return function(state, *values)

    def step(self, rule: RuleSymbol) -> Generated:
        """The function of a step that a compiled hypothesis does."""
        function: Generated = self.namespace[rule_function(self.lowered, rule, quiet=False)]
        return function

    def supply(self, functions: Mapping[str, Generated]) -> None:
        """Supply functions that compiled expressions call by these names."""
        self.namespace.update(functions)

    def value_of_name(self, symbol: LocalSymbol, state: Cells, names: Names) -> StoredValue:
        """The value of a name."""
        match names[symbol]:
            case InCell(cell=cell):
                return state[NoteCell(cell)]
            case Computed() as deferred:
                form: QueryForm = "fitted" if deferred.fitted else "kept"
                computed: StoredValue = self.evaluate(form, deferred.node, state, deferred.names, deferred.type)
                return computed
            case Destructured() as deferred:
                argument: StoredValue = self.evaluate(
                    "argument", deferred.test, state, deferred.names, deferred.position
                )
                return argument
            case value:
                return value

    def requirements(self, rule: RuleSymbol, names: Names) -> list[BoundRequirement]:
        """The requirements of an action whose parameters have values, in the order of the text."""
        with self._compiling:
            scope, sizes = Scope(self.lowered), Sizes()
            return self.lowered.required.of(rule, names, lambda value, node: sizes.checked(scope.of(value), node))

    def _compile(self, form: QueryForm, node: ast.Expression, names: Names, detail: Detail) -> Generated:
        scope = Scope(self.lowered)
        functions_before = len(self.lowered.module.functions)
        code = wanted(self.lowered, form, node, scope.env(names), detail)
        self._define([*self.lowered.module.functions.values()][functions_before:])
        for name, content in constants(self.lowered.module).items():
            self.namespace.setdefault(name, content)
        text = question(tuple(scope.parameters.values()), code)
        function: Generated = eval(text, self.namespace)  # source generated here
        return function

    def _define(self, functions: Sequence[Function]) -> None:
        """Compile the functions that an expression has added, with those that they need."""
        if functions:
            functions = [*functions, *lower_rest(self.lowered)]
            text = "\n".join(line for definition in functions for line in function(definition, journal=True))
            exec(text, self.namespace)  # source generated here


class _Shape:
    """The shape of the names in scope, equal where the same code can be used; `values` are their values."""

    def __init__(self) -> None:
        self.parts: list[Hashable] = []
        self.values: dict[LocalSymbol, StoredValue] = {}
        self.seen: dict[Computed | Destructured, int] = {}

    def add(self, names: Names) -> None:
        """Add some names. A name that was added before has the same value."""
        for symbol, value in names.items():
            self.parts.append(symbol)
            match value:
                case InCell(cell=cell):
                    self.parts.append(("cell", cell))
                # Of ten `let`s, each has all those before it in scope: followed wherever they occur they are 1,023.
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


def shape_of(names: Names) -> tuple[tuple[Hashable, ...], tuple[StoredValue, ...]]:
    """The shape of the names in scope, and their values."""
    # Two rows of a table bind `p` to piece 4 and to piece 9: one shape, so one function, called with 4 and with 9. A
    # name that is evaluated lazily belongs to the shape by what it is bound to, and so do the names in its own scope.
    values = tuple([value for value in names.values() if not isinstance(value, DEFERRED)])
    if len(values) == len(names):
        return tuple(names), values
    shape = _Shape()
    shape.add(names)
    return tuple(shape.parts), tuple(shape.values.values())
