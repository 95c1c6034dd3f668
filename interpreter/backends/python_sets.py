"""Sets that are moved by a number, and all but a set, as Python source.

Members that are too large for their set once they are moved are cut off only where nothing else does that.
"""

from __future__ import annotations

from interpreter.backends.python_text import BOTH, EITHER, SHIFT, SIGN, At, Form, fitting, form, text
from interpreter.ir.expressions import Const, Expr, Op
from interpreter.ir.types import Set


def shift(node: Op, at: At) -> Form:
    """The members of a set and a number."""
    assert isinstance(node.type, Set)
    if not _too_large(node):
        return _uncut(node, at)
    return f"{fitting(_uncut(node, at), BOTH)} & {(1 << node.type.width) - 1}", BOTH


def _uncut(node: Op, at: At) -> Form:
    """The members of a set and a number, with those that are too large for what the sum is a member of."""
    those, step = node.args
    assert isinstance(step, Const)
    if not step.value:
        return form(those, at.value)
    return f"{text(those, SHIFT, at.value)} {'<<' if step.value > 0 else '>>'} {abs(step.value)}", SHIFT


def _too_large(node: Expr) -> bool:
    """Whether an expression is a set that is moved, and members of it may be too large then."""
    match node:
        case Op(name="shift", type=Set(width=width), args=(those, Const(value=int() as step))):
            return not isinstance(those.type, Set) or those.type.width + step > width
        case _:
            return False


def intersection(node: Op, at: At) -> Form:
    """What is in two sets; the members of one that are too large for a set are not in the other."""
    one, other = node.args
    first, second = (
        _uncut(arg, at) if isinstance(arg, Op) and _too_large(arg) and not _too_large(beside) else form(arg, at.value)
        for arg, beside in ((one, other), (other, one))
    )
    return f"{fitting(first, BOTH)} & {fitting(second, BOTH)}", BOTH


def difference(node: Op, at: At) -> Form:
    """What is in one set and not in another."""
    one, other = node.args
    every = all_but(node)
    if every is not None:
        return f"{every[0]} ^ {text(other, BOTH, at.value)}", EITHER
    gone = _uncut(other, at) if isinstance(other, Op) and _too_large(other) else form(other, at.value)
    return f"{text(one, BOTH, at.value)} & ~{fitting(gone, SIGN)}", BOTH


def all_but(node: Expr) -> tuple[int, Expr] | None:
    """All that a domain has, and the set without which they are asked for."""
    match node:
        case Op(name="minus", args=(Const(type=Set(width=width) as type_, value=int() as every), those)):
            return (every, those) if those.type == type_ and every == (1 << width) - 1 else None
        case _:
            return None
