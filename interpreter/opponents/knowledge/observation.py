"""What one seat has observed, as plain data: its log, its legal moves, and what it saw of pieces.

A seat's observations of two states are equal if and only if it cannot distinguish them. They are rendered like the log
of the seat, and so contain nothing that the seat may not know.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.decisions import OVER_POINT
from interpreter.engine.program import Program
from interpreter.engine.sight import Look, Standing, look, place_standing
from interpreter.opponents.knowledge.arrangement import Arrangement
from interpreter.runtime.cells import Cells, Change, MoveCode, StoredValue
from interpreter.runtime.layout import ME, POINT
from interpreter.seat.notation.moves import Listing
from interpreter.seat.views.history import is_unnoticed, label_shown
from interpreter.seat.views.log import LogLine, LogRenderer, MovedPiece

Sighting = tuple[tuple[Standing, ...], Look]
"""The places a piece passed through, and what the seat saw of it meanwhile."""


class Seen(NamedTuple):
    """A piece that was seen: its number, the attributes that were seen, the sighting, and after how many changes."""

    piece: int
    known: frozenset[str]
    sighting: Sighting
    after: int


class Roll(NamedTuple):
    """A roll of which the seat saw the result: the index of its line, the cell that was set, what it then held."""

    line: int
    cell: int
    value: StoredValue


@dataclass(frozen=True, slots=True)
class Segment:
    """What a seat learns of the changes between two decisions: lines of its log, the pieces and the rolls it saw."""

    lines: tuple[str, ...]
    seen: tuple[Seen, ...]
    rolls: tuple[Roll, ...]

    @property
    def sightings(self) -> list[Sighting]:
        """What was seen, without the numbers of the pieces."""
        return [one.sighting for one in self.seen]


@dataclass(frozen=True, slots=True)
class Entry:
    """A decision that a seat knows of (or the setup), and all it learned until the next one.

    `prompt` are the legal moves of the seat's own decision, `chosen` is the index of the one that it made.
    """

    player: str
    label: str
    prompt: tuple[str, ...]
    chosen: int
    lines: tuple[str, ...]
    sightings: tuple[Sighting, ...]
    rolls: tuple[Roll, ...]

    def with_more(self, learnt: Segment) -> Entry:
        """The entry with what the seat learned after it of a decision that it does not know of."""
        rolls = [roll._replace(line=len(self.lines) + roll.line) for roll in learnt.rolls]
        return replace(
            self,
            lines=self.lines + learnt.lines,
            sightings=(*self.sightings, *learnt.sightings),
            rolls=(*self.rolls, *rolls),
        )


@dataclass(frozen=True, slots=True)
class Observation:
    """All that a seat has observed since the start.

    `arrangements` describe the pieces after each entry where it may have rearranged them, and `prompt` are the legal
    moves if the pending decision is the seat's own.
    """

    entries: tuple[Entry, ...]
    arrangements: tuple[Arrangement, ...]
    prompt: tuple[str, ...]
    over: bool


class Witness(LogRenderer):
    """Renders the log of a seat and notes which pieces it saw on the way.

    Every roll has a line, `die: 3` if it shows a three again: so the lines say which roll is next (`following.py`).
    """

    tells_repeated_rolls = True

    def __init__(self, program: Program, cells: Cells, seat: int) -> None:
        super().__init__(program, cells, seat)
        self.seen: list[Seen] = []
        self._after = 0

    def _moved(self, moved: list[MovedPiece], end: int) -> Iterator[LogLine]:
        self._after = end
        yield from super()._moved(moved, end)

    def _pieces_words(self, moved: Sequence[MovedPiece], path: tuple[int, ...], alone: bool) -> str:
        way = tuple(place_standing(self.program, self.cells, self.seat, place) for place in path)
        seen = []
        for one in moved:
            piece, known = self._seen_on_the_way(one, path)
            seen.append(Seen(piece, known, (way, look(self.program, piece, known)), self._after))
        if not self._in_order(moved, path, alone):
            seen.sort(key=lambda one: one.sighting)
        self.seen += seen
        return super()._pieces_words(moved, path, alone)


def segment(program: Program, before: Cells, found: Sequence[Change], seat: int) -> Segment:
    """What a seat learns of changes that begin with these cells."""
    witness = Witness(program, Cells(before), seat)
    lines = list(witness.lines(found))
    rolls = [Roll(number, *line.rolled) for number, line in enumerate(lines) if line.rolled is not None]
    return Segment(tuple([line.text for line in lines]), tuple(witness.seen), tuple(rolls))


def prompt_of(program: Program, S: Cells) -> tuple[str, ...]:
    """The legal moves in the words of the seat that decides."""
    decision = program.decision(S)
    assert decision is not None
    legal = program.legal(S)
    listing = Listing(program, S, decision.node, legal)
    return tuple([listing.label(code) for code in legal])


def label_for(program: Program, S: Cells, code: MoveCode, seat: int) -> str | None:
    """What a seat is shown of a move that is about to be made; None if it does not notice the decision."""
    # Unlike the log, by what the seat saw before the move: what it saw of the arguments by it, the sightings say, and a
    # world need not be played on to find out which moves would have had this label.
    decision = program.decision(S)
    assert decision is not None
    if seat != S[ME] and is_unnoticed(decision, S, code):
        return None
    return label_shown(Listing(program, S, decision.node, program.legal(S)), decision, code, seat)


def is_over(S: Cells) -> bool:
    """True if the game is over, when everything is open."""
    return bool(S[POINT] == OVER_POINT)
