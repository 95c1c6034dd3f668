"""A decision that is no longer legal under the current rules: both sides, with the table at that decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.rule import Rule
from rich.text import Text

from cli.render.cells import Hanging
from cli.render.palette import palette
from cli.render.reasons import reasons
from cli.render.tables import draw_tables

if TYPE_CHECKING:
    from interpreter import State
    from interpreter.saves.replay import Divergence


def divergence(state: State, found: Divergence, people: Sequence[str], width: int) -> Iterator[RenderableType]:
    """The table at that point, the decision in the save, and why it is not legal under the current rules.

    A single person sees what that seat may see; with several people no table is shown, and with none everything is.
    """
    look = palette(state.game.seats, state.game.words)
    if len(people) < 2:
        viewer = people[0] if people else None
        yield Rule(Text(f" before decision {found.number}", style="bold"), style="dim", align="left")
        yield draw_tables(state.view(viewer), look, width)
    yield Hanging(Text(" then  ", style="bold"), Text(f"{found.player} made the move {found.move}"))
    if found.why is not None and (not people or found.player in people):
        yield Text(" now", style="bold")
        yield from reasons(found.why, found.player if list(people) != [found.player] else None)
        return
    question = state.question
    now = f"{question.player} {question.duty} {' or '.join(question.names)}" if question else ""
    yield Hanging(Text(" now   ", style="bold"), Text(now or "the game is over there"))
