"""`E given step(…)`: the value of E after a step that is only supposed: nothing is left of it, whoever asks."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from dsl.diagnostics import RulesError
from interpreter.authoring.examples.suite import run_examples
from interpreter.play.game import State, load
from interpreter.play.trace import Timeline
from interpreter.seat.explain.query import evaluate_query
from tests.interpreter.lockstep import same_with_passes_and_without

RULES = Path(__file__).parent / "rules" / "hypotheses.rules"


def played(seed: int, moves: int = 12) -> State:
    state, rng = load(RULES).start(seed), random.Random(seed)
    while not state.over and state.ply < moves:
        state.push(rng.choice(state.legal_moves))
    return state


def test_the_examples_of_the_game_pass() -> None:
    results = run_examples(RULES)
    assert len(results) == 3
    assert [failure for result in results for failure in result.failures] == []


def test_games_are_the_same_with_passes_and_without() -> None:
    game = load(RULES)
    same_with_passes_and_without(game, range(6))


@pytest.mark.parametrize("seed", range(6))
def test_asking_changes_nothing(seed: int) -> None:
    state = played(seed)
    key, logged = state.key(), [entry.text for entry in state.log(None)]
    moves = [move.label for move in state.legal_moves]
    for question in ("attacked(white) given carry(a1, a2)", "count taken[white] given carry(b1, b4)", "stuck"):
        state.evaluate(question)
    state.why("go", c="a1", d="b2")
    assert state.key() == key and [entry.text for entry in state.log(None)] == logged
    assert [move.label for move in state.legal_moves] == moves
    while state.ply:
        state.pop()
    assert state.key() == load(RULES).start(seed).key()


@pytest.mark.parametrize("seed", range(6))
def test_what_is_supposed_is_what_happens(seed: int) -> None:
    """The value given a step is the value after that step."""
    state = played(seed, 3)
    for move in state.legal_moves:
        if move.name != "go":
            continue
        c, d = move.arguments["c"], move.arguments["d"]
        mover = state.player
        told = [state.evaluate(f"{asked} given carry({c}, {d})") for asked in ("attacked(white)", "attacked(black)")]
        state.push(move)
        assert [state.evaluate(asked) for asked in ("attacked(white)", "attacked(black)")] == told
        assert told[mover == "black"] is False
        state.pop()


def test_why_names_what_the_move_would_expose() -> None:
    why = load(RULES).start(seed=1).why("go", c="a1", d="b2")
    assert why.headline == "`go(a1, b2)` is not legal: your king would be attacked"
    (failed,) = [reason for reason in why.reasons if not reason.holds]
    assert failed.values == (
        ("attacked(me) given carry(c, d)", "true"),
        ("after carry(a1, b2): c", "b4"),
        ("after carry(a1, b2): k", "b2"),
    )


@pytest.mark.parametrize("as_seat", [None, "white", "black"])
def test_traces_do_not_show_what_was_only_supposed(as_seat: str | None) -> None:
    state = played(3)
    events = [event for _, event in Timeline(state, as_seat).all_events()]
    steps = [event for event in events if event.text.startswith("carry")]
    assert len(steps) == sum(entry.notation.startswith("go") for entry in state.history)


@pytest.mark.parametrize(("seat", "seen"), [(None, True), (0, False), (1, True)])
def test_what_is_not_seen_stays_hidden_in_a_hypothesis(seat: int | None, seen: bool) -> None:
    """A card of black's hand would lie in the open; white does not learn which one."""
    state = load(RULES).start(seed=1)
    asked = "(sum c.value for c in table_top) given lay(the c in hand[black] with highest c.value)"
    value = evaluate_query(state.program, state.cells, asked, seat).value
    assert value.isdigit() if seen else value == "hidden"


LEAK = """
game "Leak" for 2 players ann, ben

== components ==

piece Card: 1 for each value: 1..6 in deck
zone deck holds stack of Card, seen by nobody
zone hand[p: Player] holds Card, seen by p
zone table_top holds Card
note turns: 0..9 = 0

== setup ==

shuffle deck
each player from ann: move 2 from deck to hand[me]

== phases ==

phase main, turns from ann, over when turns is 8:
    must go

action go:
    "go"
    require {condition}       because "no"
    add 1 to turns

step draw: move 1 from deck to table_top
step lay(p: Player): move hand[p] to table_top
step count_up: add 1 to turns

== scoring ==

winner highest count hand[me]
"""


@pytest.mark.parametrize(
    ("condition", "leaks"),
    [
        ("(some c in table_top where c.value > 3) given draw", True),
        ("(some c in table_top where c.value > 3) given lay(left(me))", True),
        ("(some c in table_top where c.value > 3) given lay(me)", False),
        ("(some c in table_top where c.value > 3) given count_up", False),
        ("(count table_top < 5) given count_up", False),
    ],
)
def test_requirements_that_would_tell_a_secret_are_refused(condition: str, leaks: bool, tmp_path: Path) -> None:
    path = tmp_path / "leak.rules"
    path.write_text(LEAK.replace("{condition}", condition), encoding="utf-8")
    if leaks:
        with pytest.raises(RulesError, match="E060"):
            load(path)
    else:
        load(path)
