"""What a comparison says about who wins, and about everything else, in plain sentences.

They add nothing to the intervals: a difference that cannot be excluded is the farther bound of its interval, and the
width that more pairs would have is that of the same interval for differences of the same mean and spread. It is
`t * spread / sqrt(pairs - 1)`, adjusted for shares as in `inference.py`, where t is Student's quantile: ten times as
many pairs make it about 3.2 times as narrow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor, log10

from cli.laboratory.comparing import VERDICTS, Comparison, Difference, Verdict
from cli.laboratory.measures import Measure
from cli.laboratory.wording import listed
from cli.statistics import TOGETHER
from dsl.text.nouns import counted

ROUNDING = 1e-9
"""Errors of floating-point numbers that do not count when a number is rounded up."""

TIMES_AS_MANY = 10
"""How many times as many pairs a conclusion suggests."""


def conclusions(comparison: Comparison) -> list[str]:
    """One or more sentences: who wins more or less often, how surely, and which other figures differ."""
    if comparison.one.setting.header == comparison.other.setting.header:
        return ["A and B are the same rules, options and bots with the same seeds: there is nothing to compare."]
    if not comparison.differences:
        return []
    wins = [each for each in comparison.differences if each.measure.of_wins]
    others = [each for each in comparison.differences if not each.measure.of_wins]
    return [*_about_wins(wins), *_about_others(others)]


def _about_wins(wins: Sequence[Difference]) -> Iterator[str]:
    for each in wins:
        if each.verdict in ("more", "less"):
            yield _shown(each)
    open_ones = [each for each in wins if each.verdict not in ("more", "less")]
    if not open_ones:
        return
    widest = max(open_ones, key=lambda each: each.at_most if each.at_most is not None else 2.0)
    if widest.at_most is None:
        yield "One pair says nothing about who wins: play more."
        return
    pairs, more = widest.estimate.pairs, TIMES_AS_MANY * widest.estimate.pairs
    limit, narrower = points(widest.at_most, up=True), points(widest.estimate.expected_half_width(more))
    if all(each.verdict == "same" for each in open_ones):
        beginning = f"Who wins is the same in all {_pairs(pairs)}; still, a difference of up to {limit}"
    else:
        whose = _whose([each.measure for each in open_ones])
        beginning = f"With {_pairs(pairs)}, a difference of up to {limit} in {whose}"
    yield f"{beginning} cannot be excluded; {more:,} pairs would narrow the interval to about ±{narrower}."


def _shown(each: Difference) -> str:
    """Who wins more or less often: `With 1,000 pairs, red wins more often in B, by 1.1 to 5.3 points.`."""
    assert each.estimate.low is not None and each.estimate.high is not None
    low, high = sorted((abs(each.estimate.low), abs(each.estimate.high)))
    all_win = each.measure.subject == TOGETHER
    who = "all seats win" if all_win else f"{each.measure.subject} wins"
    bounds_in_words = f"{number_of_points(low)} to {points(high)}"
    return f"With {_pairs(each.estimate.pairs)}, {who} {each.verdict} often in B, by {bounds_in_words}."


def _whose(measures: Sequence[Measure]) -> str:
    if any(measure.subject == TOGETHER for measure in measures):
        return "the games won"
    return f"the games won by {listed([str(measure.subject) for measure in measures])}"


def _about_others(others: Sequence[Difference]) -> Iterator[str]:
    verdicts: tuple[Verdict, ...] = ("more", "less")
    found = {verdict: [_name(each.measure) for each in others if each.verdict == verdict] for verdict in verdicts}
    differ = [f"{VERDICTS[verdict]}: {listed(names)}" for verdict, names in found.items() if names]
    rest = len(others) - sum(map(len, found.values()))
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
