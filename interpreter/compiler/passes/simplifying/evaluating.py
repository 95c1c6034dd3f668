"""Evaluation of an expression for given values of the cells and locals that it reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, assert_never

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.ir.expressions import (
    NOTHING_FOUND,
    Cell,
    Check,
    Choice,
    Const,
    Expr,
    Fold,
    Let,
    Local,
    Logic,
    Lookup,
    Op,
)
from interpreter.compiler.ir.types import Bool, Set
from interpreter.compiler.passes.simplifying.folding import satisfied
from interpreter.compiler.passes.simplifying.folding_operations import ACCEPTING_NONE, FIXED, WORKED_OUT, evaluated
from interpreter.runtime.bitset import bits

Variable = str | tuple[str, int] | Expr
"""A local by its name, a cell by its group and index, or an expression that is looked up as a whole."""

Values = Mapping[Variable, Any]


class NoValueError(Exception):
    """The expression has no value: the game would end in a fault, or these values never occur together."""


class TooMuchWorkError(Exception):
    """More nodes would be evaluated than the budget allows."""


@dataclass
class Budget:
    """How many nodes may still be evaluated."""

    nodes_left: int


FOLDS = frozenset({"any", "count", "sum", "max", "min", "set", "first"})
"""The folds that are evaluated."""

SPECIAL = frozenset({"div", "mod", "single", "as_set", "mul", "item", "part", "or_empty", "length", "take"})
"""The operations that have no value, or another one, for some arguments."""


def computable(node: Expr) -> bool:
    """Whether `evaluate` supports an expression, apart from its parts."""
    if isinstance(node, Op):
        return node.name in FIXED
    return node.word in FOLDS if isinstance(node, Fold) else type(node) in EVALUATED


def evaluate(node: Expr, values: Values, budget: Budget) -> Any:
    """The value of an expression all of whose parts are computable. Raises NoValueError, TooMuchWorkError."""
    budget.nodes_left -= 1
    if budget.nodes_left < 0:
        raise TooMuchWorkError
    return EVALUATED[type(node)](node, values, budget)


def _local(node: Local, values: Values, _budget: Budget) -> Any:
    return values[node.name]


def _cell(node: Cell, values: Values, budget: Budget) -> Any:
    if node in values:
        return values[node]
    cell = node.group.name, evaluate(node.index, values, budget)
    if cell not in values:
        raise NoValueError  # an index beyond the group
    return values[cell]


def _lookup(node: Lookup, values: Values, budget: Budget) -> Any:
    entry: Any = node.table.content
    for key in [evaluate(key, values, budget) for key in node.keys]:
        if key is None:
            return None
        if isinstance(entry, dict):
            if key not in entry and not node.table.partial:
                raise NoValueError
            entry = entry.get(key, node.table.missing)
        elif isinstance(entry, tuple) and key in range(len(entry)):
            entry = entry[key]
        else:
            raise NoValueError
    return entry


def _op(node: Op, values: Values, budget: Budget) -> Any:
    args = [evaluate(arg, values, budget) for arg in node.args]
    if None in args and node.name not in ACCEPTING_NONE:
        raise NoValueError  # which a condition before it excludes
    if node.name not in SPECIAL:
        return WORKED_OUT[node.name](*args)
    constants = [Const(part.type, arg) for part, arg in zip(node.args, args, strict=True)]
    result = evaluated(Op(node.type, node.name, tuple(constants)))
    if not isinstance(result, Const):
        raise NoValueError
    return result.value


def _logic(node: Logic, values: Values, budget: Budget) -> bool:
    stops = node.word == "or"
    return stops if any(bool(evaluate(part, values, budget)) == stops for part in node.parts) else not stops


def _choice(node: Choice, values: Values, budget: Budget) -> Any:
    return evaluate(node.then if evaluate(node.condition, values, budget) else node.otherwise, values, budget)


def _let(node: Let, values: Values, budget: Budget) -> Any:
    return evaluate(node.body, {**values, node.local.name: evaluate(node.value, values, budget)}, budget)


def _check(node: Check, values: Values, budget: Budget) -> Any:
    value = evaluate(node.value, values, budget)
    if not satisfied(node, value):
        raise NoValueError
    return value


def _fold(node: Fold, values: Values, budget: Budget) -> Any:
    if node.word == "count" and not isinstance(node.value.type, Bool):
        return sum(1 for _ in _combinations(node, 0, values, budget))
    terms = (
        evaluate(node.value, inner_values, budget) for inner_values in _combinations(node, 0, values, budget)
    )  # lazily
    match node.word:
        case "any":
            return any(terms)
        case "count" | "sum":
            return sum(terms)
        case "set":
            members = {member for member in terms if member is not None}
            if any(member < 0 for member in members):
                raise NoValueError
            return sum(1 << member for member in members)
        case "first":
            return next(terms, None)
        case "sets" | "list" | "highest" | "lowest":
            raise NoValueError
        case "max" | "min":
            return (max if node.word == "max" else min)(terms, default=NOTHING_FOUND[node.word])
        case _ as never:
            assert_never(never)


def _combinations(node: Fold, level: int, values: Values, budget: Budget) -> Iterator[Values]:
    """The given values with those of the loop variables of a fold, for each combination."""
    if level == len(node.loops):
        yield values
        return
    loop = node.loops[level]
    over = evaluate(loop.over, values, budget)
    for member in bits(over) if isinstance(loop.over.type, Set) else over:
        inner_values = {**values, loop.local.name: member}
        if loop.where is None or evaluate(loop.where, inner_values, budget):
            yield from _combinations(node, level + 1, inner_values, budget)


def _const(node: Const, _values: Values, _budget: Budget) -> Any:
    return node.value


EVALUATED: Mapping[type, Callable[[Any, Values, Budget], Any]] = {
    Const: _const, Local: _local, Cell: _cell, Lookup: _lookup, Op: _op, Logic: _logic, Choice: _choice, Let: _let,
    Check: _check, Fold: _fold,
}  # fmt: skip
"""How expressions of each class are evaluated."""
