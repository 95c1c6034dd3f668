"""Comparing two sets of rules by games with the same seeds and seats: how every measure differs, and how surely."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from math import ceil, floor, log10, sqrt
from types import ModuleType
from typing import Literal

from dsl.lazy_dataclasses import dataclass
from dsl.text.files import JsonObject
from dsl.text.nouns import counted, listed
from dsl.text.visible import brief
from interpreter.analysis.figures import Figure, share
from interpreter.errors import RunError, UsageError
from interpreter.laboratory.courses import GameRecord
from interpreter.laboratory.measures import Measure
from interpreter.laboratory.report import Report, at_a_loss_data, measure_data, setting_data
from interpreter.laboratory.setting import TOGETHER

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
class MeasuredDifference:
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


@dataclass(frozen=True, repr=False)
class Comparison:
    """Two sets of rules, A and B, side by side.

    `pairs` is the number of games that were finished in both, `same_winners` the share of them with the same winners.
    `differences` has all figures that both sides have, `difference` one of them by the key of its measure. `only_a` and
    `only_b` are measures that only one of the sides has.
    """

    report_a: Report
    report_b: Report
    pairs: int
    same_winners: Figure
    differences: tuple[MeasuredDifference, ...]
    only_a: tuple[Measure, ...]
    only_b: tuple[Measure, ...]

    def __repr__(self) -> str:
        titles = " with ".join(report.setting.game.title for report in (self.report_a, self.report_b))
        verdicts = ", ".join(
            f"{difference.measure.key} {difference.verdict}"
            for difference in self.differences
            if difference.verdict in ("more", "less")
        )
        return f"<Comparison of {titles}: {counted(self.pairs, 'pair')}, {verdicts or 'no difference shown'}>"

    @property
    def tests(self) -> int:
        """The number of comparisons that the verdicts are corrected for."""
        return sum(difference.corrected is not None for difference in self.differences)

    @property
    def interrupted(self) -> bool:
        """True if the call was ended before it had played all games."""
        return self.report_a.interrupted or self.report_b.interrupted

    @property
    def conclusions(self) -> tuple[str, ...]:
        """The result in sentences: who wins more or less often, how surely, and which other figures differ."""
        return tuple(_conclusions(self))

    def difference(self, key: str) -> MeasuredDifference:
        """The difference of a measure, such as `decisions` or `win:red`. Raises UsageError if it was not compared."""
        for difference in self.differences:
            if difference.measure.key == key:
                return difference
        keys = [difference.measure.key for difference in self.differences]
        raise UsageError(f"there is no difference of `{brief(key)}` (there are {', '.join(keys) or 'none'})")

    def as_data(self) -> JsonObject:
        """The comparison as data for JSON, as `cli/schemas/compare.schema.json` describes it, without `failed`."""
        return _comparison_data(self)


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
            MeasuredDifference(measure, sum(first) / len(first), sum(second) / len(second), estimate, p_value)
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


# ---- Inference from pairs of games about the mean difference: an interval, and a test of whether it is 0
# Both come from Student's distribution, so a difference is significant exactly if its interval does not contain 0.
# Shares of games are adjusted as by Bonett and Price (2012): two pairs are added that differ as much as a pair can,
# in opposite directions. Otherwise the interval would be too narrow if few pairs differ, and empty if none does.
# Values without bounds cannot be adjusted like this; their interval would be meaningless while few pairs differ, so
# there is none.
#
# The methods were chosen for their coverage in simulations (docs/laboratory.md). Fagerland, Lydersen and Laake (2014)
# recommend the adjustment. The coverage of bootstrap intervals (BCa) is too low for fewer than 200 pairs.


EXTRA = "pip install 'regelwerk[lab]'"
"""The command that installs the library."""

ERROR = 0.05
"""The probability that an interval misses the true mean, and that any of several tests errs."""

MIN_DIFFERING = 10
"""The fewest pairs that must differ for an interval of values without bounds."""


@dataclass(frozen=True)
class MeanDifference:
    """The mean difference of pairs, and how many of them differ; without an interval and a test if too few do.

    `spread` is the standard deviation of the differences observed, `bounded` says that they lie between -1 and 1.
    """

    pairs: int
    differing: int
    mean: float
    low: float | None = None
    high: float | None = None
    p_value: float | None = None
    spread: float = 0.0
    bounded: bool = False

    def expected_half_width(self, pairs: int) -> float:
        """Half the width of the interval of this many pairs, at least two, if they differ as those observed do."""
        _, error = _centre_and_error(pairs, self.mean, self.spread, bounded=self.bounded)
        return _student_quantile(pairs) * error


def require_library() -> None:
    """Raise RunError, with the command that installs it, if the library is missing."""
    _library()


def _library() -> ModuleType:
    try:
        return importlib.import_module("scipy.special")
    except ImportError:
        raise RunError(f"comparing needs the library scipy: {EXTRA}") from None


def mean_difference(differences: Iterable[float], *, bounded: bool) -> MeanDifference:
    """Estimate the mean of differences, at least one; `bounded` ones lie between -1 and 1 and are adjusted.

    A counter of differences works as well.
    """
    counts = Counter(differences)
    number = counts.total()
    differing = number - counts[0.0]
    mean = sum(count * value for value, count in counts.items()) / number
    if number < 2 or (differing < MIN_DIFFERING and not bounded):
        return MeanDifference(number, differing, mean)
    spread = sqrt(sum(count * (value - mean) ** 2 for value, count in counts.items()) / number)
    centre, error = _centre_and_error(number, mean, spread, bounded=bounded)
    half = _student_quantile(number) * error
    low, high = centre - half, centre + half
    if bounded:
        low, high = max(-1.0, low), min(1.0, high)
    p_value = 2 * float(_library().stdtr(number - 1, -abs(centre) / error)) if error else 0.0
    return MeanDifference(number, differing, mean, low, high, p_value, spread, bounded)


def _centre_and_error(pairs: int, mean: float, spread: float, *, bounded: bool) -> tuple[float, float]:
    """The centre of the interval of a mean and its standard error; two pairs are added to bounded differences."""
    if not bounded:
        return mean, spread / sqrt(pairs - 1)
    size = pairs + 2
    centre = pairs * mean / size
    squares = pairs * (spread**2 + (mean - centre) ** 2) + (1 - centre) ** 2 + (1 + centre) ** 2
    return centre, sqrt(squares / size / size)  # adjusted shares are a whole distribution, not a sample from one


def _student_quantile(pairs: int) -> float:
    return float(_library().stdtrit(pairs - 1, 1 - ERROR / 2))


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Correct the p-values of several tests (Holm 1979), in the same order.

    If every test whose corrected p-value is at most `ERROR` is called significant, the probability that any of these
    verdicts is wrong is at most `ERROR`, however the tests depend on each other.
    """
    tested = sorted((value, place) for place, value in enumerate(p_values) if value is not None)
    corrected: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for rank, (value, place) in enumerate(tested):
        largest = max(largest, min(1.0, (len(tested) - rank) * value))
        corrected[place] = largest
    return corrected


