"""Division, remainders, the larger and the smaller of two numbers: values, faults, explanations, leaks."""

from __future__ import annotations

import random
from fractions import Fraction
from math import ceil, floor
from pathlib import Path

import pytest

from dsl.diagnostics import RulesError
from interpreter.analysis.playouts import play_at_random
from interpreter.authoring.examples.suite import run_examples
from interpreter.errors import PlayError
from interpreter.play.game import Game, State, load
from interpreter.seat.explain.breakdown import Explanation
from interpreter.seat.explain.query import evaluate_query
from tests.interpreter.engines import same_in_every_engine

HALVES = Path(__file__).parent / "rules" / "halves.rules"


@pytest.fixture(scope="module")
def halves() -> Game:
    return load(HALVES)


def asked(state: State, text: str) -> Explanation:
    return evaluate_query(state.program, state.cells, text, None)


def test_the_examples_hold() -> None:
    results = run_examples(HALVES)
    assert len(results) == 7
    assert [failure for result in results for failure in result.failures] == []


def test_the_numbers_are_those_of_arithmetic(halves: Game) -> None:
    state, rng = halves.start(), random.Random(1)
    for _ in range(200):
        one, other = rng.randint(-999, 999), rng.choice([rng.randint(-9, -1), rng.randint(1, 9), 999])
        exact = Fraction(one, other)
        for form, wanted in {
            f"{one} / {other} rounded down": floor(exact),
            f"{one} / {other} rounded up": ceil(exact),
            f"remainder({one}, {other})": one - other * floor(exact),
            f"larger({one}, {other})": max(one, other),
            f"smaller({one}, {other})": min(one, other),
        }.items():
            assert asked(state, form).value == str(wanted), form


def test_division_by_0_is_a_fault_that_names_the_line(halves: Game) -> None:
    state = halves.start()
    state.push("split")
    before = list(state.cells)
    for divisor in ("n - 7", "m - 5"):
        with pytest.raises(PlayError, match=r"is 0: nothing can be divided by it"):
            asked(state, f"3 / ({divisor}) rounded up")
        with pytest.raises(PlayError, match=r"is 0: nothing can be divided by it"):
            asked(state, f"remainder(3, {divisor})")
    assert list(state.cells) == before


def test_a_fault_in_play(tmp_path: Path) -> None:
    path = tmp_path / "fault.rules"
    path.write_text(HALVES.read_text("utf-8").replace("m: 0..9 = 3", "m: 0..9 = 0"), encoding="utf-8")
    lines = path.read_text("utf-8").splitlines()
    game = load(path)
    for run in (lambda: game.start().push("split"), lambda: [play_at_random(game, seed) for seed in range(40)]):
        with pytest.raises(PlayError, match="`m` is 0: nothing can be divided by it") as caught:
            run()
        line = int(caught.value.location.rsplit(":", 2)[1])
        assert lines[line - 1].strip() == "set m to 9 / m rounded down"


def test_none_is_a_fault_of_its_own(halves: Game) -> None:
    with pytest.raises(PlayError, match="`lent` is none"):
        asked(halves.start(), "4 / lent rounded up")


def test_why_shows_the_parts(halves: Game) -> None:
    tree = asked(halves.start(), "half(ann) + remainder(n, m)")
    assert list(tree.lines()) == [
        "half(ann) + remainder(n, m) = 5",
        "  half(ann) = 4",
        "    larger(score[p], n) / 2 rounded up = 4",
        "      larger(score[p], n) = 7",
        "        score[p] = 0",
        "        n = 7",
        "  remainder(n, m) = 1",
        "    n = 7",
        "    m = 3",
    ]


LEAK = """game "Hidden" for 2 players ann, ben

== components ==

type Rank with worth: 1..3:
    low   1
    high  3
piece Card: 4 for each rank: Rank in deck
zone deck holds stack of Card, seen by nobody
zone hand[p: Player] holds Card, seen by p

== setup ==

shuffle deck
for each p in Player: move 3 from deck to hand[p]

== phases ==

phase main, turns from ann, over when deck is empty:
    must draw

action draw:
    "draw"
    require VALUE >= 0   because "no"
    move 1 from deck to hand[me]

== scoring ==

winner highest count hand[me]
"""
TOTAL = "(sum c.rank.worth for c in hand[left(me)])"


@pytest.mark.parametrize(
    "value",
    [
        f"{TOTAL} / 2 rounded up", f"20 / {TOTAL} rounded down", f"remainder({TOTAL}, 2)", f"remainder(20, {TOTAL})",
        f"larger({TOTAL}, 2)", f"smaller(2, {TOTAL})",
    ],
)  # fmt: skip
def test_what_is_computed_from_a_secret_is_one(tmp_path: Path, value: str) -> None:
    path = tmp_path / "hidden.rules"
    path.write_text(LEAK.replace("VALUE", value), encoding="utf-8")
    with pytest.raises(RulesError, match="would tell the acting seat about the `rank` of pieces in `hand`"):
        load(path)


def test_what_is_computed_from_open_numbers_is_none(tmp_path: Path) -> None:
    path = tmp_path / "hidden.rules"
    value = "larger(count hand[left(me)], remainder(count deck, 2)) / (1 + count deck) rounded up"
    path.write_text(LEAK.replace("VALUE", value), encoding="utf-8")
    assert load(path).start().legal_moves


def test_a_variant_replaces_a_case_with_a_division(tmp_path: Path) -> None:
    (tmp_path / "variants").mkdir()
    text = HALVES.read_text("utf-8").split("== examples ==")[0]
    rules = tmp_path / "halves.rules"
    rules.write_text(
        text.replace(
            "define half(p: Player): larger(score[p], n) / 2 rounded up",
            "define half(p: Player):\n    larger(score[p], n) / 2 rounded up      if n > 0\n    0       otherwise",
        ),
        encoding="utf-8",
    )
    (tmp_path / "variants" / "down.rules").write_text(
        'variant "Down" of halves:\n    in define half:\n        replace if n > 0: n / 2 rounded down if n > 0\n',
        "utf-8",
    )
    assert asked(load(rules).start(), "half(ann)").value == "4"
    assert asked(load(rules, variants=["down"]).start(), "half(ann)").value == "3"


def test_the_log_tells_the_points_and_why(halves: Game) -> None:
    state = halves.start()
    state.push("halve")
    told = list(state.log(None)[-1].details)
    assert told == ["score[ann]: 0 → 4 (half of 7)", "n: 7 → 3"]


BIDS = """game "Bids" for 2 players ann, ben

== components ==

type Bid is 18, 20, 22..24
note bid: Bid or none = none
note asked: 0..99 = 0

== phases ==

phase main, turns from ann, over when bid is 24:
    must raise else hold

action raise(b: Bid):
    let least = (17 if bid is none else 18)
    require bid is none or b > bid      because "more than {bid}"
    require b > least                       because "more than {least}"
    set bid to b
    add count Bid to asked

action hold: set bid to 24

== scoring ==

winner asked > 3

== examples ==

example "bids":
    when phase main
    then ann may raise(20)
    when ann: raise(20)
    then ben may only raise(22) or raise(23) or raise(24)
"""


def test_a_type_of_single_numbers(tmp_path: Path) -> None:
    path = tmp_path / "bids.rules"
    path.write_text(BIDS)
    assert [failure for result in run_examples(path) for failure in result.failures] == []
    same_in_every_engine(load(path))
