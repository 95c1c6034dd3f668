"""All charts of a report, in the order in which they are read."""

from __future__ import annotations

from collections.abc import Iterator

from cli.laboratory.charts.developments import branching, expected_wins, score_courses
from cli.laboratory.charts.origins import picks, points, usage
from cli.laboratory.charts.outcomes import lengths, margin, scores, win_shares
from cli.laboratory.charts.plot import Plot
from cli.laboratory.charts.skills import skill
from cli.laboratory.inks import Inks
from cli.laboratory.report import Report

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
