"""State of the viewer: the current snapshot, the previous position, breakpoints, watches, the last search."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cli.viewer.marks import Marks, sources_of
from dsl.lazy_dataclasses import dataclass
from interpreter.errors import PlayError, UsageError
from interpreter.play.scenes.known import example_for
from interpreter.play.state import back_to
from interpreter.play.trace import Position, Stop
from interpreter.play.trace.failed_decision import FailedDecision, timeline_up_to
from interpreter.play.trace.snapshot import differences
from interpreter.wording.phrases import Phrase

if TYPE_CHECKING:
    from cli.viewer.marks import BesideSave
    from dsl.text.span import Span
    from interpreter.play.game import Game, State
    from interpreter.play.trace import Difference, Event, Snapshot
    from interpreter.seat.explain.breakdown import Explanation
    from interpreter.seat.views.model import View

MAX_CACHED_VIEWS = 16
"""Number of views that are cached."""


@dataclass(frozen=True)
class Watch:
    """An expression with its value at a snapshot; or, if `wrong`, why it has none there."""

    text: str
    words: str
    wrong: bool = False


@dataclass(frozen=True)
class SearchGoal:
    """The goal of a search: an event that meets one of `stops`, or at which `altered` has another value than here.

    `words` describe it to the user.
    """

    stops: tuple[Stop, ...]
    words: str
    altered: str | None = None


class Session:
    """One game shown in the viewer.

    `as_seat` is the seat the game is viewed as, None to see everything; `offered` are those the user may switch to.
    `failing` is the move in which a rule failed, if there is one: then it begins at the end.
    """

    def __init__(
        self,
        state: State,
        as_seat: str | None = None,
        offered: Sequence[str | None] = (),
        save: BesideSave | None = None,
        failing: str | None = None,
    ) -> None:
        self.state, self.offered, self.failing = state, tuple(offered), failing
        self.timeline = timeline_up_to(state, failing, as_seat)
        self.position = self.timeline.last if isinstance(self.timeline, FailedDecision) else self.timeline.first
        self.previous: Position | None = None
        self.save = save
        marks = Marks() if save is None else save.load(sources_of(state.game))
        self.breakpoints: dict[tuple[str, int], str] = dict(marks.breakpoints)
        self.watched: list[str] = list(marks.watched)
        self.note = marks.note
        self.goal: SearchGoal | None = None
        self._views: dict[tuple[int, int], View] = {}

    @property
    def game(self) -> Game:
        """The game shown in the viewer."""
        return self.state.game

    @property
    def as_seat(self) -> str | None:
        """The seat the game is viewed as."""
        return self.timeline.as_seat

    @property
    def event(self) -> Event:
        """The event at this position."""
        return self.timeline.event(self.position)

    @property
    def span(self) -> Span:
        """The span of the current event or of the nearest earlier one that has one, else the beginning of the rules."""
        events = self.timeline.events(self.position.ply)
        spans = (event.span for event in reversed(events[: self.position.event + 1]) if event.span is not None)
        return next(spans, None) or self.game.rules.model.file.span

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot at this position."""
        return self.timeline.snapshot(self.position)

    # ---- navigation

    def go(self, position: Position | None) -> bool:
        """Go to another position; True if it differs from the current one."""
        if position is None or position == self.position:
            return False
        self.previous, self.position = self.position, position
        return True

    def to_decision(self, number: int) -> Position:
        """The beginning of the segment with the closest number."""
        return Position(max(0, min(number, self.timeline.plies)))

    def state_after_decision(self) -> State:
        """A copy of the state after the current decision and the hidden ones that follow it."""
        return back_to(self.state, self.decided)

    @property
    def decided(self) -> int:
        """The number of decisions made in the state that `state_after_decision` returns; one that failed is not."""
        return min(self.timeline.decisions(self.position.ply).stop, self.state.ply)

    @property
    def known(self) -> list[int]:
        """The decisions made of which the seat knows, which one that failed is not."""
        return [number for number in self.timeline.known if number < self.state.ply]

    @property
    def next_player(self) -> str | None:
        """The seat that decides next in that state; None if the game is over."""
        history = self.timeline.history
        return history[self.decided].player if self.decided < len(history) else self.state.player

    def changes(self) -> tuple[Difference, ...]:
        """The changes since the previous position."""
        return (
            ()
            if self.previous is None
            else differences(self.view(self.previous), self.view(self.position), self.game.words)
        )

    def view(self, position: Position) -> View:
        """The table at a position; the same object as long as nothing changes."""
        key = (position.ply, self.timeline.event(position).end)
        if key not in self._views:
            if len(self._views) >= MAX_CACHED_VIEWS:
                del self._views[next(iter(self._views))]
            view = self.timeline.snapshot(position).view()
            self._views[key] = next((cached for cached in self._views.values() if cached == view), view)
        return self._views[key]

    def look_as(self, as_seat: str | None) -> None:
        """View the game as another seat, at the same snapshot, or at the closest one if that seat knows less."""
        known_plies, place = self.timeline.known, self.position
        last_ply = known_plies[place.ply - 1] if place.ply else -1
        self.timeline = timeline_up_to(self.state, self.failing, as_seat)
        ply = bisect_right(self.timeline.known, last_ply)
        self.position = Position(ply, min(place.event, len(self.timeline.events(ply)) - 1))
        self.previous = None
        self._views.clear()

    # ---- searching

    def run(self, goal: SearchGoal, *, back: bool = False) -> Iterator[Position | None]:
        """Search from here; None for every segment without a hit lets the caller show progress or stop."""
        self.goal = goal
        stops = goal.stops
        if goal.altered is not None:
            stops = (Stop(differs=(goal.altered, self._words(goal.altered))),)
        searches = [self.timeline.search(self.position, stop, back) for stop in stops]
        while searches:
            hits: list[Position] = []
            for search in list(searches):  # interleaved by segment, to find the nearest hit first
                try:
                    position = next(search)
                except StopIteration:
                    searches.remove(search)
                    continue
                hits += [position] if position is not None else []
            if hits:
                yield max(hits) if back else min(hits)
                return
            yield None

    # ---- expressions

    def _words(self, text: str) -> str:
        """The value of an expression here in words; empty if it has none."""
        try:
            return self.snapshot.words(text)
        except (UsageError, PlayError):
            return ""

    def toggle(self, file: str, line: int) -> bool:
        """Set or clear a breakpoint on a line; True if there is one now."""
        if self.breakpoints.pop((file, line), None) is None:
            self.breakpoints[file, line] = ""
        self.store()
        return (file, line) in self.breakpoints

    def break_if(self, file: str, line: int, condition: str) -> None:
        """Set a breakpoint that counts only while a condition is true. Raises UsageError if it is not a condition."""
        self.timeline.check_condition(condition, file, line)
        self.breakpoints[file, line] = condition
        self.store()

    def watch(self, text: str) -> None:
        """Watch an expression. Raises UsageError, PlayError if it has no value here."""
        self.evaluate(text)
        if text not in self.watched:
            self.watched.append(text)
            self.store()

    def unwatch(self, text: str) -> None:
        """Stop watching an expression."""
        self.watched.remove(text)
        self.store()

    def store(self) -> None:
        """Store breakpoints and watched expressions beside the save; `note` says if that fails."""
        if self.save is not None:
            self.note = self.save.store(Marks(self.breakpoints, self.watched), sources_of(self.game))

    def branch(self) -> str:
        """Branch off after the current decision, into a new save, and return a message about it."""
        if self.save is None:
            return Phrase("there is no save to branch from")
        return self.save.branch(self.state, self.decided, self.position.ply)

    def example(self) -> str:
        """The position after the current decision as an example, as the viewer may know it. Raises PositionError."""
        return example_for(back_to(self.state, self.decided), self.as_seat)

    def evaluate(self, text: str) -> Explanation:
        """Evaluate an expression at this snapshot. Raises UsageError if it is invalid."""
        return self.snapshot.evaluate(text)

    def watches(self) -> list[Watch]:
        """The watched expressions with their values at this snapshot."""
        return [self._watch(text) for text in self.watched]

    def _watch(self, text: str) -> Watch:
        try:
            return Watch(text, self.evaluate(text).value)
        except (UsageError, PlayError) as fault:
            return Watch(text, self.game.words.message(fault).splitlines()[0], wrong=True)
