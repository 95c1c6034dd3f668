"""Histories: a game from its setup on, decision by decision, with chance results that can be chosen.

A history is a tuple of immutable plies, so histories share their common beginning.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import field, replace
from functools import cached_property
from math import inf
from typing import Any

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.decisions import OVER_POINT
from interpreter.engine.program import Program
from interpreter.engine.sight import known_attributes, look
from interpreter.errors import PlayError
from interpreter.opponents.knowledge.arrangement import Arrangement, attributes_that_sight_reads, sight_can_change
from interpreter.opponents.knowledge.exchanges import Exchange
from interpreter.opponents.knowledge.moves import Labels
from interpreter.opponents.knowledge.observation import Seen, Segment, segment
from interpreter.runtime.cells import MARK, Cells, Change, Journal, MoveCode, changes, number_in, pieces_in
from interpreter.runtime.chance import ChanceEvent
from interpreter.runtime.layout import DRAWN, ME, MOVES, POINT


def never() -> bool:
    """Never too late: no time limit."""
    return False


def always() -> bool:
    """Always too late: no time at all."""
    return True


Chooser = Callable[[int, ChanceEvent], Any]
"""Chooses the result of a chance event, given its number in the ply."""


@dataclass(frozen=True, slots=True)
class ChanceResult:
    """A chance result, after how many changes it came, and the number of possible results (of a shuffle: of pieces).

    Of a shuffle also the place, and the pieces there in their old and new order; `old` are also the pieces that chance
    chose from, in the order of their numbers. A roll or pick has set the `cell`.
    """

    result: Any
    after: int
    size: int
    place: int = 0
    old: tuple[int, ...] = ()
    new: tuple[int, ...] = ()
    cell: int | None = None

    @property
    def is_shuffle(self) -> bool:
        """True for a shuffle."""
        return self.place > 0


Zones = frozenset[str]
"""Some of the zones of a game."""


@dataclass(slots=True)
class Footprint:
    """What a decision read of the pieces in some zones (`footprints.py`).

    By the cell of a set: the pieces that mattered if they were in it (`members`), and the parts of which the size did.
    `pieces` mattered wherever they lay: also those of which the notes, or what lies on them, were read or written.
    `cells` were read as they are, `everything`: all.
    """

    zones: Zones = frozenset()
    everything: bool = False
    pieces: int = 0
    cells: set[int] = field(default_factory=set)
    members: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    sizes: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))

    def add(self, other: Footprint) -> None:
        """Add what was read besides."""
        self.everything |= other.everything
        self.pieces |= other.pieces
        self.cells |= other.cells
        for cell, members in other.members.items():
            self.members[cell] |= members
        for cell, parts in other.sizes.items():
            self.sizes[cell] |= parts


@dataclass(slots=True, eq=False)
class Ply:
    """A decision and its consequences; the setup has no `code`.

    A ply of a history does not change, but for `arranged`: how pieces were found to lie afterwards, None if that was
    not compared yet. `alike` is the number of legal moves that the observing seat could not have told apart from this
    one; `entry` and `lines` say up to where the observation is accounted for afterwards: the index of an entry, and
    lines of it. `loose`: pieces have been exchanged since without
    making the move again, so that only the code, the chance results and what was learnt are those of the history.
    `choice` and `effects` (see `footprints.py`) and `glimpses` (see `images.py`) are found when needed.
    """

    before: Cells
    code: MoveCode | None
    after: Cells
    journal: Journal
    chance: tuple[ChanceResult, ...]
    learnt: Segment
    alike: int = 1
    entry: int = 0
    lines: int = 0
    arranged: Arrangement | None = None
    loose: bool = False
    choice: Footprint | None = None
    effects: list[Footprint] | None = None
    glimpses: dict[int, frozenset[str]] | None = None

    @property
    def player(self) -> int:
        """The seat that decided."""
        return int(self.before[ME])


History = tuple[Ply, ...]


def is_loose(history: Sequence[Ply]) -> bool:
    """True if pieces have been exchanged in a history without making all moves since then again."""
    return any(ply.loose for ply in history)


class Impossible(Exception):
    """A rule failed that did not fail in the observed game."""


class TooLate(Exception):
    """The time to find histories has run out."""


class TooMuch(Exception):
    """As many moves have been made in the search for histories as may be."""


@dataclass
class Observer:
    """A game as one seat observes it.

    `segments` keeps what was learnt from changes that
    looked the same, `prompts` the legal moves at each decision of the seat (by the number of the entry and the
    decision) with which it read what was observed. `too_late` ends whatever is going on with `TooLate`, as the end of
    `moves_left` does with `TooMuch`.
    """

    program: Program
    seat: int
    segments: dict[Hashable, Segment] = field(default_factory=dict)
    prompts: dict[tuple[int, int], list[MoveCode]] = field(default_factory=dict)
    too_late: Callable[[], bool] = never
    moves_left: float = inf

    @cached_property
    def sight_changes(self) -> bool:
        """See `sight_can_change`."""
        return sight_can_change(self.program)

    @cached_property
    def attributes_of_sight(self) -> frozenset[str] | None:
        """See `attributes_that_sight_reads`; none if the visibility of pieces follows from where they lie."""
        return attributes_that_sight_reads(self.program) if self.sight_changes else frozenset()

    @cached_property
    def labels(self) -> Labels:
        """Labels of the moves of others."""
        return Labels(self.program, self.seat)

    def play(self, before: Cells, code: MoveCode | None, chance: Chooser) -> Ply:
        """Make a move, and see what the seat learns of it. Raises what `made` does."""
        cells, journal, events = self.made(before, code, chance)
        _, found = changes(cells, journal, 0)
        results = tuple(chance_results(self.program, before, found, journal.results, events))
        return Ply(before, code, cells, journal, results, self.learnt(before, code, found, cells))

    def made(self, before: Cells, code: MoveCode | None, chance: Chooser) -> tuple[Cells, Journal, list[ChanceEvent]]:
        """Make a move, with chosen chance results; the events of chance that there were.

        Raises Impossible if a rule fails, TooLate, TooMuch.
        """
        if self.too_late():
            raise TooLate
        self.moves_left -= 1
        if self.moves_left < 0:
            raise TooMuch
        program, cells = self.program, Cells(before)
        cells[MOVES] = None
        events: list[ChanceEvent] = []

        def supplied(event: ChanceEvent) -> Any:
            events.append(event)
            return chance(len(events) - 1, event)

        journal = Journal(supplied)
        try:
            if code is None:
                program.run(cells, journal, 0)
            else:
                program.do(cells, journal, code)
        except PlayError as fault:
            raise Impossible from fault
        journal.chance = None
        return cells, journal, events

    def learnt(self, before: Cells, code: MoveCode | None, found: Sequence[Change], after: Cells) -> Segment:
        """What the seat learns of changes; kept by what it sees of them, if visibility depends only on the place."""
        if self.sight_changes or after[POINT] == OVER_POINT:
            return segment(self.program, before, found, self.seat)
        pieces, key = self._seen_of(before, code, found)
        cached = self.segments.get(key)
        if cached is None:
            learnt = segment(self.program, before, found, self.seat)
            numbers = {piece: number for number, piece in enumerate(pieces)}
            self.segments[key] = replace(learnt, seen=tuple([
                one._replace(piece=numbers[one.piece]) for one in learnt.seen
            ]))  # fmt: skip
            return learnt
        seen = tuple([Seen(pieces[number], known, sighting, end) for number, known, sighting, end in cached.seen])
        return replace(cached, seen=seen)

    def _seen_of(self, before: Cells, code: MoveCode | None, found: Sequence[Change]) -> tuple[list[int], Hashable]:
        """The pieces that were moved, and the changes that the seat sees, with pieces only by what it sees of them."""
        program, layout, shown = self.program, self.program.layout, self._shown_cells
        first, end = layout.place_cells, layout.place_cells + len(layout.pieces)
        known: dict[int, frozenset[str]] = {}
        for cell, old, new in found:
            if first <= cell < end:
                piece = cell - first
                if piece not in known:
                    known[piece] = known_attributes(program, before, self.seat, piece, number_in(old))
                known[piece] |= known_attributes(program, before, self.seat, piece, number_in(new))
        looks = {piece: (number, look(program, piece, seen)) for number, (piece, seen) in enumerate(known.items())}
        parts: list[Any] = [before[POINT], len(found)]
        for number, (cell, old, new) in enumerate(found):
            if first <= cell < end:
                parts.append((looks[cell - first], old, new))
            elif cell < 0:
                if cell != MARK:
                    parts.append((cell, frozen(old)))
            elif cell in shown:
                parts.append((cell, old, new))
            elif cell == DRAWN:
                parts.append(found[number - 1][0])
        if code is not None:
            parts.append(code[0])
        return list(known), tuple(parts)

    @cached_property
    def _shown_cells(self) -> frozenset[int]:
        """The cells of what a log may show, apart from pieces."""
        program = self.program
        return frozenset([program.phase_cell, *program.phase_of_round, *program.layout.notes_of_cell])


def frozen(value: Any) -> Any:
    """A value of the journal in hashable form."""
    return tuple([frozen(part) for part in value]) if isinstance(value, list | tuple) else value


def chance_results(
    program: Program, before: Cells, found: Sequence[Change], results: Sequence[Any], events: Sequence[ChanceEvent]
) -> list[ChanceResult]:
    """The chance results of a ply with what was shuffled."""
    made: list[ChanceResult] = []
    for index, (cell, _, _) in enumerate(found):
        if cell != DRAWN:
            continue
        number = len(made)
        event = events[number]
        if event.kind == "shuffle":
            order, old_order, new_order = found[index - 1]
            place = program.layout.orders_of_cell[order]
            old, new = pieces_in(old_order), pieces_in(new_order)
            if program.runtime.stacks[place]:
                old, new = old[::-1], new[::-1]
            made.append(ChanceResult(tuple(results[number]), index, event.size, place, old, new))
        else:
            made.append(ChanceResult(results[number], index, event.size, old=event.pieces, cell=event.cell))
    return made


def drawn_by(rng: random.Random) -> Chooser:
    """Freshly drawn chance results."""

    def result(_: int, event: ChanceEvent) -> Any:
        if event.kind != "shuffle":
            return rng.randrange(event.size)
        order = list(range(event.size))
        rng.shuffle(order)
        return order

    return result


def given(
    results: Sequence[ChanceResult], more: Callable[[int, ChanceEvent], Any]
) -> Callable[[int, ChanceEvent], Any]:
    """Given chance results, and those of `more` where the events differ."""

    def result(number: int, event: ChanceEvent) -> Any:
        if number < len(results) and results[number].size == event.size:
            found = results[number].result
            return list(found) if isinstance(found, tuple) else found
        return more(number, event)

    return result


def reordered(result: ChanceResult, before: Exchange, after: Exchange) -> ChanceResult:
    """A shuffle of other pieces, determined by an exchange before it and one after it."""
    old = tuple(before.get(piece, piece) for piece in result.old)
    new = tuple(after.get(piece, piece) for piece in result.new)
    positions = {piece: position for position, piece in enumerate(old)}
    return replace(result, result=tuple(positions[piece] for piece in new), old=old, new=new)


def rechosen(result: ChanceResult, exchange: Exchange) -> ChanceResult:
    """The choice of the piece that has taken the place of the one chosen; other results stay as they are."""
    if result.is_shuffle or not result.old:
        return result
    chosen = result.old[result.result]
    pieces = tuple(sorted([exchange.get(piece, piece) for piece in result.old]))
    return replace(result, result=pieces.index(exchange.get(chosen, chosen)), old=pieces)


Moment = tuple[int, int]
"""A chance event: the number of its ply, and its number there."""


def seen_between(history: Sequence[Ply], start: Moment, end: Moment | None = None) -> dict[int, frozenset[str]]:
    """The attributes that were seen of each piece after a chance event, up to another one or until now."""
    found: dict[int, frozenset[str]] = {}
    last = len(history) - 1 if end is None else end[0]
    for number in range(start[0], last + 1):
        ply = history[number]
        earliest = ply.chance[start[1]].after if number == start[0] else -1
        latest = ply.chance[end[1]].after if end is not None and number == end[0] else None
        for one in ply.learnt.seen:
            if one.after > earliest and (latest is None or one.after <= latest):
                found[one.piece] = found.get(one.piece, frozenset()) | one.known
    return found


def shuffles_in(history: Sequence[Ply]) -> list[Moment]:
    """All shuffles of a history."""
    return [
        (number, index)
        for number, ply in enumerate(history)
        for index, result in enumerate(ply.chance)
        if result.is_shuffle
    ]
