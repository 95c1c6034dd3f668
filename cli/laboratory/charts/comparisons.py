"""Charts of a comparison: how much every measure differs between A and B, with intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import altair as alt

from cli.laboratory.charts.plot import Grid, Plot, Row, across, data, tips, x_of
from cli.laboratory.charts.rows import BELOW, row_axis, with_texts
from cli.laboratory.inks import Inks
from cli.laboratory.wording import DASH, MINUS, number, percent, subject_of, value_of
from dsl.text.nouns import listed
from dsl.text.visible import visible
from interpreter.laboratory.comparing import VERDICTS, Comparison, MeasuredDifference

MOST_NAMED = 4
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
    names = listed([*names_shown]) if len(names_shown) <= MOST_NAMED else f"{len(names_shown)} of {figures} figures"
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
