"""The result of a comparison in plain sentences: who wins more often, and which other figures differ.

They add nothing to the intervals: a difference that cannot be excluded is the farther bound of its interval, and the
width that more pairs would have is that of the same interval for differences of the same mean and spread. It is
`t * spread / sqrt(pairs - 1)`, adjusted for shares as in `inference.py`, where t is Student's quantile: ten times as
many pairs make it about 3.2 times as narrow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor, log10

from dsl.text.nouns import counted, listed
from interpreter.laboratory.comparing import VERDICTS, Comparison, Difference, Verdict
from interpreter.laboratory.measures import Measure
from interpreter.laboratory.statistics import TOGETHER

ROUNDING = 1e-9
"""Errors of floating-point numbers that do not count when a number is rounded up."""

TIMES_AS_MANY = 10
"""How many times as many pairs a conclusion suggests."""


def conclusions(comparison: Comparison) -> list[str]:
    """One or more sentences: who wins more or less often, how surely, and which other figures differ."""
    if comparison.report_a.setting.header == comparison.report_b.setting.header:
        return ["A and B are the same rules, options and bots with the same seeds: there is nothing to compare."]
    if not comparison.differences:
        return []
    wins = [difference for difference in comparison.differences if difference.measure.of_wins]
    others = [difference for difference in comparison.differences if not difference.measure.of_wins]
    return [*_about_wins(wins), *_about_others(others)]


def _about_wins(wins: Sequence[Difference]) -> Iterator[str]:
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


def _shown(difference: Difference) -> str:
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


def _about_others(others: Sequence[Difference]) -> Iterator[str]:
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
