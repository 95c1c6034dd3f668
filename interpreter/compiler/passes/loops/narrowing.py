"""Narrowing of loops: conditions that are sets, or bounds, restrict what a loop iterates over.

    for c in {a1..h8} where row[c] > 6               →  for c in {a7..h8}
    for n in {1..7} where n <= size(heap[x])         →  for n in span(1, least(7, size(heap[x])))
    for c in set(d for d in cells where A) where B   →  one loop over `cells` with both conditions

A condition that does not mention the loop variable is evaluated once before the loop (`invariant`).

The order of conditions is what makes this hard. In `where next[c] is not none and height[next[c]] > 2 and …` the first
condition guards the second, which would fail without it: moved to the front alone, the second would end the game in a
fault that the rules exclude. And a condition that may fail has to fail exactly when it would: not for a loop without
members, not if a condition before it does not hold. So the conditions are taken from left to right, and the first that
may fail and stays stops all that follow, even where each of them alone could be a set.
"""

from __future__ import annotations

from collections.abc import Callable

from dsl import ast
from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.ir import expressions as ex
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.module import BETWEEN, Module
from interpreter.compiler.ir.types import COUNT, NUMBER_DOMAIN, Int, Seq, Set
from interpreter.compiler.passes.facts.effects import HasEffect, needs_guard
from interpreter.compiler.passes.facts.traversal import LEAVES
from interpreter.compiler.passes.loops.filters import Filter, Members, applied, depends, filter_for
from interpreter.compiler.passes.record import PassRecords
from interpreter.compiler.passes.simplifying.constant_conditions import holding
from interpreter.compiler.passes.simplifying.folding_operations import operation

NAME = "conditions as sets"
MAX_QUOTE_LENGTH = 60
"""Maximum number of characters of the rules quoted in a reason."""


@dataclass(frozen=True, slots=True)
class Narrowing:
    """The context of the pass: the module, effects, and where to record what was done for which subject."""

    module: Module
    has_effect: HasEffect
    record: PassRecords
    subject: str
    source: ast.Node | None

    def did(self, condition: ex.Expr) -> None:
        """Record that a condition is no longer tested for each member."""
        self.record.applied(NAME, self.subject, condition.source or self.source)

    def refused(self, condition: ex.Expr, guard: ex.Expr | None, local: ex.Local) -> None:
        """Record why a condition is still tested for each member; `guard` is an earlier condition with an effect."""
        if condition.source is not None:
            reason = f"tested one by one, because {_reason(condition, guard, local, self)}"
            self.record.refused(NAME, self.subject, condition.source, reason)


@dataclass(frozen=True, slots=True)
class Narrowed:
    """A narrowed loop: what it iterates over, the conditions for each member, and the invariant ones."""

    over: ex.Expr
    conditions: list[ex.Expr]
    invariant: list[ex.Expr]

    @property
    def under_condition(self) -> ex.Expr:
        """The set to iterate over, which is empty if an invariant condition does not hold."""
        if not self.invariant:
            return self.over
        assert isinstance(self.over.type, Set)
        return ex.Choice(self.over.type, ex.both(self.invariant), self.over, ex.Const(self.over.type, 0))


def narrowed(local: ex.Local, over: ex.Expr, conditions: list[ex.Expr], at: Narrowing) -> Narrowed:
    """A loop narrowed by those of its conditions for which that is possible."""
    over, tested = fused(local, over, at)
    base = over.args[0] if isinstance(over, ex.Op) and over.name == "distinct" else over
    invariant: list[ex.Expr] = []
    if conditions and isinstance(base.type, Set):
        matching, conditions, invariant = _filtered(Members(local, base, at.module), conditions, bool(tested), at)
        over = over if matching is base else _around(over, matching)
    if conditions and not tested and not invariant and isinstance(over, ex.Const):
        over, conditions = _bounded(local, over, conditions, at)
    return Narrowed(over, tested + conditions, invariant)


def _around(over: ex.Expr, members: ex.Expr) -> ex.Expr:
    """The expression to iterate over, for a restricted set of members."""
    if isinstance(over, ex.Op) and over.name == "distinct":
        return ex.Op(over.type, over.name, (members,), over.source)
    return members


