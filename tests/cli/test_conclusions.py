"""The sentences at the end of a comparison: what they say is true of differences with a known mean."""

from __future__ import annotations

import importlib.util
import os
import random
import re

import pytest

from interpreter.laboratory.comparing import mean_difference, points
from tests.cli.conftest import valid

if importlib.util.find_spec("scipy") is None:
    if "CI" in os.environ:
        raise AssertionError("scipy is not installed: pip install 'regelwerk[lab]'")
    pytest.skip("scipy is not installed: pip install 'regelwerk[lab]'", allow_module_level=True)

REPETITIONS = 400


def drawn(rng: random.Random, pairs: int, chances: tuple[float, float]) -> list[float]:
    """Differences of shares of wins: 1 with the first chance, -1 with the second, else 0."""
    return rng.choices([1.0, -1.0, 0.0], [*chances, 1 - sum(chances)], k=pairs)


@pytest.mark.parametrize("chances", [(0.0, 0.0), (0.05, 0.05), (0.25, 0.2), (0.5, 0.5)])
@pytest.mark.parametrize("bounded", [True, False])
def test_the_width_of_the_same_number_of_pairs_is_the_width_found(chances: tuple[float, float], bounded: bool) -> None:
    for pairs in (12, 100):
        found = mean_difference(drawn(random.Random(pairs), pairs, chances), bounded=bounded)
        if found.low is not None and found.high is not None and -1 < found.low < found.high < 1:
            assert found.expected_half_width(pairs) == pytest.approx((found.high - found.low) / 2)


@pytest.mark.parametrize("chances", [(0.05, 0.05), (0.25, 0.2), (0.5, 0.4)])
def test_more_pairs_narrow_the_interval_as_foretold(chances: tuple[float, float]) -> None:
    rng = random.Random(1)
    foretold, found = [], []
    for _ in range(REPETITIONS // 4):
        foretold.append(mean_difference(drawn(rng, 100, chances), bounded=True).expected_half_width(1000))
        more = mean_difference(drawn(rng, 1000, chances), bounded=True)
        assert more.low is not None and more.high is not None
        found.append((more.high - more.low) / 2)
    assert sum(foretold) / len(foretold) == pytest.approx(sum(found) / len(found), rel=0.06)


@pytest.mark.parametrize("chances", [(0.05, 0.05), (0.3, 0.2), (0.5, 0.5)])
def test_a_difference_that_is_excluded_is_not_the_true_one(chances: tuple[float, float]) -> None:
    rng, true, wrong = random.Random(2), chances[0] - chances[1], 0
    for _ in range(REPETITIONS):
        found = mean_difference(drawn(rng, 100, chances), bounded=True)
        assert found.low is not None and found.high is not None
        wrong += abs(true) > max(abs(found.low), abs(found.high))
    assert wrong <= 0.07 * REPETITIONS  # at most 5 %, and three standard errors


@pytest.mark.parametrize(
    ("share", "up", "words"),
    [
        (0.1852, True, "19 points"), (0.1852, False, "19 points"), (0.181, True, "19 points"),
        (0.06, True, "6.0 points"), (0.0066, False, "0.66 points"), (1.0, True, "100 points"), (0.0, True, "0 points"),
    ],
)  # fmt: skip
def test_points(share: float, up: bool, words: str) -> None:
    assert points(share, up=up) == words


def conclusions(alone, *words):
    document = valid("compare", alone("compare", *words, "--format", "json").stdout)
    output = alone("compare", *words).output
    told = " ".join(document["conclusions"])
    assert " ".join(output.split()).endswith(told), output
    return document, told


def test_the_same_settings_are_not_compared(alone, walk):
    _, told = conclusions(alone, "walk.rules", "walk.rules", "-n", 10)
    assert told == "A and B are the same rules, options and bots with the same seeds: there is nothing to compare."


def test_the_limit_is_the_bound_of_the_widest_interval(alone, walk):
    document, told = conclusions(alone, "walk.rules", "walk.rules", "-n", 50, "--option-b", "slow=true")
    wins = [each for each in document["differences"] if each["key"].startswith("win:")]
    assert all(each["verdict"] == "not shown" for each in wins), "the walk is as fair as before"
    limit = max(each["at_most"] for each in wins)
    sentence = re.search(
        r"With 50 pairs, a difference of up to ([\d.]+ points) in the games won by ann and ben cannot be excluded; "
        r"500 pairs would narrow the interval to about ±([\d.]+) points\.",
        told,
    )
    assert sentence, told
    assert sentence[1] == points(limit, up=True)
    half = max((each["high"] - each["low"]) / 2 for each in wins)
    narrower = 100 * half / 10**0.5  # without the two pairs that are added, which weigh less among more
    assert 0.75 * narrower <= float(sentence[2]) <= narrower
    assert "less in B: highest steps[me] (ann) and highest steps[me] (ben)" in told


FIXED = """game "Fixed" for 2 players ann, ben

option seconds: Truth = false
option idle: Truth = false

== components ==

note turns: 0..9 = 0

== phases ==

phase main, turns from ann, over when turns is (3 if idle else 2):
    must pass

action pass:
    add 1 to turns

== scoring ==

winner me is (ben if seconds else ann)
"""


def test_who_wins_more_often_is_said_with_bounds(alone, own_folder):
    (own_folder / "fixed.rules").write_text(FIXED)
    document, told = conclusions(alone, "fixed.rules", "fixed.rules", "-n", 100, "--option-b", "seconds=true")
    for seat, verdict in (("ann", "less"), ("ben", "more")):
        (won,) = [each for each in document["differences"] if each["key"] == f"win:{seat}"]
        low, high = sorted((abs(won["low"]), abs(won["high"])))
        assert won["verdict"] == verdict
        bounds = f"{100 * low:.0f} to {100 * high:.0f}"
        assert f"With 100 pairs, {seat} wins {verdict} often in B, by {bounds} points." in told
    assert "cannot be excluded" not in told


def test_what_never_differs_can_still_differ(alone, own_folder):
    (own_folder / "fixed.rules").write_text(FIXED)
    document, told = conclusions(alone, "fixed.rules", "fixed.rules", "-n", 100, "--option-b", "idle=true")
    limit = max(each["at_most"] for each in document["differences"] if each["key"].startswith("win:"))
    assert told.startswith(
        f"Who wins is the same in all 100 pairs; still, a difference of up to {points(limit, up=True)} "
        "cannot be excluded; 1,000 pairs would narrow"
    )
    assert "More in B: decisions per game" in told


def test_one_pair_says_nothing(alone, walk):
    assert "One pair says nothing about who wins: play more." in conclusions(alone, "walk.rules", "far", "-n", 1)[1]
