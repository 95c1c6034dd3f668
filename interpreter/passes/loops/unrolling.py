"""Small fixed sets are not gone through: what is computed for each member stands there once for each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from interpreter.bitset import bits
from interpreter.ir.expressions import (
    TRUE,
    Choice,
    Const,
    Expr,
    Fold,
    Local,
    Logic,
    Loop,
    Op,
    both,
    conjuncts,
    number,
)
from interpreter.ir.module import Module
from interpreter.ir.types import BOOL, Bool, Int
from interpreter.passes.facts.bodies import LEAVES, changed_block, changed_parts, subject_of
from interpreter.passes.record import PassRecords
from interpreter.passes.rewriting.functions import functions
from interpreter.passes.rewriting.substitution import Fresh, fresh_for, fresh_in, substituted
from interpreter.passes.simplifying.folding import simplified

NAME = "unrolling"

MOST = 6
"""How many members a set may have."""

COPIES = 216
"""How many copies unrolled loops in one another may make of what is inside."""


def unroll(module: Module, records: PassRecords) -> None:
    """Unroll the small fixed loops in the expressions of all functions."""
    for function in functions(module):
        body = changed_block(function.body, Unrolling(fresh_for(function.body), 1).of)
        if body is not function.body:
            function.body = body
            records.applied(NAME, subject_of(function), function.source)


def unrolled(node: Expr) -> Expr:
    """An expression by itself with its small fixed loops unrolled."""
    return Unrolling(fresh_in(node), 1).of(node)


@dataclass(slots=True)
class Unrolling:
    """Unrolls the loops of expressions of which so many copies are made."""

    fresh: Fresh
    copies: int

    def of(self, node: Expr) -> Expr:
        """An expression with its small fixed loops unrolled."""
        if type(node) in LEAVES:
            return node
        if isinstance(node, Fold):
            members = _members(node, COPIES // self.copies)
            if members is not None:
                return _copied(node, members, self)
        found = changed_parts(node, self.of)
        return found if found is node else simplified(found)


# ---------------------------------------------------------------- what is gone through


def _members(node: Fold, most: int) -> list[Expr] | None:
    """The members that the first loop goes through, if there are few in it and in all others; None if not."""
    match node.word:
        case "max" | "min" if len(node.loops) > 1 or node.loops[0].where is not None:
            return None  # of nothing these are 0
        case "any" | "count" | "sum" | "max" | "min":
            first, *others = [_fixed(loop) for loop in node.loops]
        case _:
            return None
    if first is None or not len(first) <= min(MOST, most):
        return None
    for other in others:
        most //= len(first) or 1
        if other is None or not len(other) <= min(MOST, most):
            return None
    return first


def _fixed(loop: Loop) -> list[Expr] | None:
    """The members that a loop goes through, if they are constants or names."""
    match loop.over:
        case Const(value=int() as mask):
            return _constants(loop.local, bits(mask)) if mask.bit_count() <= MOST else None
        case Const(value=tuple() as items):
            return _constants(loop.local, items)
        case Op(name="list", args=args) if all(isinstance(arg, Const | Local) for arg in args):
            return list(args)
        case Op(name="span", args=(Const(value=int() as low), Const(value=int() as high))) if high - low < MOST:
            return _constants(loop.local, range(low, high + 1))
        case _:
            return None


def _constants(local: Local, values: Iterable[int]) -> list[Expr]:
    return [number(value) if isinstance(local.type, Int) else Const(local.type, value) for value in values]


# ---------------------------------------------------------------- what is computed for each


def _copied(node: Fold, members: list[Expr], at: Unrolling) -> Expr:
    """What is found for the members one by one, put together."""
    first, value = node.loops[0], _value(node)
    of_one, inside = _of_one(node, first, value), Unrolling(at.fresh, at.copies * (len(members) or 1)).of
    parts = [inside(_put(of_one, first.local, member, at.fresh)) for member in members]
    match node.word:
        case "any":
            return _joined(parts)
        case "count" | "sum":
            return _added(node, parts)
        case _:
            name = "greatest" if node.word == "max" else "least"
            return simplified(Op(node.type, name, tuple(parts), node.source)) if parts else number(0)


def _value(node: Fold) -> Expr:
    """What is computed for a member of the first loop."""
    if len(node.loops) > 1:
        return simplified(Fold(node.type, node.word, node.loops[1:], node.value, node.source))
    if node.word == "count":
        return node.value if isinstance(node.value.type, Bool) else TRUE
    return node.value


def _of_one(node: Fold, loop: Loop, value: Expr) -> Expr:
    """What a member of the first loop adds to what is found."""
    if isinstance(value.type, Bool):
        found = simplified(both([*conjuncts(loop.where), *conjuncts(value)]))
        return found if node.word == "any" else simplified(Op(node.type, "to_int", (found,), node.source))
    if loop.where is None:
        return value
    return simplified(Choice(node.type, loop.where, value, number(0), node.source))


def _put(node: Expr, local: Local, member: Expr, fresh: Fresh) -> Expr:
    return substituted(node, {local.name: member}, fresh, simplified)


def _joined(parts: list[Expr]) -> Expr:
    if len(parts) < 2:
        return parts[0] if parts else Const(BOOL, False)
    return simplified(Logic(BOOL, "or", tuple(parts)))


def _added(node: Fold, parts: list[Expr]) -> Expr:
    found: Expr = number(0)
    for place, part in enumerate(parts):
        found = part if place == 0 else simplified(Op(node.type, "add", (found, part), node.source))
    return found
