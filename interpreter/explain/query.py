"""Values of expressions that somebody types about a game, as far as the one who asks may know them."""

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
"""So many expressions are kept as they were read; somebody who watches some asks for the same ones again and again."""


def expression(program: Program, text: str, names: Bindings = NOTHING) -> ast.Expression:
    """The expression a text stands for. Raises ExpressionError."""
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
    """How the value of an expression came about, for a seat (None: the eye that sees all).

    `me` is the seat that acts, or if nobody does the one that asks. `journal` holds why numbers grew. Raises
    ExpressionError, PlayError.
    """
    node = expression(program, text, names)
    if seat is not None and not program.decision(S):
        S = [*S[:ME], seat, *S[ME + 1 :]]
    looking = SeatEvaluator(program, seat)
    return Explainer(program, S, gains(program, S, journal, seat), looking, names).explain(node, names.env)
