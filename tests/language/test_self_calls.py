"""Definitions that call themselves: values, play in every engine, without passes, secrets, what the checker proves."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from dsl.diagnostics import RulesError
from interpreter.authoring.examples.suite import run_examples
from interpreter.compiler.passes.pipeline import MEANINGS
from interpreter.engine.machine import wasmtime_host
from interpreter.errors import PlayError
from interpreter.play.game import State, load
from interpreter.play.trace.origins import why
from interpreter.seat.explain.query import evaluate_query
from tests.interpreter.engines import same_in_every_engine
from tests.interpreter.lockstep import play, programs, same_playout
from tests.interpreter.machine.comparing import machine_of

SELF_CALLS = Path(__file__).parent / "rules" / "self_calls.rules"


def test_the_examples_hold() -> None:
    results = run_examples(SELF_CALLS)
    assert len(results) == 5
    assert [failure for result in results for failure in result.failures] == []


def test_games_are_the_same_in_every_engine() -> None:
    same_in_every_engine(load(SELF_CALLS), seeds=1)


@pytest.mark.parametrize("without", [frozenset(MEANINGS), frozenset({"constants"}), frozenset({"inlining"})])
def test_games_are_the_same_without_passes(without: frozenset[str]) -> None:
    game = load(SELF_CALLS)
    same_playout(game, 1, play(programs(game, *without), 2, 1, journal=True))


def value(state: State, text: str) -> str | None:
    return evaluate_query(state.program, state.cells, text, None).value


def test_the_longest_road_is_that_of_trails() -> None:
    rng, state = Random(5), load(SELF_CALLS).start()
    while not state.over:
        state.push(rng.choice(state.legal_moves))
        assert value(state, "longest(me) is highest (count t) for t in trails(Spot, track of me, 1)") == "true"


def test_why_explains_the_way() -> None:
    state = load(SELF_CALLS).start()
    assert why(state, "longest(ann)", None).headline == "longest(ann) is 0"
    lines = list(why(state, "wins(9)", None).lines())
    assert lines[0] == "wins(9) is true" and len(lines) < 200


def test_a_number_below_its_range_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "x.rules"
    down = "define down(n: 0..9) -> 0..9: (0 if n <= 1 else highest down(n - k) for k in 2..3)\n\n== scoring =="
    path.write_text(SELF_CALLS.read_text("utf-8").replace("== scoring ==", down), "utf-8")
    state = load(path).start()
    with pytest.raises(PlayError, match="-1"):
        value(state, "down(4)")


# ---------------------------------------------------------------- secrets

HANDS = """
game "Hands" for 2 players ann, ben

== components ==

type Colour is red, blue
piece Card: 3 for each colour: Colour in deck
zone deck holds stack of Card, seen by nobody
zone hand[p: Player] holds Card, seen by p
zone shown holds row of Card
note seat: 0..9 = 0

names:
    seat    "seat"

== setup ==

shuffle deck
for each p in Player: move 2 from deck to hand[p]

== phases ==

phase showing, turns from ann, over when count shown > 1:
    must show

action show(c in hand[me]):
    "show {LABEL}"
    move c to shown
    add 1 to seat

define open_cards(n: 0..5) -> 0..9: (0 if n is 0 else count shown of red + open_cards(n - 1))
define own(n: 0..5) -> 0..9: (0 if n is 0 else count hand[me] of red + own(n - 1))
define of_others(p: Player, n: 0..5) -> 0..9: (0 if n is 0 else count hand[p] of red + of_others(left(p), n - 1))
define at_last(p: Player, n: 0..5) -> 0..9: (count hand[p] of red if n is 0 else at_last(ben, n - 1))
define supposed(n: 0..3) -> 0..9: (count shown of red if n is 0 else (supposed(n - 1) given turn))
step turn: move 1 from hand[ben] to shown

== scoring ==

winner highest count shown of red + 0 * (count {q in Player where q is turned(me, 3)}) + 0 * seat

define turned(p: Player, n: 0..5) -> Player: (p if n is 0 else turned(left(p), n - 1))
"""


@pytest.mark.parametrize(
    ("label", "accepted"),
    [
        ("open_cards(3)", True), ("own(3)", False), ("of_others(me, 2)", False), ("at_last(ann, 0)", False),
        ("supposed(2)", False), ("turned(me, 2)", True), ("1", True),
    ],
)  # fmt: skip
def test_what_a_call_of_itself_reads_is_a_secret(tmp_path: Path, label: str, accepted: bool) -> None:
    path = tmp_path / "hands.rules"
    path.write_text(HANDS.replace("LABEL", label), "utf-8")
    if accepted:
        load(path)
        return
    with pytest.raises(RulesError, match=r"would tell .* `colour` of pieces in|which piece"):
        load(path)


def test_who_sees_something_may_be_found_by_calls(tmp_path: Path) -> None:
    path = tmp_path / "hands.rules"
    text = HANDS.replace("holds Card, seen by p", "holds Card, seen by turned(p, 2)")
    path.write_text(text.replace("LABEL", "count hand[me] of red"), "utf-8")
    with pytest.raises(RulesError, match=r"would tell .* `colour` of pieces in"):
        load(path)
    path.write_text(text.replace("LABEL", "1"), "utf-8")
    with path.open("a", encoding="utf-8") as file:
        file.write('\n== examples ==\n\nexample "own cards":\n    then sees(ann, hand[ann])\n')
        file.write("    and not sees(ben, hand[ann])\n")
    assert [failure for result in run_examples(path) for failure in result.failures] == []


# ---------------------------------------------------------------- many calls

ORDERS = """
game "Orders" for 2 players ann, ben

== components ==

type Pier from track(9)
note planks: several Pier = {}
note order: 0..99999 = 0

== phases ==

phase building, turns from ann, over when count planks is 1:
    must lay

action lay(x: Pier):
    require {CALL} > 0                      because "x"
    put(x)

step put(x: Pier):
    add x to planks
    set order to remainder(9 * order + x, 99991)

define most(n: 0..9) -> 0..9:
    0                                                                   if n is 0
    highest (1 + (most(n - 1) given put(y))) for y in Pier - planks     otherwise

define twice(n: 0..60) -> 0..9: (1 if n is 0 else smaller(twice(n - 1), twice(n - 1)))

== scoring ==

winner highest order
"""


def test_memory_is_for_one_hypothesis_at_a_time(tmp_path: Path) -> None:
    """A million hypotheses of one step: each needs a copy of the state, and there are eight megabytes for a step."""
    path = tmp_path / "orders.rules"
    path.write_text(ORDERS.replace("{CALL}", "most(9)"), "utf-8")
    assert not machine_of(load(path)).play(0, 1, 10).failed


def test_calls_without_a_loop_are_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wasmtime_host, "MAX_SECONDS", 0.2)
    path = tmp_path / "orders.rules"
    path.write_text(ORDERS.replace("{CALL}", "twice(60)"), "utf-8")
    assert machine_of(load(path)).play(0, 1, 10).failed
