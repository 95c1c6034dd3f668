"""Histories: a game from its setup on, decision by decision, with chance results that can be chosen.

A history is a tuple of immutable plies, so histories share their common beginning.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Any

from dsl.lazy_dataclasses import dataclass
from interpreter.compiler.decisions import OVER_POINT
from interpreter.engine.program import Program
from interpreter.errors import PlayError
from interpreter.opponents.knowledge.arrangement import Arrangement, Comparison, sight_can_change
from interpreter.opponents.knowledge.exchanges import Exchange
from interpreter.opponents.knowledge.observation import Segment, segment
from interpreter.runtime.cells import MARK, Cells, Change, Journal, MoveCode, changes, pieces_in
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

    Of a shuffle also the place, and the pieces there in their old and new order.
    """

    result: Any
    after: int
    size: int
    place: int = 0
    old: tuple[int, ...] = ()
    new: tuple[int, ...] = ()

    @property
    def is_shuffle(self) -> bool:
        """True for a shuffle."""
        return self.place > 0


@dataclass(slots=True, eq=False)
class Ply:
    """A decision and its consequences; the setup has no `code`.

    A ply of a history does not change, but for `arranged`: how pieces were found to lie afterwards, None if that was
    not compared yet. `alike` is the number of legal moves that the observing seat could not have told apart from this
    one; `entry` and `lines` say up to where the observation is accounted for afterwards: the index of an entry, and
    lines of it. `visible` are the changes that can be seen by somebody.
    """

    before: Cells
    code: MoveCode | None
    after: Cells
    journal: Journal
    chance: tuple[ChanceResult, ...]
    visible: tuple[Change, ...]
    learnt: Segment
    alike: int = 1
    entry: int = 0
    lines: int = 0
    arranged: Arrangement | None = None

    @property
    def player(self) -> int:
        """The seat that decided."""
        return int(self.before[ME])


History = tuple[Ply, ...]


class Impossible(Exception):
    """A rule failed that did not fail in the observed game."""


class TooLate(Exception):
    """The time to find histories has run out."""


@dataclass
class Observer:
    """A game as one seat observes it.

    `labels` keeps labels of moves by what they depend on, `plain` whether those of an action depend on its arguments
    alone; see `labels.py`. `segments` keeps what was learnt from the same changes, `prompts` the legal moves at each
    decision of the seat (by the number of the entry and the decision) with which it read what was observed, `arranged`
    a ply after which pieces lay as after an entry. `too_late` ends whatever is going on with `TooLate`.
    """

    program: Program
    seat: int
    labels: dict[tuple[Any, ...], str] = field(default_factory=dict)
    plain: dict[tuple[int, int], bool] = field(default_factory=dict)
    segments: dict[tuple[Any, ...], Segment] = field(default_factory=dict)
    prompts: dict[tuple[int, int], list[MoveCode]] = field(default_factory=dict)
    arranged: dict[int, Ply] = field(default_factory=dict)
    too_late: Callable[[], bool] = never

    @cached_property
    def sight_changes(self) -> bool:
        """See `sight_can_change`."""
        return sight_can_change(self.program)

    @cached_property
    def comparison(self) -> Comparison:
        """Compares how pieces lie."""
        return Comparison(self.program, self.seat)

    def play(self, before: Cells, code: MoveCode | None, chance: Chooser, like: Ply | None = None) -> Ply:
        """Make a move, with chosen chance results; `like` is a ply from which the seat may have learnt the same.

        Raises Impossible if a rule fails, TooLate.
        """
        if self.too_late():
            raise TooLate
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
        _, found = changes(cells, journal, 0)
        visible = tuple([frozen(change) if change[0] < 0 else change for change in found if self._is_visible(change)])
        results = tuple(chance_results(program, before, found, journal.results, events))
        if like is not None and like.code == code and like.visible == visible:
            learnt = like.learnt
        else:
            learnt = self._learnt(before, code, found, visible, cells)
        return Ply(before, code, cells, journal, results, visible, learnt)

    def _learnt(
        self, before: Cells, code: MoveCode | None, found: Sequence[Change], visible: tuple[Change, ...], after: Cells
    ) -> Segment:
        """What the seat learns of changes; cached by the changes, if visibility depends only on the place."""
        if self.sight_changes:
            return segment(self.program, before, found, self.seat)
        key = code, visible, after[POINT] == OVER_POINT
        if key not in self.segments:
            self.segments[key] = segment(self.program, before, found, self.seat)
        return self.segments[key]

    def _is_visible(self, change: Change) -> bool:
        cell, layout = change[0], self.program.layout
        if cell < 0:
            return cell != MARK
        if 0 <= cell - layout.place_cells < len(layout.pieces):
            return True
        return cell in layout.notes_of_cell or cell == self.program.phase_cell or cell in self.program.phase_of_round


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
            made.append(ChanceResult(results[number], index, event.size))
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
