"""Games of a run that are worth a look: the longest, the closest, and others, each with its number and seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cli.laboratory.measures import Measure
from cli.laboratory.report import Report
from dsl.lazy_dataclasses import dataclass

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
    known = {each.measure.key: each for each in report.measures}
    for key, words, chosen in EXTREMES:
        if key in known and known[key].figure.least < known[key].figure.most:
            measure, wanted = known[key].measure, chosen(known[key].figure.least, known[key].figure.most)
            number = next(record.number for record in report.records if measure.value(record) == wanted)
            yield UnusualGame(words, measure, wanted, number, report.setting.seed + number)
