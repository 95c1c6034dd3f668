"""Snapshot of a game at one event: the view, the names in scope, and the value of any expression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace

from dsl.lazy_dataclasses import dataclass
from dsl.text.arguments import split_arguments
from interpreter.engine.program import Program
from interpreter.play.trace.events import Difference, Position
from interpreter.runtime.cells import Cells, JournalEntry
from interpreter.seat.explain.answer import Why
from interpreter.seat.explain.breakdown import Explanation
from interpreter.seat.explain.evaluator import Bindings, SeatEvaluator, ShownValue
from interpreter.seat.explain.moves import why_move
from interpreter.seat.explain.query import evaluate_query, query_words
from interpreter.seat.views.model import Hidden, PieceView, View, value_text
from interpreter.seat.views.seat_view import view_of
from interpreter.wording.phrases import Phrase
from interpreter.wording.words import PLAIN, Words


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


# ------------------------------------------------------------ differences between two views, place by place


PHASE, TURN = Phrase("phase"), Phrase("turn")


def differences(before: View, after: View, words: Words = PLAIN) -> tuple[Difference, ...]:
    """The places and notes whose content differs in the later view, including the phase and whose turn it is."""
    changes = [
        Difference(words.phrase(what), words.heading(old) if old else "-", words.heading(new) if new else "-")
        for what, old, new in ((PHASE, before.phase, after.phase), (TURN, before.turn, after.turn))
        if old != new
    ]
    for name, zone in after.zones.items():
        if before.zones[name] != zone:
            contents = (_pieces(before.zones[name].pieces, words), _pieces(zone.pieces, words))
            changes.append(Difference(_place(name, words), *contents))
    for name, content in after.notes.items():
        if before.notes[name] != content:
            values = (words.name(value_text(before.notes[name])), words.name(value_text(content)))
            changes.append(Difference(_place(name, words), *values))
    return tuple(changes)


def _place(name: str, words: Words) -> str:
    """The name of a zone or note, such as `hand[ann]`."""
    head, _, index = name.partition("[")
    return words.place(head, [words.name(value) for value in split_arguments(index.removesuffix("]"))] if index else ())


def _pieces(pieces: Sequence[PieceView], words: Words) -> str:
    """Render pieces, with a count for equal neighbours."""
    runs: list[tuple[str, list[PieceView]]] = []
    for piece in pieces:
        text = _piece(piece, words)
        if runs and runs[-1][0] == text:
            runs[-1][1].append(piece)
        else:
            runs.append((text, [piece]))
    texts = [text if len(run) == 1 else f"{len(run)} {_piece(run[0], words, len(run))}" for text, run in runs]
    return ", ".join(texts) or words.phrase("empty")


def _piece(piece: PieceView, words: Words, number: int = 1) -> str:
    notes = [f"{words.name(name)} {words.name(value_text(content))}" for name, content in piece.notes.items()]
    on = [f"{words.name(zone)}: {_pieces(pieces, words)}" for zone, pieces in piece.attached.items()]
    more, name = ", ".join([*notes, *on]), piece.name
    if not words.is_plain:
        visible = {name: str(value) for name, value in piece.attributes.items() if not isinstance(value, Hidden)}
        owners = [name for name, value in visible.items() if value == piece.owner]
        name = words.piece(piece.type, visible, owners, not piece.hidden, number)
    return f"{name} ({more})" if more else name
