"""Thinking in a separate thread, with progress and a way to request the result at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import Generic, TypeVar

from interpreter.opponents.driver import Driver
from interpreter.opponents.situation import Considered
from interpreter.play.game import State
from interpreter.seat.notation.moves import Move

T = TypeVar("T")


class Thinking(Generic[T]):
    """Work on a decision of a seat. It runs in a daemon thread, since the work may ignore `stop`."""

    def __init__(self, seat: str) -> None:
        self.began = monotonic()
        self.seat = seat
        self._stop, self._done = threading.Event(), threading.Event()
        self._results: list[T] = []
        self._failure: BaseException | None = None

    def begin(self, work: Callable[[], T]) -> None:
        """Start the work."""
        threading.Thread(target=self._think, args=(work,), name=f"bot of {self.seat}", daemon=True).start()

    def _think(self, work: Callable[[], T]) -> None:
        try:
            self._results.append(work())
        except BaseException as fault:
            self._failure = fault
        finally:
            self._done.set()

    @property
    def seconds(self) -> float:
        """How long it has been thinking."""
        return monotonic() - self.began

    @property
    def is_done(self) -> bool:
        """True once there is a result, or a failure."""
        return self._done.is_set()

    def stop(self) -> None:
        """Request the result at once."""
        self._stop.set()

    def is_stopped(self) -> bool:
        """True if the result has been requested."""
        return self._stop.is_set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it is done, at most `seconds`; true if it is."""
        return self._done.wait(seconds)

    def result(self) -> T:
        """The result, once the work is done. Raises what the work raised."""
        self._done.wait()
        if self._failure is not None:
            raise self._failure
        return self._results[0]


class Thought(Thinking[int]):
    """A decision being made by a bot; `considered` is what it has reported so far."""

    def __init__(self, driver: Driver, state: State) -> None:
        super().__init__(driver.seat)
        self.considered: Considered | None = None
        assert driver.chooser is not None
        self.begin(partial(driver.chooser.choose, driver.situation(state, self.is_stopped, self._heard)))

    def _heard(self, considered: Considered) -> None:
        self.considered = considered

    def move(self, state: State) -> Move:
        """The chosen move, of the state it was asked about. Raises BotError if the bot failed."""
        return state.legal_moves[self.result()]
