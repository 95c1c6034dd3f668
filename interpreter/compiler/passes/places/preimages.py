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

MOST_SHAPES, MAX_SHAPE_PLACES = 1, 8
"""Maximum number of shapes, and of places of each, of sets that are searched for all at once."""

MIN_GUARDED_PLACES = 4
"""Number of intersected sets from which on the first one is tested for being empty before the others are computed."""

MOST_STEPS = 2
"""Maximum number of steps whose preimages are combined."""


def leading_into(goal: Expr, value: Expr, local: Local, over: Expr) -> Expr | None:
    """The members of a set, named by a local, whose value is in `goal`; None if it takes too many steps."""
    assert isinstance(over.type, Set)
    members_by_value = by_value(value, local, over)
    if members_by_value is None:
        return None
    by_step: dict[int, int] = {}
    for target, members in members_by_value.items():
        if target is None:
            continue
        if not isinstance(target, int) or isinstance(target, bool):
            return None
        for member in bits(members):
            by_step[target - member] = by_step.get(target - member, 0) | 1 << member
    if len(by_step) > MOST_STEPS:
        return None
    parts = [_moved(goal, -step, members, over.type) for step, members in by_step.items()]
    if not parts:
        return Const(over.type, 0)
    result = parts[0]
    for part in parts[1:]:
        result = operation(Op(over.type, "union", (result, part)))
    return result


def _moved(unshifted: Expr, step: int, members: int, type_: Set) -> Expr:
    """A set shifted by a step, restricted to some members."""
    assert isinstance(unshifted.type, Set)
    every = (1 << unshifted.type.width) - 1
    reached = every << step if step > 0 else every >> -step
    moved = unshifted if step == 0 and unshifted.type == type_ else Op(type_, "shift", (unshifted, number(step)))
    if step <= 0 and not reached & ~members:
        return moved
    return operation(Op(type_, "both", (moved, Const(type_, members))))


def among(node: Expr, known_members: int) -> Expr:
    """A set without an intersection that known members make redundant."""
    match node:
        case Op(name="both", args=(part, Const(value=int() as mask))) if not known_members & ~mask:
            return among(part, known_members)
        case Op(name="both" | "union" | "minus"):
            return rebuilt(node, lambda part: among(part, known_members))
        case _:
            return node


def held_in(value: Expr, goal: Expr, local: Local, over: Expr) -> Expr | None:
    """The members whose set of places is a subset of `goal`; None if these sets have too many shapes."""
    return _by_shape(value, goal, local, over, "both")


def touching(value: Expr, goal: Expr, local: Local, over: Expr) -> Expr | None:
    """The members whose set of places intersects `goal`; None if these sets have too many shapes."""
    return _by_shape(value, goal, local, over, "union")


def _by_shape(value: Expr, goal: Expr, local: Local, over: Expr, name: str) -> Expr | None:
    assert isinstance(over.type, Set)
    members_by_value = by_value(value, local, over)
    if members_by_value is None or not simple(goal) or not isinstance(goal.type, Set):
        return None
    empty, shapes = 0, dict[tuple[int, int], int]()
    for places, members in members_by_value.items():
        if not isinstance(places, int) or isinstance(places, bool):
            return None
        if not places:
            empty |= members
            continue
        low = (places & -places).bit_length() - 1
        for member in bits(members):
            key = places >> low, member - low
            shapes[key] = shapes.get(key, 0) | 1 << member
    if len(shapes) > MOST_SHAPES or any(shape.bit_count() > MAX_SHAPE_PLACES for shape, _ in shapes):
        return None
    result: Expr = Const(over.type, empty if name == "both" else 0)
    for (shape, step), members in shapes.items():
        farthest_first = [  # its restriction excludes the most
            Op(goal.type, "shift", (goal, number(-place))) if place else goal for place in reversed(bits(shape))
        ]
        starts = farthest_first[0]
        for part in farthest_first[1:]:
            starts = Op(goal.type, name, (starts, part))
        if name == "both" and len(farthest_first) >= MIN_GUARDED_PLACES:
            none = Op(BOOL, "is_empty", (farthest_first[0],))
            starts = Choice(goal.type, none, Const(goal.type, 0), starts)
        result = operation(Op(over.type, "union", (_moved(starts, step, members, over.type), result)))
    return result
