"""Where an example ends a seat looks at the game: tables that fail there are found without playing."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.authoring.coverage.report import run_instrumented
from interpreter.authoring.examples.suite import ExampleResult, example_results, run_examples
from interpreter.loading.rules import load_rules

MARKET = """\
game "Market" for 2 to 3 players ann, ben, cem

== components ==

type Ware is silk, tea
piece Coin: 3 in bag
zone bag holds Coin
zone purse[p: Player] holds Coin
note wanted: Ware or none = silk
note price[w: Ware]: 0..3 = 2

define cost: price[wanted] + 1

table "Purses" for each p in Player:
    "Player": p
    "Coins": count purse[p]
table "Market" for each w in Ware where TIME:
    "Ware": w
    "To pay": cost

== phases ==

phase taking, turns from ann, over when bag is empty:
    must take or wait

phase buying, turns from ben to ben:
    set wanted to none
    must buy

action take:
    "take a coin"
    require bag is not empty because "the bag is empty"
    move 1 from bag to purse[me]

action wait:
    "wait"

action buy:
    "buy"
    add 1 to price[tea]

== scoring ==

winner highest count purse[me] - (cost if price[silk] is 3 else 0)

== examples ==

"""

TAKEN = """\
example "a coin is taken":
    when phase taking
    when ann: take
    then purse[ann] is not empty
"""
WANTED = """\
example "wanted":
    given wanted is silk
    then cost is 3
"""
ALONE = """\
example "nothing is pending":
    given wanted is none
    then wanted is none
"""
PENDING = """\
example "about to buy":
    when phase buying
    then ben may buy
"""
OVER = """\
example "bought":
    given price[silk] is PRICE
    when phase buying
    when ben: buy
    then over
"""


@pytest.fixture
def market(tmp_path: Path) -> Path:
    return tmp_path / "market.rules"


def results(market: Path, *examples: str, time: str = "wanted is none") -> list[ExampleResult]:
    market.write_text(MARKET.replace("TIME", time) + "\n".join(examples), encoding="utf-8")
    return run_examples(market)


def test_a_table_that_fails_in_one_phase_only(market: Path) -> None:
    taken, pending = results(market, TAKEN, PENDING)
    assert taken.passed and not pending.passed
    assert pending.failures == (
        "\n".join([
            f"{market}:19:5",
            ' 19 |     "To pay": cost',
            "    |     ^^^^^^^^^^^^^^",
            "    ben cannot look at the game where this example ends",
            f"    {market}:12:20: `wanted` is none",
        ]),
    )  # fmt: skip
    assert pending.last_events


def test_rows_that_fail(market: Path) -> None:
    (pending,) = results(market, PENDING, time="cost > 1")
    assert "17 | table" in pending.failures[0] and "12:20: `wanted` is none" in pending.failures[0]


def test_nobody_looks_at_what_is_laid_out_for_a_definition(market: Path) -> None:
    assert all(result.passed for result in results(market, WANTED, ALONE))


def test_the_seats_look_in_turn_also_if_only_one_example_is_run(market: Path) -> None:
    whole = results(market, *(PENDING.replace('buy"', f'buy {n}"') for n in range(4)), time="me is ben")
    assert [result.passed for result in whole] == [True, False, True, False]
    (third,) = run_examples(market, "buy 3")
    assert third == whole[3]


def test_the_result_of_a_game_that_is_over_is_looked_at(market: Path) -> None:
    good, bad = results(market, OVER.replace("PRICE", "2"), OVER.replace("PRICE", "3"), time="1 > 2")
    assert good.passed
    assert 'example "bought"' in bad.failures[0] and "12:20: `wanted` is none" in bad.failures[0]


def test_coverage_finds_the_same_and_counts_no_look(market: Path) -> None:
    failing = results(market, TAKEN, PENDING)
    rules = load_rules(market, examples=True)
    covered, counts = run_instrumented(rules)
    assert [result.failures for result in covered] == [result.failures for result in failing]
    assert not counts[3 * rules.model.defines["cost"].declaration.number]


def test_nobody_looks_where_examples_are_only_run(market: Path) -> None:
    results(market, PENDING)
    assert all(result.passed for result in example_results(load_rules(market, examples=True)))
