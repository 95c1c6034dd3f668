"""Hints: the result of a search for the pending decision, using only what the deciding seat knows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from dsl.text.visible import brief
from interpreter.errors import UsageError
from interpreter.opponents.budgets import Budget
from interpreter.opponents.seat_observer import SeatObserver, decisions_known, seed_from
from interpreter.opponents.situation import Situation
from interpreter.opponents.specs import DEFAULT, KINDS, MAX_SECONDS, MCTS
from interpreter.opponents.thinking import Thinking
from interpreter.play.game import State
from interpreter.wording.phrases import Phrase

if TYPE_CHECKING:
    from interpreter.opponents.mcts import Analysis

SECONDS_TO_KNOW = 0.5
"""Seconds after which people see what a seat knows, as far as it has been found out."""

MOST_ITERATIONS = KINDS[MCTS].most


def hint_budget(text: str) -> Budget:
    """Read the budget of a hint, `1000` or `2s`; one second by default. Raises UsageError."""
    if not text:
        return DEFAULT
    try:
        budget = Budget.of(text)
    except UsageError:
        raise UsageError(
            Phrase(
                "`{text}` is no limit of a hint; write a number of iterations or a time: 1000, 2s, 500ms",
                text=brief(text),
            )
        ) from None
    if budget.iterations is not None and budget.iterations > MOST_ITERATIONS:
        message = Phrase("`{text}`: the iterations of a hint are 1 to {most}", text=brief(text), most=MOST_ITERATIONS)
        raise UsageError(message)
    if budget.seconds is not None and budget.seconds > MAX_SECONDS:
        raise UsageError(
            Phrase("`{text}`: the time for a hint is at most {seconds}s", text=brief(text), seconds=MAX_SECONDS)
        )
    return budget


def seconds_to_know(text: str) -> float:
    """Read the time in which to find out what a seat knows, `5s`; half a second by default. Raises UsageError."""
    if not text:
        return SECONDS_TO_KNOW
    try:
        seconds = Budget.of(text).seconds
    except UsageError:
        seconds = None
    if seconds is None:
        raise UsageError(Phrase("`{text}` is no time; write how long to work on it: 2s, 500ms", text=brief(text)))
    return seconds


class Adviser:
    """Makes the situations of one seat for hints; all randomness in them is derived from what the seat knows."""

    def __init__(self, seat: str) -> None:
        self.seat = seat
        self._observer = SeatObserver(seat)

    def situation(self, state: State, stop: Callable[[], bool] = lambda: False) -> Situation:
        """The pending decision of the seat. Raises UsageError for a state that was not set up by its rules."""
        known = decisions_known(state, self.seat)
        search_seed = seed_from(f"hint {self.seat} {known}".encode())
        return self._observer.situation(state, seed_from(f"states {self.seat}".encode()), search_seed, stop)

    @property
    def agrees(self) -> bool:
        """False if the states searched last may not agree with earlier decisions of others, for lack of time."""
        return self._observer.agrees

    def think(self, state: State, budget: Budget) -> Thinking[Analysis]:
        """Start to search the pending decision of the seat, in a separate thread."""
        from interpreter.opponents.mcts import analyse  # start-up of play without hints: searches take long to import

        thinking: Thinking[Analysis] = Thinking(self.seat)
        situation = self.situation(state, thinking.is_stopped)
        thinking.begin(partial(analyse, situation, budget, begun=situation.asked))
        return thinking
