"""Elimination of loops from folds: counting, testing and uniting whole sets takes no loop."""

from __future__ import annotations

from dataclasses import replace

from interpreter.compiler.ir.expressions import TRUE, Const, Expr, Fold, Loop, Op, both, conjuncts, mentions
from interpreter.compiler.ir.types import BOOL, COUNT, Bool, Opt, Set
from interpreter.compiler.passes.facts.effects import needs_guard
from interpreter.compiler.passes.loops.narrowing import Narrowing, narrowed
from interpreter.compiler.passes.simplifying.folding import has_members, over_whole_set
from interpreter.compiler.passes.simplifying.folding_operations import operation

ONCE = frozenset({"any", "set", "sets", "first", "max", "min"})
"""The folds to which repeated values make no difference."""


def folded(node: Fold, at: Narrowing) -> Expr:
    """A fold with its conditions as sets, and without needless loops."""
    word, loops, value = node.word, list(node.loops), node.value
    if word in ("any", "count") and isinstance(value.type, Bool) and value != TRUE:
        loops[-1] = replace(loops[-1], where=both([*conjuncts(loops[-1].where), *conjuncts(value)]))
        value = TRUE
    loops = [_narrower(loop, at) for loop in loops]
    # `any(… for x in A for y in B(x))` asks only whether B(x) has members: the inner loop becomes a condition of the
    # outer one. Not for `count` and `sum`, where each y counts: they multiply (below).
    while len(loops) > 1 and word in ONCE and _whole(loops[-1]) and not mentions(value, loops[-1].local):
        members = loops.pop().over
        some, enclosing = has_members(members, members.source), loops[-1]
        loops[-1] = replace(enclosing, where=both([*conjuncts(enclosing.where), some]))
        if enclosing.where is None:
            loops[-1] = _narrower(loops[-1], at)
    if word == "count" and len(loops) > 1 and _whole(loops[-1]) and not at.has_effect(value):
        word, value = "sum", operation(Op(COUNT, "size", (loops.pop().over,)))
    same = word == node.word and value is node.value and len(loops) == len(node.loops)
    if not same or any(new is not old for new, old in zip(loops, node.loops, strict=True)):
        node = Fold(node.type, word, tuple(loops), value, node.source)
    return _without_loop(node, at) if len(loops) == 1 and loops[0].where is None else node


def _narrower(loop: Loop, at: Narrowing) -> Loop:
    """A loop with its conditions as sets."""
    conditions = conjuncts(loop.where)
    narrower = narrowed(loop.local, loop.over, conditions, at)
    over = narrower.under_condition
    if over is loop.over and len(narrower.conditions) == len(conditions):
        return loop
    return Loop(loop.local, over, both(narrower.conditions) if narrower.conditions else None)


def _whole(loop: Loop) -> bool:
    """Whether a loop iterates over a set without a condition."""
    return loop.where is None and isinstance(loop.over.type, Set)


def _without_loop(node: Fold, at: Narrowing) -> Expr:
    """A fold over all members of a set or sequence."""
    (loop,) = node.loops
    over = loop.over
    if not isinstance(over.type, Set):
        counting = node.word == "count" and not isinstance(over, Fold)
        return Op(node.type, "length", (over,), node.source) if counting and not at.has_effect(node.value) else node
    match node.word:
        case "any" if node.value == TRUE:
            return has_members(over, over.source)
        case "set" if over.type != node.type:
            return node
        case "count" if not at.has_effect(node.value):
            return operation(Op(node.type, "size", (over,), node.source))
        # `sum(5 for x in S)` is size(S) * 5. A value that needs a guard would be computed even for an empty set.
        case "sum" if not (mentions(node.value, loop.local) or at.has_effect(node.value) or needs_guard(node.value)):
            size = operation(Op(COUNT, "size", (over,), node.source))
            counting_ones = isinstance(node.value, Const) and node.value.value == 1
            return size if counting_ones else operation(Op(node.type, "mul", (size, node.value), node.source))
        case _:
            return over_whole_set(node)


# ---------------------------------------------------------------- operations on filtered sets


def of_fold(node: Op, at: Narrowing) -> Expr:
    """Whether a filtered set is empty, or its size, as a fold that makes no set."""
    (fold,) = node.args
    if not isinstance(fold, Fold) or fold.word not in ("set", "sets", "list"):
        return node
    if node.name == "is_empty" and not isinstance(fold.value.type, Opt) and not at.has_effect(fold):
        search = folded(Fold(BOOL, "any", fold.loops, TRUE, fold.source), at)
        return operation(Op(BOOL, "not", (search,), node.source))
    (loop, *inner_loops) = fold.loops
    are_members = not inner_loops and fold.value == loop.local and isinstance(loop.over.type, Set)
    if node.name == "size" and are_members and isinstance(fold.type, Set):
        return folded(Fold(node.type, "count", fold.loops, TRUE, node.source), at)
    return node
