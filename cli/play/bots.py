"""The bots at a table: one for each seat that no person has, made when it decides first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from interpreter.errors import BotError
from interpreter.opponents.driver import Driver
from interpreter.opponents.specs import SpecProblem, spec_of
from interpreter.opponents.thinking import Thought

if TYPE_CHECKING:
    from interpreter import State

ENOUGH = 0.5
"""Seconds that a bot is given to notice that nobody waits for it any more."""


class Bots:
    """The bots of one game, and what one of them is thinking about; `kinds` says who plays each seat."""

    def __init__(self, kinds: Mapping[str, str]) -> None:
        self.kinds = kinds
        self.thought: Thought | None = None
        self._drivers: dict[str, Driver] = {}
        self._about: tuple[State, int] | None = None

    def driver(self, seat: str) -> Driver:
        """The bot of a seat. Raises BotError if there is none, or it cannot be made."""
        if seat not in self._drivers:
            spec = spec_of(self.kinds[seat])
            if isinstance(spec, SpecProblem):
                raise BotError(f"{seat} cannot be played: {spec.message}")
            self._drivers[seat] = Driver(spec, seat)
        return self._drivers[seat]

    def think(self, state: State) -> Thought:
        """Let the bot whose turn it is think; if it is at this decision already, it goes on."""
        assert state.player is not None
        if self.thought is None or self._about is None or self._about[0] is not state or self._about[1] != state.ply:
            self.forget()
            self.thought, self._about = Thought(self.driver(state.player), state), (state, state.ply)
        return self.thought

    def forget(self) -> None:
        """Nobody waits for a bot any more: its decision has been made, or another one is pending."""
        thought = self.thought
        if thought is not None:
            thought.stop()
            if not thought.is_done:  # another one takes its place, as no bot is asked twice at the same time
                del self._drivers[thought.driver.seat]
        self.thought = self._about = None

    def leave(self) -> None:
        """Let a bot that is thinking end before the program does."""
        if self.thought is not None:
            self.thought.stop()
            self.thought.wait(ENOUGH)
        self.forget()
