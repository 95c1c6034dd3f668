"""Charts with a row for each rule or kind of piece: where points come from, what is used, what is chosen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import altair as alt

from cli.laboratory.charts.plot import (
    BELOW,
    Chart,
    Grid,
    Plot,
    Row,
    across,
    colour,
    data,
    row_axis,
    tips,
    with_texts,
    x_of,
)
from cli.laboratory.inks import Inks
from cli.laboratory.wording import in_words, interval_of, number, percent, rule_words
from dsl.lazy_dataclasses import dataclass
from dsl.text.visible import visible
from interpreter.analysis.figures import Figure, share
from interpreter.laboratory.report import Report
from interpreter.laboratory.usage import Usage

MAX_ROWS = 25
"""The maximum number of rows of a chart; the table has all rows."""
MAX_NAMED = 5
"""The maximum number of parts of the rules named in a sentence."""
THICK = 12
"""The height of a bar."""


def points(report: Report, inks: Inks) -> Plot | None:
    """The points that each rule gives, by seat."""
    if not report.points:
        return None
    seats = [seat for seat, _ in report.points[0].seats]
    sources = report.points[:MAX_ROWS]
    rows: list[Row] = [
        {
            "row": place, "side": seat, "seat": seats.index(seat), "points": amount, "reason": visible(source.text),
            "place": visible(source.location), "shown": number(amount), "games": in_words(source.games, True),
            "part": percent(source.part),
        }
        for place, source in enumerate(sources) for seat, amount in source.seats
    ]  # fmt: skip
    texts = [
        {"row": place, "text": visible(source.text), "value": percent(source.part)}
        for place, source in enumerate(sources)
    ]
    names = {
        "side": "who", "shown": "points per game", "reason": "reason", "place": "place", "part": "part of all points",
        "games": "share of the games",
    }  # fmt: skip
    x = across("points", "points per game, all seats together", grid=True).scale(zero=True, nice=True)
    bars = data(rows).mark_bar(size=THICK, yOffset=BELOW).encode(
        x=x, y=row_axis(), color=colour(inks, seats, symbol="square"), order=alt.Order("seat:Q"), tooltip=tips(names)
    )  # fmt: skip
    most = sources[0]
    return Plot(
        "points", "Where points come from",
        f"Points per game by their reason, and its part of all points.{_rest(len(report.points))}",
        f"Most points, {percent(most.part)} of all, are given for: {visible(most.text)} ({visible(most.location)}).",
        with_texts([bars], texts, inks),
        Grid(
            ("reason", "place", *seats, "part of all points", "share of the games"),
            tuple(
                (visible(rule.text), visible(rule.location), *(number(amount) for _, amount in rule.seats),
                 percent(rule.part), in_words(rule.games, True))
                for rule in report.points
            ),
        ),
        tuple(seats), wide=True,
    )  # fmt: skip


def usage(report: Report, inks: Inks) -> Plot | None:
    """The share of the games that use each part of the rules; those that all games use are in the table only."""
    if not report.detailed:
        return None
    rule_usage = report.usage
    parts = sorted(_parts(rule_usage), key=lambda part: -part.figure.mean)
    some = [part for part in parts if part.figure.mean < 1]
    never = [part.name for part in parts if not part.figure.mean]
    always = len(parts) - len(some)
    rows: list[Row] = [
        {
            "row": place, "text": part.name, "part": part.figure.mean, "value": percent(part.figure.mean),
            "interval": interval_of(part.figure, True), "place": part.place,
        }
        for place, part in enumerate(some[-MAX_ROWS:])
    ]  # fmt: skip
    words = f"{always} of {len(parts)} parts of the rules are used in every game"
    more = ", …" if len(never) > MAX_NAMED else "."
    words += f", {len(never)} in none: {', '.join(never[:MAX_NAMED])}{more}" if never else "; none is unused."
    note = "The share of the games that use an action, a step, a when, a phase, a case, or a criterion of winner."
    note += f" {always} that all games use are in the table only." if always and some else ""
    grid = Grid(
        ("part of the rules", "place", "share of the games", "95% interval"),
        tuple((part.name, part.place, percent(part.figure.mean), interval_of(part.figure, True)) for part in parts),
    )
    names = {"text": "part of the rules", "place": "place", "value": "share of the games", "interval": "95% interval"}
    rows = rows or [{"row": 0, "text": "every part of the rules", "part": 1.0, "value": percent(1.0)}]
    return Plot("usage", "What is used", note, words, _bars(rows, "share of the games", names, inks), grid, wide=True)


@dataclass(frozen=True)
class _Part:
    """A part of the rules, with the share of the games that used it."""

    name: str
    place: str
    figure: Figure


def _parts(usage: Usage) -> Iterator[_Part]:
    """The parts of the rules whose use is decided in play; values of options are chosen before it."""
    for rule in usage.rules:
        if rule.kind != "value":
            used = share([1.0] * rule.games + [0.0] * (usage.games - rule.games))
            yield _Part(rule_words(rule), visible(rule.location), used)


def picks(report: Report, inks: Inks) -> Plot | None:
    """How often pieces of each kind are chosen when they are offered."""
    offered = [pick for pick in report.picks if pick.offered]
    if not offered:
        return None
    half = MAX_ROWS // 2
    plotted = offered if len(offered) <= MAX_ROWS else [*offered[: MAX_ROWS - half], *offered[-half:]]
    rows: list[Row] = [
        {
            "row": place, "text": visible(pick.kind), "part": pick.chosen / pick.offered,
            "value": percent(pick.chosen / pick.offered), "offered": number(pick.offered),
            "chosen": number(pick.chosen),
        }
        for place, pick in enumerate(plotted)
    ]  # fmt: skip
    note = "Of the decisions in which a legal move has such a piece, the share in which a move with one was chosen."
    if len(offered) > len(plotted):
        note += f" The {len(plotted) - half} most and the {half} least chosen of {len(offered)} are shown."
    first, last = rows[0], rows[-1]
    names = {"text": "pieces", "value": "chosen", "chosen": "decisions that chose one", "offered": "decisions with one"}
    return Plot(
        "picks", "What is chosen", note,
        f"Chosen most readily: {first['text']}, {first['value']}; least: {last['text']}, {last['value']}."
        if len(rows) > 1 else f"{first['text']}: {first['value']}.",
        _bars(rows, "share of the decisions that offer it", names, inks),
        Grid(
            ("pieces", "chosen", "of offered", "share"),
            tuple((visible(pick.kind), number(pick.chosen), number(pick.offered), percent(pick.chosen / pick.offered))
                  for pick in offered),
        ),
        wide=True,
    )  # fmt: skip


def _rest(number_of_rows: int) -> str:
    return f" The first {MAX_ROWS} of {number_of_rows} are shown." if number_of_rows > MAX_ROWS else ""


def _bars(rows: Sequence[Row], words: str, names: dict[str, str], inks: Inks) -> Chart:
    """Shares as bars on tracks of full width."""
    x = across("part", words, form="%", domain=(0, 1))
    base = data(rows).encode(y=row_axis(), tooltip=tips(names))
    track = base.mark_bar(size=THICK, yOffset=BELOW, color=inks.grid, cornerRadius=3)
    track = track.encode(x=x_of("start"), x2="end").transform_calculate(start="0", end="1")
    bar = base.mark_bar(size=THICK, yOffset=BELOW, color=inks.accent, cornerRadius=3).encode(x=x)
    return with_texts([track, bar], rows, inks)
