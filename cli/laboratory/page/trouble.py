"""Games that ended in an error, grouped by the place in the rules that failed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from cli.failed_games import moment_of
from cli.laboratory.page.markup import text
from cli.laboratory.report import Report
from dsl.text.nouns import counted
from interpreter.laboratory.records import FailedRecord

MOST_LISTED = 8
"""The maximum number of games listed for one place in the rules."""


def trouble(report: Report) -> str:
    """The games that ended in an error, grouped by the place in the rules that failed."""
    number, all_games = len(report.failed), len(report.failed) + len(report.records)
    title = f"{number} of {counted(all_games, 'game')} ended in an error; the figures cover the others"
    return f'<div class="card failed"><h3>{text(title)}</h3><ul>{"".join(_faults(report))}</ul></div>'


def _faults(report: Report) -> Iterator[str]:
    ordered = sorted(report.failed, key=lambda record: (record.failed.location, record.number))
    for _, group in groupby(ordered, key=lambda record: record.failed.location):
        records = [*group]
        first = records[0].failed
        yield (
            f"<li><code>{text(first.location)}</code>: {text(first.message)}<br>{text(_named(records))}; "
            f"in the first, {text(moment_of(first))}</li>"
        )


def _named(records: list[FailedRecord]) -> str:
    """`games 3, 17 and 20`, by their numbers in the run."""
    numbers = ", ".join(str(record.number) for record in records[:MOST_LISTED])
    more = ", …" if len(records) > MOST_LISTED else ""
    return f"in {counted(len(records), 'game')}, by number: {numbers}{more}"
