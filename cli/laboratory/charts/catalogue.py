"""All charts of a report, in the order in which they are read."""

from __future__ import annotations

from collections.abc import Iterator

from cli.laboratory.charts.developments import branching, expected_wins, score_courses
from cli.laboratory.charts.origins import picks, points, usage
from cli.laboratory.charts.outcomes import lengths, margin, scores, win_shares
from cli.laboratory.charts.plot import Grid, Plot, Row, across, data, tips, x_of
from cli.laboratory.charts.rows import BELOW, row_axis, with_texts
from cli.laboratory.inks import Inks
from cli.laboratory.wording import number, percent
from dsl.text.visible import visible
from interpreter.laboratory.report import Report

SECTIONS = ("Who wins", "Skill", "Length and choice", "Over the game", "The rules in play")


def plots(report: Report, inks: Inks) -> dict[str, list[Plot]]:
    """The charts of each section of a report; sections without any have no entry."""
    makers = (_wins, _skill, _choices, _developments, _rules)
    charts_by_title = {title: [*make(report, inks)] for title, make in zip(SECTIONS, makers, strict=True)}
    return {title: charts for title, charts in charts_by_title.items() if charts}


def _wins(report: Report, inks: Inks) -> Iterator[Plot]:
    yield from _present(win_shares(report, inks))
    yield from scores(report, inks)
    yield from _present(margin(report, inks))


def _skill(report: Report, inks: Inks) -> Iterator[Plot]:
    yield from _present(skill(report, inks))


def _choices(report: Report, inks: Inks) -> Iterator[Plot]:
    yield from _present(lengths(report, inks), branching(report, inks))


def _developments(report: Report, inks: Inks) -> Iterator[Plot]:
    yield from _present(expected_wins(report, inks), score_courses(report, inks))


def _rules(report: Report, inks: Inks) -> Iterator[Plot]:
    yield from _present(points(report, inks), usage(report, inks), picks(report, inks))


def _present(*candidates: Plot | None) -> Iterator[Plot]:
    yield from (plot for plot in candidates if plot is not None)


# ---- The chart of skill: how often each bot of a ladder beats the one below it


TIPS = {"text": "bots", "value": "wins", "interval": "interval", "even": "equal bots", "games": "games"}


def skill(report: Report, inks: Inks) -> Plot | None:
    """The share of the wins of each bot against the one below it; None if it was not measured."""
    if not report.skill:
        return None
    rows: list[Row] = [
        {
            "row": place, "text": visible(f"{step.bot} against {step.opponent}"), "share": step.share,
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
