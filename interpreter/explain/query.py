"""Queries: values of expressions that somebody types about a game, as far as that seat may know them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dsl import ast
from dsl.checker.query import ask
from interpreter.errors import ExpressionError
from interpreter.explain.breakdown import Explainer, Explanation
from interpreter.explain.evaluator import NOTHING, Bindings, SeatEvaluator
from interpreter.explain.score_reasons import score_reasons_of
from interpreter.layout.cells import ME
from interpreter.program import Program
from interpreter.runtime.primitives import Cells

MOST_KEPT = 256
"""Maximum number of parsed expressions kept; watched expressions are evaluated again and again."""


def parse_query(program: Program, text: str, names: Bindings = NOTHING) -> ast.Expression:
    """Parse and check the expression in a text. Raises ExpressionError."""
    key = (text, *names.env)
    queries = program.queries
    if key not in queries:
        node, diagnostics = ask(program.model, text, names.env)
        if node is None:
            raise ExpressionError(diagnostics)
        if len(queries) >= MOST_KEPT:
            queries.clear()
        queries[key] = node
        program.nodes.update({inner.number: inner for inner in node.walk()})
    return queries[key]


def evaluate_query(
    program: Program, S: Cells, text: str, seat: int | None, names: Bindings = NOTHING,
    journal: Sequence[tuple[int, Any]] = (),
) -> Explanation:  # fmt: skip
    """Explain the value of an expression for a seat (None: an observer who sees everything).

    `me` is the seat that acts, or if nobody does the one that asks. `journal` holds the score reasons. Raises
    ExpressionError, PlayError.
    """
    node = parse_query(program, text, names)
    if seat is not None and not program.decision(S):
        S = [*S[:ME], seat, *S[ME + 1 :]]
    evaluator = SeatEvaluator(program, seat)
    return Explainer(program, S, score_reasons_of(program, S, journal, seat), evaluator, names).explain(node, names.env)
