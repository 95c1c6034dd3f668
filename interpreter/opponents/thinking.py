"""A bot that thinks in a thread of its own, while whoever waits for it can see how long, or want the move now."""

from __future__ import annotations

import threading
from time import monotonic

from interpreter.game import State
from interpreter.notation.moves import Move
from interpreter.opponents.driver import Driver


class Thought:
    """A decision that a bot is making. The thread never keeps the program running: a bot may ignore `stop`."""

    def __init__(self, driver: Driver, state: State) -> None:
        self.began = monotonic()
        self.seat, self._chooser = driver.seat, driver.chooser
        self._stop, self._done = threading.Event(), threading.Event()
        self._number: int | None = None
        self._failure: Exception | None = None
        self._situation = driver.situation(state, self._stop.is_set)
        threading.Thread(target=self._think, name=f"bot of {driver.seat}", daemon=True).start()

    def _think(self) -> None:
        try:
            assert self._chooser is not None
            self._number = self._chooser.choose(self._situation)
        except Exception as fault:
            self._failure = fault
        finally:
            self._done.set()

    @property
    def seconds(self) -> float:
        """How long it has been thinking."""
        return monotonic() - self.began

    @property
    def is_done(self) -> bool:
        """True once it has chosen, or failed."""
        return self._done.is_set()

    def stop(self) -> None:
        """Ask for the move now."""
        self._stop.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it has chosen, but no longer than so many seconds; true if it has."""
        return self._done.wait(seconds)

    def move(self, state: State) -> Move:
        """The chosen move, of the state it was asked about. Raises BotError if the bot failed."""
        self._done.wait()
        if self._failure is not None:
            raise self._failure
        assert self._number is not None
        return state.legal_moves[self._number]
