"""Charts of how games end: who wins, with what scores, by how much, after how long."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import exp, floor, log10, pi, sqrt
from typing import Literal

import altair as alt

from cli.laboratory.charts.plot import (
    BAND,
    HEIGHT,
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
from cli.laboratory.wording import in_words, interval_of, number, percent, subject_of, value_of
from dsl.lazy_dataclasses import dataclass
from dsl.text.nouns import listed
from dsl.text.visible import visible
from interpreter.analysis.figures import Figure
from interpreter.laboratory.measures import INTERVALS, Measure
from interpreter.laboratory.report import Measured, Report

UNITS = 20
"""The number of units into which the range of scores is divided; shares of smoothed scores are per unit."""
MIN_BARS = 5
"""The minimum number of bars for which a histogram leaves room."""
STEP = 42
"""The height of a row of a chart with one row for each seat."""


# ---- who wins


def win_shares(report: Report, inks: Inks) -> Plot | None:
    """The share of the games that each seat and each team wins, with its interval, beside an even share."""
    win_measures = [
        measured for measured in report.measures if measured.measure.of_wins or measured.measure.key == "nobody"
    ]
    if not win_measures:
        return None
    even = report.even_share
    sides = [subject_of(measured.measure) for measured in win_measures]
    rows = [_share_row(side, measured) for side, measured in zip(sides, win_measures, strict=True)]
    most = min(1.0, 1.22 * max([row["high"] for row in rows] + [even or 0.0]))
    x = across("share", "share of the games won", form=".0%", domain=(0, most), grid=True)
    y = alt.Y("side:N", sort=None, axis=alt.Axis(title=None, labelFontSize=13, labelColor=inks.letters, labelLimit=150))
    base = data(rows).encode(y=y, color=colour(inks, sides, legend=False), tooltip=tips(SHARE_TIPS))
    layers = [
        base.mark_bar(height=8, opacity=0.3, cornerRadius=4).encode(x=alt.X("low:Q"), x2="high"),
        base.mark_circle(size=130, opacity=1).encode(x=x),
        base.mark_text(align="left", dx=9, fontSize=12.5, fontWeight=600).encode(
            x=alt.X("high:Q"), text="shown:N", color=alt.value(inks.letters)
        ),
    ]
    note = "The dot is the share in these games, the bar its 95% interval."
    if even is not None:
        layers.insert(0, _even_rule(even, inks))
        note += f" The dashed line is an even share, {percent(even)}."
    return Plot(
        "win_shares", "Games won", note,
        " ".join((listed([f"{row['side']} wins {row['shown']}" for row in rows]), "of the games.")),
        layered(layers, STEP * len(rows)),
        Grid(
            ("side", "games won", "95% interval", "games"),
            tuple((side, percent(measured.figure.mean), interval_of(measured.figure, True), number(measured.games))
                  for side, measured in zip(sides, win_measures, strict=True)),
        ),
    )  # fmt: skip


SHARE_TIPS = {"side": "who", "shown": "games won", "interval": "95% interval", "games": "games"}


def _share_row(side: str, measured: Measured) -> Row:
    figure = measured.figure
    low, high = (figure.mean if bound is None else bound for bound in (figure.low, figure.high))
    return {
        "side": side, "share": figure.mean, "low": low, "high": high, "shown": percent(figure.mean),
        "interval": interval_of(figure, True), "games": number(measured.games),
    }  # fmt: skip


def _even_rule(even: float, inks: Inks) -> alt.Chart:
    rule: alt.Chart = data([{"share": even}]).mark_rule(color=inks.quiet, strokeDash=[4, 4], strokeWidth=1.5)
    return rule.encode(x=alt.X("share:Q"))


# ---- scores


def scores(report: Report, inks: Inks) -> Iterator[Plot]:
    """Distributions of the scores of each seat, for each criterion of `winner` that is a number."""
    for place, criterion in enumerate(report.setting.criteria, 1):
        of_seats = [
            measured.measure for measured in report.measures if measured.measure.key.startswith(f"score{place}:")
        ]
        if of_seats and not criterion.condition:
            yield _scores(f"scores{place}" if place > 1 else "scores", visible(criterion.words), of_seats, report, inks)


def _scores(key: str, words: str, measures: Sequence[Measure], report: Report, inks: Inks) -> Plot:
    spread = {subject_of(measure): sorted(measure.values(report.records)) for measure in measures}
    everything = [value for values in spread.values() for value in values]
    least, most = min(everything), max(everything)
    counted = is_counted(everything, len(report.records))
    unit = 1 if counted else nice((most - least) / UNITS)
    curve = counts if counted else smoothed
    points = {seat: [(at, unit * share) for at, share in curve(values, least, most)] for seat, values in spread.items()}
    rows = [
        {"at": at, "share": part, "side": seat} for seat, curve_points in points.items() for at, part in curve_points
    ]
    moments = [at for at, _ in next(iter(points.values()))]
    wide = [
        {"at": at, "moment": number(round(at, 1))}
        | {f"of{place}": percent(curve_points[index][1]) for place, curve_points in enumerate(points.values())}
        for index, at in enumerate(moments)
    ]
    names = {"moment": words} | {f"of{place}": seat for place, seat in enumerate(points)}
    per = (
        "share of the games"
        if counted
        else f"share of the games, per {'point' if unit == 1 else f'{number(unit)} points'}"
    )
    x = across("at", words, domain=(least, most if most > least else least + 1), integral=counted)
    y = upwards("share", per, form="%")
    base = data(rows).encode(x=x, y=y)
    shape: Literal["linear", "monotone"] = "linear" if counted else "monotone"
    sides = [*spread]
    layers = [
        base.mark_area(opacity=BAND / 2, interpolate=shape).encode(
            color=colour(inks, sides), y=alt.Y("share:Q", stack=None)
        ),
        base.mark_line(strokeWidth=2.2, interpolate=shape).encode(
            color=colour(inks, sides), strokeDash=dashes(inks, sides)
        ),
        *pointer(wide, x, names, inks),
    ]
    means = {subject_of(measure): INTERVALS[measure.kind](spread[subject_of(measure)]) for measure in measures}
    return Plot(
        key, f"Scores: {words}",
        "How often each score occurs." if counted else "How often scores occur, smoothed over their neighbours.",
        f"On average {listed([f'{seat} has {in_words(mean, False)}' for seat, mean in means.items()])}.",
        layered(layers, HEIGHT),
        Grid(
            ("seat", "mean", "95% interval", "least", "a quarter below", "median", "a quarter above", "most"),
            tuple(_spread_row(seat, means[seat], values) for seat, values in spread.items()),
        ),
        tuple(sides), lines=True,
    )  # fmt: skip


def _spread_row(seat: str, mean: Figure, values: Sequence[float]) -> tuple[str, ...]:
    parts = (number(quantile(values, part)) for part in (0.0, 0.25, 0.5, 0.75, 1.0))
    return (seat, number(mean.mean), interval_of(mean, False), *parts)


# ---- one value a game


def margin(report: Report, inks: Inks) -> Plot | None:
    """A histogram of how far winners are ahead."""
    return _histogram(report, inks, "margin", "Margin", "How far the winners are ahead of the best of the others.")


def lengths(report: Report, inks: Inks) -> Plot | None:
    """A histogram of how long games take."""
    return _histogram(report, inks, "decisions", "Length", "How many decisions games take.")


def _histogram(report: Report, inks: Inks, key: str, title: str, note: str) -> Plot | None:
    measured = next((measured for measured in report.measures if measured.measure.key == key), None)
    if measured is None:
        return None
    words = visible(measured.measure.words)
    values = sorted(measured.measure.values(report.records))
    bars = histogram(values)
    integral = all(float(value).is_integer() for value in values)
    # Bars of whole numbers are centred on them: the bar of 3 goes from 2.5 to 3.5.
    shift = 0.5 if integral else 0.0
    rows: list[Row] = [
        {
            "from": bar.first - shift, "to": bar.last + shift, "share": bar.games / len(values),
            "range": number(bar.first) if bar.first == bar.last else f"{number(bar.first)} to {number(bar.last)}",
            "shown": percent(bar.games / len(values)), "games": number(bar.games),
        }
        for bar in bars
    ]  # fmt: skip
    room = max(0, MIN_BARS - len(bars)) / 2 * (rows[0]["to"] - rows[0]["from"])
    x = across("from", words, domain=(rows[0]["from"] - room, rows[-1]["to"] + room), integral=integral)
    tooltip = tips({"range": words, "shown": "share of the games", "games": "games"})
    mean = measured.figure.mean
    label = [{"from": mean, "label": f"mean {value_of(mean, measured.measure.share)}"}]
    right = mean > (rows[0]["from"] + rows[-1]["to"]) / 2
    layers = [
        data(rows).mark_bar(color=inks.accent, opacity=0.85, binSpacing=1, cornerRadiusEnd=2).encode(
            x=x, x2="to", y=upwards("share", "share of the games", form="%"), y2=alt.datum(0), tooltip=tooltip
        ),
        data(label).mark_rule(color=inks.letters, strokeDash=[4, 3], strokeWidth=1.5).encode(x=alt.X("from:Q")),
        data(label).mark_text(
            align="right" if right else "left", dx=-6 if right else 6, y=-2, baseline="bottom", fontSize=12.5,
            fontWeight=600, color=inks.letters,
        ).encode(x=alt.X("from:Q"), text="label:N"),
    ]  # fmt: skip
    parts = [("mean", number(mean)), ("95% interval", interval_of(measured.figure, False))]
    ends = {"least": 0.0, "5% below": 0.05, "median": 0.5, "5% above": 0.95, "most": 1.0}
    parts += [(name, number(quantile(values, part))) for name, part in ends.items()]
    return Plot(
        key, title, note,
        f"{words}: {in_words(measured.figure, False)} on average, from {number(values[0])} to {number(values[-1])}.",
        layered(layers, HEIGHT - 30),
        Grid((words, *(name for name, _ in parts)), (("value", *(tooltip for _, tooltip in parts)),)),
    )  # fmt: skip


# ---- Distributions of values over games: counts or, where there are many different values, smoothed curves


FEW_VALUES, MAX_VALUES = 12, 40
"""The widest ranges of whole numbers in which each is counted: in any case, and if there are many games."""
SMOOTH_GAMES_PER_VALUE = 40
"""The number of games per value that makes counts look smooth."""
CURVE_POINTS = 96
"""The number of points of a smoothed curve."""
MAX_BARS = 30


@dataclass(frozen=True)
class Bar:
    """A bar of a histogram: the values from `first` to `last`, and how many games have one of them."""

    first: float
    last: float
    games: int


def is_counted(values: Sequence[float], games: int) -> bool:
    """True if the games with each value can be counted: they are whole numbers in a small range."""
    span = max(values) - min(values)
    few = span <= FEW_VALUES or (span <= MAX_VALUES and games >= SMOOTH_GAMES_PER_VALUE * span)
    return few and all(float(value).is_integer() for value in values)


def counts(values: Sequence[float], least: float, most: float) -> list[tuple[float, float]]:
    """The share of the games with each whole number from `least` to `most`."""
    frequencies = Counter(values)
    return [(value, frequencies[value] / len(values)) for value in range(int(least), int(most) + 1)]


def smoothed(values: Sequence[float], least: float, most: float) -> list[tuple[float, float]]:
    """A kernel density estimate from `least` to `most`, with normal kernels of Silverman's bandwidth."""
    frequencies = Counter(values)
    width = _bandwidth(sorted(values)) or (most - least) / CURVE_POINTS or 1.0
    scale = 1 / (len(values) * width * sqrt(2 * pi))
    points = [least + (most - least) * index / (CURVE_POINTS - 1) for index in range(CURVE_POINTS)]
    return [
        (at, scale * sum(count * exp(-0.5 * ((at - value) / width) ** 2) for value, count in frequencies.items()))
        for at in points
    ]


