"""Evaluation of an expression for many values of the cells and locals that it reads.

The expression is turned into nested Python functions once. To look at the classes of its nodes for every value took
most of the time of `lookup tables`: a table of 1,400 entries 80 ms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from interpreter.compiler.ir import expressions as ex
from interpreter.compiler.ir.types import Bool
from interpreter.compiler.passes.simplifying.constant_conditions import KNOWN
from interpreter.compiler.passes.simplifying.folding import satisfied
from interpreter.compiler.passes.simplifying.folding_operations import ACCEPTING_NONE, FIXED, evaluated
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import StoredValue
from interpreter.runtime.primitives import MAX_PRODUCT

Variable = str | tuple[str, int] | ex.Expr
"""A local by its name, a cell by its group and index, or an expression that is looked up as a whole."""

Slots = list[StoredValue]
"""The values of the variables and of the locals that an expression binds, each at a place of its own."""

Run = Callable[[Slots], StoredValue]
Scope = Mapping[Variable, int]
"""The places of variables and locals in the slots."""


class NoValueError(Exception):
    """The expression has no value: the game would end in a fault, or these values never occur together."""


class TooMuchWorkError(Exception):
    """More nodes would be evaluated than the budget allows."""


class Budget:
    """How many nodes may still be evaluated."""

    def __init__(self, nodes_left: int) -> None:
        self.nodes_left = nodes_left

    def spend(self, nodes: int) -> None:
        """Count nodes. Raises TooMuchWorkError."""
        self.nodes_left -= nodes
        if self.nodes_left < 0:
            raise TooMuchWorkError


SPECIAL = frozenset({"single", "as_set", "item", "part", "or_empty", "length", "take"})
"""The operations that have no value, or another one, for some arguments."""

HAVE_VALUE: Mapping[str, Callable[..., bool]] = {
    "div": lambda first, second: second != 0,
    "mod": lambda first, second: second != 0,
    "mul": lambda first, second: abs(first * second) <= MAX_PRODUCT,
}
"""The operations on numbers of which this says whether they have a value."""


def computable(node: ex.Expr) -> bool:
    """Whether an expression can be evaluated, apart from its parts."""
    if isinstance(node, ex.Op):
        return node.name in FIXED or node.name in KNOWN
    return node.word in FOLDS if isinstance(node, ex.Fold) else type(node) in PREPARED


class Evaluator:
    """Evaluates an expression, all of whose parts are computable, for values of variables given in their order."""

    def __init__(self, node: ex.Expr, variables: Sequence[Variable], budget: Budget) -> None:
        self.budget, self.slot_count = budget, len(variables)
        self._size = _size(node)
        self._run = self.prepared(node, {variable: slot for slot, variable in enumerate(variables)})
        self._own_slots = [None] * (self.slot_count - len(variables))

    def value(self, values: Sequence[StoredValue]) -> StoredValue:
        """The value of the expression. Raises NoValueError, TooMuchWorkError."""
        self.budget.spend(self._size)
        return self._run([*values, *self._own_slots])

    def prepared(self, node: ex.Expr, scope: Scope) -> Run:
        """A function that evaluates a part of the expression."""
        return PREPARED[type(node)](self, node, scope)

    def with_slot(self, name: str, scope: Scope) -> tuple[int, Scope]:
        """A place for a local, and the scope in which it has that place."""
        slot = self.slot_count
        self.slot_count += 1
        return slot, {**scope, name: slot}


def _size(node: ex.Expr) -> int:
    """The number of nodes that are evaluated at most, each loop counted once."""
    return 1 + sum(map(_size, ex.children(node)))


def _const(_: Evaluator, node: ex.Const, __: Scope) -> Run:
    value = node.value
    return lambda slots: value


def _data(_: Evaluator, node: ex.Data, __: Scope) -> Run:
    content: StoredValue = node.table.content
    return lambda slots: content


def _local(_: Evaluator, node: ex.Local, scope: Scope) -> Run:
    slot = scope[node.name]
    return lambda slots: slots[slot]


def _cell(at: Evaluator, node: ex.Cell, scope: Scope) -> Run:
    if node in scope:
        slot = scope[node]
        return lambda slots: slots[slot]
    index = at.prepared(node.index, scope)
    slots_by_index: dict[StoredValue, int] = {
        key[1]: slot for key, slot in scope.items() if isinstance(key, tuple) and key[0] == node.group.name
    }

    def run(slots: Slots) -> StoredValue:
        slot = slots_by_index.get(index(slots))
        if slot is None:
            raise NoValueError  # an index beyond the group
        return slots[slot]

    return run


def _lookup(at: Evaluator, node: ex.Lookup, scope: Scope) -> Run:
    keys, table = [at.prepared(key, scope) for key in node.keys], node.table
    if len(keys) == 1 and isinstance(table.content, tuple):
        (find_only_key,), content = keys, table.content

        def run_one(slots: Slots) -> StoredValue:
            key = find_only_key(slots)
            if key is None:
                return None
            if not isinstance(key, int) or not 0 <= key < len(content):
                raise NoValueError
            value: StoredValue = content[key]
            return value

        return run_one

    def run(slots: Slots) -> StoredValue:
        entry: ex.TableContent = table.content
        for key in [find_key(slots) for find_key in keys]:
            if key is None:
                return None
            if isinstance(entry, dict):
                if key not in entry and not table.partial:
                    raise NoValueError
                entry = entry.get(key, table.missing)
            elif isinstance(entry, tuple) and isinstance(key, int) and 0 <= key < len(entry):
                entry = entry[key]
            else:
                raise NoValueError
        value: StoredValue = entry
        return value

    return run


def _op(at: Evaluator, node: ex.Op, scope: Scope) -> Run:
    name, accepts_none = node.name, node.name in ACCEPTING_NONE
    arguments = [at.prepared(arg, scope) for arg in node.args]
    types = [arg.type for arg in node.args]
    compute, has_value = None if name in SPECIAL else KNOWN[name], HAVE_VALUE.get(name)
    if compute is not None and has_value is None and not accepts_none and len(arguments) == 2:
        first_argument, second_argument = arguments

        def run_two(slots: Slots) -> StoredValue:
            first, second = first_argument(slots), second_argument(slots)
            if first is None or second is None:
                raise NoValueError
            return compute(first, second)

        return run_two

    def run(slots: Slots) -> StoredValue:
        values = [argument(slots) for argument in arguments]
        if None in values and not accepts_none:
            raise NoValueError  # which a condition before it excludes
        if has_value is not None and not has_value(*values):
            raise NoValueError
        if compute is not None:
            return compute(*values)
        result = evaluated(ex.Op(node.type, name, tuple(map(ex.Const, types, values))))
        if not isinstance(result, ex.Const):
            raise NoValueError
        result_value: StoredValue = result.value
        return result_value

    return run


def _logic(at: Evaluator, node: ex.Logic, scope: Scope) -> Run:
    parts = [at.prepared(part, scope) for part in node.parts]
    if node.word == "or":
        return lambda slots: any(part(slots) for part in parts)
    return lambda slots: all(part(slots) for part in parts)


def _choice(at: Evaluator, node: ex.Choice, scope: Scope) -> Run:
    condition, then, otherwise = (at.prepared(part, scope) for part in (node.condition, node.then, node.otherwise))
    return lambda slots: then(slots) if condition(slots) else otherwise(slots)


def _let(at: Evaluator, node: ex.Let, scope: Scope) -> Run:
    value = at.prepared(node.value, scope)
    slot, inner_scope = at.with_slot(node.local.name, scope)
    body = at.prepared(node.body, inner_scope)

    def run(slots: Slots) -> StoredValue:
        slots[slot] = value(slots)
        return body(slots)

    return run


def _check(at: Evaluator, node: ex.Check, scope: Scope) -> Run:
    find_value = at.prepared(node.value, scope)

    def run(slots: Slots) -> StoredValue:
        value = find_value(slots)
        if not satisfied(node, value):
            raise NoValueError
        return value

    return run


def _fold(at: Evaluator, node: ex.Fold, scope: Scope) -> Run:
    levels: list[tuple[Run, int, Run | None]] = []
    for loop in node.loops:
        over = at.prepared(loop.over, scope)
        slot, scope = at.with_slot(loop.local.name, scope)
        where = None if loop.where is None else at.prepared(loop.where, scope)
        levels.append((over, slot, where))
    counted = node.word == "count" and not isinstance(node.value.type, Bool)  # the value does not matter
    value = at.prepared(ex.TRUE if counted else node.value, scope)
    collect, budget, size = COLLECTED[node.word], at.budget, _size(node)

    def terms(slots: Slots, level: int) -> Iterator[StoredValue]:
        if level == len(levels):
            yield value(slots)
            return
        over, slot, where = levels[level]
        members = over(slots)
        if members is None:
            raise NoValueError  # which a condition before it excludes
        for member in bits(members) if isinstance(members, int) else members:
            budget.spend(size)
            slots[slot] = member
            if where is None or where(slots):
                yield from terms(slots, level + 1)

    return lambda slots: collect(terms(slots, 0))


def _as_set(terms: Iterator[StoredValue]) -> int:
    members = {member for member in terms if isinstance(member, int)}  # none is no member
    if any(member < 0 for member in members):
        raise NoValueError
    return sum(1 << member for member in members)


COLLECTED: Mapping[str, Callable[[Iterator[Any]], StoredValue]] = {  # numbers or truth values, as the word says
    "any": any, "count": sum, "sum": sum, "set": _as_set, "first": lambda terms: next(terms, None),
    "max": lambda terms: max(terms, default=ex.NOTHING_FOUND["max"]),
    "min": lambda terms: min(terms, default=ex.NOTHING_FOUND["min"]),
}  # fmt: skip
"""How the values of a fold are collected."""

FOLDS = frozenset(COLLECTED)
"""The folds that are evaluated."""

PREPARED: Mapping[type, Callable[[Evaluator, Any, Scope], Run]] = {  # each of nodes of its class
    ex.Const: _const, ex.Data: _data, ex.Local: _local, ex.Cell: _cell, ex.Lookup: _lookup, ex.Op: _op,
    ex.Logic: _logic, ex.Choice: _choice, ex.Let: _let, ex.Check: _check, ex.Fold: _fold,
}  # fmt: skip
"""How expressions of each class are prepared."""
