"""The figures of games analysed in detail, as tables in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from cli.laboratory.layout import bar, first_fitting, table_of
from cli.laboratory.report import Curve, PointSource, Report
from cli.laboratory.wording import rule_words
from cli.render.palette import Palette
from cli.render.tables import plain_grid
from dsl.lazy_dataclasses import dataclass
from dsl.text.nouns import counted

HEIGHTS = "▁▂▃▄▅▆▇█"

MOST_ROWS = 12
"""The most point sources, kinds of pieces and unused rules that a table lists."""


@dataclass(frozen=True)
class Titled:
    """A table with its title, and a line below it if rows were omitted."""

    title: str
    table: Table
    rest: str = ""


def course_tables(console: Console, report: Report, look: Palette) -> Iterator[Titled]:
    """Curves over the game, then tables of point sources, picks and unused rules, where there are any."""
    yield Titled("", _curves(report, look))
    points = first_fitting(console, _points(report, look))
    if points is not None:
        yield Titled("points by rule, on average in a game", points, _rest(len(report.points)))
    picks = first_fitting(console, _picks(report))
    if picks is not None:
        yield Titled("pieces, how often they were chosen where they could be", picks)
    unused = report.usage.unused_rules
    if unused:
        rows = [(rule_words(rule), rule.location) for rule in unused[:MOST_ROWS]]
        yield Titled("rules that none of these games used", table_of(("rule", "place"), rows), _rest(len(unused)))


def _rest(rows: int) -> str:
    return f"and {counted(rows - MOST_ROWS, 'other')}" if rows > MOST_ROWS else ""


def _curves(report: Report, look: Palette) -> Table:
    """The course of values from the first decision to the last, as sparklines."""
    table = plain_grid()
    for name in ("over the game", "first", "", "last"):
        table.add_column(
            name, justify="right" if name in ("first", "last") else "left", no_wrap=name != "over the game"
        )
    if report.branching:
        means = [figure.mean for figure in report.branching]
        table.add_row("legal moves", f"{means[0]:.1f}", _sparkline(means, 0, max(means)), f"{means[-1]:.1f}")
    for words, curves in (("expected wins (%)", report.shares), ("score", report.scores)):
        low, high = _range(curves)
        for curve in curves:
            scale = 100 if words.startswith("expected") else 1
            label = Text(f"{words}, ").append(curve.seat, style=look.style(curve.seat))
            means = [figure.mean for figure in curve.moments]
            table.add_row(label, f"{scale * means[0]:.1f}", _sparkline(means, low, high), f"{scale * means[-1]:.1f}")
    return table


def _range(curves: Sequence[Curve]) -> tuple[float, float]:
    means = [figure.mean for curve in curves for figure in curve.moments]
    return min(means, default=0.0), max(means, default=0.0)


def _sparkline(values: Sequence[float], low: float, high: float) -> str:
    """A sparkline: one character per value, scaled from `low` to `high`."""
    width = (high - low) or 1
    return "".join(HEIGHTS[min(len(HEIGHTS) - 1, int(len(HEIGHTS) * (value - low) / width))] for value in values)


def _points(report: Report, look: Palette) -> Iterator[Table]:
    """Tables of the points that each rule gives, the widest first: with a column for each seat, or one for all."""
    point_sources = report.points[:MOST_ROWS]
    if not point_sources:
        return
    bars = [bar(source.part) for source in point_sources]
    seats = [Text(seat, style=look.style(seat)) for seat in report.setting.seats]
    by_seat = [[f"{mean:.2f}" for _, mean in source.seats] for source in point_sources]
    together = [[f"{sum(mean for _, mean in source.seats):.2f}"] for source in point_sources]
    for columns, amounts in ((seats, by_seat), ([Text("all seats")], together)):
        headings: tuple[str | Text, ...] = ("rule", *columns, "games (%)", "of all (%)")
        rows = [_source(source, means) for source, means in zip(point_sources, amounts, strict=True)]
        yield table_of(headings, rows, bars)
        yield table_of(headings, rows)


def _source(source: PointSource, amounts: Sequence[str]) -> tuple[str, ...]:
    return (source.text, *amounts, f"{100 * source.games.mean:.0f}", f"{100 * source.part:.1f}")


def _picks(report: Report) -> Iterator[Table]:
    """Tables of picks, the widest first; of many kinds of pieces, only the most and the least readily chosen."""
    picks = [pick for pick in report.picks if pick.offered]
    if not picks:
        return
    if len(picks) > MOST_ROWS:
        picks = [*picks[: MOST_ROWS // 2], *picks[-MOST_ROWS // 2 :]]
    parts = [pick.chosen / pick.offered for pick in picks]
    headings = ("piece", "offered", "chosen", "chosen (%)")
    rows = [
        (pick.kind, str(pick.offered), str(pick.chosen), f"{100 * part:.1f}")
        for pick, part in zip(picks, parts, strict=True)
    ]
    yield table_of(headings, rows, [bar(part) for part in parts])
    yield table_of(headings, rows)
