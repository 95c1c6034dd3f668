"""The bots of a game: one for each seat without a person, created at its first decision."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from interpreter.errors import BotError
from interpreter.opponents.driver import Driver
from interpreter.opponents.specs import SpecProblem, spec_of, why_unfit
from interpreter.opponents.thinking import Thinking, Thought
from interpreter.play.saves.files import PERSON
from interpreter.wording.phrases import Phrase

if TYPE_CHECKING:
    from interpreter.play.game import Game, State

STOP_SECONDS = 0.5
"""Seconds that an abandoned bot is given to stop."""


class Bots:
    """The bots of one game, and the thought of the deciding one; `kinds` says who plays each seat.

    While a person decides, the bots process the game so far in a thread (`prepare`).
    """

    def __init__(self, kinds: Mapping[str, str]) -> None:
        self.kinds = kinds
        self.thought: Thought | None = None
        self._drivers: dict[str, tuple[Game, Driver]] = {}
        self._about: tuple[State, int] | None = None
        self._preparing: Thinking[None] | None = None
        self._prepared: tuple[State, int] | None = None

    def driver(self, state: State) -> Driver:
        """The bot of the deciding seat; a new one if the rules have changed. Raises BotError if there is none."""
        return self._driver_of(state.player or "", state.game)

    def _driver_of(self, seat: str, game: Game) -> Driver:
        seated = self._drivers.get(seat)
        if seated is not None and seated[0] is game:
            return seated[1]
        spec = spec_of(self.kinds[seat])
        problem = spec.message if isinstance(spec, SpecProblem) else why_unfit(spec, game)
        if isinstance(spec, SpecProblem) or problem is not None:
            raise BotError(Phrase("nothing can play {seat}: {problem}", seat=seat, problem=problem))
        driver = Driver(spec, seat)
        self._drivers[seat] = game, driver
        return driver

    def think(self, state: State) -> Thought:
        """Let the bot to move think; if it is already thinking about this decision, it continues."""
        if self.thought is None or not _is_about(self._about, state):
            self.forget()
            self._end_preparing()
            self.thought, self._about = Thought(self.driver(state), state), (state, state.ply)
        return self.thought

    def prepare(self, state: State) -> None:
        """While a person decides, let all bots prepare for their next decisions, so that they take less time later."""
        if _is_about(self._prepared, state):
            return
        self._end_preparing()
        drivers = []
        for seat, kind in self.kinds.items():
            if kind == PERSON:
                continue
            with suppress(BotError):  # raised again when the bot has to decide
                drivers.append(self._driver_of(seat, state.game))
        drivers = [driver for driver in drivers if driver.draws_states]
        self._prepared = state, state.ply
        if drivers:
            self._preparing = Thinking("all bots")
            self._preparing.begin(partial(_prepare, drivers, state.copy(), self._preparing.is_stopped))

    def _end_preparing(self) -> None:
        """Stop preparing, so that the bots are free for other work."""
        if self._preparing is not None:
            self._preparing.stop()
            if not self._preparing.wait(STOP_SECONDS):
                self._drivers.clear()  # replaced by new ones, as no bot may do two things at once
        self._preparing = self._prepared = None

    def forget(self) -> None:
        """Abandon the current thought: its decision has been made, or another one is pending."""
        thought = self.thought
        if thought is not None:
            thought.stop()
            if not thought.is_done:  # the bot is replaced by a new one, as none may be asked twice at once
                del self._drivers[thought.seat]
        self.thought = self._about = None

    def leave(self) -> None:
        """Stop the bots before the program ends, and wait for them briefly."""
        if self.thought is not None:
            self.thought.stop()
            self.thought.wait(STOP_SECONDS)
        self.forget()
        self._end_preparing()


def _is_about(about: tuple[State, int] | None, state: State) -> bool:
    """True if `about` is this state at the same decision."""
    return about is not None and about[0] is state and about[1] == state.ply


def _prepare(drivers: Sequence[Driver], state: State, too_late: Callable[[], bool]) -> None:
    for driver in drivers:
        if not too_late():
            driver.prepare(state, too_late)
