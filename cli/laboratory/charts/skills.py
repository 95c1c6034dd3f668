"""The chart of skill: how often each bot of a ladder beats the one below it."""

from __future__ import annotations

from cli.laboratory.charts.plot import Grid, Plot, Row, across, data, tips, x_of
from cli.laboratory.charts.rows import BELOW, row_axis, with_texts
from cli.laboratory.inks import Inks
from cli.laboratory.report import Report
from cli.laboratory.wording import number, percent
from dsl.text.visible import visible

TIPS = {"text": "bots", "value": "wins", "interval": "interval", "even": "equal bots", "games": "games"}


def skill(report: Report, inks: Inks) -> Plot | None:
    """The share of the wins of each bot against the one below it; None if it was not measured."""
    if not report.skill:
        return None
    rows: list[Row] = [
        {
            "row": place, "text": visible(f"{step.better} against {step.weaker}"), "share": step.share,
            "low": step.low, "high": step.high, "value": percent(step.share), "at": step.even,
            "interval": f"{percent(step.low)} to {percent(step.high)}", "even": percent(step.even),
            "games": number(step.games),
        }
        for place, step in enumerate(report.skill)
    ]  # fmt: skip
    base = data(rows).encode(y=row_axis(), tooltip=tips(TIPS))
    layers = [
        base.mark_tick(color=inks.letters, thickness=2, size=18, yOffset=BELOW).encode(x=x_of("at")),
        base.mark_bar(size=8, opacity=0.35, cornerRadius=4, color=inks.accent, yOffset=BELOW).encode(
            x=x_of("low"), x2="high"
        ),
        base.mark_circle(size=110, opacity=1, color=inks.accent, yOffset=BELOW).encode(
            x=across("share", "share of the wins", form="%", domain=(0, 1), grid=True)
        ),
    ]
    separated = [step for step in report.skill if step.low > step.even]
    words = f"{len(separated)} of {len(report.skill)} bots are shown to be stronger than the one below them."
    note = "The dot is the share of the stronger bot, the bar its interval, the tick the share of equally strong bots."
    return Plot(
        "skill", "Skill", note, words, with_texts(layers, rows, inks),
        Grid(
            tuple(TIPS.values()),
            tuple(tuple(row[field] for field in TIPS) for row in rows),
        ),
        wide=True,
    )  # fmt: skip
