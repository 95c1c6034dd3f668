"""Computing in a thread what a seat knows, so that the person can do other things meanwhile."""

from __future__ import annotations

import threading
from math import inf
from time import monotonic
from typing import TYPE_CHECKING

from interpreter.errors import RegelwerkError
from interpreter.play.game import State

if TYPE_CHECKING:
    from interpreter.opponents.knowledge.summary import Knowledge


class Inquiry:
    """The knowledge of a seat about the present state, computed in a daemon thread.

    `estimate` is what is known so far: it is there soon, and better later. After `seconds`, less is drawn and tested.
    """

    def __init__(self, state: State, seat: str, seconds: float = inf) -> None:
        self._state, self._seat, self._words = state.copy(), seat, state.game.words
        self._end = monotonic() + seconds
        self.estimate: Knowledge | None = None
        self._stop, self._done = threading.Event(), threading.Event()
        self._answer: Knowledge | RegelwerkError | Exception | None = None
        threading.Thread(target=self._work, name=f"what {seat} knows", daemon=True).start()

    def _work(self) -> None:
        from interpreter.opponents.knowledge.summary import knowledge_of  # start-up of play, which may never ask

        try:
            self._answer = knowledge_of(self._state, self._seat, self._is_hurried, self._words, self._report)
        except Exception as fault:  # raised again where it is waited for
            self._answer = fault
        finally:
            self._done.set()

    def _is_hurried(self) -> bool:
        return self._stop.is_set() or monotonic() > self._end

    def _report(self, estimate: Knowledge) -> None:
        self.estimate = estimate

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
