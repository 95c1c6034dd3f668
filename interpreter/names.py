"""The names in scope of an expression: what each of them stands for.

Most stand for a value. Others stand for what their value follows from: it is worked out when an expression reads the
name, so that a fault or something hidden in it matters only then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

from dsl import ast
from dsl.symbols import LocalSymbol
from dsl.types import Type

Names: TypeAlias = Mapping[LocalSymbol, Any]
"""The names in scope, in the order in which they were bound: a value for each, or a `Deferred`."""

NO_NAMES: Names = MappingProxyType({})


@dataclass(frozen=True)
class InCell:
    """A parameter or local of a rule that waits: its value is the content of a cell of the state."""

    cell: int


@dataclass(frozen=True, eq=False)
class Computed:
    """A `let`, or a parameter for its argument: its value is that of an expression with names of its own.

    `type` is that of the name; an argument is `fitted` to it, which fails for a value that is none or out of range.
    """

    node: ast.Expression
    type: Type
    names: Names
    fitted: bool


@dataclass(frozen=True, eq=False)
class TakenApart:
    """A name in `x is run(n)`: its value is the argument at this position of the value on the left."""

    test: ast.Compare
    position: int
    names: Names


Deferred: TypeAlias = InCell | Computed | TakenApart
DEFERRED = (InCell, Computed, TakenApart)
