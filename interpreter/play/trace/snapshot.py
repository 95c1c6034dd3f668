"""Snapshot of a game at one event: the view, the names in scope, and the value of any expression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace

from dsl.lazy_dataclasses import dataclass
from interpreter.engine.program import Program
from interpreter.play.trace.events import Position
from interpreter.runtime.cells import Cells, JournalEntry
from interpreter.seat.explain.answer import Why
from interpreter.seat.explain.breakdown import Explanation
from interpreter.seat.explain.evaluator import Bindings, SeatEvaluator, ShownValue
from interpreter.seat.explain.moves import why_move
from interpreter.seat.explain.query import evaluate_query, query_words
from interpreter.seat.views.model import View
from interpreter.seat.views.seat_view import view_of


@dataclass(frozen=True)
class Snapshot:
    """See `Timeline.snapshot`.

    `seat` is the observer, None for one who sees everything; `waiting` is true if the rules wait for a decision here;
    `deciding` is the state before the decision that the snapshot belongs to, if it is not the present one.
    """

    position: Position
    program: Program = field(repr=False)
    cells: Cells = field(repr=False)
    bindings: Bindings = field(repr=False)
    seat: int | None
    score_entries: Sequence[JournalEntry] = field(repr=False)
    waiting: bool
    deciding: Cells | None = field(repr=False)

    def view(self) -> View:
        """Everything the seat may know, as plain data like that of `State.view`."""
        seen = view_of(self.program, self.cells, self.seat)
        return seen if self.waiting else replace(seen, question=None)

    @property
    def names(self) -> tuple[ShownValue, ...]:
        """The names in scope with their values."""
        return SeatEvaluator(self.program, self.seat).values_in_scope(self.bindings, self.cells)

    def evaluate(self, text: str) -> Explanation:
        """Explain the value of an expression at this event; it may use the names in scope.

        Raises ExpressionError, PlayError.
        """
        return evaluate_query(self.program, self.cells, text, self.seat, self.bindings, self.score_entries)

    def words(self, text: str) -> str:
        """The value of an expression at this event in words, as `evaluate` gives it. Raises ExpressionError."""
        return query_words(self.program, self.cells, text, self.seat, self.bindings)

    def why(self, text: str) -> Why:
        """Explain whether a move was legal in the decision of this snapshot, requirement by requirement."""
        cells = self.deciding if self.deciding is not None else self.cells
        return why_move(self.program, cells, text, {}, self.seat)
