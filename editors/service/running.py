"""Examples run while rules are written, and what fails in them as findings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dsl.text.files import reading_from
from dsl.text.visible import visible
from editors.service.analysis import Analysis
from editors.service.results import Finding, Place
from interpreter.authoring.examples.suite import example_results, failure_in_words

_LOCATION = re.compile(r"(.+):(\d+):(\d+)$")


def example_findings(analysis: Analysis, title: str = "") -> Iterator[tuple[str, Finding | None]]:
    """Run the examples of a game without errors, those with `title` in their titles; yield each title as it is run.

    With it comes what fails, at the line that fails, or None if the example passes.
    """
    rules = analysis.reading.rules if analysis.reading is not None else None
    if rules is None:
        return
    with reading_from(analysis.texts):
        for result in example_results(rules, title):
            if result.passed:
                yield result.title, None
                continue
            location, reasons = failure_in_words(result)
            message = "\n".join([f"the example `{visible(result.title)}` fails", *map(visible, reasons)])
            yield result.title, Finding(_place(analysis, location), "error", "", message)


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