# The conditions of the inner set come first, as they are evaluated first. If one of them has an effect, the sets stay
# apart: it is then evaluated for all members before the outer conditions are for any.
def fused(local: ex.Local, over: ex.Expr, at: Narrowing) -> tuple[ex.Expr, list[ex.Expr]]:
    """What a filtered set or sequence is filtered from, and its conditions, in terms of a local."""
    conditions: list[ex.Expr] = []
    while isinstance(over, ex.Fold) and over.word in ("set", "list") and len(over.loops) == 1:
        (loop,) = over.loops
        same = isinstance(loop.over.type, Set) == isinstance(over.type, Set)
        if over.value != loop.local or not same or (loop.where is not None and at.has_effect(loop.where)):
            break
        conditions = [renamed(part, loop.local.name, local) for part in ex.conjuncts(loop.where)] + conditions
        over = loop.over
    return over, conditions


def renamed(node: ex.Expr, name: str, local: ex.Local) -> ex.Expr:
    """An expression with a local renamed."""
    if isinstance(node, ex.Local):
        return ex.Local(node.type, local.name, node.source) if node.name == name else node
    return node if type(node) in LEAVES else ex.rebuilt(node, lambda child: renamed(child, name, local))


# ---------------------------------------------------------------- conditions as sets


def _filtered(
    members: Members, conditions: list[ex.Expr], tested: bool, at: Narrowing
) -> tuple[ex.Expr, list[ex.Expr], list[ex.Expr]]:
    """The restricted set, the remaining conditions, and the invariant ones; `tested`: others are tested first."""
    over, kinds, remaining, invariant = members.over, list[Filter](), list[ex.Expr](), list[ex.Expr]()
    guard: ex.Expr | None = None
    waiting = False  # a condition that may guard others has to be tested for each member
    for place, condition in enumerate(conditions):
        # INVARIANT: what is moved before the loop has no effect, or is sure to be evaluated: it is the first condition
        # of a loop that has at least one member. Behind the first condition that may still fail (`guard`), in the loop
        # or in its filter, nothing is moved: it is to be evaluated only if that one has not failed, and only where it
        # holds.
        sure = place == 0 and not tested and isinstance(over, ex.Const) and over.value != 0
        matching = None if guard is not None else _found(condition, members, sure, at)
        if matching is not None and depends(matching, members) and at.has_effect(members.over):
            matching = None  # the set has to be computed in any case
        # Here a condition such as `target is not none` is still tested in the loop, and the set of the next one,
        # `hand[target]`, would be read before it.
        if matching is not None and waiting and needs_guard(matching.members):
            matching = None
        waiting = waiting or (matching is None and not ex.mentions(condition, members.local))
        if matching is None:
            remaining.append(condition)
            at.refused(condition, guard, members.local)
        else:
            at.did(condition)
        if guard is None and at.has_effect(condition) and (matching is None or at.has_effect(matching.members)):
            guard = condition
        if matching is None:
            continue
        if not isinstance(condition, ex.Const) and not ex.mentions(condition, members.local):
            invariant.append(condition)
        elif matching.zone is not None and not matching.others:
            kinds.append(matching)
        else:
            over = applied(matching, over, members)
    # Sets that are combined by `&` may be in any order, as none of them has an effect any more.
    for matching in kinds:  # the cost of these grows with the number of members
        over = applied(matching, over, members)
    return over, remaining, invariant


def _found(condition: ex.Expr, members: Members, sure: bool, at: Narrowing) -> Filter | None:
    """The filter for a condition; `sure`: it is tested first, and for at least one member."""
    if at.has_effect(condition):
        positive = condition
        while isinstance(positive, ex.Op) and positive.name == "not":
            positive = positive.args[0]
        if not sure or (isinstance(positive, ex.Logic | ex.Choice) and ex.mentions(positive, members.local)):
            held = holding(condition, members.local, members.over)
            return None if held is None else Filter(members.set(held))
    return filter_for(condition, members)


# ---------------------------------------------------------------- bounds


