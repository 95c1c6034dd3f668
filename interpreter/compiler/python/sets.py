"""Shifts and differences of sets as Python source.

A set is a Python integer, which has no width: `s << 3` on a board of 9 places has bits 9 to 11 as well, and `~s` is
negative. Neither may be stored, hashed or counted. A mask after every operation would do, but most of them are removed
by the next operation anyway, so bits beyond the width are masked only where none follows:

    both(shift(s, 3), t)       s << 3 & t           `t` has none of these bits
    minus(t, shift(s, 3))      t & ~(s << 3)        nor here
    minus(all, s)              511 ^ s              no `~`: all members of `s` are among all
    shift(s, 3)                (s << 3) & 511       alone
"""

from __future__ import annotations

from interpreter.compiler.ir.expressions import Const, Expr, Op
from interpreter.compiler.ir.types import Set
from interpreter.compiler.python.text import BOTH, EITHER, SHIFT, SIGN, At, Printed, form, parenthesised, text


def shift(node: Op, at: At) -> Printed:
    """A shifted set."""
    assert isinstance(node.type, Set)
    if not _too_large(node):
        return _unmasked(node, at)
    return f"{parenthesised(_unmasked(node, at), BOTH)} & {(1 << node.type.width) - 1}", BOTH


def _unmasked(node: Op, at: At) -> Printed:
    """A shifted set without a mask, which may have bits beyond its width."""
    members, step = node.args
    assert isinstance(step, Const)
    if not step.value:
        return form(members, at.value)
    return f"{text(members, SHIFT, at.value)} {'<<' if step.value > 0 else '>>'} {abs(step.value)}", SHIFT


def _too_large(node: Expr) -> bool:
    """Whether an expression is a shift that may need a mask."""
    match node:
        case Op(name="shift", type=Set(width=width), args=(members, Const(value=int() as step))):
            return not isinstance(members.type, Set) or members.type.width + step > width
        case _:
            return False


def intersection(node: Op, at: At) -> Printed:
    """An intersection of sets; it needs no mask, as one of them has no bits beyond its width."""
    left, right = node.args
    first, second = (
        _unmasked(arg, at)
        if isinstance(arg, Op) and _too_large(arg) and not _too_large(beside)
        else form(arg, at.value)
        for arg, beside in ((left, right), (right, left))
    )
    return f"{parenthesised(first, BOTH)} & {parenthesised(second, BOTH)}", BOTH


def difference(node: Op, at: At) -> Printed:
    """A difference of sets."""
    first, second = node.args
    every = all_but(node)
    if every is not None:
        return f"{every[0]} ^ {text(second, BOTH, at.value)}", EITHER
    gone = _unmasked(second, at) if isinstance(second, Op) and _too_large(second) else form(second, at.value)
    return f"{text(first, BOTH, at.value)} & ~{parenthesised(gone, SIGN)}", BOTH


def all_but(node: Expr) -> tuple[int, Expr] | None:
    """The whole domain and the set of which the complement is taken, for an expression that is a complement."""
    match node:
        case Op(name="minus", args=(Const(type=Set(width=width) as type_, value=int() as every), members)):
            return (every, members) if members.type == type_ and every == (1 << width) - 1 else None
        case _:
            return None
