"""Reviews: how well seats have played, and the decisions that have cost them most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from cli.render.palette import Palette
from cli.render.pieces import Hanging, phrase_text
from cli.render.tables import plain_grid
from dsl.text.numbers import percent
from interpreter.opponents.review import accuracies, costliest
from interpreter.wording.words import Words

if TYPE_CHECKING:
    from interpreter.opponents.review import Accuracy, Judged, Reviewed

MAX_DECISIONS = 5
"""The number of decisions of each seat that a review shows."""


def accuracy_text(accuracy: Accuracy, look: Palette) -> Text:
    """How well a seat has played: `red played 12 decisions with an accuracy of 97 %, 9 without a fault`."""
    words, seat = look.words, Text(look.words.name(accuracy.seat), style=f"bold {look.style(accuracy.seat)}")
    decisions = words.counted_phrase("{number} decision", "{number} decisions", accuracy.decisions)
    return phrase_text(
        words, "{seat}: accuracy {accuracy} in {decisions}, {faultless} of them without a fault",
        seat=seat, accuracy=percent(accuracy.kept), decisions=decisions, faultless=str(accuracy.faultless),
    )  # fmt: skip


def review_parts(judged: Sequence[Judged], look: Palette) -> Iterator[RenderableType]:
    """For each seat its accuracy, and the costliest of its decisions with what would have been better."""
    by_seat: dict[str, list[Reviewed]] = {}
    for judgement in judged:
        if judgement.reviewed is not None:
            by_seat.setdefault(judgement.seat, []).append(judgement.reviewed)
    accuracy_by_seat = {accuracy.seat: accuracy for accuracy in accuracies(judged)}
    if not by_seat:
        yield Hanging(Text(" "), Text(look.words.phrase("no decision with a choice has been made")))
    for seat, reviewed in by_seat.items():
        if seat in accuracy_by_seat:
            yield Hanging(Text(" "), accuracy_text(accuracy_by_seat[seat], look))
        yield from _of_seat(seat, reviewed, look)


def _of_seat(seat: str, reviewed: Sequence[Reviewed], look: Palette) -> Iterator[RenderableType]:
    words, unjudged_count = look.words, sum(1 for decision in reviewed if decision.cost is None)
    costly = costliest(reviewed)
    if unjudged_count:
        unjudged = words.counted_phrase(
            "{seat}: {number} decision not judged: no state was found that agrees with what the seat knew",
            "{seat}: {number} decisions not judged: no state was found that agrees with what the seat knew",
            unjudged_count, seat=words.name(seat),
        )  # fmt: skip
        yield Hanging(Text(" "), Text(unjudged))
    if costly:
        yield Padding(_table(costly[:MAX_DECISIONS], words), (0, 0, 0, 2))


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
