"""A sweep: the figures of the same game over a range of options, variants or numbers of players."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from cli.errors import MisuseError, suggestion
from cli.laboratory.ranges import Choice
from cli.progress import Stage, unless_interrupted
from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.workers import Watch
from interpreter.laboratory.comparing import SAME_WINNERS, same_winners
from interpreter.laboratory.measures import Measure, measures_of
from interpreter.laboratory.report import Measured, Report, figure_data, setting_data
from interpreter.laboratory.running import Plan, file_in, simulated
from interpreter.laboratory.setting import Setting

USUAL = ("win", "nobody", "decisions", "moves")
"""The measures that are shown by default."""


@dataclass(frozen=True)
class Sweep:
    """The reports of all settings, with the choices made for each, and the measures that are shown."""

    choices: tuple[Choice, ...]
    reports: tuple[Report, ...]
    measures: tuple[Measure, ...]

    def rows(self) -> Iterator[tuple[Choice, Report, tuple[Measured | None, ...]]]:
        """A row for each setting: its figures, with None for a measure it does not have."""
        for choice, report in zip(self.choices, self.reports, strict=False):
            measured_by_key = {measured.measure.key: measured for measured in report.measures}
            yield choice, report, tuple(measured_by_key.get(measure.key) for measure in self.measures)


def play_series(plans: Mapping[str, Plan], folder: Path | None) -> tuple[tuple[Report, ...], bool]:
    """Play named runs one after the other, each kept in its own file if a folder is given.

    After an interruption, there are the reports of those runs that have games. Raises KeyboardInterrupt if none has.
    """
    reports: list[Report] = []
    for number, (name, plan) in enumerate(plans.items(), 1):
        place = f"{number} of {len(plans)}: {name}"

        def call(watch: Watch, plan: Plan = plan, name: str = name, place: str = place) -> Report:
            return simulated(plan, file_in(folder, name), lambda progress: watch(replace(progress, place=place)))

        try:
            reports.append(unless_interrupted(Stage(name, total=plan.games), call))
        except KeyboardInterrupt:
            if not reports:
                raise
            return tuple(reports), True
        if reports[-1].interrupted:
            return tuple(reports), True
    return tuple(reports), False


def varied_words(sweep: Sweep) -> list[dict[str, str]]:
    """The choices of each setting, with the display names of options and their values."""
    choices = []
    for choice, report in zip(sweep.choices, sweep.reports, strict=False):
        words, options = report.setting.words, report.setting.game.options
        choices.append(
            {
                words.name(name) if name in options else name: words.name(value) if name in options else value
                for name, value in choice.varied.items()
            }
        )
    return choices


def with_same_winners(reports: Sequence[Report]) -> tuple[Report, ...]:
    """The reports, each with the share of its games that have the same winners as in the first run."""
    extended = []
    for report in reports:
        measure = same_winners(reports[0], report)
        figure = measure.figure(report.records)
        added = () if figure is None else (Measured(measure, figure, len(measure.values(report.records))),)
        extended.append(replace(report, measures=(*report.measures, *added)))
    return tuple(extended)


def selected(reports: Sequence[Report], names: Sequence[str]) -> tuple[Measure, ...]:
    """The measures with these names, each once: `win:red` names one, `win` all that begin so. Raises MisuseError.

    Without names, the default ones that are not 0 in all settings.
    """
    available = {
        measured.measure.key: measured.measure
        for report in reports
        for measured in report.measures
        if names or measured.figure.least or measured.figure.most
    }
    chosen: dict[str, Measure] = {}
    for name in names or USUAL:
        matching = {key: measure for key, measure in available.items() if name in (key, key.partition(":")[0])}
        if names and not matching:
            raise _no_measure(name, list(available))
        chosen |= matching
    return tuple(chosen.values())


def check_names(settings: Sequence[Setting], names: Sequence[str], details: int) -> None:
    """Raise MisuseError, before anything is played, for a name that no measure of these settings can have."""
    measures = (measure for setting in settings for measure in measures_of(setting, ()))
    kinds = list(
        dict.fromkeys(
            candidate.key.partition(":")[0] for candidate in measures if details or not candidate.needs_course
        )
    )
    kinds.append(SAME_WINNERS)
    for name in names:
        if name.partition(":")[0] not in kinds:
            raise _no_measure(name, kinds)


def _no_measure(name: str, keys: Sequence[str]) -> MisuseError:
    return MisuseError(f"there is no measure `{name}`{suggestion(name, keys)} (there are {', '.join(keys) or 'none'})")


def sweep_document(sweep: Sweep) -> dict[str, Any]:
    """The sweep as plain data, without failures."""
    return {
        "settings": [
            {
                "varied": dict(choice.varied),
                **setting_data(report.setting),
                "wanted": report.requested,
                "games": len(report.records),
                "measures": [figure_data(measured) for measured in row if measured is not None],
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
        cells = [value for measured in row for value in _cells(measured)]
        writer.writerow([*choice.varied.values(), len(report.records), *cells])
    return text.getvalue()


def _cells(measured: Measured | None) -> tuple[float | None, float | None, float | None]:
    return (None, None, None) if measured is None else (measured.figure.mean, measured.figure.low, measured.figure.high)
