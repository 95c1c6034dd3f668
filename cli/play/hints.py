"""Hints that a person asks for during a game, the same at the prompt and in full screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.console import RenderableType

from cli.render.hints import has_scores, hint_parts, no_hint
from cli.render.palette import Palette
from interpreter.errors import PlayError, SamplingError
from interpreter.opponents.hints import Adviser, hint_budget

if TYPE_CHECKING:
    from interpreter import State
    from interpreter.narrowing import Step
    from interpreter.opponents.mcts import Analysis
    from interpreter.opponents.thinking import Thinking


class Hints:
    """The advisers of a game, one for each seat that asked: what was sampled for one hint serves the next."""

    def __init__(self) -> None:
        self._advisers: dict[str, Adviser] = {}

    def begin(self, state: State, limit: str) -> Hint:
        """Begin to search the pending decision, for as long as a person said. Raises UsageError."""
        budget, seat = hint_budget(limit), state.player or ""
        adviser = self._advisers.pop(seat, None) or Adviser(seat)
        return Hint(self, adviser, adviser.think(state, budget), state)

    def keep(self, adviser: Adviser) -> None:
        """Use an adviser again, which is done."""
        self._advisers[adviser.seat] = adviser


class Hint:
    """A hint that somebody waits for. One that is given up may go on for a while; its adviser is not used again."""

    def __init__(self, hints: Hints, adviser: Adviser, thinking: Thinking[Analysis], state: State) -> None:
        self._hints, self._adviser, self._state = hints, adviser, state
        self.thinking = thinking

    @property
    def status(self) -> str:
        """What is shown to whoever waits."""
        return f"searching for a hint, {int(self.thinking.seconds)} s"

    def parts(self, step: Step, look: Palette) -> list[RenderableType]:
        """What was found; the numbers are those of the question `step`."""
        try:
            analysis = self.thinking.result()
        except (SamplingError, PlayError) as fault:
            return [no_hint(fault)]
        self._hints.keep(self._adviser)
        state = self._state
        return list(hint_parts(analysis, state.legal_moves, numbers_of(step), look, has_scores(state)))


def numbers_of(step: Step) -> Mapping[str, int]:
    """The numbers of candidates that are a single move, by its notation."""
    numbered = enumerate(step.candidates, start=1)
    return {each.moves[0].notation: number for number, each in numbered if len(each.moves) == 1}
