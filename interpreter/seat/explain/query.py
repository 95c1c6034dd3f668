"""Queries: values of expressions that somebody types about a game, as far as that seat may know them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dsl import ast
from dsl.checker.query import ask
from dsl.symbols import LocalSymbol
from dsl.text.visible import brief
from dsl.types import Contents, Truth, Type, bare
from interpreter.engine.program import Program
from interpreter.errors import ExpressionError, HiddenError, UsageError
from interpreter.runtime.cells import Cells, JournalEntry
from interpreter.runtime.layout import acting_as
from interpreter.seat.explain.breakdown import Explainer, Explanation, score_reasons_of
from interpreter.seat.explain.evaluator import NOTHING, Bindings, SeatEvaluator
from interpreter.seat.notation.words import Value, piece_words, plain_value
from interpreter.seat.redaction import HiddenValueError
from interpreter.wording.phrases import Phrase


def evaluate_query(
    program: Program, state: Cells, text: str, seat: int | None, names: Bindings = NOTHING,
    journal: Sequence[JournalEntry] = (),
) -> Explanation:  # fmt: skip
    """Explain the value of an expression for a seat (None: an observer who sees everything).

    `me` is the seat that acts, or if nobody does the one that asks. `journal` holds the score reasons. Raises
    ExpressionError, PlayError.
    """
    program, node = program.query(text, tuple(names.values))
    state = _asked_by(program, state, seat)
    reasons, looking = score_reasons_of(program, state, journal, seat), SeatEvaluator(program, seat)
    return Explainer(program, state, reasons, looking, names.unknown, lists_counted=True).explain(node, names.values)


def query_value(program: Program, state: Cells, text: str, seat: int | None) -> Value:
    """The value of an expression as a plain Python value; `me` is as in `evaluate_query`.

    The contents of a row are listed from the left, those of a stack from the top.

    Raises ExpressionError, PlayError, and HiddenError if it depends on something the seat may not know.
    """
    program, node = program.query(text)
    state = _asked_by(program, state, seat)
    evaluator = SeatEvaluator(program, seat)
    observer = seat if evaluator.active_visibility(state) is not None else None
    try:
        value, type_ = evaluator.value(node, NOTHING, state), program.model.types[node.number]
        plain = plain_value(program, state, type_, value, observer)
        if isinstance(type_, Contents) and type_.shape in ("row", "stack") and isinstance(node, ast.Name | ast.Index):
            place = program.place_of(node, evaluator.redacted(state))
            return tuple(piece_words(program, state, piece, observer) for piece in program.contents(state, place))
        return plain
    except HiddenValueError:
        assert seat is not None
        raise HiddenError(
            Phrase("`{seat}` may not know `{expression}`", seat=program.layout.seats[seat], expression=brief(text, 60))
        ) from None


def query_words(program: Program, state: Cells, text: str, seat: int | None, names: Bindings = NOTHING) -> str:
    """The value of an expression in words, as `evaluate_query` renders it, without its parts.

    Raises ExpressionError.
    """
    program, node = program.query(text, tuple(names.values))
    return SeatEvaluator(program, seat).render(node, names, _asked_by(program, state, seat))


def check_condition(program: Program, text: str, scopes: Iterable[Sequence[LocalSymbol]]) -> None:
    """Check that a text is a condition, with no local names or with those of one of the scopes.

    Raises ExpressionError as without local names.
    """
    if not isinstance(bare(type_in_scope(program, text, scopes)), Truth):
        raise UsageError(Phrase("`{expression}` is not a condition that holds or not", expression=brief(text, 60)))


def type_in_scope(program: Program, text: str, scopes: Iterable[Sequence[LocalSymbol]]) -> Type:
    """The type of an expression, with no local names or with those of the first scope in which it is valid.

    Raises ExpressionError as without local names.
    """
    try:
        program, node = program.query(text)
        return program.model.types[node.number]
    except ExpressionError as fault:
        for symbols in scopes:
            model = program.model.extended()
            query, _ = ask(model, text, symbols)
            if query is not None:
                return model.types[query.number]
        raise fault from None


def _asked_by(program: Program, state: Cells, seat: int | None) -> Cells:
    """The state with the seat that asks as `me`, unless another seat decides."""
    return state if seat is None or program.decision(state) else acting_as(state, seat)
