"""Narrowing: facts known where a condition holds, namely which seats are `me`, and the condition itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dsl import ast
from dsl.checker.information_flow.conditions import Conditions
from dsl.checker.information_flow.facts import Env, Known, Seat
from dsl.checker.information_flow.observers import ValueFunction
from dsl.checker.logic.terms import negated
from dsl.symbols import FamilySymbol, LocalSymbol, Symbol

Refers = Mapping[int, Symbol]
"""What each name refers to, by the number of its node."""


def narrowed(conditions: Conditions, value: ValueFunction, node: ast.Expression, env: Env, holds: bool) -> Env:
    """Narrow the facts to where a condition holds, or to where it does not."""
    term, refers = conditions.term(node, env), conditions.context.model.refers
    return conditions.assume(_seats(refers, value, node, env, holds), term if holds else negated(term))


def _seats(refers: Refers, value: ValueFunction, node: ast.Expression, env: Env, holds: bool) -> Env:
    """Narrow the facts about the names in scope."""
    match node:
        case ast.Not():
            return _seats(refers, value, node.operand, env, not holds)
        # `P and Q` tells of both sides only where it holds, `P or Q` only where it does not. What remains, such as one
        # side of a disjunction that holds, is left to the terms (`logic/terms.py`).
        case ast.And() if holds:
            return _seats(refers, value, node.right, _seats(refers, value, node.left, env, True), True)
        case ast.Or() if not holds:
            return _seats(refers, value, node.right, _seats(refers, value, node.left, env, False), False)
        case ast.Compare(operator="is" | "is not"):
            return _compared(refers, value, node, env, holds is (node.operator == "is"))
        case _:
            return env


def _compared(refers: Refers, value: ValueFunction, node: ast.Compare, env: Env, same: bool) -> Env:
    """Narrow by a comparison: a name that is a seat, or is not; and names that take the arguments of a value."""
    if same and isinstance(node.right, ast.Call) and isinstance(refers.get(node.right.number), FamilySymbol):
        facts = value(node, env).facts
        for argument in node.right.arguments:
            symbol = refers.get(argument.number)
            if isinstance(symbol, LocalSymbol) and symbol.role == "taken" and symbol.node is argument:
                env = env.bind(symbol, Known(facts))
        return env
    for name, compared in ((node.left, node.right), (node.right, node.left)):
        symbol = refers.get(name.number)
        seat = value(compared, env).seat
        narrowed_seat: Seat | None = "me" if same and seat == "me" else "other" if same and seat == "other" else None
        # `p is not me` makes p another seat; `p is not left(me)` tells nothing, as p may be me.
        if not same and seat == "me":
            narrowed_seat = "other"
        if narrowed_seat is not None and isinstance(symbol, LocalSymbol) and symbol in env.names:
            env = env.learned(symbol, replace(env.names[symbol], seat=narrowed_seat))
    return env
