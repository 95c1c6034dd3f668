"""Scores while the game goes on: the number that will decide first, as far as a seat may know it."""

from __future__ import annotations

from dsl import ast
from interpreter.engine.program import Program
from interpreter.errors import PlayError
from interpreter.runtime.cells import Cells, number_in
from interpreter.runtime.layout import acting_as
from interpreter.seat.explain.evaluator import NOTHING, SeatEvaluator
from interpreter.seat.redaction import HiddenValueError


def score_criterion(program: Program) -> ast.Criterion | None:
    """The first criterion of `winner` that is a number and not a condition."""
    winner = program.model.winner
    return (
        next((criterion for criterion in winner.criteria if not criterion.is_condition), None)
        if winner is not None
        else None
    )


def scores_now(program: Program, state: Cells, observer: int | None) -> tuple[int | None, ...]:
    """This number for every seat in a state; None where the observer may not know it, or where it has no value."""
    criterion = score_criterion(program)
    if criterion is None:
        return ()
    evaluator, scores = SeatEvaluator(program, observer), list[int | None]()
    for seat in range(len(program.layout.seats)):
        try:
            value = evaluator.value(criterion.value, NOTHING, acting_as(state, seat))
            scores.append(None if value is None else int(number_in(value)))
        except (HiddenValueError, PlayError):
            scores.append(None)
    return tuple(scores)
