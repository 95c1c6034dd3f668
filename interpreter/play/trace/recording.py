"""What rules did, as a sequence of events in segments: stepping through it, and searching in it.

A segment is what one decision of a game caused, or one scene of an example. Whoever steps or searches needs not know
where the segments come from: `timeline.py` reconstructs those of a game when they are asked for, the recording of an
example has made them all.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

from dsl.lazy_dataclasses import dataclass
from interpreter.engine.program import Program
from interpreter.play.trace.builder import TraceLine
from interpreter.play.trace.events import Difference, Event, Position, Stop
from interpreter.play.trace.search import meets
from interpreter.play.trace.snapshot import Snapshot, differences
from interpreter.play.trace.values import ValueTester
from interpreter.runtime.cells import Cells, Change
from interpreter.runtime.layout import MOVES
from interpreter.seat.explain.query import check_condition, type_in_scope


@dataclass(frozen=True)
class Segment:
    """The effects of one decision (or of setup): its events, and its changes, to reconstruct any state in between."""

    lines: tuple[TraceLine, ...]
    before: Cells
    changes: list[Change]

    def cells(self, end: int) -> Cells:
        """The state after the first `end` changes."""
        cells = Cells(self.before)
        for cell, _, value in self.changes[:end]:
            if cell >= 0:
                cells[cell] = value
        if end:
            cells[MOVES] = None
        return cells


class Recording(ABC):
    """Events in segments, which are numbered from 0."""

    program: Program

    @property
    @abstractmethod
    def plies(self) -> int:
        """The number of the last segment."""

    @abstractmethod
    def segment(self, ply: int) -> Segment:
        """A segment by its number."""

    @abstractmethod
    def snapshot(self, position: Position) -> Snapshot:
        """The game at an event."""

    def _may_meet(self, ply: int, stop: Stop) -> bool:
        """True if a segment may contain a match, judged without reconstructing it."""
        return True

    def events(self, ply: int) -> tuple[Event, ...]:
        """The events of a segment, in order."""
        return tuple(line.event for line in self.segment(ply).lines)

    def event(self, position: Position) -> Event:
        """The event at a position."""
        return self.segment(position.ply).lines[position.event].event

    def all_events(self, since: int = 0) -> Iterator[tuple[Position, Event]]:
        """The events of all segments from one on, with their positions."""
        for ply in range(since, self.plies + 1):
            for index, event in enumerate(self.events(ply)):
                yield Position(ply, index), event

    def difference(self, a: Position, b: Position) -> tuple[Difference, ...]:
        """The differences between the snapshots at a and b."""
        return differences(self.snapshot(a).view(), self.snapshot(b).view())

    # ------------------------------------------------------------ stepping; None where there is nothing more

    @property
    def first(self) -> Position:
        """The position of the first event."""
        return Position(0, 0)

    @property
    def last(self) -> Position:
        """The position of the last event."""
        return Position(self.plies, len(self.segment(self.plies).lines) - 1)

    def into(self, position: Position) -> Position | None:
        """The next event, nested or not."""
        if position.event + 1 < len(self.segment(position.ply).lines):
            return Position(position.ply, position.event + 1)
        return self._at_ply(position.ply + 1)

    def back(self, position: Position) -> Position | None:
        """The previous event."""
        if position.event:
            return Position(position.ply, position.event - 1)
        ply = position.ply - 1
        return Position(ply, len(self.segment(ply).lines) - 1) if ply >= 0 else None

    def over(self, position: Position) -> Position | None:
        """The next event that is not nested in this one."""
        return self._shallower(position, self.event(position).depth)

    def out(self, position: Position) -> Position | None:
        """The next event outside the one that encloses this one."""
        return self._shallower(position, self.event(position).depth - 1)

    def _shallower(self, position: Position, depth: int) -> Position | None:
        following = self.into(position)
        while following is not None and self.event(following).depth > max(depth, 0):
            following = self.into(following)
        return following

    def next_decision(self, position: Position) -> Position | None:
        """The next decision."""
        return self._at_ply(position.ply + 1)

    def previous_decision(self, position: Position) -> Position | None:
        """The decision this event follows from, or from there the one before; from the first the setup."""
        return Position(position.ply) if position.event else self._at_ply(position.ply - 1)

    def _at_ply(self, ply: int) -> Position | None:
        return Position(ply) if 0 <= ply <= self.plies else None

    # ------------------------------------------------------------ searching

    def find(self, start: Position, stop: Stop, back: bool = False) -> Position | None:
        """Find the next event after (or the last before) a position that meets a search condition."""
        return next((position for position in self.search(start, stop, back) if position is not None), None)

    def search(self, start: Position, stop: Stop, back: bool = False) -> Iterator[Position | None]:
        """Search incrementally: yields None after every segment without a match, and finally the position, if any.

        Raises UsageError if the condition or expression of the stop is invalid.
        """
        plies = range(start.ply, -1, -1) if back else range(start.ply, self.plies + 1)
        if stop.holds is not None:
            self.check_condition(stop.holds, stop.file, stop.line)
        if stop.differs is not None:
            self.check_expression(stop.differs[0])
        tester = ValueTester(stop)
        for ply in plies:
            if self._may_meet(ply, stop):
                lines = enumerate(self.segment(ply).lines)
                matches = [Position(ply, index) for index, line in lines if meets(line.event, stop)]
                matches = [position for position in matches if (position < start if back else position > start)]
                if back:
                    matches.reverse()
                first = next((position for position in matches if self._values_meet(position, tester)), None)
                if first is not None:
                    yield first
                    return
            yield None

    def _values_meet(self, position: Position, tester: ValueTester) -> bool:
        lines, index = self.segment(position.ply).lines, position.event
        state = (position.ply, lines[index].event.end, index == len(lines) - 1, lines[index].names)
        return tester.meets(state, lambda: self.snapshot(position))

    def check_condition(self, text: str, file: str | None = None, line: int | None = None) -> None:
        """Check a condition to search for, with the names in scope at some event, or at those of a line.

        Raises UsageError.
        """
        check_condition(self.program, text, self.program.scopes(file, line))

    def check_expression(self, text: str) -> None:
        """Check an expression to search for, with the names in scope at some event. Raises ExpressionError."""
        type_in_scope(self.program, text, self.program.scopes())
