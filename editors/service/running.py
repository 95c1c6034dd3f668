"""Examples run while rules are written, and what fails in them as findings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from dsl.text.files import reading_from
from dsl.text.visible import visible
from editors.service.analysis import Analysis
from editors.service.results import Finding, Place
from interpreter.authoring.coverage.random_games import BranchCounts
from interpreter.authoring.coverage.report import Coverage, counted_results, description
from interpreter.authoring.examples.suite import ExampleResult, example_results, failure_in_words
from interpreter.loading.rules import Rules

_LOCATION = re.compile(r"(.+):(\d+):(\d+)$")


def example_findings(
    analysis: Analysis, title: str = "", *, with_coverage: bool = False
) -> Iterator[tuple[str, Finding | None]]:
    """Run the examples of a game without errors, those with `title` in their titles; yield each title as it is run.

    With it comes what fails, at the line that fails, or None if the example passes. `with_coverage`: all examples are
    run, and after them come hints, without a title, at what none of them reaches.
    """
    rules = analysis.reading.rules if analysis.reading is not None else None
    if rules is None:
        return
    counts = Counter[int]()
    with reading_from(analysis.texts):
        results: list[ExampleResult] = []
        for result in counted_results(rules, counts) if with_coverage else example_results(rules, title):
            results.append(result)
            if result.passed:
                yield result.title, None
                continue
            location, reasons = failure_in_words(result)
            message = "\n".join([f"the example `{visible(result.title)}` fails", *map(visible, reasons)])
            yield result.title, Finding(_place(analysis, location), "error", "", message)
        if with_coverage and results:
            yield from (("", finding) for finding in _unreached(analysis, rules, results, counts))


def _unreached(
    analysis: Analysis, rules: Rules, results: list[ExampleResult], counts: Counter[int]
) -> Iterator[Finding]:
    """Hints at the first lines of what no example reaches."""
    for missing in Coverage(rules, results, counts, BranchCounts(), [], 0).never:
        span = missing.part.span if missing.part is not None else missing.subject.span
        message = f"in no example: {missing.subject.kind} {missing.subject.name}".rstrip()
        yield Finding(
            _place(analysis, span.location), "warning", "", f"{message} {visible(description(missing))}", is_hint=True
        )


def _place(analysis: Analysis, location: str) -> Place:
    """The rest of the line at `file:line:column`."""
    match = _LOCATION.match(location)
    path = analysis.paths.get(match[1]) if match is not None else None
    source = analysis.source(path) if path is not None else None
    if match is None or path is None or source is None:
        return Place(analysis.path, 0, 0)
    number = min(int(match[2]), len(source.line_starts))
    start = source.line_starts[number - 1] + int(match[3]) - 1
    return Place(path, start, max(start, source.line_starts[number - 1] + len(source.line(number))))
