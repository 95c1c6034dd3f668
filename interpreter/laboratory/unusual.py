"""Games of a run that are worth a look: the longest, the closest, and others, each with its number and seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dsl.lazy_dataclasses import dataclass
from interpreter.laboratory.measures import Measure
from interpreter.laboratory.report import Report

EXTREMES: tuple[tuple[str, str, Callable[..., float]], ...] = (
    ("decisions", "longest", max),
    ("decisions", "shortest", min),
    ("widest", "most legal moves at a decision", max),
    ("margin", "clearest win", max),
    ("margin", "closest", min),
    ("lead_changes", "most changes of the lead", max),
    ("settled", "settled last", max),
    ("drama", "greatest comeback", max),
    ("returns", "most returns to one position", max),
)
"""The games worth a look: the measure, a description, and whether the greatest or the least value is wanted."""


@dataclass(frozen=True)
class UnusualGame:
    """A game with the greatest or the least value of a measure: its number in the run and its seed."""

    words: str
    measure: Measure
    value: float
    number: int
    seed: int


def unusual_games(report: Report) -> Iterator[UnusualGame]:
    """The first game with each of the extremes; none for a measure that is the same in all games."""
    measured_by_key = {measured.measure.key: measured for measured in report.measures}
    for key, words, chosen in EXTREMES:
        if key in measured_by_key and measured_by_key[key].figure.least < measured_by_key[key].figure.most:
            measure, extreme = (
                measured_by_key[key].measure,
                chosen(measured_by_key[key].figure.least, measured_by_key[key].figure.most),
            )
            number = next(record.number for record in report.records if measure.value(record) == extreme)
            yield UnusualGame(words, measure, extreme, number, report.setting.seed + number)
