"""The common parts of all charts: their style, their legends, their axes, and the figures beside them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from textwrap import wrap
from typing import Any

import altair as alt
import vl_convert
from altair.utils.schemapi import disable_debug_mode

from cli.laboratory.inks import Inks
from cli.laboratory.wording import percent
from dsl.lazy_dataclasses import dataclass

WIDTH, HEIGHT = 640, 260
"""The size of a chart in its own file; on a page it is as wide as possible."""

LETTERS = 96
"""The number of characters in a line of the subtitle."""

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', Arial, sans-serif"
BAND = 0.16
"""The opacity of the band of an interval."""

disable_debug_mode()  # altair validates each part of a chart, which takes a third of the time; tests validate the whole

Row = dict[str, Any]
Chart = alt.LayerChart


@dataclass(frozen=True)
class Grid:
    """A table of figures: headings, and rows of texts that begin with what they are about."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Plot:
    """A chart with the texts and the table that go with it.

    `key` names its file, `note` says what it shows, `words` is a summary for those who cannot see it. `legend` lists
    the sides whose colours it uses; `lines`: it shows them as lines with dashes. `wide`: it needs the full width of a
    page.
    """

    key: str
    title: str
    note: str
    words: str
    chart: Chart
    grid: Grid
    legend: tuple[str, ...] = ()
    lines: bool = False
    wide: bool = False


def finished(plot: Plot, inks: Inks, validate: bool = False) -> dict[str, Any]:
    """The Vega-Lite specification of a plot: with its title, unless the page shows it.

    Tests `validate` it against the schema of Vega-Lite, which takes a while.
    """
    # All at once, as altair copies the whole chart for every change.
    if inks.on_page:
        chart = plot.chart.properties(width="container", config=_style(inks))
    else:
        subtitle = wrap(plot.note, LETTERS)
        title = alt.TitleParams(plot.title, subtitle=subtitle, anchor="start", frame="bounds", offset=18)
        chart = plot.chart.properties(width=WIDTH, title=title, config=_style(inks))
    spec: dict[str, Any] = chart.to_dict(validate=validate)
    return spec


def _style(inks: Inks) -> alt.Config:
    return alt.Config(
        font=FONT,
        background="transparent" if inks.on_page else inks.ground,
        padding=0 if inks.on_page else 16,
        view=alt.ViewConfig(stroke=None),
        title=alt.TitleConfig(
            color=inks.letters, fontSize=17, fontWeight=600, subtitleColor=inks.quiet, subtitleFontSize=12.5,
            subtitlePadding=5,
        ),
        legend=alt.LegendConfig(
            labelColor=inks.letters, labelFontSize=12.5, symbolStrokeWidth=3, symbolSize=180, columnPadding=18
        ),
        axis=alt.AxisConfig(
            labelColor=inks.quiet, titleColor=inks.quiet, gridColor=inks.grid, domainColor=inks.rim,
            tickColor=inks.rim, labelFontSize=12, titleFontSize=12, titleFontWeight="normal", labelPadding=6,
            titlePadding=10, ticks=False, domain=False, labelFlush=False, labelOverlap=True,
        ),
    )  # fmt: skip


# ---- scales and axes


def colour(inks: Inks, sides: Sequence[str], legend: bool = True, symbol: str = "stroke") -> alt.Color:
    """The colours of sides, by the field `side`."""
    scale = alt.Scale(domain=[*sides], range=[inks.marks.get(side, inks.quiet) for side in sides])
    return alt.Color("side:N", scale=scale, legend=_legend(inks, legend, symbol))


def dashes(inks: Inks, sides: Sequence[str]) -> alt.StrokeDash:
    """The dashes of the lines of sides, by the field `side`."""
    scale = alt.Scale(domain=[*sides], range=[[*inks.dashes.get(side, ())] or [1, 0] for side in sides])
    return alt.StrokeDash("side:N", scale=scale, legend=_legend(inks, True, "stroke"))


def _legend(inks: Inks, has_legend: bool, symbol: str) -> alt.Legend | None:
    if not has_legend or inks.on_page:
        return None
    return alt.Legend(orient="top", title=None, offset=40, symbolType=symbol, symbolOpacity=1)


def across(
    field: str, title: str, *, form: str = "", domain: Sequence[float] | None = None, grid: bool = False,
    integral: bool = False,
) -> alt.X:  # fmt: skip
    """A horizontal axis of numbers with about five labels; only at whole numbers if the values are `integral`."""
    scale = alt.Scale(zero=False, nice=False) if domain is None else alt.Scale(domain=[*domain], nice=False)
    axis = alt.Axis(
        title=title, format=form or alt.Undefined, grid=grid, tickCount=5, domain=True,
        tickMinStep=1 if integral else alt.Undefined,
    )  # fmt: skip
    return alt.X(f"{field}:Q", scale=scale, axis=axis)


