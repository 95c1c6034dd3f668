"""What an author is told about rules being written: diagnostics with their fixes, examples, the trace of a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from dsl.diagnostics import Diagnostic
from dsl.text.span import Span
from dsl.text.visible import visible
from interpreter.authoring.examples.suite import ExampleResult
from interpreter.loading.game_heads import game_head
from interpreter.loading.game_library import shipped_folder
from interpreter.loading.rules import Rules
from interpreter.opponents.specs import KINDS
from interpreter.play.game import State, seat_game
from interpreter.play.trace import Event, Level, Position, Timeline, outline
from web.workshop.messages import (
    Fix,
    OptionChoice,
    Playable,
    Range,
    Related,
    ShippedGame,
    ShownDiagnostic,
    ShownEvent,
    ShownExample,
    Traced,
)


def shown_diagnostics(diagnostics: Iterable[Diagnostic]) -> tuple[ShownDiagnostic, ...]:
    """Diagnostics as a page shows them."""
    return tuple(map(_shown_diagnostic, diagnostics))


def _shown_diagnostic(diagnostic: Diagnostic) -> ShownDiagnostic:
    return ShownDiagnostic(
        diagnostic.code,
        diagnostic.severity,
        visible(diagnostic.message),
        _range(diagnostic.span),
        (
            *(Related(_range(label.span), visible(label.text)) for label in diagnostic.labels),
            *(Related(_range(span), visible(diagnostic.message)) for span in diagnostic.other_spans),
        ),
        tuple(map(visible, diagnostic.helps)),
        tuple(Fix(_range(replacement.span), replacement.text) for replacement in diagnostic.replacements),
    )


def _range(span: Span) -> Range:
    start, end = (_units(span.source.text[:offset]) for offset in (span.start, span.end))
    return Range(span.source.name, start, end)


def _units(text: str) -> int:
    """The length of a text in units of UTF-16."""
    return len(text) + sum(character > "\uffff" for character in text)


def playable(rules: Rules) -> Playable:
    """What can be chosen for a game of checked rules."""
    game = seat_game(rules, None, None)
    options = (OptionChoice(option.name, tuple(option.values), option.default) for option in game.option_info)
    return Playable(visible(game.title), game.all_seats, game.fewest, game.most, tuple(options), tuple(KINDS))


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


@cache
def shipped_games() -> tuple[ShippedGame, ...]:
    """The games that come with Regelwerk."""
    paths = sorted(shipped_folder().glob("*.rules"))
    heads = ((path.name.removesuffix(".rules"), game_head(path)) for path in paths)
    return tuple(ShippedGame(name, head.title, head.sentence) for name, head in heads if head is not None)
