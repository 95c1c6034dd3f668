"""Queries: values of expressions that somebody types about a game, as far as that seat may know them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dsl import ast
from dsl.checker.query import ask
from interpreter.errors import ExpressionError
from interpreter.explain.breakdown import Explainer, Explanation
from interpreter.explain.evaluator import NOTHING, Bindings, SeatEvaluator
from interpreter.explain.score_reasons import gains
from interpreter.layout.cells import ME
from interpreter.program import Program
from interpreter.runtime.primitives import Cells

MOST_KEPT = 256
"""Maximum number of parsed expressions kept; watched expressions are evaluated again and again."""


def expression(program: Program, text: str, names: Bindings = NOTHING) -> ast.Expression:
    """Parse and check the expression in a text. Raises ExpressionError."""
    key = (text, *names.env)
    kept = program.asked
    if key not in kept:
        node, findings = ask(program.model, text, names.env)
        if node is None:
            raise ExpressionError(findings)
        if len(kept) >= MOST_KEPT:
            kept.clear()
        kept[key] = node
        program.nodes.update({inner.number: inner for inner in node.walk()})
    return kept[key]


def evaluate_query(
    program: Program, S: Cells, text: str, seat: int | None, names: Bindings = NOTHING,
    journal: Sequence[tuple[int, Any]] = (),
) -> Explanation:  # fmt: skip
    """Explain the value of an expression for a seat (None: an observer who sees everything).

    `me` is the seat that acts, or if nobody does the one that asks. `journal` holds the score reasons. Raises
    ExpressionError, PlayError.
    """
    node = expression(program, text, names)
    if seat is not None and not program.decision(S):
        S = [*S[:ME], seat, *S[ME + 1 :]]
    looking = SeatEvaluator(program, seat)
    return Explainer(program, S, gains(program, S, journal, seat), looking, names).explain(node, names.env)
