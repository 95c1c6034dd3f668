"""Reviews: the decisions of a seat that have cost it most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from cli.render.hints import percent
from cli.render.palette import Palette
from cli.render.pieces import Hanging, phrase_text
from cli.render.tables import plain_grid
from interpreter.opponents.review import costliest
from interpreter.wording.words import Words

if TYPE_CHECKING:
    from interpreter.opponents.review import Reviewed

MOST_DECISIONS = 5
"""The number of decisions that a review shows."""


def review_parts(seat: str, reviewed: Sequence[Reviewed], look: Palette) -> Iterator[RenderableType]:
    """How many decisions were reviewed, and the costliest of them with what would have been better."""
    judged = [decision for decision in reviewed if decision.cost is not None]
    costly = costliest(judged)
    name = Text(look.words.name(seat), style=f"bold {look.style(seat)}")
    words = look.words
    decisions = words.counted_phrase("{number} decision", "{number} decisions", len(reviewed))
    cost = words.phrase(", of which {number} cost something", number=len(costly)) * bool(judged)
    decided = phrase_text(words, "{seat} had {decisions} with a choice", seat=name, decisions=decisions)
    yield Hanging(Text(" "), decided.append(cost))
    if len(judged) < len(reviewed):
        unjudged = words.counted_phrase(
            "{number} decision not judged: no state was found that agrees with what the seat knew",
            "{number} decisions not judged: no state was found that agrees with what the seat knew",
            len(reviewed) - len(judged),
        )
        yield Hanging(Text(" "), Text(unjudged))
    if costly:
        yield Padding(_table(costly[:MOST_DECISIONS], words), (0, 0, 0, 2))


def _table(costly: Sequence[Reviewed], words: Words) -> RenderableType:
    grid = plain_grid()
    for heading in (words.phrase("decision"), words.phrase("cost"), "95 %"):
        grid.add_column(heading, justify="right", no_wrap=True)
    grid.add_column(words.phrase("move made, and the better move"), overflow="fold")
    for decision in costly:
        better = Text(words.phrase("better: {move}", move=decision.best_label), style="dim")
        moves = Group(Text(decision.made_label, style="bold"), better)
        grid.add_row(str(decision.number), percent(decision.cost or 0.0), cost_interval(decision, words), moves)
    return grid


def cost_interval(decision: Reviewed, words: Words) -> str:
    """The interval of the cost of a decision, if it is not certain."""
    if decision.low == decision.high:
        return words.phrase("certain")
    return words.phrase("{low} to {high} %", low=round(100 * decision.low), high=round(100 * decision.high))
