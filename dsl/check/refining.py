"""What is known where a condition holds: which seats are `me`, and who may look."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl import ast
from dsl.check.knowledge import Env, Known, Seat
from dsl.symbols import DefineSymbol, FamilySymbol, LocalSymbol, NoteSymbol

if TYPE_CHECKING:
    from dsl.check.knowing import Knowing


def refined(knowing: Knowing, node: ast.Expression, env: Env, holds: bool) -> Env:
    """What is known of the names in sight where a condition holds, or where it does not."""
    match node:
        case ast.Not():
            return refined(knowing, node.operand, env, not holds)
        case ast.And() if holds:
            return refined(knowing, node.right, refined(knowing, node.left, env, True), True)
        case ast.Or() if not holds:
            return refined(knowing, node.right, refined(knowing, node.left, env, False), False)
        case ast.Compare(operator="is" | "is not"):
            return _compared(knowing, node, env, holds is (node.operator == "is"))
        case ast.Compare(operator="is in" | "is not in") if holds is (node.operator == "is in"):
            return _member(knowing, node, env)
        case _:
            return env


def _compared(knowing: Knowing, node: ast.Compare, env: Env, same: bool) -> Env:
    """A name that is a seat, or is not; and the names that take the arguments of a value."""
    refers = knowing.context.model.refers
    if same and isinstance(node.right, ast.Call) and isinstance(refers.get(node.right.number), FamilySymbol):
        facts = knowing.value(node, env).facts
        for argument in node.right.arguments:
            symbol = refers.get(argument.number)
            if isinstance(symbol, LocalSymbol) and symbol.role == "taken" and symbol.node is argument:
                env = env.bind(symbol, Known(facts))
        return env
    for name, other in ((node.left, node.right), (node.right, node.left)):
        symbol = refers.get(name.number)
        seat = knowing.value(other, env).seat
        if same and seat == "me" and isinstance(name, ast.Attribute):
            env = env.looking(name.name)
        elif same and seat == "me" and isinstance(symbol, NoteSymbol | DefineSymbol):
            env = env.looking(symbol)
        known: Seat | None = "me" if same and seat == "me" else "other" if same and seat == "other" else None
        if not same and seat == "me":
            known = "other"
        if known is not None and isinstance(symbol, LocalSymbol) and symbol in env.names:
            env = env.bind(symbol, Known(env.names[symbol].facts, env.names[symbol].sources, known))
    return env


def _member(knowing: Knowing, node: ast.Compare, env: Env) -> Env:
    """`me is in known[c]`: who is in there is one of those who see what is `seen by known[it]`."""
    if knowing.value(node.left, env).seat != "me":
        return env
    return env.looking(knowing.context.model.refers.get(node.right.number))
