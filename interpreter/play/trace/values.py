"""Searching for events at which an expression has some value."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from interpreter.errors import PlayError, UsageError
from interpreter.play.trace.events import Stop
from interpreter.seat.explain.evaluator import HIDDEN

if TYPE_CHECKING:
    from interpreter.play.trace.snapshot import Snapshot

TRUE = "true"


class ValueTester:
    """Tests one event after another for the conditions of a search that depend on values.

    A value is computed again only where the state or the names in scope are others than at the event tested before.
    """

    def __init__(self, stop: Stop) -> None:
        self.stop = stop
        self._invalid: set[tuple[str, tuple[object, ...]]] = set()
        self._known: tuple[object, dict[str, str | None]] = (None, {})

    def meets(self, state: object, snapshot: Callable[[], Snapshot]) -> bool:
        """True if the values at an event are those searched for; an expression without a value there has none.

        `state` is equal for two events if the state and the names in scope are the same at both.
        """
        stop = self.stop
        if stop.holds is None and stop.differs is None:
            return True
        if state != self._known[0]:
            self._known = (state, {})
        if stop.holds is not None and self._words(snapshot, stop.holds) != TRUE:
            return False
        if stop.differs is None:
            return True
        text, old = stop.differs
        now = self._words(snapshot, text)
        return now is not None and now not in (old, HIDDEN)

    def _words(self, snapshot: Callable[[], Snapshot], text: str) -> str | None:
        """The value of an expression at an event; None if it has none."""
        values = self._known[1]
        if text not in values:
            values[text] = self._evaluated(snapshot(), text)
        return values[text]

    def _evaluated(self, snapshot: Snapshot, text: str) -> str | None:
        scope = (text, tuple(snapshot.bindings.values))
        if scope in self._invalid:
            return None
        try:
            return snapshot.words(text)
        except UsageError:
            self._invalid.add(scope)
            return None
        except PlayError:
            return None