def _bandwidth(ordered: Sequence[float]) -> float:
    """The bandwidth of the kernels: Silverman's rule of thumb."""
    mean = sum(ordered) / len(ordered)
    deviation = sqrt(sum((value - mean) ** 2 for value in ordered) / len(ordered))
    spread = (quantile(ordered, 0.75) - quantile(ordered, 0.25)) / 1.34
    # If more than half of the values are equal, the quartiles coincide; the deviation then says more than no spread at
    # all.
    return float(0.9 * (min(deviation, spread) or deviation) * len(ordered) ** -0.2)


def quantile(ordered: Sequence[float], part: float) -> float:
    """The value below which a part of the ordered values lies, interpolated if it is between two of them."""
    place = part * (len(ordered) - 1)
    lower = floor(place)
    upper = min(lower + 1, len(ordered) - 1)
    return ordered[lower] + (ordered[upper] - ordered[lower]) * (place - lower)


def histogram(values: Sequence[float]) -> list[Bar]:
    """Bars of equal width that hold all values.

    The width is 1, 2 or 5 times a power of ten, and a whole number if all values are.
    """
    least, most = min(values), max(values)
    integral = all(float(value).is_integer() for value in values)
    width = nice((most - least) / MAX_BARS)
    width = max(1, width) if integral else width
    first = floor(least / width)
    games_by_bar = Counter(floor(value / width) - first for value in values)
    return [
        Bar((first + index) * width, (first + index + 1) * width - (1 if integral else 0), games_by_bar[index])
        for index in range(max(games_by_bar) + 1)
    ]


def nice(width: float) -> float:
    """The next number that is 1, 2 or 5 times a power of ten."""
    if width <= 0:
        return 1.0
    power = 10.0 ** floor(log10(width))
    return next(times * power for times in (1, 2, 5, 10) if times * power >= width * (1 - 1e-9))
