"""Recording what a seat observes of a game in progress: the only part of the sampler that looks at the real state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from itertools import takewhile
from typing import Any

from dsl.lazy_dataclasses import dataclass
from interpreter.engine.program import Program
from interpreter.errors import SamplingError, UsageError
from interpreter.opponents.knowledge.arrangement import Arrangement, arrangement, rearranged
from interpreter.opponents.knowledge.observation import (
    Entry,
    Observation,
    Segment,
    is_over,
    label_for,
    prompt_of,
    segment,
)
from interpreter.play.state import PlayState
from interpreter.runtime.cells import Cells, Change, MoveCode, changes
from interpreter.runtime.layout import DRAWN, ME, MOVES, POINT
from interpreter.seat.views.history import Made
from interpreter.wording.phrases import Phrase


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a seat learnt of a decision (or the setup, which has no code) and of what followed.

    `entry` is what it noticed; None if it did not notice that anything was decided. `before` is how pieces lay before
    the decision where the last entry may have rearranged them, `places` where this one may have. `results` is how many
    chance results there were up to the next decision.
    """

    start: int
    code: MoveCode | None
    entry: Entry | None
    before: Arrangement
    learnt: Segment
    places: frozenset[int]
    results: int


@dataclass
class Recorder:
    """What one seat observes, decision by decision. Recording is incremental.

    `unchanged` is the number of decisions that had been recorded before the last observation, and are still the same.
    """

    player: str
    unchanged: int = 0
    _recorded: list[Recorded] = field(default_factory=list)
    _results: tuple[Any, ...] = ()

    def observation(self, state: PlayState) -> Observation:
        """All that the seat has observed up to now. Raises UsageError for a state that was not set up by its rules."""
        program, seat = state.game.program, state.seat_number(self.player)
        if seat is None or len(state.cells) != len(program.initial):
            raise UsageError("this state belongs to an example: what a seat knows begins with the setup of a game")
        if state.game.given is not None and not state.game.is_open:
            raise SamplingError(
                Phrase("this game began in a position, which does not say what {seat} saw before it", seat=self.player)
            )
        made = state.made
        del self._recorded[self._same(state) :]
        first = len(self._recorded)
        self.unchanged = max(0, first - 1)
        begin = 0 if first == 0 else made[first - 1].start if first <= len(made) else len(state.journal)
        cells, found = changes(state.cells, state.journal, begin)
        for number in range(first, len(made) + 1):
            each = made[number - 1] if number else None
            start = 0 if each is None else each.start
            end = made[number].start if number < len(made) else len(state.journal)
            self._record(program, seat, cells, each, found[start - begin : end - begin])
            self._recorded[-1] = replace(self._recorded[-1], results=cells[DRAWN])
        self._results = tuple(state.journal.results)
        places = sorted(self._rearranged())
        return self._observed(state, seat, arrangement(program, state.cells, seat, places))

    def _same(self, state: PlayState) -> int:
        """The number of decisions, including the setup, recorded of this course of the game.

        Decisions and chance results identify it.
        """
        pairs = zip(self._results, state.journal.results, strict=False)
        results = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        for number, one in enumerate(self._recorded[: len(state.made) + 1]):
            if one.results > results or (number and (one.start, one.code) != state.made[number - 1][:2]):
                return number
        return min(len(self._recorded), len(state.made) + 1)

    def _record(self, program: Program, seat: int, cells: Cells, made: Made | None, found: Sequence[Change]) -> None:
        """Record a decision (or the setup) that is made in these cells, which follow the changes."""
        entry = Entry("", "", (), -1, (), (), ())
        before: Arrangement = ()
        start, code = 0, None
        noticed: Entry | None = entry
        if made is not None:
            start, code = made.start, made.code
            cells[MOVES] = made.legal
            label = label_for(program, cells, code, seat)
            before = arrangement(program, cells, seat, sorted(self._rearranged())) if label is not None else ()
            own = cells[ME] == seat
            prompt = prompt_of(program, cells) if own else ()
            chosen = program.legal(cells).index(code) if own else -1
            noticed = None if label is None else replace(
                entry, player=program.layout.seats[cells[ME]], label=label, prompt=prompt, chosen=chosen
            )  # fmt: skip
        learnt = segment(program, cells, found, seat)
        for cell, _, after in found:
            if cell >= 0:
                cells[cell] = after
        places = frozenset(rearranged(program, cells, found))
        if noticed is not None:
            noticed = noticed.with_more(learnt)
        self._recorded.append(Recorded(start, code, noticed, before, learnt, places, 0))

    def _rearranged(self) -> set[int]:
        """The places that the last entry may have rearranged."""
        places: set[int] = set()
        for one in reversed(self._recorded):
            places |= one.places
            if one.entry is not None:
                break
        return places

    def _observed(self, state: PlayState, seat: int, last: Arrangement) -> Observation:
        entries: list[Entry] = []
        arrangements: list[Arrangement] = []
        for one in self._recorded:
            if one.entry is not None:
                if entries:
                    arrangements.append(one.before)
                entries.append(one.entry)
            else:
                entries[-1] = entries[-1].with_more(one.learnt)
        pending = state.cells[POINT] >= 0 and state.cells[ME] == seat
        prompt = prompt_of(state.game.program, state.cells) if pending else ()
        return Observation(tuple(entries), (*arrangements, last), prompt, is_over(state.cells))


def observation_of(state: PlayState, player: str) -> Observation:
    """All that a seat has observed since the start. Raises UsageError for a state that was not set up by its rules."""
    return Recorder(player).observation(state)
