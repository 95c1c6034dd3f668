"""A summary of the rules of a game: what it is about, the goal, the course of play, what may be done, scoring."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from cli.render.pieces import Hanging
from interpreter.seat.explain.reading_aloud import spaced
from interpreter.wording.phrases import duration, number_of_players
from interpreter.wording.words import PLAIN, Words

if TYPE_CHECKING:
    from interpreter.seat.explain.rules_summary import ActionSummary, OptionSummary, PhaseSummary, RulesSummary

STEP = 2


def summary_lines(summary: RulesSummary, words: Words = PLAIN) -> Iterator[RenderableType]:
    """Render a summary, part by part; empty parts are omitted."""
    yield Text(summary.title, style="bold")
    if summary.sentence:
        yield _line(1, Text(summary.sentence))
    phrase = words.phrase
    facts = [phrase(number_of_players(summary.players))]
    if summary.minutes is not None:
        facts.append(phrase(duration(*summary.minutes)))
    if summary.family:
        facts.append(summary.family)
    if summary.designer:
        facts.append(phrase("by {designer}", designer=summary.designer))
    yield _line(1, Text(", ".join(facts), style="dim"))
    yield from _part(phrase("who wins"))
    for number, criterion in enumerate(summary.goal):
        yield _line(1, Text(phrase("then {criterion}", criterion=criterion) if number else criterion))
    yield from _part(phrase("course of play"))
    for phase in summary.phases:
        yield from _phase(phase, words)
    if summary.actions:
        yield from _part(phrase("what may be done"))
        for action in summary.actions:
            yield from _action(action, words)
    if summary.scoring:
        yield from _part(phrase("points are given for"))
        yield from (_line(1, Text(reason)) for reason in summary.scoring)
    if summary.options:
        yield from _part(phrase("options"))
        for option in summary.options:
            yield from _option(option, words)


def _part(heading: str) -> Iterator[RenderableType]:
    yield Text()
    yield Text(f" {heading}", style="bold")


def _phase(phase: PhaseSummary, words: Words) -> Iterator[RenderableType]:
    depth = 1 + phase.depth
    turns = words.phrase(", turns {turns}", turns=phase.turns) if phase.turns else ""
    ends = "".join(f", {end}" for end in phase.ends)
    yield _line(depth, Text.assemble((phase.name, "bold"), (f"{turns}{ends}", "dim")))
    yield from (_line(depth + 1, Text(decision)) for decision in phase.decisions)


def _action(action: ActionSummary, words: Words) -> Iterator[RenderableType]:
    label = f": {action.label}" if action.label else ""
    yield _line(1, Text.assemble((action.name, "bold"), label, (_cited(action.cites), "dim cyan")))
    for condition in action.conditions:
        cites = _cited(condition.cites if condition.cites != action.cites else ())
        yield _line(2, Text.assemble((words.phrase("not allowed: "), "dim"), condition.reason, (cites, "dim cyan")))


def _option(option: OptionSummary, words: Words) -> Iterator[RenderableType]:
    others = [_value(value, words) for value in option.values if value != option.default]
    if len(others) < MIN_SUMMARISED_VALUES:
        more = words.phrase(", or {values}", values=", ".join(others))
    else:
        more = words.phrase(", or one of {number} others", number=len(others))
    yield _line(1, Text.assemble(f"{option.heading}: ", (_value(option.default, words), "bold"), (more, "dim")))
    if option.sentence:
        yield _line(2, Text(option.sentence))
    yield from (_line(2, Text(f"{_value(value, words)}: {text}", style="dim")) for value, text in option.texts)


MIN_SUMMARISED_VALUES = 8
"""With this many other values or more, an option shows only their number."""


def _value(value: str, words: Words) -> str:
    """A value of an option."""
    name = words.name(value) if words.language is not None else value
    return spaced(value) if name == value else name


def _cited(cites: tuple[str, ...]) -> str:
    return f"  [{' '.join(cites)}]" if cites else ""


def _line(depth: int, text: Text) -> RenderableType:
    return Hanging(Text(" " * (STEP * depth)), text)
