"""A sweep: the figures of the same game along a range of options, variants or numbers of players."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from cli.errors import MisuseError, suggestion
from cli.laboratory.document import head, measured
from cli.laboratory.measures import Measure
from cli.laboratory.ranges import Choice
from cli.laboratory.report import Measured, Report

USUAL = ("win", "nobody", "decisions", "moves")
"""The measures that are shown if none are named."""


@dataclass(frozen=True)
class Sweep:
    """The reports of all settings, with what was chosen for each, and the measures that are shown."""

    choices: tuple[Choice, ...]
    reports: tuple[Report, ...]
    measures: tuple[Measure, ...]

    def rows(self) -> Iterator[tuple[Choice, Report, tuple[Measured | None, ...]]]:
        """A row for each setting: its figures, None for a measure that it does not have."""
        for choice, report in zip(self.choices, self.reports, strict=False):
            found = {each.measure.key: each for each in report.measures}
            yield choice, report, tuple(found.get(measure.key) for measure in self.measures)


def selected(reports: Sequence[Report], names: Sequence[str]) -> tuple[Measure, ...]:
    """The measures with these names, each once: `win:red` is one, `win` all that begin so. Raises MisuseError.

    Without names they are the usual ones that are not 0 in all settings.
    """
    known = {
        each.measure.key: each.measure
        for report in reports
        for each in report.measures
        if names or each.figure.least or each.figure.most
    }
    found: dict[str, Measure] = {}
    for name in names or USUAL:
        matching = {key: measure for key, measure in known.items() if name in (key, key.partition(":")[0])}
        if names and not matching:
            keys = list(known)
            raise MisuseError(
                f"there is no measure `{name}`{suggestion(name, keys)} (there are {', '.join(keys) or 'none'})"
            )
        found |= matching
    return tuple(found.values())


def sweep_document(sweep: Sweep) -> dict[str, Any]:
    """The sweep as plain data, without failures."""
    return {
        "settings": [
            {
                "varied": dict(choice.varied),
                **head(report.setting),
                "wanted": report.wanted,
                "games": len(report.records),
                "measures": [measured(each) for each in row if each is not None],
            }
            for choice, report, row in sweep.rows()
        ]
    }


def sweep_csv(sweep: Sweep) -> str:
    """The sweep as comma-separated values, with a row for each setting."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    bounds = [name for measure in sweep.measures for name in (measure.key, f"{measure.key} low", f"{measure.key} high")]
    writer.writerow([*sweep.choices[0].varied, "games", *bounds])
    for choice, report, row in sweep.rows():
        cells = [value for each in row for value in _cells(each)]
        writer.writerow([*choice.varied.values(), len(report.records), *cells])
    return text.getvalue()


def _cells(each: Measured | None) -> tuple[float | None, float | None, float | None]:
    return (None, None, None) if each is None else (each.figure.mean, each.figure.low, each.figure.high)
