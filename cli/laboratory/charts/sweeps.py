"""Charts of a sweep: one for each measure, with a line for each seat or team it is about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from cli.laboratory.charts.developments import Swept, sweep
from cli.laboratory.charts.plot import Plot
from cli.laboratory.inks import Inks
from cli.laboratory.sweeping import Sweep, varied_words
from dsl.text.numbers import is_number
from interpreter.analysis.figures import Figure


def sweep_plots(result: Sweep, inks: Inks) -> Iterator[Plot]:
    """The charts of all measures that are shown; none without games."""
    varied = varied_words(result)
    setting = " and ".join(varied[0])
    rows = [*zip(varied, result.rows(), strict=True)]
    for (key, words, share), group in groupby(
        enumerate(result.measures), key=lambda entry: (entry[1].key.partition(":")[0], entry[1].words, entry[1].share)
    ):
        members = [*group]
        points: list[tuple[str | float, dict[str, Figure]]] = []
        for chosen, (_, _, row) in rows:
            figures = {measure.subject or "": measured.figure for place, measure in members if (measured := row[place])}
            if figures:
                points.append((_value(chosen), figures))
        if points:
            yield sweep(Swept(f"sweep_{key}", setting, words, share, tuple(points)), inks)


def _value(varied: Mapping[str, str]) -> str | float:
    """The value that was chosen: as a number if it is one, otherwise as text."""
    values = [*varied.values()]
    only = values[0].removeprefix("-") if len(values) == 1 else ""
    return float(values[0]) if is_number(only) else ", ".join(values)
