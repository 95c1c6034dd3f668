"""Hints during a game, the same at the prompt and in full screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.console import RenderableType

from cli.render.hints import has_scores, hint_parts, no_hint
from cli.render.palette import Palette
from interpreter.errors import PlayError, SamplingError
from interpreter.opponents.hints import Adviser, hint_budget
from interpreter.play.trace.failed_decision import told_to
from interpreter.wording.words import Words

if TYPE_CHECKING:
    from interpreter.opponents.mcts import Analysis
    from interpreter.opponents.thinking import Thinking
    from interpreter.play.game import State
    from interpreter.seat.narrowing import NarrowingStep


class Hints:
    """The advisers of a game, one for each seat that asked: samples for one hint are reused for the next."""

    def __init__(self) -> None:
        self._advisers: dict[str, Adviser] = {}

    def begin(self, state: State, limit: str) -> Hint:
        """Start searching the pending decision, with the budget that the person typed. Raises UsageError."""
        budget, seat = hint_budget(limit), state.player or ""
        adviser = self._advisers.pop(seat, None) or Adviser(seat)
        return Hint(self, adviser, adviser.think(state, budget), state)

    def keep(self, adviser: Adviser) -> None:
        """Take back an adviser that has finished, for reuse."""
        self._advisers[adviser.seat] = adviser


class Hint:
    """A pending hint. An abandoned one may continue for a while; its adviser is not reused."""

    def __init__(self, hints: Hints, adviser: Adviser, thinking: Thinking[Analysis], state: State) -> None:
        self._hints, self._adviser, self._state = hints, adviser, state
        self.thinking = thinking

    @property
    def words(self) -> Words:
        """The words in which the game is shown."""
        return self._state.program.words

    @property
    def status(self) -> str:
        """The status shown during the wait."""
        words, seconds = self.words, int(self.thinking.seconds)
        return words.phrase("searching for a hint, {seconds} s", seconds=seconds)

    def parts(self, step: NarrowingStep, look: Palette) -> list[RenderableType]:
        """The result; the numbers are those of the question `step`."""
        try:
            analysis = self.thinking.result()
        except PlayError as fault:
            told = told_to(self._adviser.seat, fault, is_open=self._state.game.is_open)
            return [no_hint(told, look.words)]
        except SamplingError as fault:
            return [no_hint(fault, look.words)]
        self._hints.keep(self._adviser)
        state = self._state
        return list(
            hint_parts(analysis, state.legal_moves, numbers_of(step), look, has_scores(state), self._adviser.agrees)
        )


def numbers_of(step: NarrowingStep) -> Mapping[str, int]:
    """The numbers of the candidates that consist of a single move, by its notation."""
    numbered = enumerate(step.candidates, start=1)
    return {candidate.moves[0].notation: number for number, candidate in numbered if len(candidate.moves) == 1}
