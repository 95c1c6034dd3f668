"""A summary of the rules of a game: what it is about, the goal, the course of play, what may be done, scoring."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from cli.render.cells import Hanging
from dsl.text.nouns import counted_range
from interpreter.explain.reading_aloud import spaced

if TYPE_CHECKING:
    from interpreter.explain.rules_summary import ActionSummary, OptionSummary, PhaseSummary, RulesSummary

STEP = 2


def summary_lines(summary: RulesSummary) -> Iterator[RenderableType]:
    """Render a summary, part by part; empty parts are omitted."""
    yield Text(summary.title, style="bold")
    if summary.sentence:
        yield _line(1, Text(summary.sentence))
    facts = [counted_range(*summary.players, "player")]
    if summary.minutes is not None:
        facts.append(counted_range(*summary.minutes, "minute"))
    if summary.designer:
        facts.append(f"by {summary.designer}")
    yield _line(1, Text(", ".join(facts), style="dim"))
    yield from _part("who wins")
    for number, criterion in enumerate(summary.goal):
        yield _line(1, Text(f"{'then ' if number else ''}{criterion}"))
    yield from _part("course of play")
    for phase in summary.phases:
        yield from _phase(phase)
    if summary.actions:
        yield from _part("what may be done")
        for action in summary.actions:
            yield from _action(action)
    if summary.scoring:
        yield from _part("points are given for")
        yield from (_line(1, Text(reason)) for reason in summary.scoring)
    if summary.options:
        yield from _part("options")
        for option in summary.options:
            yield from _option(option)


def _part(heading: str) -> Iterator[RenderableType]:
    yield Text()
    yield Text(f" {heading}", style="bold")


def _phase(phase: PhaseSummary) -> Iterator[RenderableType]:
    depth = 1 + phase.depth
    turns = f", turns {phase.turns}" if phase.turns else ""
    ends = "".join(f", {end}" for end in phase.ends)
    yield _line(depth, Text.assemble((phase.name, "bold"), (f"{turns}{ends}", "dim")))
    yield from (_line(depth + 1, Text(decision)) for decision in phase.decisions)


def _action(action: ActionSummary) -> Iterator[RenderableType]:
    label = f": {action.label}" if action.label else ""
    yield _line(1, Text.assemble((action.name, "bold"), label, (_cited(action.cites), "dim cyan")))
    for one in action.conditions:
        cites = _cited(one.cites if one.cites != action.cites else ())
        yield _line(2, Text.assemble(("not allowed: ", "dim"), one.reason, (cites, "dim cyan")))


def _option(option: OptionSummary) -> Iterator[RenderableType]:
    others = [spaced(value) for value in option.values if value != option.default]
    more = (f", or {', '.join(others)}" if len(others) < MANY else f", or one of {len(others)} others", "dim")
    yield _line(1, Text.assemble(f"{option.heading}: ", (spaced(option.default), "bold"), more))
    if option.sentence:
        yield _line(2, Text(option.sentence))
    yield from (_line(2, Text(f"{spaced(value)}: {text}", style="dim")) for value, text in option.texts)


MANY = 8
"""With this many other values or more, an option shows only their number."""


def _cited(cites: tuple[str, ...]) -> str:
    return f"  [{' '.join(cites)}]" if cites else ""


def _line(depth: int, text: Text) -> RenderableType:
    return Hanging(Text(" " * (STEP * depth)), text)
