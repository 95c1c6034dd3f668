"""Narrowing: facts known where a condition holds, namely which seats are `me`, and the condition itself."""

from __future__ import annotations

from dataclasses import replace

from dsl import ast
from dsl.checker.information_flow.facts import Env, Known, Seat
from dsl.checker.information_flow.observers import Observers
from dsl.checker.logic.terms import negated
from dsl.symbols import FamilySymbol, LocalSymbol


def refined(viewers: Observers, node: ast.Expression, env: Env, holds: bool) -> Env:
    """Narrow the facts to where a condition holds, or to where it does not."""
    term = viewers.term(node, env)
    return viewers.assume(_seats(viewers, node, env, holds), term if holds else negated(term))


def _seats(viewers: Observers, node: ast.Expression, env: Env, holds: bool) -> Env:
    """Narrow the facts about the names in scope."""
    match node:
        case ast.Not():
            return _seats(viewers, node.operand, env, not holds)
        case ast.And() if holds:
            return _seats(viewers, node.right, _seats(viewers, node.left, env, True), True)
        case ast.Or() if not holds:
            return _seats(viewers, node.right, _seats(viewers, node.left, env, False), False)
        case ast.Compare(operator="is" | "is not"):
            return _compared(viewers, node, env, holds is (node.operator == "is"))
        case _:
            return env


def _compared(viewers: Observers, node: ast.Compare, env: Env, same: bool) -> Env:
    """Narrow by a comparison: a name that is a seat, or is not; and names that take the arguments of a value."""
    refers = viewers.context.model.refers
    if same and isinstance(node.right, ast.Call) and isinstance(refers.get(node.right.number), FamilySymbol):
        facts = viewers.value(node, env).facts
        for argument in node.right.arguments:
            symbol = refers.get(argument.number)
            if isinstance(symbol, LocalSymbol) and symbol.role == "taken" and symbol.node is argument:
                env = env.bind(symbol, Known(facts))
        return env
    for name, other in ((node.left, node.right), (node.right, node.left)):
        symbol = refers.get(name.number)
        seat = viewers.value(other, env).seat
        known: Seat | None = "me" if same and seat == "me" else "other" if same and seat == "other" else None
        if not same and seat == "me":
            known = "other"
        if known is not None and isinstance(symbol, LocalSymbol) and symbol in env.names:
            env = env.learned(symbol, replace(env.names[symbol], seat=known))
    return env
