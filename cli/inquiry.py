"""Computing in a thread what a seat knows, so that the person can do other things meanwhile."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from interpreter.errors import RegelwerkError
from interpreter.play.game import State

if TYPE_CHECKING:
    from interpreter.opponents.knowledge.summary import Knowledge


class Inquiry:
    """The knowledge of a seat about the present state, computed in a daemon thread.

    `estimate` is what is known so far: it is there soon, and better later.
    """

    def __init__(self, state: State, seat: str) -> None:
        self._asked = state, state.ply, seat
        self._state, self._seat, self._words = state.copy(), seat, state.game.words
        self.estimate: Knowledge | None = None
        self._is_soon = threading.Event()
        self._stop, self._done = threading.Event(), threading.Event()
        self._answer: Knowledge | RegelwerkError | Exception | None = None
        threading.Thread(target=self._work, name=f"what {seat} knows", daemon=True).start()

    def _work(self) -> None:
        from interpreter.opponents.knowledge.summary import knowledge_of  # start-up of play, which may never ask

        try:
            self._answer = knowledge_of(self._state, self._seat, self._stop.is_set, self._words, self._report)
        except Exception as fault:  # raised again where it is waited for
            self._answer = fault
        finally:
            self._done.set()
            self._is_soon.set()

    def _report(self, estimate: Knowledge) -> None:
        self.estimate = estimate
        self._is_soon.set()

    def is_about(self, state: State, seat: str) -> bool:
        """True if this is what the seat knows about this position."""
        return self._asked == (state, state.ply, seat)

    @property
    def is_done(self) -> bool:
        """True once the answer is ready."""
        return self._done.is_set()

    def stop(self) -> None:
        """Cancel the computation."""
        self._stop.set()

    @property
    def is_stopped(self) -> bool:
        """True if it has been cancelled; the answer may then be incomplete."""
        return self._stop.is_set()

    def answer(self) -> Knowledge | RegelwerkError:
        """What the seat knows, or why it cannot be computed; waits for it."""
        self._done.wait()
        assert self._answer is not None
        if isinstance(self._answer, Exception) and not isinstance(self._answer, RegelwerkError):
            raise self._answer
        return self._answer

    def answer_within(self, seconds: float) -> Knowledge | RegelwerkError:
        """The answer, or what is known after this time; waits longer only until anything is known."""
        if not self._done.wait(seconds):
            self._is_soon.wait()
        return self.answer() if self.is_done or self.estimate is None else self.estimate
