"""Conditions that depend only on one member of a set and constants, evaluated for all members in advance.

`row[c] > 6` is known for each of 64 cells before the game begins: `holding` gives the set of those for which it holds.
`by_value` gives the members by the value of any such expression, from which a table is made for `column[c] = n`.

The expression is turned into nested Python functions and called for each member. A member for which the condition would
end the game in a fault makes the whole answer None (`WouldFail`); one that a table has no entry for is not a member of
this game, and is passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import assert_never

from interpreter.compiler.ir import expressions as ex
from interpreter.compiler.ir.types import Set
from interpreter.compiler.passes.simplifying.folding_operations import WORKED_OUT
from interpreter.runtime.bitset import bits
from interpreter.runtime.cells import StoredValue
from interpreter.runtime.graphs.calls import steps_on

MAX_MEMBERS = 1024
"""Maximum number of members of a set for whose members conditions are evaluated."""

KNOWN: Mapping[str, Callable[..., StoredValue]] = {**WORKED_OUT, "steps_on": steps_on}
"""The operations that can be evaluated."""

Of = Callable[[int], StoredValue]
"""A value by the member that it depends on."""


class WouldFail(Exception):
    """Evaluating the expression for a member ends in a fault."""


def holding(condition: ex.Expr, local: ex.Local, over: ex.Expr) -> int | None:
    """The members for which a condition holds; None if that is not constant, or if the condition fails for one."""
    members_by_value = by_value(condition, local, over)
    return None if members_by_value is None else members_by_value.get(True, 0)


def by_value(node: ex.Expr, local: ex.Local, over: ex.Expr) -> dict[StoredValue, int] | None:
    """The members of a set, named by a local, by the value of an expression; None if it is not constant."""
    assert isinstance(over.type, Set)
    function = _function(node, {local.name: _member}) if over.type.width <= MAX_MEMBERS else None
    if function is None:
        return None
    members_by_value: dict[StoredValue, int] = {}
    members: Iterable[int] = bits(over.value) if isinstance(over, ex.Const) else range(over.type.width)
    try:
        for member in members:
            try:
                value = function(member)
            except (LookupError, TypeError, ValueError):
                continue  # tables only have keys for the members that exist in this game
            members_by_value[value] = members_by_value.get(value, 0) | 1 << member
    except WouldFail:
        return None
    return members_by_value


def _member(member: int) -> StoredValue:
    return member


def _function(node: ex.Expr, names: Mapping[str, Of]) -> Of | None:
    """An expression as a function of the member, if it depends on nothing else; `names` are its locals."""
    match node:
        case ex.Const():
            fixed = node.value
            return lambda _: fixed
        case ex.Data(table=table):
            return lambda _: table.content
        case ex.Local():
            return names.get(node.name)
        case ex.Lookup():
            keys = _functions(node.keys, names)
            return None if keys is None else _entry(node.table, keys)
        case ex.Op():
            args = _functions(node.args, names) if node.name in KNOWN else None
            return None if args is None else _operation(KNOWN[node.name], args)
        case ex.Logic():
            parts = _functions(node.parts, names)
            return None if parts is None else _logic(parts, node.word == "or")
        case ex.Choice():
            three = _functions((node.condition, node.then, node.otherwise), names)
            return None if three is None else _choice(*three)
        case ex.Check():
            value = _function(node.value, names)
            return None if value is None else _checked(node, value)
        case ex.Let():
            value = _function(node.value, names)
            return None if value is None else _function(node.body, {**names, node.local.name: value})
        case _:
            return None


def _functions(nodes: Iterable[ex.Expr], names: Mapping[str, Of]) -> list[Of] | None:
    functions = []
    for node in nodes:
        function = _function(node, names)
        if function is None:
            return None
        functions.append(function)
    return functions


def _entry(table: ex.Table, keys: list[Of]) -> Of:
    content = table.content
    if keys == [_member] and isinstance(content, tuple):
        return content.__getitem__

    def entry(member: int) -> StoredValue:
        entry_value: ex.TableContent = content
        for key in keys:
            key_value = key(member)
            if key_value is None:
                return None
            if isinstance(entry_value, dict):
                entry_value = entry_value.get(key_value, table.missing) if table.partial else entry_value[key_value]
            elif not isinstance(key_value, int) or key_value < 0:
                raise LookupError
            else:
                entry_value = entry_value[key_value]
        value: StoredValue = entry_value
        return value

    return entry


def _operation(operation: Callable[..., StoredValue], args: list[Of]) -> Of:
    if len(args) == 1:
        (only,) = args
        return lambda member: operation(only(member))
    if len(args) == 2:
        first, second = args
        return lambda member: operation(first(member), second(member))
    return lambda member: operation(*[arg(member) for arg in args])


def _logic(parts: list[Of], enough: bool) -> Of:
    def decided(member: int) -> bool:
        return enough if any(part(member) is enough for part in parts) else not enough

    return decided


def _choice(condition: Of, then: Of, otherwise: Of) -> Of:
    return lambda member: then(member) if condition(member) else otherwise(member)


def _checked(node: ex.Check, value: Of) -> Of | None:
    low, *_, high = node.bounds or (0, 0)
    bounds = frozenset(node.bounds)
    if node.word not in ("need", "in_range", "among", "one_of"):
        return None

    def checked(member: int) -> StoredValue:
        checked_value = value(member)
        match node.word:
            case "need":
                fine = checked_value is not None
            case "in_range":
                fine = checked_value is None or (isinstance(checked_value, int) and low <= checked_value <= high)
            case "among" | "subset" | "one_of" | "product" | "divisor":
                fine = checked_value is None or checked_value in bounds
            case _ as never:
                assert_never(never)
        if not fine:
            raise WouldFail
        return checked_value

    return checked
