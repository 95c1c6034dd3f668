"""A game up to a decision that ends in an error: the events of that decision, up to the error.

The decision is not part of the game, as its effects are undone when a rule fails. It is made once more by traced code,
on a copy that is kept as it is when the rule fails.
"""

from __future__ import annotations

from typing import TypeVar, overload

from dsl.diagnostics import RulesError
from interpreter.errors import LimitError, PlayError, PositionError, PublicFaultError
from interpreter.play.public_faults import judged
from interpreter.play.state import PlayState
from interpreter.play.trace.builder import TraceBuilder
from interpreter.play.trace.events import Position, Stop
from interpreter.play.trace.recording import Segment
from interpreter.play.trace.snapshot import Snapshot
from interpreter.play.trace.timeline import Timeline
from interpreter.runtime.cells import Cells, Journal, MoveCode, changes
from interpreter.seat.notation.reading import moves_written
from interpreter.seat.views.history import Made, record_of, record_without_label
from interpreter.wording.phrases import Phrase

UNSEEN_REASON = Phrase("a rule failed here, by what not every seat may know")


Told = TypeVar("Told", RulesError, PositionError)


@overload
def told_to(seat: str | None, fault: PlayError, *, is_open: bool) -> PlayError: ...
@overload
def told_to(seat: str | None, fault: Told, *, is_open: bool) -> Told | PlayError: ...
def told_to(
    seat: str | None, fault: PlayError | RulesError | PositionError, *, is_open: bool
) -> PlayError | RulesError | PositionError:
    """An error of a rule, or of the position in which a game begins, as a seat may be told of it; None sees everything.

    A message names the value that failed. Unless all is open in the game, a seat is told of it only if it is known that
    the value follows from what all seats know (`public_faults.py`).
    """
    if seat is None or is_open or isinstance(fault, LimitError | PublicFaultError):
        return fault
    match fault:
        case PlayError():
            location = fault.location
        case RulesError():
            location = fault.diagnostics[0].span.location
        case PositionError():
            location = fault.message.partition("\n")[0]
    return PlayError(UNSEEN_REASON, location)


class FailedDecision(Timeline):
    """A timeline with one more decision, the last one, in which a rule failed; with `ends`, it ends with the error.

    `fault` is None if no rule fails: then it is a decision like any other, up to the next one. It is as `told_to` the
    seat.
    """

    def __init__(
        self, state: PlayState, as_seat: str | None, code: MoveCode, *, then: bool = False, ends: bool = False
    ) -> None:
        super().__init__(state, as_seat, then=then)
        before, journal = self.cells_at(state.ply), Journal(state.journal.chance)
        made = Made(len(state.journal), code, None)
        self.fault: PlayError | None = None
        try:
            record = record_of(self.program, Cells(before), made)
        except PlayError as fault:  # what fails is the label of the move
            self._failed_by(fault)
            record = record_without_label(self.program, Cells(before), made)
        self.history = [*self.history, record]
        self.known.append(state.ply)
        reader = TraceBuilder(self.program, Cells(before), self.observer)
        reader.decision(record, len(self.program.legal(Cells(before))))
        cells = Cells(before)
        try:
            if self.fault is None:
                self.program.do(cells, journal, code)
        except PlayError as fault:
            self._failed_by(judged(self.program, Cells(before), code, fault))
        run = changes(cells, journal, 0)[1]
        reader.read(run)
        if ends and self.fault is not None:
            reader.end(self.program.words.fault(self.fault))
        self.failed = Segment(tuple(reader.lines), before, run)

    def _failed_by(self, fault: PlayError) -> None:
        self.fault = told_to(self.as_seat, fault, is_open=self.game.is_open)

    def segment(self, ply: int) -> Segment:
        """The events of a decision."""
        return self.failed if ply == self.plies else super().segment(ply)

    def snapshot(self, position: Position) -> Snapshot:
        """The game at an event."""
        if position.ply < self.plies:
            return super().snapshot(position)
        line, before = self.failed.lines[position.event], self.failed.before
        cells = self.failed.cells(line.event.end)
        return Snapshot(position, self.program, cells, line.names, self.observer, (), False, before)

    def _may_meet(self, ply: int, stop: Stop) -> bool:
        return ply == self.plies or super()._may_meet(ply, stop)

    def may_change(self, ply: int, name: str) -> bool:
        """True if a place or note may have changed in a segment."""
        return ply == self.plies or super().may_change(ply, name)


def timeline_up_to(state: PlayState, failing: str | None, as_seat: str | None = None) -> Timeline:
    """The timeline of a game as its seats knew it, and of the decision `failing`, if a rule fails when it is made.

    Raises UnknownSeatError, PlayError.
    """
    if failing is not None:
        codes = [move.code for move in moves_written(state.legal_moves, failing)]
        if len(codes) == 1:
            failed = FailedDecision(state, as_seat, codes[0], then=True, ends=True)
            if failed.fault is not None:
                return failed
    return Timeline(state, as_seat, then=True)