# ---- A comparison as plain data


def _comparison_data(comparison: Comparison) -> JsonObject:
    return {
        "a": _side_data(comparison.report_a),
        "b": _side_data(comparison.report_b),
        "pairs": comparison.pairs,
        "same_winners": asdict(comparison.same_winners),
        "tests": comparison.tests,
        "conclusions": list(comparison.conclusions),
        "differences": [_difference_data(difference) for difference in comparison.differences],
        "only_a": [measure_data(measure) for measure in comparison.only_a],
        "only_b": [measure_data(measure) for measure in comparison.only_b],
    }


def _side_data(report: Report) -> JsonObject:
    """One side as plain data: its setting, and the number of finished games."""
    return {
        **setting_data(report.setting),
        "wanted": report.requested,
        "games": len(report.records),
        **at_a_loss_data(report.at_a_loss),
    }


def _difference_data(difference: MeasuredDifference) -> JsonObject:
    estimate = difference.estimate
    return {
        **measure_data(difference.measure),
        "pairs": estimate.pairs,
        "differing": estimate.differing,
        "a": difference.mean_a,
        "b": difference.mean_b,
        "difference": estimate.mean,
        "low": estimate.low,
        "high": estimate.high,
        "p_value": estimate.p_value,
        "corrected_p_value": difference.corrected,
        "verdict": difference.verdict,
        "at_most": difference.at_most,
    }


# ---- The result of a comparison in plain sentences: who wins more often, and which other figures differ
# They add nothing to the intervals: a difference that cannot be excluded is the farther bound of its interval, and
# the width that more pairs would have is that of the same interval for differences of the same mean and spread. It is
# `t * spread / sqrt(pairs - 1)`, adjusted for shares as in `_centre_and_error`, where t is Student's quantile: ten
# times as many pairs make it about 3.2 times as narrow.


