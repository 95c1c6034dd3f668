"""Ranges with computed ends: `1..held`, `n..count hand[me]`."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.diagnostics import RulesError
from interpreter.authoring.examples.suite import run_examples
from interpreter.errors import PlayError
from interpreter.play.game import Game, load
from interpreter.seat.explain.query import evaluate_query
from tests.interpreter.engines import same_in_every_engine
from tests.language.test_numbers import LEAK, TOTAL

RANGES = Path(__file__).parent / "rules" / "ranges.rules"


@pytest.fixture(scope="module")
def ranges() -> Game:
    return load(RANGES)


def test_the_examples_hold() -> None:
    results = run_examples(RANGES)
    assert len(results) == 3
    assert [failure for result in results for failure in result.failures] == []


@pytest.mark.parametrize("seats", [2, 3])
def test_every_engine_plays_with_them_alike(seats: int) -> None:
    same_in_every_engine(load(RANGES, players=seats), random_games=5)


def test_why_shows_the_set(ranges: Game) -> None:
    state = ranges.start()
    state.push("bid(3)")
    told = [
        next(iter(evaluate_query(state.program, state.cells, text, None).lines()))
        for text in ("2..highest_bid", "3 is in 1..held", "4 is in 1..highest_bid", "highest_bid..(held - 1)")
    ]
    assert told == [
        "2..highest_bid = 2, 3",
        "3 is in 1..held = true",
        "4 is in 1..highest_bid = false",
        "highest_bid..(held - 1) = 3, 4",
    ]


def test_an_end_that_is_none_is_a_fault(ranges: Game) -> None:
    state = ranges.start()
    for text in ("1..lent", "2 is in lent..5"):
        with pytest.raises(PlayError, match="`lent` is none"):
            evaluate_query(state.program, state.cells, text, None)


def test_none_is_in_no_range(ranges: Game) -> None:
    state = ranges.start()
    told = [
        evaluate_query(state.program, state.cells, text, None).value
        for text in ("lent is in 1..5", "lent is in least..held", "lent is not in 1..5", "lent is not in least..held")
    ]
    assert told == ["false", "false", "true", "true"]


@pytest.mark.parametrize("value", [f"(count n in 1..{TOTAL})", f"(count n in (smaller(2, {TOTAL}))..4)"])
def test_a_range_that_ends_in_a_secret_tells_it(tmp_path: Path, value: str) -> None:
    path = tmp_path / "hidden.rules"
    path.write_text(LEAK.replace("VALUE", value), encoding="utf-8")
    with pytest.raises(RulesError, match="would tell the acting seat about the `rank` of pieces in `hand`"):
        load(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("6..held", "the range 6..held is empty: it begins at 6 or later, and ends at 5 or earlier"),
        ("(held - 5)..9", "numbers in a set go from 0 to 4095"),
        ("1..(held * 999)", "numbers in a set go from 0 to 4095"),
        ("1..marked", "expected a number, found a set of numbers in 0..12"),
        ("1..held + 1", "cannot use `+` on a set of numbers in 1..5 and the number 1"),
    ],
)
def test_what_is_no_range(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "ranges.rules"
    path.write_text(RANGES.read_text("utf-8").replace("2..highest_bid is {2, 3}", f"marked is {text}"), "utf-8")
    with pytest.raises(RulesError) as caught:
        load(path)
    assert message in str(caught.value)


def test_a_variant_widens_one(tmp_path: Path) -> None:
    (tmp_path / "variants").mkdir()
    rules = tmp_path / "ranges.rules"
    rules.write_text(RANGES.read_text("utf-8").split("== examples ==")[0], "utf-8")
    (tmp_path / "variants" / "up.rules").write_text(
        'variant "Up" of ranges:\n    replace define low_numbers(n: 0..12): {k in n..(n + held) where k < 9}\n', "utf-8"
    )
    state = load(rules, variants=["up"]).start()
    answer = evaluate_query(state.program, state.cells, "low_numbers(6)", None)
    assert answer.value == "6, 7, 8"
