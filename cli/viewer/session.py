"""What the viewer looks at: a moment of a game, where one came from, breakpoints, watches, the last search."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter import Position, Stop, Timeline
from interpreter.errors import PlayError, UsageError
from interpreter.trace.differences import differences

if TYPE_CHECKING:
    from dsl.text.span import Span
    from interpreter import Difference, Event, Explanation, Game, Snapshot, State

KEPT = 16
"""How many views are kept."""


@dataclass(frozen=True)
class Watch:
    """An expression with its value at a moment; or, if `wrong`, why it has none there."""

    text: str
    words: str
    wrong: bool = False


@dataclass(frozen=True)
class Wait:
    """What a run goes on to: an event that meets one of `stops`. `words` say it to people."""

    stops: tuple[Stop, ...]
    words: str


class Session:
    """One look at a game.

    `as_seat` is the seat as which one looks, None sees everything; `offered` are those one may change to.
    """

    def __init__(self, state: State, as_seat: str | None = None, offered: Sequence[str | None] = ()) -> None:
        self.state, self.offered = state, tuple(offered)
        self.timeline = Timeline(state, as_seat, then=True)
        self.position = self.timeline.first
        self.before: Position | None = None
        self.breakpoints: set[tuple[str, int]] = set()
        self.watched: list[str] = []
        self.wait: Wait | None = None
        self._views: dict[tuple[int, int], Mapping[str, Any]] = {}

    @property
    def game(self) -> Game:
        """The game one looks at."""
        return self.state.game

    @property
    def as_seat(self) -> str | None:
        """The seat through which one looks."""
        return self.timeline.as_seat

    @property
    def event(self) -> Event:
        """What happened at this moment."""
        return self.timeline.event(self.position)

    @property
    def span(self) -> Span:
        """Where the rules say what happens: the nearest event up to now that some rule says, else their beginning."""
        events = self.timeline.events(self.position.ply)
        said = (event.span for event in reversed(events[: self.position.event + 1]) if event.span is not None)
        return next(said, None) or self.game.rules.model.file.span

    @property
    def snapshot(self) -> Snapshot:
        """The game as it was at this moment."""
        return self.timeline.snapshot(self.position)

    # ---- going somewhere

    def go(self, position: Position | None) -> bool:
        """Go to another moment; whether it is another one."""
        if position is None or position == self.position:
            return False
        self.before, self.position = self.position, position
        return True

    def to_decision(self, number: int) -> Position:
        """The beginning of a segment, the nearest there is."""
        return Position(max(0, min(number, self.timeline.plies)))

    def changes(self) -> tuple[Difference, ...]:
        """What is otherwise than where one came from."""
        return () if self.before is None else differences(self.view(self.before), self.view(self.position))

    def view(self, position: Position) -> Mapping[str, Any]:
        """The table at a position; the same object as long as nothing changes."""
        key = (position.ply, self.timeline.event(position).moment)
        if key not in self._views:
            if len(self._views) >= KEPT:
                del self._views[next(iter(self._views))]
            view = self.timeline.snapshot(position).view()
            self._views[key] = next((known for known in self._views.values() if known == view), view)
        return self._views[key]

    def look_as(self, as_seat: str | None) -> None:
        """See the same moment as another seat, or nearly the same where that knows less of it."""
        known, place = self.timeline.known, self.position
        made = known[place.ply - 1] if place.ply else -1
        self.timeline = Timeline(self.state, as_seat, then=True)
        ply = bisect_right(self.timeline.known, made)
        self.position = Position(ply, min(place.event, len(self.timeline.events(ply)) - 1))
        self.before = None
        self._views.clear()

    # ---- searching

    def run(self, wait: Wait, *, back: bool = False) -> Iterator[Position | None]:
        """Search from here: None for every segment without a find, so that one can show progress or stop."""
        self.wait = wait
        searches = [self.timeline.search(self.position, stop, back) for stop in wait.stops]
        while searches:
            found: list[Position] = []
            for search in list(searches):  # side by side, a segment at a time: so the nearest is found first
                try:
                    position = next(search)
                except StopIteration:
                    searches.remove(search)
                    continue
                found += [position] if position is not None else []
            if found:
                yield max(found) if back else min(found)
                return
            yield None

    # ---- expressions

    def toggle(self, file: str, line: int) -> bool:
        """Set a breakpoint on a line, or take it away; whether there is one now."""
        self.breakpoints ^= {(file, line)}
        return (file, line) in self.breakpoints

    def evaluate(self, text: str) -> Explanation:
        """The value of an expression at this moment. Raises `UsageError` if it is none."""
        return self.snapshot.evaluate(text)

    def watches(self) -> list[Watch]:
        """The watched expressions with their values at this moment."""
        return [self._watch(text) for text in self.watched]

    def _watch(self, text: str) -> Watch:
        try:
            return Watch(text, self.evaluate(text).value)
        except (UsageError, PlayError) as fault:
            return Watch(text, str(fault).splitlines()[0], wrong=True)
