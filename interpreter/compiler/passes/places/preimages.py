"""Preimages of sets: a condition on a step from a member, as the set shifted back by that step.

`for c in pieces where next[c, north] in free` looks up a neighbour for each piece. Cells of a board with eight columns
are numbered row by row, so that the cell to the north is the one 8 numbers on, and the pieces with a free cell to the
north are `pieces & shift(free, -8)`: two operations for the whole board.

This pass does not know which members are neighbours. It evaluates the value for each member in advance and groups the
members by the difference: a table of neighbours of any regular board has few differences, a map drawn by hand has many
and is left alone.

The difference alone is not enough. On that board east of h1 (number 7) is nothing, and number 8 is a2: shifting by one
would go round the edge. Every shifted set is therefore intersected with the members that have this difference, unless
the shift itself drops all others at the ends of the numbers.
"""

from __future__ import annotations

from interpreter.compiler.ir.expressions import Choice, Const, Expr, Local, Op, number, rebuilt
from interpreter.compiler.ir.types import BOOL, Set
from interpreter.compiler.passes.facts.traversal import simple
from interpreter.compiler.passes.simplifying.constant_conditions import by_value
from interpreter.compiler.passes.simplifying.folding_operations import operation
from interpreter.runtime.bitset import bits

MAX_STEPS_TO_PLACES = 8
"""Maximum number of steps from members to the places of their sets."""

MIN_GUARDED_PLACES = 4
"""Number of intersected sets from which on the first one is tested for being empty before the others are computed."""

MAX_STEPS = 2
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
    if len(by_step) > MAX_STEPS:
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
    moved = _shifted(unshifted, step, type_)
    # All numbers that the shifted set can have are members with this step, so the intersection would change nothing.
    # Only for shifts towards zero: those in the other direction reach beyond the domain and need the intersection as a
    # limit.
    if step <= 0 and not reached & ~members:
        return moved
    return operation(Op(type_, "both", (moved, Const(type_, members))))


def _shifted(unshifted: Expr, step: int, type_: Set) -> Expr:
    return unshifted if step == 0 and unshifted.type == type_ else Op(type_, "shift", (unshifted, number(step)))


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
    """The members whose set of places is a subset of `goal`; None if it takes too many steps to these places."""
    assert isinstance(over.type, Set)
    steps = _steps(value, goal, local, over)
    if steps is None:
        return None
    by_step, empty, every = steps
    # `all cells of shape(c) are free`: the same steps from each member. The members whose first place is not free are
    # dropped by the first set; where that leaves none, the others are not computed.
    if len({*by_step.values()}) == 1:  # all sets have the same shape
        shifted = [_shifted(goal, -step, over.type) for step in sorted(by_step)]
        held = shifted[-1]  # its restriction excludes the most
        for part in reversed(shifted[:-1]):
            held = Op(over.type, "both", (held, part))
        if len(by_step) >= MIN_GUARDED_PLACES:
            none = Op(BOOL, "is_empty", (shifted[-1],))
            held = Choice(over.type, none, Const(over.type, 0), held)
        held = operation(Op(over.type, "both", (held, Const(over.type, every & ~empty))))
        return operation(Op(over.type, "union", (held, Const(over.type, empty))))
    outside: Expr = Const(over.type, 0)
    for step, members in by_step.items():
        missing = Op(over.type, "minus", (Const(over.type, members), _moved(goal, -step, members, over.type)))
        outside = operation(Op(over.type, "union", (missing, outside)))
    return operation(Op(over.type, "minus", (Const(over.type, every), outside)))


def touching(value: Expr, goal: Expr, local: Local, over: Expr) -> Expr | None:
    """The members whose set of places intersects `goal`; None if it takes too many steps to these places."""
    assert isinstance(over.type, Set)
    steps = _steps(value, goal, local, over)
    if steps is None:
        return None
    result: Expr = Const(over.type, 0)
    for step, members in steps[0].items():
        result = operation(Op(over.type, "union", (_moved(goal, -step, members, over.type), result)))
    return result


def _steps(value: Expr, goal: Expr, local: Local, over: Expr) -> tuple[dict[int, int], int, int] | None:
    """The members that have a place one step away, by step; those whose set of places is empty; and all members.

    None if there are too many steps, as between places that do not form a grid.
    """
    members_by_value = by_value(value, local, over)
    if members_by_value is None or not simple(goal) or not isinstance(goal.type, Set):
        return None
    by_step: dict[int, int] = {}
    empty = every = 0
    for places, members in members_by_value.items():
        if not isinstance(places, int) or isinstance(places, bool):
            return None
        every |= members
        if not places:
            empty |= members
        for member in bits(members):
            for place in bits(places):
                by_step[place - member] = by_step.get(place - member, 0) | 1 << member
            if len(by_step) > MAX_STEPS_TO_PLACES:
                return None
    return by_step, empty, every
