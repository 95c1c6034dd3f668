"""Hoisting of the members that inner loops iterate over, where they do not depend on outer loops.

    for x in places:                                       all = list(c for c in colours where size(hand & c) >= 2)
      for c in colours:                                    if not is_empty(all):
        if size(hand & c) >= 2: emit (x, c)           →      for x in places:
                                                               for c in all: emit (x, c)

Conditions that mention only the inner variable are tested once for each member, not once for each combination. The loop
is skipped if the list is empty, unless something before it has an effect that must happen all the same.
"""

from __future__ import annotations

from dataclasses import field

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Const, Expr, Fold, Local, Loop, both, conjuncts, not_empty
from interpreter.compiler.ir.identity import IdentitySet
from interpreter.compiler.ir.types import Seq, Set
from interpreter.compiler.passes.loops.invariants import HoistingContext
from interpreter.compiler.passes.loops.narrowing import leading_tests, renamed, with_conditions_kept

SMALL = 8
"""The width up to which iterating over a bit set is as fast as over a list."""


@dataclass(slots=True)
class HoistedLists:
    """The lists computed before a loop, by their locals, and whether the loop can be skipped if one is empty."""

    context: HoistingContext
    lists: list[tuple[Local, Expr, bool]] = field(default_factory=list)


def block(statements: st.Block, context: HoistingContext) -> st.Block:
    """Statements whose inner loops iterate over lists computed before the outermost loop."""
    out: list[st.Statement] = []
    for node in statements:
        match node:
            case st.For():
                out += _loop(node, context)
            case st.If() | st.IfNoMoves() | st.Once():
                out.append(st.rebuilt(node, inside=lambda nested: block(nested, context)))
            case _:
                out.append(node)
    return statements if all(new is old for new, old in zip(out, statements, strict=False)) else tuple(out)


def _loop(node: st.For, context: HoistingContext) -> list[st.Statement]:
    """A loop, after the assignments of its hoisted lists."""
    hoisted = HoistedLists(context)
    body = _inside(node.body, _names(node), st.expressions(node), hoisted)
    body = block(body, context)
    statements: list[st.Statement] = [
        node if body is node.body else st.For(node.loops, body, node.listed, node.source)
    ]  # fmt: skip
    for local, members, skipping in reversed(hoisted.lists):
        if skipping:
            statements = [st.If(not_empty(local), tuple(statements), (), node.source)]
        statements.insert(0, st.Assign(local, members, node.source))
    return statements


def _names(node: st.For) -> frozenset[str]:
    return frozenset([loop.local.name for loop in node.loops])


def _inside(body: st.Block, names: frozenset[str], earlier: tuple[Expr, ...], hoisted: HoistedLists) -> st.Block:
    """The body of a loop; `names` are the variables of this loop and those around it.

    `earlier` are the expressions evaluated before control reaches the body.
    """
    if len(body) != 1:
        return body
    (node,) = body
    if isinstance(node, st.If) and not node.otherwise:
        then = _inside(node.then, names, (*earlier, node.condition), hoisted)
        return body if then is node.then else (st.If(node.condition, then, (), node.source),)
    if not isinstance(node, st.For):
        return body
    listed = _listed(node, names, earlier, hoisted)
    body_within = _inside(listed.body, names | _names(node), (*earlier, *st.expressions(node)), hoisted)
    if body_within is not listed.body:
        listed = st.For(listed.loops, body_within, listed.listed, listed.source)
    return body if listed is node else (listed,)


def _listed(node: st.For, names: frozenset[str], earlier: tuple[Expr, ...], hoisted: HoistedLists) -> st.For:
    """A loop over a hoisted list of its members, if these do not depend on the loops around it."""
    (loop, *others), costs = node.loops, hoisted.context.costs
    if others or not _independent(loop.over, names, hoisted.context):
        return node
    tests = leading_tests(node.body)
    conditions = conjuncts(loop.where)
    applied: list[Expr] = []
    for condition in [*conditions, *[part for test in tests for part in conjuncts(test.condition)]]:
        if _independent(condition, names, hoisted.context):
            applied.append(condition)
        # Conditions behind one that may fail stay behind it: for some members they must not be evaluated at all.
        elif costs.has_effect(condition):
            break
    large = isinstance(loop.over.type, Set) and loop.over.type.width > SMALL and not isinstance(loop.over, Const)
    if not applied and not large:
        return node
    member, gone = hoisted.context.fresh.local(loop.local), IdentitySet(applied)
    tested = [renamed(part, loop.local.name, member) for part in applied]
    members = Fold(
        Seq(member.type), "list", (Loop(member, loop.over, both(tested) if tested else None),), member, node.source
    )  # fmt: skip
    local = hoisted.context.fresh.local(Local(members.type, "all"))
    hoisted.lists.append((local, members, not any(map(costs.has_effect, earlier))))
    where = [part for part in conditions if part not in gone]
    body = with_conditions_kept(tests, lambda part: part not in gone) if tests else node.body
    return st.For((Loop(loop.local, local, both(where) if where else None),), body, node.listed, node.source)


def _independent(node: Expr, names: frozenset[str], context: HoistingContext) -> bool:
    """Whether an expression can be computed before the loops that bind these names."""
    facts = context.costs.of(node)
    return facts.movable and names.isdisjoint(facts.free)