def _bounded(
    local: ex.Local, over: ex.Const, conditions: list[ex.Expr], at: Narrowing
) -> tuple[ex.Expr, list[ex.Expr]]:
    """A range of numbers restricted by bounds among the first conditions."""
    ends = _ends(over)
    low: ex.Expr
    high: ex.Expr
    used = 0
    if ends is None:
        return over, conditions
    low, high = ex.number(ends[0]), ex.number(ends[1])
    for condition in conditions:
        bound = _bound(condition, local)
        # Only the first bound may fail: it is evaluated for the first number in any case. A second one is evaluated
        # only for numbers that satisfy the first, of which there may be none.
        if bound is None or (used > 0 and at.has_effect(condition)):
            break
        least, end = bound
        if least:
            low = operation(ex.Op(local.type, "greatest", (low, end)))
        else:
            high = operation(ex.Op(local.type, "least", (high, end)))
        used += 1
        at.did(condition)
    if not used:
        return over, conditions
    return ex.Op(Seq(local.type), "span", (low, high), over.source), conditions[used:]


def _ends(over: ex.Const) -> tuple[int, int] | None:
    """The bounds of a range of numbers."""
    match over.type, over.value:
        case Set(domain), int() as mask if domain == NUMBER_DOMAIN and mask:
            low = (mask & -mask).bit_length() - 1
            return (low, mask.bit_length() - 1) if (mask >> low) & (mask >> low) + 1 == 0 else None
        case Seq(of=Int()), (int() as low, *_) as items if items == tuple(range(low, low + len(items))):
            return low, low + len(items) - 1
        case _:
            return None


BOUNDS = {"le": (False, 0), "lt": (False, -1), "ge": (True, 0), "gt": (True, 1)}
"""Whether `x op E` is a lower bound, and its distance from E."""

TURNED = {"le": "ge", "lt": "gt", "ge": "le", "gt": "lt"}


def _bound(condition: ex.Expr, local: ex.Local) -> tuple[bool, ex.Expr] | None:
    """The bound that a condition gives, and whether it is a lower one."""
    if not isinstance(condition, ex.Op) or condition.name not in BOUNDS:
        return None
    name, (bounded, end) = condition.name, condition.args
    if ex.mentions(end, local):
        name, bounded, end = TURNED[name], end, bounded
    if (
        not isinstance(bounded, ex.Local)
        or bounded.name != local.name
        or ex.mentions(end, local)
        or not isinstance(end.type, Int)
    ):
        return None
    lower, more = BOUNDS[name]
    return lower, operation(ex.Op(COUNT, "add", (end, ex.number(more)))) if more else end


# ---------------------------------------------------------------- reasons


def _reason(condition: ex.Expr, guard: ex.Expr | None, local: ex.Local, at: Narrowing) -> str:
    """The reason why a condition is tested for each member."""
    if guard is not None:
        return f"{_fault(guard, at)} and is tested before it"
    if at.has_effect(condition):
        return _fault(condition, at)
    name = local.name.partition(BETWEEN)[0].rpartition("_")[0] or local.name
    return f"{quoted(condition)} is not known for all values of `{name}` at once"


def _fault(node: ex.Expr, at: Narrowing) -> str:
    """The part of a condition that may end the game in a fault, in words."""
    inside = next((part for part in ex.children(node) if at.has_effect(part)), None)
    if inside is not None:
        return _fault(inside, at)
    if isinstance(node, ex.Check):
        return f"{quoted(node)} may {'be none' if node.word == 'need' else 'be out of range'}"
    return f"{quoted(node)} may end the game in a fault"


def quoted(node: ex.Expr) -> str:
    """The text of the rules that an expression comes from."""
    source = node.source or next((part.source for part in ex.children(node) if part.source is not None), None)
    if source is None:
        return "this"
    text = source.name if isinstance(source, ast.When) else " ".join(source.span.text.split())
    return f"`{text if len(text) <= MAX_QUOTE_LENGTH else text[: MAX_QUOTE_LENGTH - 1] + '…'}`"


def leading_tests(body: st.Block) -> list[st.If]:
    """The nested `if`s around a whole body."""
    tests: list[st.If] = []
    while len(body) == 1 and isinstance(body[0], st.If) and not body[0].otherwise:
        tests.append(body[0])
        body = body[0].then
    return tests


def with_conditions_kept(tests: list[st.If], is_kept: Callable[[ex.Expr], bool]) -> st.Block:
    """The body inside the last of these `if`s, under the conditions that are kept."""
    body = tests[-1].then
    for test in reversed(tests):
        parts = ex.conjuncts(test.condition)
        conditions = [part for part in parts if is_kept(part)]
        if conditions:
            condition = test.condition if len(conditions) == len(parts) else ex.both(conditions)
            body = (st.If(condition, body, (), test.source),)
    return body
