"""State and entry points shared by the functions that infer types."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from dsl import ast
from dsl.checker.context import Context, Scope
from dsl.lazy_dataclasses import dataclass
from dsl.symbols import DefineSymbol
from dsl.types import Type

InferForm = Callable[["Typer", ast.Expression, Scope, Type | None], Type]
TypeDefinition = Callable[["Typer", DefineSymbol, ast.Node], Type]


@dataclass
class Typer:
    """The model being built, and the current position of the check in the rules.

    Expressions nest arbitrarily and call definitions: the function for one node type infers the types of its parts by
    `infer` and `definition_type`, so that no module needs the others.

    `in_example`: in an example, where more names are known; `before_play`: in the setup. `binding_comparisons` are the
    numbers of the comparisons that may bind names to arguments, `counted_conditions` the expressions that count or sum,
    by the number of the last condition after their `where`. `open` are the definitions whose types are being inferred,
    `depth` is the number of enclosing loops.
    """

    context: Context
    infer_form: InferForm
    type_definition: TypeDefinition
    in_example: bool = False
    before_play: bool = False
    binding_comparisons: set[int] = field(default_factory=set)
    counted_conditions: dict[int, ast.Aggregate | ast.Quantified] = field(default_factory=dict)
    open: list[str] = field(default_factory=list)
    depth: int = 0

    def infer(self, node: ast.Expression, scope: Scope, expected: Type | None = None) -> Type:
        """Infer the type of an expression and record it; `expected` resolves names that several types share."""
        type_ = self.infer_form(self, node, scope, expected)
        self.context.model.types[node.number] = type_
        return type_

    def definition_type(self, symbol: DefineSymbol, node: ast.Node) -> Type:
        """Result type of the definition that a node calls."""
        return self.type_definition(self, symbol, node)
