"""A game up to a decision that ends in an error: the events of that decision, up to the error.

The decision is not part of the game, as its effects are undone when a rule fails. It is made once more by traced code,
on a copy that is kept as it is when the rule fails.
"""

from __future__ import annotations

from interpreter.errors import PlayError
from interpreter.play.trace.builder import TraceBuilder
from interpreter.play.trace.events import Position
from interpreter.play.trace.recording import Recording, Segment
from interpreter.play.trace.snapshot import Snapshot
from interpreter.play.trace.timeline import Timeline
from interpreter.runtime.cells import Cells, MoveCode, changes
from interpreter.seat.views.history import Made, record_of


class FailedDecision(Recording):
    """A timeline with one more segment, the last one; its last event is what failed."""

    def __init__(self, timeline: Timeline, code: MoveCode) -> None:
        self.timeline, self.program = timeline, timeline.program
        before, journal = timeline.pending()
        record = record_of(self.program, Cells(before), Made(len(timeline.state.journal), code, None))
        reader = TraceBuilder(self.program, Cells(before), timeline.observer)
        reader.decision(record, len(self.program.legal(Cells(before))))
        cells = Cells(before)
        self.fault: PlayError | None = None
        try:
            self.program.do(cells, journal, code)
        except PlayError as fault:
            self.fault = fault
        run = changes(cells, journal, 0)[1]
        reader.read(run)
        self.failed = Segment(tuple(reader.lines), before, run)

    @property
    def plies(self) -> int:
        """The number of the decision that failed."""
        return self.timeline.plies + 1

    def segment(self, ply: int) -> Segment:
        """The events of a decision."""
        return self.failed if ply == self.plies else self.timeline.segment(ply)

    def snapshot(self, position: Position) -> Snapshot:
        """The game at an event."""
        if position.ply < self.plies:
            return self.timeline.snapshot(position)
        line, before = self.failed.lines[position.event], self.failed.before
        cells = self.failed.cells(line.event.end)
        return Snapshot(position, self.program, cells, line.names, self.timeline.observer, (), False, before)
