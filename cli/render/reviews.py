"""Reviews: the decisions of a seat that have cost it most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from cli.render.cells import Hanging
from cli.render.hints import percent
from cli.render.palette import Palette
from cli.render.tables import plain_grid
from dsl.text.nouns import counted
from interpreter.opponents.review import costliest

if TYPE_CHECKING:
    from interpreter.opponents.review import Reviewed

MOST_DECISIONS = 5
"""The number of decisions that a review shows."""


def review_parts(seat: str, reviewed: Sequence[Reviewed], look: Palette) -> Iterator[RenderableType]:
    """How many decisions were reviewed, and the costliest of them with what would have been better."""
    judged = [one for one in reviewed if one.cost is not None]
    found = costliest(judged)
    name = Text(look.words.name(seat), style=f"bold {look.style(seat)}")
    cost = f", of which {len(found)} cost something" * bool(judged)
    decided = f" had {counted(len(reviewed), 'decision')} with a choice{cost}"
    yield Hanging(Text(" "), Text.assemble(name, decided))
    if len(judged) < len(reviewed):
        none = counted(len(reviewed) - len(judged), "decision")
        yield Hanging(Text(" "), Text(f"{none} not judged: no state was found that agrees with what the seat knew"))
    if found:
        yield Padding(_table(found[:MOST_DECISIONS]), (0, 0, 0, 2))


def _table(found: Sequence[Reviewed]) -> RenderableType:
    grid = plain_grid()
    for heading in ("decision", "cost", "95 %"):
        grid.add_column(heading, justify="right", no_wrap=True)
    grid.add_column("move made, and the better move", overflow="fold")
    for one in found:
        words = Group(Text(one.made_label, style="bold"), Text(f"better: {one.best_label}", style="dim"))
        grid.add_row(str(one.number), percent(one.cost or 0.0), cost_interval(one), words)
    return grid


def cost_interval(one: Reviewed) -> str:
    """The interval of the cost of a decision, if it is not certain."""
    return "certain" if one.low == one.high else f"{round(100 * one.low)} to {round(100 * one.high)} %"