def upwards(field: str, title: str, *, form: str = "", zero: bool = True) -> alt.Y:
    """A vertical axis of numbers, with its title written horizontally above it."""
    axis = alt.Axis(
        title=title, format=form or alt.Undefined, tickCount=5, titleAngle=0, titleAlign="left", titleAnchor="end",
        titleX=0, titleY=-20, titleBaseline="bottom",
    )  # fmt: skip
    return alt.Y(f"{field}:Q", scale=alt.Scale(zero=zero, nice=True), axis=axis)


# ---- tooltips


def tips(names: Mapping[str, str]) -> list[alt.Tooltip]:
    """A tooltip of texts: fields with their names."""
    return [alt.Tooltip(f"{field}:N", title=title) for field, title in names.items()]


def pointer(rows: Sequence[Row], x: alt.X, names: Mapping[str, str], inks: Inks) -> list[alt.Chart]:
    """A vertical line at the row nearest to the pointer, with a tooltip; each row has a value `at`, in ascending order.

    Around each row an invisible stripe receives the pointer, because the selection of the nearest point, which
    Vega-Lite offers, has tooltips without values. A chart in its own file has no pointer.
    """
    if len(rows) < 2 or not inks.on_page:
        return []
    ats = [float(row["at"]) for row in rows]
    middles = [(left_at + right_at) / 2 for left_at, right_at in pairwise(ats)]
    bounds = zip([ats[0], *middles], [*middles, ats[-1]], strict=True)
    stripes = [{**row, "from": first, "to": last} for row, (first, last) in zip(rows, bounds, strict=True)]
    pointed = alt.selection_point(on="pointerover", fields=["at"], empty=False, clear="pointerout")
    line = data([{"at": at} for at in ats]).mark_rule(color=inks.letters, strokeWidth=1)
    stripe = data(stripes).mark_rect(opacity=0).encode(x=x_of("from"), x2="to", tooltip=tips(names))
    return [
        line.encode(x=x, opacity=alt.when(pointed).then(alt.value(0.5)).otherwise(alt.value(0))),
        stripe.add_params(pointed),
    ]


def x_of(field: str) -> alt.X:
    """A field on the horizontal axis that another layer defines."""
    return alt.X(f"{field}:Q")


def data(rows: Sequence[Row]) -> alt.Chart:
    """A layer of rows."""
    return alt.Chart(alt.InlineData(values=[*rows]))


def layered(layers: Sequence[alt.Chart], height: int) -> Chart:
    """Layers on top of each other, the first at the bottom."""
    return alt.LayerChart(layer=[*layers], height=height)


# ---- Charts with many rows: each has its text at the left and its value at the right, above its marks
#
# So texts can use the full width, and are readable on a phone as well.


STEP = 42
"""The height of a row."""
BELOW = STEP / 5
"""How far below the middle of its row a mark is drawn."""


def row_axis() -> alt.Y:
    """The axis of rows, by their field `row`, from the top down."""
    return alt.Y("row:O", axis=None, sort=None, scale=alt.Scale(paddingInner=0, paddingOuter=0))


def with_texts(layers: Sequence[alt.Chart], rows: Sequence[Row], inks: Inks, room: int = 70) -> Chart:
    """A chart of layers, with the `text` and the `value` of each row; `room` is the width reserved for the value.

    A value of 0 % is in the colour of warnings.
    """
    base = data(rows).encode(y=row_axis())
    style: dict[str, Any] = {"baseline": "bottom", "yOffset": -1, "fontSize": 12.5}
    never = alt.when(alt.datum.value == percent(0)).then(alt.value(inks.warning))
    named = base.mark_text(align="left", limit=alt.ExprRef(f"width - {room}"), color=inks.letters, **style)
    value = base.mark_text(align="right", fontWeight=600, **style)
    texts = [
        named.encode(text="text:N", x=alt.value(0)),
        value.encode(text="value:N", x=alt.value("width"), color=never.otherwise(alt.value(inks.letters))),
    ]
    return layered([*layers, *texts], STEP * len(rows))


# ---- Charts as pictures: SVG that any program can show, on white


CLIP = re.compile(r'(<clipPath id="|clip-path="url\(#)(clip\d+)')
"""The names of clip paths in a picture, which the library numbers across all pictures that it draws."""


def picture(key: str, spec: Mapping[str, Any]) -> str:
    """Draw a chart from its specification; `key` makes its names differ from those of other pictures on a page."""
    text = str(vl_convert.vegalite_to_svg(dict(spec)))
    clip_names = dict.fromkeys(match[2] for match in CLIP.finditer(text))
    names = {name: f"{key}-{number}" for number, name in enumerate(clip_names)}
    return CLIP.sub(lambda match: match[1] + names[match[2]], text)


def pictures(plots: Iterable[Plot], inks: Inks) -> dict[str, str]:
    """Charts by key, each with its title."""
    return {plot.key: picture(plot.key, finished(plot, inks)) for plot in plots}
