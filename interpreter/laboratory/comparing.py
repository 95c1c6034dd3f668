"""Comparing two sets of rules by games with the same seeds and seats: how every measure differs, and how surely."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from dsl.lazy_dataclasses import dataclass
from interpreter.analysis.figures import Figure, share
from interpreter.laboratory.inference import ERROR, MeanDifference, holm, mean_difference
from interpreter.laboratory.measures import Measure
from interpreter.laboratory.records import GameRecord
from interpreter.laboratory.report import Report

Verdict = Literal["more", "less", "not shown", "same", "too few"]
"""B compared with A: more or less, no difference shown, the same in every pair, or too few pairs that differ."""

VERDICTS: dict[Verdict, str] = {
    "more": "more in B",
    "less": "less in B",
    "not shown": "no difference shown",
    "same": "the same in every pair",
    "too few": "too few pairs differ to tell",
}
"""The verdicts in words, in the order in which they are shown."""


SAME_WINNERS = "same_winners"
"""The key of the measure that compares the winners of two runs."""


@dataclass(frozen=True)
class Difference:
    """The difference of a measure: its means in A and in B over the same pairs of games, and the estimate of B - A.

    `corrected` is the p-value corrected for all comparisons.
    """

    measure: Measure
    mean_a: float
    mean_b: float
    estimate: MeanDifference
    corrected: float | None

    @property
    def verdict(self) -> Verdict:
        """The verdict on this measure."""
        if not self.estimate.differing:
            return "same"
        if self.corrected is None:
            return "too few"
        if self.corrected > ERROR:
            return "not shown"
        return "more" if self.estimate.mean > 0 else "less"

    @property
    def at_most(self) -> float | None:
        """The largest difference, in either direction, that the interval allows."""
        low, high = self.estimate.low, self.estimate.high
        return None if low is None or high is None else max(abs(low), abs(high))


@dataclass(frozen=True)
class Comparison:
    """Two runs, A and B, side by side.

    `pairs` is the number of games that were finished in both, `same_winners` the share of them with the same winners.
    `only_a` and `only_b` are measures that only one of the runs has.
    """

    report_a: Report
    report_b: Report
    pairs: int
    same_winners: Figure
    differences: tuple[Difference, ...]
    only_a: tuple[Measure, ...]
    only_b: tuple[Measure, ...]

    @property
    def tests(self) -> int:
        """The number of comparisons that the verdicts are corrected for."""
        return sum(difference.corrected is not None for difference in self.differences)


Pairs = Sequence[tuple[GameRecord, GameRecord]]


def compare(report_a: Report, report_b: Report) -> Comparison:
    """Compare run B with run A: games with the same number are pairs.

    Usually they have the same seed, so that luck they have in common cancels out. With different seeds the comparison
    is equally valid, but less precise.
    """
    theirs = {record.number: record for record in report_b.records}
    pairs = [(record, theirs[record.number]) for record in report_a.records if record.number in theirs]
    matching = {_identity(measured.measure): measured.measure for measured in report_b.measures}
    shared = [(measured.measure, matching.pop(_identity(measured.measure), None)) for measured in report_a.measures]
    tested = [
        (measure, first, second, _difference(measure, first, second))
        for measure, counterpart in shared
        if counterpart is not None
        for first, second in [_values(measure, counterpart, pairs)]
        if first
    ]
    corrected = holm([estimate.p_value if estimate.differing else None for *_, estimate in tested])
    return Comparison(
        report_a,
        report_b,
        len(pairs),
        share(same_winners(report_a, report_b).values(report_b.records)),
        tuple(
            Difference(measure, sum(first) / len(first), sum(second) / len(second), estimate, p_value)
            for (measure, first, second, estimate), p_value in zip(tested, corrected, strict=True)
        ),
        tuple(measure for measure, counterpart in shared if counterpart is None),
        tuple(matching.values()),
    )


def same_winners(report_a: Report, report_b: Report) -> Measure:
    """The measure that is 1 for a game of the other run if its counterpart in the first has the same winners."""
    winners_in_a = {record.number: _winners(report_a, record) for record in report_a.records}

    def value(record: GameRecord) -> float | None:
        winners = winners_in_a.get(record.number)
        return None if winners is None else float(winners == _winners(report_b, record))

    return Measure(SAME_WINNERS, "same winners as in the first", "win", value)


def _winners(report: Report, record: GameRecord) -> frozenset[str]:
    return frozenset(report.setting.game.seats[seat] for seat in record.winners)


def _identity(measure: Measure) -> tuple[str, str, bool]:
    """What identifies a measure across runs; the key alone does not, as criteria with the same number may differ."""
    return measure.key, measure.words, measure.share


def _difference(measure: Measure, first: Sequence[float], second: Sequence[float]) -> MeanDifference:
    differences = [value_b - value_a for value_a, value_b in zip(first, second, strict=True)]
    return mean_difference(differences, bounded=measure.kind == "win")


def _values(measure_a: Measure, measure_b: Measure, pairs: Pairs) -> tuple[list[float], list[float]]:
    """The values of two measures in the pairs in which both have one."""
    value_pairs = list(_both(measure_a, measure_b, pairs))
    return [first for first, _ in value_pairs], [second for _, second in value_pairs]


def _both(measure_a: Measure, measure_b: Measure, pairs: Pairs) -> Iterator[tuple[float, float]]:
    for record, counterpart in pairs:
        first = measure_a.value(record)
        second = None if first is None else measure_b.value(counterpart)
        if first is not None and second is not None:
            yield first, second
