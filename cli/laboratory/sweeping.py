"""A sweep: the figures of the same game over a range of options, variants or numbers of players.

`-o goal=20..60:20 --variant none,short+open` is played in six settings: three goals, each without variants and with
both at once. `--variant` once more would be another axis. All settings use the same seeds, so that what differs between
them is less often chance.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import product
from math import prod
from pathlib import Path
from typing import Literal

from cli.arguments import read_players
from cli.errors import MisuseError, suggestion
from cli.progress import Stage, unless_interrupted
from dsl.lazy_dataclasses import dataclass
from dsl.text.files import JsonObject
from interpreter.analysis.workers import Watch
from interpreter.laboratory.comparing import SAME_WINNERS, same_winners
from interpreter.laboratory.measures import Measure, measures_of
from interpreter.laboratory.report import Measured, Report, at_a_loss_data, figure_data, setting_data
from interpreter.laboratory.running import Plan, file_in, simulated
from interpreter.laboratory.setting import Setting

# ---- The settings of a sweep: `goal=20..200:20`, `goal=20,50,100`, and all combinations of several of these


MAX_SETTINGS = 1_000
"""The maximum number of settings of one sweep."""

NONE = "none"
"""In a list of variants: without any of them."""

_RANGE = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})(?::(\d{1,9}))?", re.ASCII)


@dataclass(frozen=True)
class Choice:
    """The choices of one setting: the number of players or their seats, options, and variants.

    `varied` are the choices that differ between the settings of the sweep, by name.
    """

    players: int | tuple[str, ...] | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    variants: tuple[str, ...] = ()
    varied: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The choices that distinguish the setting: `goal=20, advanced=true`."""
        return ", ".join(f"{name}={value}" for name, value in self.varied.items())


@dataclass(frozen=True)
class _Axis:
    """One dimension of a sweep: what a flag chooses, the name under which it is shown, and all its values."""

    kind: Literal["players", "option", "variant"]
    name: str
    values: tuple[str, ...]


def choices(players: str | None, options: Mapping[str, str], variants: Sequence[str]) -> list[Choice]:
    """All combinations of the values that flags list; those of the last flag vary fastest. Raises MisuseError."""
    axes = list(_axes(players, options, variants))
    number = prod(len(axis.values) for axis in axes)
    if number > MAX_SETTINGS:
        raise MisuseError(f"a sweep has at most {MAX_SETTINGS} settings, not {number}; use a larger step")
    if number == 1:
        raise MisuseError(
            "there is nothing to vary: give a range such as -o NAME=20..200:20, or a list: -o NAME=1,2, "
            f"--variant {NONE},NAME, --players 3..5"
        )
    return [_choice(axes, values) for values in product(*(axis.values for axis in axes))]


def _axes(players: str | None, options: Mapping[str, str], variants: Sequence[str]) -> Iterator[_Axis]:
    if players is not None:
        yield _Axis("players", "players", tuple(_players(players)))
    for name, text in options.items():
        yield _Axis("option", name, tuple(values_of(f"--option {name}", text)))
    lists = [tuple(_listed("--variant", text)) for text in variants]
    several = sum(len(names) > 1 for names in lists) > 1
    for number, values in enumerate(lists, 1):
        yield _Axis("variant", f"variant {number}" if several else "variant", values)


def _choice(axes: Sequence[_Axis], values: Sequence[str]) -> Choice:
    chosen = list(zip(axes, values, strict=True))
    return Choice(
        next((read_players(value) for axis, value in chosen if axis.kind == "players"), None),
        {axis.name: value for axis, value in chosen if axis.kind == "option"},
        tuple(name for axis, value in chosen if axis.kind == "variant" and value != NONE for name in value.split("+")),
        {axis.name: value for axis, value in chosen if len(axis.values) > 1},
    )


def values_of(flag: str, text: str) -> list[str]:
    """The values that a flag lists: ranges with a step, and single ones. Raises MisuseError."""
    values = [value for part in _listed(flag, text) for value in _range(flag, part)]
    if len(set(values)) < len(values):
        raise MisuseError(f"{flag}: {text} has a value twice")
    return values


def _range(flag: str, text: str) -> list[str]:
    bounds = _RANGE.fullmatch(text)
    if bounds is None:
        if ".." in text:
            raise MisuseError(f"{flag}: a range is FIRST..LAST or FIRST..LAST:STEP, in whole numbers, not {text}")
        return [text]
    first, last, step = int(bounds[1]), int(bounds[2]), int(bounds[3] or 1)
    if last < first or step < 1:
        raise MisuseError(f"{flag}: a range goes up, such as 20..200:20, not {text}")
    if (last - first) // step >= MAX_SETTINGS:
        raise MisuseError(f"a sweep has at most {MAX_SETTINGS} settings; {text} has more")
    return [str(value) for value in range(first, last + 1, step)]


def _players(text: str) -> list[str]:
    """Several numbers of players as a range or a list; otherwise one number, or the names of seats."""
    parts = _listed("--players", text)
    are_numbers = all(part.isdecimal() or _RANGE.fullmatch(part) for part in parts)
    return values_of("--players", text) if are_numbers else [text]


def _listed(flag: str, text: str) -> list[str]:
    parts = [part.strip() for part in text.split(",")]
    if not all(parts):
        raise MisuseError(f"{flag}: there is nothing between two commas of {text!r}")
    return parts


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


def sweep_document(sweep: Sweep) -> JsonObject:
    """The sweep as plain data, without failures."""
    return {
        "settings": [
            {
                "varied": dict(choice.varied),
                **setting_data(report.setting),
                "wanted": report.requested,
                "games": len(report.records),
                "measures": [figure_data(measured) for measured in row if measured is not None],
                **at_a_loss_data(report.at_a_loss),
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
