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
from dsl.text.cells import cell_width, padded
from interpreter.wording.phrases import Phrase

if TYPE_CHECKING:
    from interpreter.play.game import State
    from interpreter.play.saves.replay import Divergence


DUTIES = {"must": Phrase("must {choice}"), "may": Phrase("may {choice}")}


def divergence(state: State, parting: Divergence, people: Sequence[str], width: int) -> Iterator[RenderableType]:
    """The table at that point, the decision in the save, and why it is not legal under the current rules.

    A single person sees what that seat may see; with several people no table is shown, and with none everything is.
    """
    look, words = palette(state.game.seats, state.game.words), state.game.words
    if len(people) < 2:
        viewer = people[0] if people else None
        title = words.phrase("before decision {number}", number=parting.number)
        yield Rule(Text(f" {title}", style="bold"), style="dim", align="left")
        yield draw_tables(state.view(viewer), look, width)
    then, now = words.phrase("then"), words.phrase("now")
    margin = max(cell_width(then), cell_width(now)) + 2
    decision = words.phrase("{seat} made the move {move}", seat=words.name(parting.player), move=parting.move)
    yield Hanging(Text(f" {padded(then, margin)}", style="bold"), Text(decision))
    if parting.why is not None and (not people or parting.player in people):
        yield Text(f" {now}", style="bold")
        yield from reasons(parting.why, parting.player if list(people) != [parting.player] else None, words=words)
        return
    question = state.question
    text = words.phrase("the game is over there")
    if question:
        seat, choice = words.name(question.player), words.either([words.name(name) for name in question.names])
        text = f"{seat} {words.phrase(DUTIES[question.duty], choice=choice)}"
    yield Hanging(Text(f" {padded(now, margin)}", style="bold"), Text(text))
