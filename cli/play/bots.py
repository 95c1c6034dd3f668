"""The bots at a table: one for each seat that no person has, made when it decides first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from interpreter.errors import BotError
from interpreter.opponents.driver import Driver
from interpreter.opponents.specs import SpecProblem, spec_of, why_unfit
from interpreter.opponents.thinking import Thought

if TYPE_CHECKING:
    from interpreter import Game, State

ENOUGH = 0.5
"""Seconds that a bot is given to notice that nobody waits for it any more."""


class Bots:
    """The bots of one game, and what one of them is thinking about; `kinds` says who plays each seat."""

    def __init__(self, kinds: Mapping[str, str]) -> None:
        self.kinds = kinds
        self.thought: Thought | None = None
        self._drivers: dict[str, tuple[Game, Driver]] = {}
        self._about: tuple[State, int] | None = None

    def driver(self, state: State) -> Driver:
        """The bot of the seat that decides; another one if the rules have changed. Raises BotError if there is none."""
        seat, game = state.player or "", state.game
        known = self._drivers.get(seat)
        if known is not None and known[0] is game:
            return known[1]
        spec = spec_of(self.kinds[seat])
        problem = spec.message if isinstance(spec, SpecProblem) else why_unfit(spec, game)
        if isinstance(spec, SpecProblem) or problem is not None:
            raise BotError(f"nothing can play {seat}: {problem}")
        driver = Driver(spec, seat)
        self._drivers[seat] = game, driver
        return driver

    def think(self, state: State) -> Thought:
        """Let the bot whose turn it is think; if it is at this decision already, it goes on."""
        if self.thought is None or self._about is None or self._about[0] is not state or self._about[1] != state.ply:
            self.forget()
            self.thought, self._about = Thought(self.driver(state), state), (state, state.ply)
        return self.thought

    def forget(self) -> None:
        """Nobody waits for a bot any more: its decision has been made, or another one is pending."""
        thought = self.thought
        if thought is not None:
            thought.stop()
            if not thought.is_done:  # another one takes its place, as no bot is asked twice at the same time
                del self._drivers[thought.seat]
        self.thought = self._about = None

    def leave(self) -> None:
        """Let a bot that is thinking end before the program does."""
        if self.thought is not None:
            self.thought.stop()
            self.thought.wait(ENOUGH)
        self.forget()
