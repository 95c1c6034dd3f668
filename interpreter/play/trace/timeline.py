"""Timeline of a played game, in segments and snapshots.

A game is played by plain code, which records changes but not the rules that made them: marks for a game of 300
decisions that nobody ever views would cost time and memory. Only when somebody views decision 120, its segment is
reconstructed: the journal leads back to the state before it, and the decision is made again on a copy by traced code,
which marks the rules at work. That code has the same cells and blocks as the plain code of the game, so a state of one
is a state of the other.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict

from dsl.text.addressing import for_others
from interpreter.arguments import described
from interpreter.errors import UsageError
from interpreter.play.state import PlayState
from interpreter.play.trace.builder import SET_UP, TraceBuilder
from interpreter.play.trace.events import Position, Stop
from interpreter.play.trace.recording import Recording, Segment
from interpreter.play.trace.search import cells_named
from interpreter.play.trace.snapshot import Snapshot
from interpreter.runtime.cells import LOOP, REASON, Cells, Change, Journal, changes
from interpreter.runtime.chance import Chance, RecordedChance
from interpreter.runtime.layout import DRAWN, IDLE, MOVES
from interpreter.seat.explain.outcome import outcome_of, score_criterion, scores_now
from interpreter.seat.views.history import DecisionRecord

CHECKPOINT_INTERVAL = 32
"""Number of decisions between stored states; bounds the cost of going back."""

KEPT_SEGMENTS = 64
"""Maximum number of reconstructed segments that are cached; the one that was used least recently is dropped."""


class Timeline(Recording):
    """The trace of a game as a seat may see it; None sees everything, and so does every seat when the game is over.

    Segment 0 is the setup, segment n the effects of decision n. For a seat only decisions that it knows of count: the
    effects of others belong to the segment before. `then`: even if the game is over, show only what the seat could know
    at each moment. Raises UsageError and UnknownSeatError.
    """

    def __init__(self, state: PlayState, as_seat: str | None = None, *, then: bool = False) -> None:
        if not isinstance(state, PlayState):
            raise UsageError(f"a timeline is of a state, not of {described(state)}")
        self.game, self.history, self.as_seat = state.game, state.history, as_seat
        self.state = state.copy()
        self.program = state.game.compiled(traced=True)
        seat = state.seat_number(as_seat)
        self.observer = None if state.over and not then else seat
        self.known = [number for number, record in enumerate(self.history) if self._knows(record)]
        self.checkpoints = self._make_checkpoints()
        self.reasons = [index for index, entry in enumerate(state.journal) if entry[0] in (REASON, LOOP)]
        self.built: OrderedDict[int, Segment] = OrderedDict()

    def _knows(self, record: DecisionRecord) -> bool:
        return self._is_own(record) or not record.unnoticed

    def _is_own(self, record: DecisionRecord) -> bool:
        return self.observer is None or self.game.seats[self.observer] == record.player

    @property
    def plies(self) -> int:
        """The number of decisions made, as far as the seat knows."""
        return len(self.known)

    def decisions(self, ply: int) -> range:
        """The decisions of a segment, including unknown ones: the first is the known one, except in the setup."""
        end = self.known[ply] if ply < len(self.known) else len(self.history)
        return range(self.known[ply - 1] if ply else 0, end)

    # ------------------------------------------------------------ going back

    def _make_checkpoints(self) -> dict[int, Cells]:
        """The cells before every decision whose number is a multiple of `CHECKPOINT_INTERVAL`, and after the last."""
        cells, history = Cells(self.state.cells), self.history
        checkpoints = {len(history): Cells(cells)}
        end = len(self.state.journal)
        for ply in range(len(history) - 1, -1, -1):
            self.state.journal.rewind(cells, end, history[ply].start)
            end = history[ply].start
            if ply % CHECKPOINT_INTERVAL == 0:
                checkpoints[ply] = Cells(cells)
        return checkpoints

    def cells_at(self, ply: int) -> Cells:
        """The state after `ply` decisions, including secret ones."""
        later = ply
        while later not in self.checkpoints:
            later += 1
        cells = Cells(self.checkpoints[later])
        if later > ply:
            end = self.history[later].start if later < len(self.history) else len(self.state.journal)
            self.state.journal.rewind(cells, end, self.history[ply].start)
        cells[MOVES], cells[IDLE] = None, 0
        return cells

    def _replay(self, cells: Cells, number: int | None) -> list[Change]:
        """Make a decision (None: run setup) again; returns the changes with marks. The cells are updated."""
        # INVARIANT: the changes are those of the first time. The cells are those before the decision and contain the
        # state of the generator; chance supplied from outside is replayed from the results that were recorded.
        journal = Journal(self._chance(number))
        if number is None:
            self.program.run(cells, journal, 0)
        else:
            journal.results = self.state.chance_results
            self.program.do(cells, journal, self.history[number].code)
        return changes(cells, journal, 0)[1]

    def _chance(self, number: int | None) -> Chance | None:
        if self.state.journal.chance is None:
            return None
        results = self.state.chance_results
        return RecordedChance(results[0 if number is None else self.cells_at(number)[DRAWN] :], None)

    # ------------------------------------------------------------ segments

    def segment(self, ply: int) -> Segment:
        """Reconstruct segment `ply`."""
        if ply in self.built:
            self.built.move_to_end(ply)
        else:
            self.built[ply] = self._build(ply)
            if len(self.built) > KEPT_SEGMENTS:
                self.built.popitem(last=False)
        return self.built[ply]

    def _build(self, ply: int) -> Segment:
        # `cells` run ahead of the reader's own cells: a decision is made completely before its changes are read, and
        # the reader follows change by change to see each event as it was.
        cells_before = self.before(ply)
        cells, run = Cells(cells_before), list[Change]()
        reader = TraceBuilder(self.program, Cells(cells_before), self.observer)
        if ply == 0:
            reader.setup()
            run += self._replay(cells, None)
            reader.read(run)
        for number in self.decisions(ply):
            record = self.history[number]
            if self._knows(record):
                reader.decision(record, len(self.program.legal(cells)))
            more = self._replay(cells, number)
            reader.read(more)
            run += more
        if ply == self.plies:
            reader.omit_tail()
        if ply == self.plies and self.state.over:
            reader.end(outcome_of(self.program, self.state.cells, self.state.journal).reason)
        return Segment(tuple(reader.lines), cells_before, run)

    def before(self, ply: int) -> Cells:
        """The state in which a segment begins."""
        if ply:
            return self.cells_at(self.decisions(ply)[0])
        return PlayState.before_setup(self.game, self.program, self.state.seed, None).cells

    def headline(self, ply: int) -> str:
        """The decision of a segment, without reconstructing the segment."""
        if ply == 0:
            return self.program.words.phrase(SET_UP)
        record = self.history[self.known[ply - 1]]
        label = record.label if self.observer is None or self._is_own(record) else record.labels[self.observer]
        is_own = self.observer is not None and self._is_own(record)
        seat = self.program.words.name(record.player)
        return f"{seat}: {label if is_own else for_others(label, seat)}"

    def seat(self, ply: int) -> str | None:
        """The seat that decided; None for the setup."""
        return self.history[self.known[ply - 1]].player if ply else None

    # ------------------------------------------------------------ snapshots

    def snapshot(self, position: Position) -> Snapshot:
        """The game at an event; after the last event of a segment, as it waits for the next decision."""
        segment = self.segment(position.ply)
        line, ended = segment.lines[position.event], position.event == len(segment.lines) - 1
        count = len(segment.changes) if ended else line.event.end
        earlier = self.reasons[: bisect_left(self.reasons, self._start(position.ply))]
        journal = [self.state.journal[index] for index in earlier]
        journal += [(cell, old) for cell, old, _ in segment.changes[:count] if cell in (REASON, LOOP)]
        waiting = ended or not line.event.end
        last = ended and position.ply == self.plies
        deciding = segment.before if position.ply and not last else None
        cells = segment.cells(count)
        return Snapshot(position, self.program, cells, line.names, self.observer, journal, waiting, deciding)

    def _start(self, ply: int) -> int:
        """The start of a segment in the journal."""
        return self.history[self.decisions(ply)[0]].start if ply else 0

    # ------------------------------------------------------------ scores

    @property
    def score_name(self) -> str:
        """The number by which seats are ranked first, as the rules call it; empty if there is none."""
        criterion = score_criterion(self.program)
        return criterion.text if criterion is not None else ""

    def scores(self, ply: int) -> tuple[int | None, ...]:
        """That number of every seat at the end of a segment; None where the seat may not know it, or it has no value.

        Empty if the game has no such number.
        """
        segment = self.segment(ply)
        return scores_now(self.program, segment.cells(len(segment.changes)), self.observer)

    # ------------------------------------------------------------ what a segment may contain

    def _may_meet(self, ply: int, stop: Stop) -> bool:
        if stop.seat is not None and self.seat(ply) != stop.seat:
            return False
        if stop.kinds == {"chance"} and DRAWN not in self._changed(ply):
            return False
        return stop.what is None or self.may_change(ply, stop.what)

    def may_change(self, ply: int, name: str) -> bool:
        """True if a place or note may have changed in a segment, judged without reconstructing it."""
        return not cells_named(self.program, name).isdisjoint(self._changed(ply))

    def _changed(self, ply: int) -> set[int]:
        following = self.decisions(ply).stop
        end = self.history[following].start if following < len(self.history) else len(self.state.journal)
        return {cell for cell, _ in self.state.journal[self._start(ply) : end]}
