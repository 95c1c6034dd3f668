"""Hoisting of loop invariants, and elimination of common subexpressions.

Only in functions without side effects, and only expressions without effects: those that may fail stay where they are.
Nothing costly is moved out of a condition, except before a loop around both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from interpreter.ir import statements as st
from interpreter.ir.expressions import Expr
from interpreter.ir.module import Function, Module
from interpreter.passes.facts.effects import effect_test
from interpreter.passes.facts.traversal import subject_of
from interpreter.passes.loops import hoisted_lists
from interpreter.passes.loops.costs import COSTLY, Costs
from interpreter.passes.loops.invariants import HoistingContext, block, expression
from interpreter.passes.loops.narrowing import quoted
from interpreter.passes.loops.shared_values import Sharing, by_itself, repeated_signatures, shared_block
from interpreter.passes.record import PassRecords
from interpreter.passes.rewriting.substitution import Fresh, fresh_for, fresh_in

NAME = "hoisting"

STEADY = frozenset({"moves", "define", "criterion", "sight"})
"""The kinds of functions that change no cell."""


def hoisting(module: Module, record: PassRecords) -> None:
    """Compute repeated expressions once, in all functions without side effects."""
    has_effect = effect_test(module)
    for function in module.functions.values():
        if function.kind in STEADY:
            costs = Costs(has_effect, _reassigned(function.body))
            if _worthwhile(function.body, costs):
                function.body = _hoisted(function, costs, record)


def expression_hoisted(node: Expr, module: Module) -> Expr:
    """Compute repeated parts of a single expression once."""
    costs, fresh = Costs(effect_test(module)), fresh_in(node)
    found = by_itself(node, {}, Sharing(costs, fresh, repeated_signatures((node,), costs), _nobody))
    return expression(found, {}, HoistingContext(costs, fresh, _nobody, _nobody))


def _nobody(node: Expr) -> None:
    """The callback where nothing is recorded."""


def _hoisted(function: Function, costs: Costs, record: PassRecords) -> st.Block:
    subject, fresh = subject_of(function), fresh_for(function.body)

    def held(node: Expr) -> None:
        source = node.source or function.source
        record.applied(NAME, subject, source, f"{quoted(node)} is computed once")

    def again(node: Expr) -> None:
        reason = f"{quoted(node)} is computed again for each member, because it may end the game in a fault"
        record.refused(NAME, subject, node.source or function.source, reason)

    body = _shared(function.body, costs, fresh, held)
    context = HoistingContext(costs, fresh, held, again)
    body = hoisted_lists.block(body, context) if function.kind == "moves" else body
    return block(body, {}, context)


def _shared(body: st.Block, costs: Costs, fresh: Fresh, held: Callable[[Expr], None]) -> st.Block:
    """Statements in which common subexpressions are computed once."""
    looks = repeated_signatures((part for node in st.walk(body) for part in st.expressions(node)), costs)
    return shared_block(body, {}, Sharing(costs, fresh, looks, held)) if looks else body


def _reassigned(body: st.Block) -> frozenset[str]:
    """The locals with several assignments."""
    times = Counter(node.local.name for node in st.walk(body) if isinstance(node, st.Assign))
    return frozenset(name for name, number in times.items() if number > 1)


def _worthwhile(body: st.Block, costs: Costs) -> bool:
    """Whether there may be something to hoist: a loop, or several searches."""
    return any(
        isinstance(node, st.For) or any(costs.of(part).cost >= COSTLY for part in st.expressions(node))
        for node in st.walk(body)
    )
