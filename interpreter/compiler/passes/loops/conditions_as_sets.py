"""Conditions on loop variables as sets: the iterated set is restricted before the first iteration.

A condition is moved only where that cannot be observed: the conditions before it have been moved or cannot fail, and
neither can the condition itself, unless it is sure to be tested.

Without it most games take 1.1 to 2.2 times the instructions in the machine engine, two of them 10 and 12 times.
"""

from __future__ import annotations

from interpreter.compiler.ir import statements as st
from interpreter.compiler.ir.expressions import Expr, Fold, Loop, Op, both, conjuncts
from interpreter.compiler.ir.identity import IdentitySet
from interpreter.compiler.ir.module import Function, Module
from interpreter.compiler.passes.facts.effects import effect_test
from interpreter.compiler.passes.facts.traversal import LEAVES, changed, changed_parts, functions, subject_of
from interpreter.compiler.passes.loops.loop_elimination import folded, of_fold
from interpreter.compiler.passes.loops.narrowing import Narrowing, leading_tests, narrowed, with_conditions_kept
from interpreter.compiler.passes.record import PassRecords
from interpreter.compiler.passes.simplifying.folding_operations import operation


def conditions_as_sets(module: Module, record: PassRecords) -> None:
    """Rewrite the loops in all functions."""
    has_effect = effect_test(module)
    for function in functions(module):
        at = Narrowing(module, has_effect, record, subject_of(function), function.source)
        function.body = _block(function.body, function, at)


# ---------------------------------------------------------------- expressions


def _expression(node: Expr, at: Narrowing) -> Expr:
    if type(node) in LEAVES:
        return node
    node = changed_parts(node, lambda child: _expression(child, at))
    if isinstance(node, Fold):
        return folded(node, at)
    if isinstance(node, Op):
        if node.name in ("is_empty", "size"):
            return of_fold(node, at)
        if node.name == "not":
            return operation(node)
    return node


# ---------------------------------------------------------------- statements


def _block(block: st.Block, function: Function, at: Narrowing) -> st.Block:
    statements = tuple([_statement(node, function, at) for node in block])
    return block if all(new is old for new, old in zip(statements, block, strict=True)) else statements


def _statement(node: st.Statement, function: Function, at: Narrowing) -> st.Statement:
    node = changed(node, lambda part: _expression(part, at), lambda nested: _block(nested, function, at))
    return _loop(node, function, at) if isinstance(node, st.For) else node


def _loop(node: st.For, function: Function, at: Narrowing) -> st.Statement:
    """A loop with its conditions as sets, including those at the start of its body if nothing changes before them."""
    loops, body, invariant = list(node.loops), node.body, list[Expr]()
    for place, loop in enumerate(loops):
        tests = _tests(body, function) if place == len(loops) - 1 else []
        conditions = conjuncts(loop.where)
        more = [part for test in tests for part in conjuncts(test.condition)]
        narrower = narrowed(loop.local, loop.over, conditions + more, at)
        if narrower.over is loop.over and len(narrower.conditions) == len(conditions) + len(more):
            continue
        moved = IdentitySet(more)
        where = [part for part in narrower.conditions if part not in moved]
        over = narrower.over
        # The conditions of the outermost loop can be tested around the whole statement; those of an inner loop are
        # needed for each member of the outer ones, as an empty set to iterate over. A `listed` loop makes its list in
        # any case.
        if place == 0 and not node.listed:
            invariant = narrower.invariant
        else:
            over = narrower.under_condition
        loops[place] = Loop(loop.local, over, both(where) if where else None)
        if tests:
            body = with_conditions_kept(tests, IdentitySet(narrower.conditions).__contains__)
    if body is node.body and all(new is old for new, old in zip(loops, node.loops, strict=True)) and not invariant:
        return node
    result = st.For(tuple(loops), body, node.listed, node.source)
    return st.If(both(invariant), (result,), (), invariant[0].source) if invariant else result


# A condition at the start of a body is tested anew in each iteration, after the earlier iterations have changed the
# state. Listing moves changes nothing. A reaction changes much, but if it ends the loop when it fires, the iterations
# before it have changed nothing either. In any other rule, `for each p in row: if free[p]: …` has to ask each time.
def _tests(body: st.Block, function: Function) -> list[st.If]:
    """The conditions at the start of a loop body, if no iteration can change what they read.

    In reactions the statements under them must end the loop: otherwise they could change what is tested next.
    """
    if function.kind not in ("moves", "when"):
        return []
    tests = leading_tests(body)
    ends = function.kind == "moves" or (tests and tests[-1].then and isinstance(tests[-1].then[-1], st.Return))
    return tests if ends else []
