"""The trace of a game: events in order, snapshots, and searches; see `docs/trace.md`."""

from interpreter.play.trace.events import LEVELS, Difference, Event, EventKind, Level, Position, Stop, outline
from interpreter.play.trace.search import known_names
from interpreter.play.trace.snapshot import Snapshot
from interpreter.play.trace.timeline import Timeline

__all__ = [
    "LEVELS",
    "Difference",
    "Event",
    "EventKind",
    "Level",
    "Position",
    "Snapshot",
    "Stop",
    "Timeline",
    "known_names",
    "outline",
]  # fmt: skip
