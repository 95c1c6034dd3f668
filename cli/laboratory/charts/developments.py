"""Charts of how values develop over the game, or depend on a varied setting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

import altair as alt

from cli.laboratory.charts.plot import (
    BAND,
    HEIGHT,
    Chart,
    Grid,
    Plot,
    Row,
    across,
    colour,
    dashes,
    data,
    layered,
    pointer,
    tips,
    upwards,
)
from cli.laboratory.inks import Inks
from cli.laboratory.sweeping import Sweep, varied_words
from cli.laboratory.wording import in_words, interval_of, number, percent, value_of
from dsl.lazy_dataclasses import dataclass
from dsl.text.nouns import listed
from dsl.text.numbers import is_number
from dsl.text.visible import visible
from interpreter.analysis.figures import Figure
from interpreter.laboratory.courses import PARTS
from interpreter.laboratory.report import Curve, Report

PROGRESS = "part of the game played"
SINGLE = "all games"
"""The name of the line in a chart with a single one, which has no legend."""


@dataclass(frozen=True)
class Swept:
    """How a measure depends on a setting.

    `setting` and `words` are the names of the setting and the measure. `points` are the values of the setting, with a
    figure for each subject: a seat, a team, or "" for all. Values are placed on a numeric axis if all are numbers,
    otherwise side by side.
    """

    key: str
    setting: str
    words: str
    share: bool
    points: tuple[tuple[str | float, Mapping[str, Figure]], ...]


# ---- over the game


def branching(report: Report, inks: Inks) -> Plot | None:
    """The number of legal moves over the game."""
    if not report.branching:
        return None
    values = {(part + 0.5) / PARTS: peak for part, peak in enumerate(report.branching)}
    most = max(values, key=lambda at: values[at].mean)
    peak = values[most].mean
    return Plot(
        "branching", "Legal moves over the game",
        "The mean number of legal moves of a decision, with its 95% interval.",
        f"From {number(report.branching[0].mean)} at the start to {number(report.branching[-1].mean)} at the end; the "
        f"most, {number(peak)}, after {most:.0%} of the game.",
        _over_the_game({SINGLE: values}, False, "legal moves per decision", inks),
        _moments({"legal moves": values}, False),
    )  # fmt: skip


def expected_wins(report: Report, inks: Inks) -> Plot | None:
    """The expected share of the win of each seat over the game; None with a single seat, where it means little."""
    if len(report.shares) < 2:
        return None
    return _curves(
        report.shares, True, inks, "expected_wins", "Expected share of the win",
        "The part of the win that a seat may expect if all play on at random from there: mean and 95% interval.",
        "expected share of the win",
    )  # fmt: skip


def score_courses(report: Report, inks: Inks) -> Plot | None:
    """The score of each seat over the game, as if the game were over."""
    criteria = report.setting.criteria
    return _curves(
        report.scores, False, inks, "score_courses", "Scores over the game",
        "The score a seat would have if the game was over: mean and 95% interval.",
        visible(criteria[0].words) if criteria else "",
    )  # fmt: skip


def _curves(
    curves: Sequence[Curve], share: bool, inks: Inks, key: str, title: str, note: str, words: str
) -> Plot | None:
    if not curves:
        return None
    values = {curve.seat: {at / PARTS: figure for at, figure in enumerate(curve.moments)} for curve in curves}
    ends = [f"{curve.seat} has {value_of(curve.moments[-1].mean, share)} at the end" for curve in curves]
    halves = [f"{curve.seat} {value_of(curve.moments[PARTS // 2].mean, share)}" for curve in curves]
    return Plot(
        key, title, note, f"{listed(ends)}; half-way {listed(halves)}.",
        _over_the_game(values, share, words, inks), _moments(values, share), tuple(values), lines=True,
    )  # fmt: skip


def _over_the_game(values: Mapping[str, Mapping[float, Figure]], share: bool, words: str, inks: Inks) -> Chart:
    x = across("at", PROGRESS, form="%", domain=(0, 1))
    labels = {at: f"{at:.0%} of the game" for at in next(iter(values.values()))}
    return _lines(values, labels, "moment", share, x, words, inks)


def _lines(
    values: Mapping[str, Mapping[float, Figure]], labels: Mapping[float, str], label: str, share: bool, x: alt.X,
    words: str, inks: Inks,
) -> Chart:  # fmt: skip
    """A line for each side, with its interval as a band; the pointer shows the values of all sides."""
    rows = [_row(side, at, figure) for side, curve in values.items() for at, figure in curve.items()]
    wide = [
        {"at": at, "label": text}
        | {f"of{place}": in_words(curve[at], share) for place, curve in enumerate(values.values())}
        for at, text in labels.items()
    ]
    names = {"label": label} | {f"of{place}": side if side != SINGLE else words for place, side in enumerate(values)}
    sides = [*values]
    y = upwards("mean", words, form="%" if share else "", zero=not share)
    base = data(rows).encode(x=x, y=y)
    single = sides == [SINGLE]
    band = base.mark_area(opacity=BAND).encode(y=alt.Y("low:Q"), y2="high")
    line = base.mark_line(strokeWidth=2.2, point=alt.OverlayMarkDef(size=28) if label != "moment" else False)
    if single:
        band, line = (layer.encode(color=alt.value(inks.accent)) for layer in (band, line))
    else:
        band = band.encode(color=colour(inks, sides))
        line = line.encode(color=colour(inks, sides), strokeDash=dashes(inks, sides))
    return layered([band, line, *pointer(wide, x, names, inks)], HEIGHT)


def _row(side: str, at: float | str, figure: Figure) -> Row:
    low, high = (figure.mean if bound is None else bound for bound in (figure.low, figure.high))
    return {"side": side, "at": at, "mean": figure.mean, "low": low, "high": high}


def _moments(values: Mapping[str, Mapping[float, Figure]], share: bool) -> Grid:
    moments = [*next(iter(values.values()))]
    return Grid(
        (PROGRESS, *values),
        tuple((percent(at), *(in_words(curve[at], share) for curve in values.values())) for at in moments),
    )


# ---- over a setting


def sweep(swept: Swept, inks: Inks) -> Plot:
    """A measure over the values of a setting: lines if they are numbers, otherwise dots with their intervals."""
    subjects = dict.fromkeys(subject for _, figures in swept.points for subject in figures)
    values = {
        subject or SINGLE: {at: figures[subject] for at, figures in swept.points if subject in figures}
        for subject in subjects
    }
    numbers = {at: heading for at, heading in swept.points if not isinstance(at, str)}
    chart = _swept_lines(swept, values, inks) if len(numbers) == len(swept.points) > 1 else _dots(swept, values, inks)
    words, setting = visible(swept.words), visible(swept.setting)
    headings = (setting, *(f"{visible(subject) or words}{part}" for subject in subjects for part in ("", ", interval")))
    rows = tuple(
        (_name(at), *(text for subject in subjects for text in _cells(figures.get(subject), swept.share)))
        for at, figures in swept.points
    )
    ends = [
        f"{'' if side == SINGLE else f'{side} '}from {value_of(next(iter(curve.values())).mean, swept.share)} to "
        f"{value_of([*curve.values()][-1].mean, swept.share)}"
        for side, curve in values.items()
    ]
    first, last = _name(swept.points[0][0]), _name(swept.points[-1][0])
    return Plot(
        swept.key, f"{words[:1].upper()}{words[1:]} by {setting}", "Means with their 95% intervals.",
        f"{words}: {listed(ends)}, from {setting} {first} to {last}.",
        chart, Grid(headings, rows), () if [*values] == [SINGLE] else tuple(values), lines=True,
    )  # fmt: skip


def _name(value: str | float) -> str:
    return visible(value) if isinstance(value, str) else number(value)


def _cells(figure: Figure | None, share: bool) -> tuple[str, str]:
    return ("", "") if figure is None else (value_of(figure.mean, share), interval_of(figure, share))


def _swept_lines(swept: Swept, values: Mapping[str, Mapping[str | float, Figure]], inks: Inks) -> Chart:
    curves = {
        side: {at: figure for at, figure in curve.items() if not isinstance(at, str)} for side, curve in values.items()
    }
    ats = sorted({at for curve in curves.values() for at in curve})
    complete = {side: curve for side, curve in curves.items() if len(curve) == len(ats)}
    setting, words = visible(swept.setting), visible(swept.words)
    x = across("at", setting, domain=(ats[0], ats[-1]))
    return _lines(complete, {at: number(at) for at in ats}, setting, swept.share, x, words, inks)


def _dots(swept: Swept, values: Mapping[str, Mapping[str | float, Figure]], inks: Inks) -> Chart:
    rows = [
        _row(side, _name(at), figure) | {"shown": in_words(figure, swept.share)}
        for side, curve in values.items()
        for at, figure in curve.items()
    ]
    sides = [*values]
    single = sides == [SINGLE]
    x = alt.X("at:N", sort=None, axis=alt.Axis(title=visible(swept.setting), labelAngle=0, labelLimit=110))
    y = upwards("mean", visible(swept.words), form="%" if swept.share else "", zero=not swept.share)
    base = data(rows).encode(x=x, tooltip=tips({"at": visible(swept.setting), "side": "who", "shown": "mean"}))
    base = base.encode(color=alt.value(inks.accent) if single else colour(inks, sides, symbol="circle"))
    if not single:
        base = base.encode(xOffset=alt.XOffset("side:N", sort=sides))
    layers = [
        base.mark_bar(width=8, opacity=0.3, cornerRadius=4).encode(y=alt.Y("low:Q"), y2="high"),
        base.mark_circle(size=110, opacity=1).encode(y=y),
    ]
    return layered(layers, HEIGHT)


# ---- Charts of a sweep: one for each measure, with a line for each seat or team it is about


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
