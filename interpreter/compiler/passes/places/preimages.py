"""Preimages of sets: a condition on a step from a member, as the set shifted back by that step.

A value that depends only on the member and constants usually adds the same number to most members. The members whose
value is in a set are then this set, shifted, restricted to members that have such a value.
"""

from __future__ import annotations

from interpreter.compiler.ir.expressions import Choice, Const, Expr, Local, Op, number, rebuilt
from interpreter.compiler.ir.types import BOOL, Set
from interpreter.compiler.passes.facts.traversal import simple
from interpreter.compiler.passes.simplifying.constant_conditions import by_value
from interpreter.compiler.passes.simplifying.folding_operations import operation
from interpreter.runtime.bitset import bits

MOST_SHAPES, LONGEST = 1, 8
"""Maximum number of shapes, and of places of each, of sets that are searched for all at once."""

MANY = 4
"""Number of intersected sets from which on the first one is tested for being empty before the others are computed."""

MOST_STEPS = 2
"""Maximum number of steps whose preimages are combined."""


def leading_into(those: Expr, value: Expr, local: Local, over: Expr) -> Expr | None:
    """The members of a set, named by a local, whose value is in `those`; None if it takes too many steps."""
    assert isinstance(over.type, Set)
    found = by_value(value, local, over)
    if found is None:
        return None
    by_step: dict[int, int] = {}
    for target, members in found.items():
        if target is None:
            continue
        if not isinstance(target, int) or isinstance(target, bool):
            return None
        for member in bits(members):
            by_step[target - member] = by_step.get(target - member, 0) | 1 << member
    if len(by_step) > MOST_STEPS:
        return None
    parts = [_moved(those, -step, members, over.type) for step, members in by_step.items()]
    if not parts:
        return Const(over.type, 0)
    result = parts[0]
    for part in parts[1:]:
        result = operation(Op(over.type, "union", (result, part)))
    return result


def _moved(those: Expr, step: int, members: int, type_: Set) -> Expr:
    """A set shifted by a step, restricted to some members."""
    assert isinstance(those.type, Set)
    every = (1 << those.type.width) - 1
    reached = every << step if step > 0 else every >> -step
    moved = those if step == 0 and those.type == type_ else Op(type_, "shift", (those, number(step)))
    if step <= 0 and not reached & ~members:
        return moved
    return operation(Op(type_, "both", (moved, Const(type_, members))))


def among(node: Expr, known: int) -> Expr:
    """A set without an intersection that known members make redundant."""
    match node:
        case Op(name="both", args=(part, Const(value=int() as mask))) if not known & ~mask:
            return among(part, known)
        case Op(name="both" | "union" | "minus"):
            return rebuilt(node, lambda part: among(part, known))
        case _:
            return node


def held_in(value: Expr, those: Expr, local: Local, over: Expr) -> Expr | None:
    """The members whose set of places is a subset of `those`; None if these sets have too many shapes."""
    return _by_shape(value, those, local, over, "both")


def touching(value: Expr, those: Expr, local: Local, over: Expr) -> Expr | None:
    """The members whose set of places intersects `those`; None if these sets have too many shapes."""
    return _by_shape(value, those, local, over, "union")


def _by_shape(value: Expr, those: Expr, local: Local, over: Expr, name: str) -> Expr | None:
    assert isinstance(over.type, Set)
    found = by_value(value, local, over)
    if found is None or not simple(those) or not isinstance(those.type, Set):
        return None
    empty, shapes = 0, dict[tuple[int, int], int]()
    for places, members in found.items():
        if not isinstance(places, int) or isinstance(places, bool):
            return None
        if not places:
            empty |= members
            continue
        low = (places & -places).bit_length() - 1
        for member in bits(members):
            key = places >> low, member - low
            shapes[key] = shapes.get(key, 0) | 1 << member
    if len(shapes) > MOST_SHAPES or any(shape.bit_count() > LONGEST for shape, _ in shapes):
        return None
    result: Expr = Const(over.type, empty if name == "both" else 0)
    for (shape, step), members in shapes.items():
        farthest_first = [  # its restriction excludes the most
            Op(those.type, "shift", (those, number(-place))) if place else those for place in reversed(bits(shape))
        ]
        starts = farthest_first[0]
        for part in farthest_first[1:]:
            starts = Op(those.type, name, (starts, part))
        if name == "both" and len(farthest_first) >= MANY:
            none = Op(BOOL, "is_empty", (farthest_first[0],))
            starts = Choice(those.type, none, Const(those.type, 0), starts)
        result = operation(Op(over.type, "union", (_moved(starts, step, members, over.type), result)))
    return result
