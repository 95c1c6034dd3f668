"""All charts of a report, in the order in which they are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import altair as alt

from cli.laboratory.charts.developments import branching, expected_wins, score_courses
from cli.laboratory.charts.origins import picks, points, usage
from cli.laboratory.charts.outcomes import lengths, margin, scores, win_shares
from cli.laboratory.charts.plot import BELOW, Grid, Plot, Row, across, data, row_axis, tips, with_texts, x_of
from cli.laboratory.inks import Inks
from cli.laboratory.wording import DASH, MINUS, number, percent, subject_of, value_of
from dsl.text.nouns import listed
from dsl.text.visible import visible
from interpreter.laboratory.comparing import VERDICTS, Comparison, MeasuredDifference
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


# ---- Charts of a comparison: how much every measure differs between A and B, with intervals


MAX_NAMED = 4
"""The maximum number of figures named in a sentence."""
VALUE_WIDTH = 150
"""The width reserved for the value and the verdict of a row."""
FIELDS = {
    "what": "text", "A": "one", "B": "other", "B - A": "shown", "95% interval": "interval", "verdict": "verdict",
}  # fmt: skip
"""The headings of the table of differences, and the fields that hold its values."""


def comparison_plots(comparison: Comparison, inks: Inks) -> Iterator[Plot]:
    """Up to two charts: differences of shares in percentage points, and all others relative to A."""
    shares = [difference for difference in comparison.differences if difference.measure.share]
    others = [difference for difference in comparison.differences if not difference.measure.share and difference.mean_a]
    if shares:
        yield _plot(
            "differences_of_shares", "Differences of shares",
            "B - A in percentage points: the dot is the difference in these games, the bar its 95% interval.",
            shares, False, inks,
        )  # fmt: skip
    if others:
        yield _plot(
            "relative_differences", "Other differences",
            "B - A in per cent of A: the dot is the difference in these games, the bar its 95% interval.",
            others, True, inks,
        )  # fmt: skip


def _plot(
    key: str, title: str, note: str, differences: Sequence[MeasuredDifference], relative: bool, inks: Inks
) -> Plot:
    rows = [_row(place, difference, relative) for place, difference in enumerate(differences)]
    reach = 1.1 * max([abs(row[end]) for row in rows for end in ("low", "high", "mean")]) or 0.01
    unit = "B - A, in per cent of A" if relative else "B - A, percentage points"
    x = across("mean", unit, form="+~%", domain=(-reach, reach), grid=True)
    base = data(rows).encode(
        y=row_axis(), tooltip=tips({field: name for name, field in FIELDS.items()}),
        color=alt.when(alt.datum.sure == True).then(alt.value(inks.accent)).otherwise(alt.value(inks.quiet)),  # noqa: E712
    )  # fmt: skip
    layers = [
        data([{"mean": 0}]).mark_rule(color=inks.letters, strokeWidth=1).encode(x=x_of("mean")),
        base.mark_bar(height=8, opacity=0.35, cornerRadius=4, yOffset=BELOW).encode(x=x_of("low"), x2="high"),
        base.mark_circle(size=110, opacity=1, yOffset=BELOW).encode(x=x),
    ]
    differing = [_name(difference) for difference in differences if difference.verdict in ("more", "less")]
    return Plot(
        key, title, note, _summary(differing, len(differences)),
        with_texts(layers, rows, inks, VALUE_WIDTH),
        Grid(tuple(FIELDS), tuple(tuple(row[field] for field in FIELDS.values()) for row in rows)),
        wide=True,
    )  # fmt: skip


def _summary(names_shown: Sequence[str], figures: int) -> str:
    if not names_shown:
        return "No difference is shown."
    names = listed([*names_shown]) if len(names_shown) <= MAX_NAMED else f"{len(names_shown)} of {figures} figures"
    return f"A difference is shown for {names}."


def _row(place: int, difference: MeasuredDifference, relative: bool) -> Row:
    share, estimate = difference.measure.share, difference.estimate
    scale = 1 / abs(difference.mean_a) if relative else 1.0
    low, high = (estimate.mean if bound is None else bound for bound in (estimate.low, estimate.high))
    bounds = DASH if estimate.low is None else f"{_signed(low, share)} to {_signed(high, share)}"
    verdict, is_sure = VERDICTS[difference.verdict], difference.verdict in ("more", "less")
    mean = _signed(estimate.mean, share)
    return {
        "row": place, "text": _name(difference),
        "mean": scale * estimate.mean, "low": scale * low, "high": scale * high,
        "one": value_of(difference.mean_a, share), "other": value_of(difference.mean_b, share), "shown": mean,
        "interval": bounds, "verdict": verdict, "sure": is_sure,
        "value": f"{mean}, {difference.verdict}" if is_sure else verdict,
    }  # fmt: skip


def _name(difference: MeasuredDifference) -> str:
    words, subject = visible(difference.measure.words), subject_of(difference.measure)
    return f"{words}, {subject}" if subject else words


def _signed(value: float, share: bool) -> str:
    """`+3.1%`, with the sign of a difference."""
    magnitude = percent(abs(value)) if share else number(abs(value))
    return f"{MINUS if value < 0 else '+'}{magnitude}"
