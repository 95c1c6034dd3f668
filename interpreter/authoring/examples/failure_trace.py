"""Trace of a failed example: its scenes are run again with code that marks the rules at work."""

from __future__ import annotations

from dsl import ast
from interpreter.authoring.examples.runner import ExampleError, Runner
from interpreter.authoring.examples.setup import GivenError
from interpreter.errors import PlayError, UsageError
from interpreter.play.game import Game
from interpreter.play.trace import Event, Position, outline
from interpreter.play.trace.builder import TraceBuilder
from interpreter.runtime.cells import changes

MOST_EVENTS = 40
"""Maximum number of events shown, the last ones."""


class FailureRunner(Runner):
    """Runs an example again and records the events of its scenes."""

    def __init__(self, game: Game, example: ast.Example) -> None:
        super().__init__(game, example, traced=True)
        self.events: list[Event] = []

    def last_events(self) -> tuple[tuple[int, Event], ...]:
        """The last events up to the scene that fails, each with its depth; scenes are shown above their events."""
        for scene in self.example.scenes:
            start = len(self.state.journal)
            try:
                self.scene(scene)
            except (ExampleError, GivenError, UsageError, PlayError):
                self._record(scene, start)
                break
            self._record(scene, start)
        outlined = outline(((Position(0, index), event) for index, event in enumerate(self.events)), "everything")
        return tuple((depth, event) for depth, _, event in outlined)[-MOST_EVENTS:]

    def _record(self, scene: ast.Scene, start: int) -> None:
        """Record the events of a scene, if it had any."""
        cells, run = changes(self.cells, self.state.journal, start)
        if not run:
            return
        builder = TraceBuilder(self.program, cells, None)
        builder.frames.clear()
        builder.scene(scene)
        builder.read(run)
        self.events += [line.event for line in builder.lines]
