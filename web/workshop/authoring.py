"""What an author is told about rules being written: what the language service says, examples, the trace of a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from dsl.text.visible import visible
from editors.service.analysis import Analysis
from editors.service.completing import completions
from editors.service.hovering import hover
from editors.service.names import Names
from editors.service.results import Fix, Place, Related
from interpreter.authoring.examples.suite import ExampleResult
from interpreter.loading.rules import Rules, shown
from interpreter.opponents.specs import KINDS
from interpreter.play.game import State, seat_game
from interpreter.play.trace import Event, Level, Position, Timeline, outline
from web.workshop.messages import (
    Checked,
    Complete,
    Completions,
    Hover,
    Hovered,
    OptionChoice,
    Playable,
    Range,
    ShownCompletion,
    ShownDiagnostic,
    ShownEdit,
    ShownEvent,
    ShownExample,
    ShownFix,
    ShownRelated,
    Traced,
)


def checked(identifier: str, analysis: Analysis, game: Playable | None) -> Checked:
    """What is wrong with rules, as a page shows it."""

    def related(about: Related) -> ShownRelated:
        return ShownRelated(_range(analysis, about.place), about.text)

    def fix(offered: Fix) -> ShownFix:
        edits = (ShownEdit(_range(analysis, edit.place), edit.text) for edit in offered.edits)
        return ShownFix(offered.title, tuple(edits))

    diagnostics = (
        ShownDiagnostic(
            finding.code, finding.severity, finding.message, _range(analysis, finding.place),
            tuple(map(related, finding.related)), tuple(map(fix, finding.fixes)),
        )
        for finding in analysis.findings
    )  # fmt: skip
    return Checked(identifier, tuple(diagnostics), game)


def _range(analysis: Analysis, place: Place) -> Range:
    """A place as a page knows it."""
    source = analysis.source(place.path)
    text = "" if source is None else source.text
    return Range(shown(place.path), units(text[: place.start]), units(text[: place.end]))


def units(text: str) -> int:
    """The length of a text in units of UTF-16."""
    return len(text) + sum(character > "\uffff" for character in text)


def offset_of(text: str, units_before: int) -> int:
    """The offset of a character by the units of UTF-16 before it."""
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * units_before].decode("utf-16-le", "replace"))


def completed(request: Complete, analysis: Analysis) -> Completions:
    """What can be written at an offset."""
    text, path = request.text, Path(request.file).absolute()
    options = completions(Names(analysis), path, text, offset_of(text, request.offset))
    return Completions(
        request.id,
        tuple(
            ShownCompletion(
                option.label, option.kind, option.text, units(text[: option.place.start]), option.detail,
                option.documentation, option.rank, option.is_snippet,
            )
            for option in options
        ),
    )  # fmt: skip


def hovered(request: Hover, analysis: Analysis) -> Hovered:
    """What is known about the words at an offset."""
    path = Path(request.file).absolute()
    source = analysis.source(path)
    text = "" if source is None else source.text
    help_text = hover(Names(analysis), path, offset_of(text, request.offset))
    if help_text is None:
        return Hovered(request.id, "", 0, 0)
    place = help_text.place
    return Hovered(request.id, help_text.text, units(text[: place.start]), units(text[: place.end]))


def playable(rules: Rules) -> Playable:
    """What can be chosen for a game of checked rules."""
    game = seat_game(rules, None, None)
    options = (OptionChoice(option.name, tuple(option.values), option.default) for option in game.option_info)
    return Playable(visible(game.title), game.all_seats, game.counts, tuple(options), tuple(KINDS))


def shown_example(result: ExampleResult) -> ShownExample:
    """The result of an example as a page shows it."""
    file, line, _ = result.location.rsplit(":", 2)
    failures = tuple("\n".join(map(visible, failure.splitlines())) for failure in result.failures)
    return ShownExample(visible(result.title), file, int(line), result.passed, failures)


def trace(identifier: str, state: State, level: Level, plies: int) -> Traced:
    """The trace of the last decisions of a game."""
    timeline = Timeline(state)
    first = max(0, timeline.plies - plies + 1)
    events = outline(timeline.all_events(first), level)
    return Traced(identifier, first, timeline.plies, tuple(_shown_events(events)))


def _shown_events(events: Iterable[tuple[int, Position, Event]]) -> Iterator[ShownEvent]:
    for depth, position, event in events:
        span = event.span
        yield ShownEvent(
            position.ply,
            depth,
            event.kind,
            visible(event.text),
            "" if span is None else span.source.name,
            0 if span is None else span.line,
            tuple((visible(name), visible(value)) for name, value in event.values),
            event.verdict,
        )
