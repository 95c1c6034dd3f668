"""Examples run as tests: given, when, then."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

from dsl.diagnostics import Diagnostic
from dsl.lazy_dataclasses import dataclass
from dsl.variants import failing
from interpreter.authoring.examples.recording import ExampleRecording
from interpreter.errors import BoardError, PlayError, RulesError, UsageError
from interpreter.loading.rules import Rules, load_rules
from interpreter.play.game import GamesOfRules, MakeGame, seat_game
from interpreter.play.scenes.runner import Runner
from interpreter.play.scenes.setup import table_of
from interpreter.play.trace.events import Event
from interpreter.runtime.cells import Cells
from interpreter.seat.views.seat_view import failing_part, view_of

Look = Callable[[Runner, int], list[str]]
"""Says what fails where an example has ended, from its runner and its number among the examples."""


@dataclass(frozen=True)
class ExampleResult:
    """The result of one example; each failure is a text of several lines with the location and the values.

    `last_events` are the last events before a failure, each with its depth.
    """

    title: str
    cites: tuple[str, ...]
    location: str
    passed: bool
    failures: tuple[str, ...]
    last_events: tuple[tuple[int, Event], ...] = ()


def run_examples(
    path: Path, title_part: str = "", board: Path | None = None, variants: Sequence[str | Path] = ()
) -> list[ExampleResult]:
    """Run the examples of a rules file and its companion; `title_part`: only those whose titles contain it.

    `board` is a board file to play on instead of the one the rules name, `variants` are names or paths of variants to
    apply. Raises RulesError if the files do not check, BoardError, VariantError.
    """
    rules = load_rules(path, examples=True, board=board, variants=variants)
    return run_checked(rules, title_part)


def run_checked(rules: Rules, title_part: str = "") -> list[ExampleResult]:
    """Run the examples of checked rules, and look at where each ends; whatever fails is part of its result."""
    return list(example_results(rules, title_part, look=failures_to_look))


def failing_in_base(rules: Rules) -> list[Diagnostic]:
    """The examples of the base game that fail with the variants applied, each as an error."""
    if rules.merged is None:
        return []
    variant_sources = [variant.span.source for variant in rules.merged.variants]
    failures = []
    for example, result in zip(rules.model.examples, example_results(rules), strict=True):
        if not result.passed and not any(example.span.source is source for source in variant_sources):
            failures.append((example, *failure_in_words(result)))
    titles = {example.title.value for example, _, _ in failures}
    alone = _failing_alone(rules, titles) if titles else frozenset()
    return [
        failing(example, [f"{location}: {reasons[0]}", *reasons[1:]], rules.merged, example.title.value in alone)
        for example, location, reasons in failures
    ]


def _failing_alone(rules: Rules, titles: Collection[str]) -> frozenset[str]:
    """The examples among these that fail in the game without its variants; none if the game does not check."""
    try:
        base = load_rules(rules.path, examples=True)
    except (BoardError, RulesError):
        return frozenset()
    results = (result for title in titles for result in example_results(base, title))
    return frozenset(result.title for result in results if not result.passed)


def failure_in_words(result: ExampleResult) -> tuple[str, list[str]]:
    """Where an example fails, and why, without the line that fails and its marker."""
    location, *lines = result.failures[0].splitlines()
    return location, [line.strip() for line in lines[2:] or lines]


def example_results(
    rules: Rules, title_part: str = "", make_game: MakeGame = seat_game, look: Look | None = None
) -> Iterator[ExampleResult]:
    """Yield the results of the examples of checked rules, each run on demand in a game that `make_game` makes.

    `look` says what fails where an example that holds has ended; it takes as long as some examples do.
    """
    games = GamesOfRules(rules, make_game)
    for number, example in enumerate(rules.model.examples):
        if title_part.lower() not in example.title.value.lower():
            continue
        seats, options = table_of(rules.model, example)
        head = example.title.value, example.cites, example.span.location
        try:
            game = games.seated(seats, options)
            runner = Runner(game, example)
            failures = runner.run()
        except UsageError as fault:
            yield ExampleResult(*head, False, (f"{example.span.location}\n    {fault}",))
            continue
        if look is not None and not failures:
            failures = look(runner, number)
        last_events = ExampleRecording(game, example).last_events() if failures else ()
        yield ExampleResult(*head, not failures, tuple(failures), last_events)


def failures_to_look(runner: Runner, number: int) -> list[str]:
    """What fails if a seat looks at the game where an example has ended; the seats take turns by the example's number.

    A cell of a table may fail where no rule does.
    Nobody looks where no decision is pending and the game is not over. What is laid out there tests a definition or a
    step alone, and is no position that play comes to.
    """
    state, program = runner.state, runner.program
    if state.player is None and not state.over:
        return []
    seats = program.layout.seats
    seat = number % len(seats)
    try:
        view_of(program, Cells(runner.cells), seat)
    except PlayError as fault:
        span = (failing_part(program, Cells(runner.cells), seat) or runner.example).span
        looks = f"    {seats[seat]} cannot look at the game where this example ends"
        return ["\n".join([span.location, *span.excerpt(), looks, f"    {fault}"])]
    return []
