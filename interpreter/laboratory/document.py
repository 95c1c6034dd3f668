"""The report of a run as plain data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from interpreter.analysis.figures import Figure
from interpreter.laboratory.measures import Measure, playouts_of
from interpreter.laboratory.report import Curve, Measured, Report
from interpreter.laboratory.setting import Setting
from interpreter.laboratory.statistics import Summary, summary
from interpreter.laboratory.unusual import unusual_games


def summary_of(report: Report) -> Summary:
    """Lengths, scores and wins of the finished games."""
    setting = report.setting
    return summary(playouts_of(setting, report.records), setting.game.seats, setting.criteria, setting.together)


def setting_data(setting: Setting) -> dict[str, Any]:
    """A setting as plain data."""
    game = setting.game
    return {
        "game": game.name,
        "players": list(game.seats),
        "options": dict(game.options),
        "board": game.board.name if game.board else None,
        "variants": list(game.variants),
        "bots": [bot.text for bot in setting.bots],
        "seed": setting.seed,
        "criteria": [criterion.words for criterion in setting.criteria],
    }


def document(report: Report) -> dict[str, Any]:
    """The report, without failures."""
    return {
        **setting_data(report.setting),
        "wanted": report.requested,
        **summary_of(report).document(),
        "measures": [figure_data(measured) for measured in report.measures],
        "unusual": [
            {
                "words": game.words,
                "measure": game.measure.key,
                "value": game.value,
                "game": game.number,
                "seed": game.seed,
            }
            for game in unusual_games(report)
        ],
        "course": _course(report) if report.detailed else None,
        "skill": [asdict(step) for step in report.skill] or None,
    }


def measure_data(measure: Measure) -> dict[str, Any]:
    """A measure as plain data, without its figure."""
    return {"key": measure.key, "words": measure.words, "subject": measure.subject, "share": measure.share}


def figure_data(measured: Measured) -> dict[str, Any]:
    """A measure as plain data, with its figure."""
    return {**measure_data(measured.measure), "games": measured.games, **asdict(measured.figure)}


def _course(report: Report) -> dict[str, Any]:
    return {
        "games": report.detailed,
        "moves": _figures(report.branching),
        "scores": _curves(report.scores),
        "expected": _curves(report.shares),
        "points": [
            {
                "rule": source.text,
                "place": source.location,
                "seats": dict(source.seats),
                "games": asdict(source.games),
                "part": source.part,
            }
            for source in report.points
        ],
        "rules": [asdict(rule) for rule in report.usage.rules],
        "pieces": [asdict(kind) for kind in report.usage.kinds],
    }


def _curves(curves: Iterable[Curve]) -> dict[str, list[dict[str, Any]]]:
    return {curve.seat: _figures(curve.moments) for curve in curves}


def _figures(figures: Iterable[Figure]) -> list[dict[str, Any]]:
    return [asdict(figure) for figure in figures]
