"""The names in scope of an expression, and what each of them is bound to.

Most are bound to a value. Others are evaluated lazily, when an expression reads them, so that a fault or something
hidden in their value matters only then.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from dsl.symbols import LocalSymbol
from dsl.types import Type
from interpreter.runtime.cells import StoredValue

Bound: TypeAlias = "StoredValue | Deferred"
Names: TypeAlias = Mapping[LocalSymbol, "Bound"]
"""The names in scope, in the order in which they were bound: a value for each, or a `Deferred`."""

NO_NAMES: Names = MappingProxyType({})


@dataclass(frozen=True)
class InCell:
    """A parameter or local of a suspended rule: its value is the content of a cell of the state."""

    cell: int


@dataclass(frozen=True, eq=False)
class Computed:
    """A `let`, or a parameter bound to its argument: its value is that of an expression in its own scope.

    `type` is that of the name; an argument is `fitted` to it, which fails for a value that is none or out of range.
    """

    node: ast.Expression
    type: Type
    names: Names
    fitted: bool


@dataclass(frozen=True, eq=False)
class Destructured:
    """A name bound by `x is run(n)`: its value is the argument at this position of the value on the left."""

    test: ast.Compare
    position: int
    names: Names


Deferred: TypeAlias = InCell | Computed | Destructured
DEFERRED = (InCell, Computed, Destructured)
