"""The information state of a seat: all that it has observed since the start, as text and as a hash.

It is the observation that bots and their samples are based on (`opponents/knowledge/observation.py`) with the seat that
decides now, in lines: what was set up and decided, as the log of the seat tells it, and what it was offered and chose.
What it saw of pieces on their way and of pieces where they lie is long and hard to read, and mostly in the log as well;
`seen` is a hash of it. But for collisions of SHA-256, two states have equal texts if and only if the seat cannot tell
them apart, however well it remembers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from dsl.lazy_dataclasses import dataclass
from interpreter.arguments import seat_number
from interpreter.opponents.knowledge.observation import Observation
from interpreter.opponents.knowledge.recording import Recorder
from interpreter.play.state import PlayState


@dataclass(frozen=True, slots=True)
class InformationState:
    """What a seat has observed: `text` is equal for games that it cannot tell apart."""

    text: str

    @property
    def hash(self) -> str:
        """A short text that is equal for equal information states."""
        return _digest(self.text)

    def __str__(self) -> str:
        return self.text


class Memory:
    """What one seat remembers of a game: `of` is fast for states that follow each other."""

    def __init__(self, seat: str) -> None:
        self.seat = seat
        self._recorder = Recorder(seat)

    def of(self, state: PlayState) -> InformationState:
        """The information state of the seat.

        Raises UnknownSeatError, UsageError for a state that was not set up by its rules, and SamplingError for a game
        with secrets that began in a given position.
        """
        seat_number(state.game.seats, self.seat)
        observed = self._recorder.observation(state)
        return InformationState("\n".join(_lines(observed, self.seat, state.player)))


def _lines(observed: Observation, seat: str, deciding: str | None) -> Iterator[str]:
    yield f"seat {seat}"
    for number, entry in enumerate(observed.entries):
        yield f"{entry.player}: {entry.label}" if entry.player else "setup"
        if entry.prompt:
            yield f"  of {_quoted(entry.prompt)}: {entry.chosen + 1}"
        for line in entry.lines:
            yield f"  {line}"
        seen = entry.sightings, observed.arrangements[number]
        if any(seen):
            yield f"  seen {_digest(repr(seen))}"
    if deciding is None:
        yield "the game is over"
    else:
        yield f"{deciding} decides"
    if observed.prompt:
        yield f"  of {_quoted(observed.prompt)}"


def _quoted(labels: Sequence[str]) -> str:
    return ", ".join(map(repr, labels))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]
