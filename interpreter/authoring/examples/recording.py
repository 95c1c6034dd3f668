"""Recording of an example: its scenes are run again with code that marks the rules at work."""

from __future__ import annotations

from dsl import ast
from interpreter.errors import PlayError, UsageError
from interpreter.play.game import Game
from interpreter.play.scenes.runner import ExampleError, Runner
from interpreter.play.scenes.setup import GivenError
from interpreter.play.trace import Event, Position, outline
from interpreter.play.trace.builder import TraceBuilder
from interpreter.play.trace.recording import Recording, Segment
from interpreter.play.trace.snapshot import Snapshot
from interpreter.runtime.cells import Cells, changes

MAX_EVENTS = 40
"""Maximum number of events that lead to a failure and are shown, the last ones."""


class ExampleRecording(Recording):
    """The events of an example, a segment for each scene up to the first that fails.

    `failures` are those of `Runner.run`: empty if the example holds.
    """

    def __init__(self, game: Game, example: ast.Example) -> None:
        runner = Runner(game, example, traced=True)
        self.program, self.segments, self.failures = runner.program, list[Segment](), tuple[str, ...]()
        for scene in example.scenes:
            start = len(runner.state.journal)
            try:
                runner.scene(scene)
            except (ExampleError, GivenError, UsageError, PlayError) as fault:
                self.failures = (runner.failure_at(scene, fault),)
            self.segments.append(self._segment(runner, scene, start))
            if self.failures:
                break

    def _segment(self, runner: Runner, scene: ast.Scene, start: int) -> Segment:
        # What `given` lays out is not in the journal: it precedes the changes of its segment, of which there are none.
        first_cells, run = changes(runner.cells, runner.state.journal, start)
        builder = TraceBuilder(self.program, Cells(first_cells), None)
        builder.frames.clear()
        builder.scene(scene)
        builder.read(run)
        return Segment(tuple(builder.lines), first_cells, run)

    @property
    def plies(self) -> int:
        """The number of the last scene that was run."""
        return len(self.segments) - 1

    def segment(self, ply: int) -> Segment:
        """The events of a scene."""
        return self.segments[ply]

    def snapshot(self, position: Position) -> Snapshot:
        """The table at an event; after the last event of a scene, as the scene leaves it."""
        segment = self.segments[position.ply]
        line, ended = segment.lines[position.event], position.event == len(segment.lines) - 1
        cells = segment.cells(len(segment.changes) if ended else line.event.end)
        deciding = segment.before if segment.changes else None
        return Snapshot(position, self.program, cells, line.names, None, (), ended, deciding)

    def last_events(self) -> tuple[tuple[int, Event], ...]:
        """The last events of the scenes that changed something, each with its depth, under their scenes."""
        events = [
            (Position(ply, index), line.event)
            for ply, segment in enumerate(self.segments)
            if segment.changes
            for index, line in enumerate(segment.lines)
        ]
        return tuple((depth, event) for depth, _, event in outline(events, "everything"))[-MAX_EVENTS:]