ROUNDING = 1e-9
"""Errors of floating-point numbers that do not count when a number is rounded up."""

TIMES_AS_MANY = 10
"""How many times as many pairs a conclusion suggests."""


def _conclusions(comparison: Comparison) -> list[str]:
    """One or more sentences: who wins more or less often, how surely, and which other figures differ."""
    if comparison.report_a.setting.header == comparison.report_b.setting.header:
        return ["A and B are the same rules, options and bots with the same seeds: there is nothing to compare."]
    if not comparison.differences:
        return []
    wins = [difference for difference in comparison.differences if difference.measure.of_wins]
    others = [difference for difference in comparison.differences if not difference.measure.of_wins]
    return [*_about_wins(wins), *_about_others(others)]


def _about_wins(wins: Sequence[MeasuredDifference]) -> Iterator[str]:
    for difference in wins:
        if difference.verdict in ("more", "less"):
            yield _shown(difference)
    open_ones = [difference for difference in wins if difference.verdict not in ("more", "less")]
    if not open_ones:
        return
    widest = max(open_ones, key=lambda difference: 2.0 if difference.at_most is None else difference.at_most)
    if widest.at_most is None:
        yield "One pair says nothing about who wins: play more."
        return
    pairs, more = widest.estimate.pairs, TIMES_AS_MANY * widest.estimate.pairs
    limit, narrower = points(widest.at_most, up=True), points(widest.estimate.expected_half_width(more))
    if all(difference.verdict == "same" for difference in open_ones):
        beginning = f"Who wins is the same in all {_pairs(pairs)}; still, a difference of up to {limit}"
    else:
        whose = _whose([difference.measure for difference in open_ones])
        beginning = f"With {_pairs(pairs)}, a difference of up to {limit} in {whose}"
    yield f"{beginning} cannot be excluded; {more:,} pairs would narrow the interval to about ±{narrower}."


def _shown(difference: MeasuredDifference) -> str:
    """Who wins more or less often: `With 1,000 pairs, red wins more often in B, by 1.1 to 5.3 points.`."""
    assert difference.estimate.low is not None and difference.estimate.high is not None
    low, high = sorted((abs(difference.estimate.low), abs(difference.estimate.high)))
    all_win = difference.measure.subject == TOGETHER
    who = "all seats win" if all_win else f"{difference.measure.subject} wins"
    bounds_in_words = f"{number_of_points(low)} to {points(high)}"
    return f"With {_pairs(difference.estimate.pairs)}, {who} {difference.verdict} often in B, by {bounds_in_words}."


def _whose(measures: Sequence[Measure]) -> str:
    if any(measure.subject == TOGETHER for measure in measures):
        return "the games won"
    return f"the games won by {listed([str(measure.subject) for measure in measures])}"


def _about_others(others: Sequence[MeasuredDifference]) -> Iterator[str]:
    verdicts: tuple[Verdict, ...] = ("more", "less")
    names_by_verdict = {
        verdict: [_name(difference.measure) for difference in others if difference.verdict == verdict]
        for verdict in verdicts
    }
    differ = [f"{VERDICTS[verdict]}: {listed(names)}" for verdict, names in names_by_verdict.items() if names]
    rest = len(others) - sum(map(len, names_by_verdict.values()))
    if differ:
        ending = f"; for {counted(rest, 'other figure')} no difference is shown" if rest else ""
        sentence = f"{'; '.join(differ)}{ending}."
        yield sentence[0].upper() + sentence[1:]
    elif others:
        yield f"No difference is shown for the {counted(len(others), 'other figure')}."


def _pairs(number: int) -> str:
    return f"{number:,} pair{'s' * (number != 1)}"


def _name(measure: Measure) -> str:
    return measure.words if measure.subject is None else f"{measure.words} ({measure.subject})"


def points(share: float, *, up: bool = False) -> str:
    """A difference of shares in percentage points with two digits, rounded up if `up`: `19 points`, `0.66 points`."""
    number = number_of_points(share, up=up)
    return f"{number} point{'' if number == '1' else 's'}"


def number_of_points(share: float, *, up: bool = False) -> str:
    """The number of percentage points: see `points`."""
    value = 100 * share
    digits = max(0, 1 - floor(log10(value))) if value else 0
    if up:
        value = ceil(value * 10**digits - ROUNDING) / 10**digits
    return f"{value:.{digits}f}"
