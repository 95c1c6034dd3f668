"""Reactions that ask: in the middle of steps, loops and other turns; undone, saved, traced, supposed, kept secret."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from dsl.diagnostics import RulesError
from interpreter.authoring.examples.suite import run_examples
from interpreter.errors import PlayError
from interpreter.play.game import Game, State, load
from interpreter.play.saves.files import SaveMeta, read_save, resume, write_save
from interpreter.play.trace import Timeline
from tests.interpreter.lockstep import same_with_passes_and_without
from tests.interpreter.watching import leaks

REACTIONS = Path(__file__).parent / "rules" / "reactions.rules"

SMALL = """game "Small" for 2 players ann, ben

== components ==

piece Card: 6 for each owner: Player in deck
zone deck holds stack of Card, seen by nobody
zone hand[p: Player] holds Card, seen by p
zone gone holds Card
note coins[p: Player]: 0..99 = 0
note seen: 0..99 = 0
note rounds: 0..20 = 0

== setup ==

shuffle deck
for each p in Player: move 3 from deck to hand[p]

== phases ==

phase main, turns from ann, over when rounds is 6OVER:
    add 1 to rounds
    TURN

action wait:
    "wait"
action take:
    add 1 to coins[me]
REST

== scoring ==

winner highest coins[me]
"""


def small(folder: Path, turn: str, rest: str, over: str = "") -> Path:
    path = folder / "small.rules"
    path.write_text(SMALL.replace("TURN", turn).replace("REST", rest).replace("OVER", over), encoding="utf-8")
    return path


def at_random(game: Game, seed: int, moves: int = 400) -> State:
    state, rng = game.start(seed), random.Random(seed)
    while not state.over and state.ply < moves:
        state.push(rng.choice(state.legal_moves))
    return state


def test_the_examples_hold() -> None:
    results = run_examples(REACTIONS)
    assert len(results) == 3
    assert [failure for result in results for failure in result.failures] == []


@pytest.mark.parametrize("players", [2, 3])
def test_games_are_the_same_with_passes_and_without(players: int) -> None:
    game = load(REACTIONS, players)
    same_with_passes_and_without(game, range(4))


def test_everything_can_be_undone_and_done_again() -> None:
    game = load(REACTIONS, 3)
    state = at_random(game, 7)
    keys, made = [], [record.notation for record in state.history]
    while state.ply:
        keys.append(state.key())
        state.pop()
    assert state.key() == game.start(7).key()
    for notation in made:
        state.push(notation)
        assert state.key() == keys.pop()


@pytest.mark.parametrize("ply", [4, 9, 15])
def test_a_game_is_saved_in_the_middle_of_a_reaction(tmp_path: Path, ply: int) -> None:
    game = load(REACTIONS, 3)
    state, rng = game.start(3), random.Random(3)
    while state.ply < ply or state.question is None or "build" in state.question.names:
        state.push(rng.choice(state.legal_moves))
    write_save(tmp_path / "game.json", state, SaveMeta(dict.fromkeys(game.seats, "random")))
    again = resume(read_save(tmp_path / "game.json"))
    assert again.key() == state.key()
    assert [move.notation for move in again.legal_moves] == [move.notation for move in state.legal_moves]


def test_a_trace_goes_on_where_a_reaction_was_asked() -> None:
    """What follows an answer is nested in the reaction, and in what has triggered it."""
    state = load(REACTIONS, 3).start(3)
    rng = random.Random(1)
    while not state.over:
        state.push(rng.choice(state.legal_moves))
    events = [event for _, event in Timeline(state).all_events()]
    depth_of = 0
    for event in events:
        if event.text.startswith("when hit"):
            depth_of = event.depth
        if event.text.startswith("action lay_off"):
            assert event.depth > depth_of > 0
    assert sum(event.text.startswith("when ") for event in events) > 3
    for seat in state.game.seats:
        list(Timeline(state, seat).all_events())


def test_a_reaction_that_asks_nobody_and_stays_true_is_a_fault(tmp_path: Path) -> None:
    rest = "when stuck: must choose c from gone\ndefine stuck: coins[ann] > 0"
    state = load(small(tmp_path, "must take", rest)).start(1)
    with pytest.raises(PlayError, match="reactions trigger each other endlessly: stuck"):
        state.push("take")


def test_a_phase_is_over_once_the_reactions_have_happened(tmp_path: Path) -> None:
    rest = """when paid:
    add 1 to seen
    must wait or take
define paid: seen < coins[ann] + coins[ben]"""
    state = load(small(tmp_path, "must take", rest, ", over as soon as coins[ann] + coins[ben] >= 2")).start(1)
    state.push("take")
    assert state.question is not None
    assert state.question.names == ("wait", "take")
    state.push("take")
    assert not state.over
    assert state.question is not None
    assert state.question.names == ("wait", "take")  # for the second coin
    state.push("wait")
    assert state.over


def test_the_setup_triggers_no_reaction(tmp_path: Path) -> None:
    rest = """when dealt:
    set seen to 1
    must wait
define dealt: seen is 0 and count hand[ann] is 3"""
    text = small(tmp_path, "must take", rest).read_text("utf-8")
    state = load(tmp_path / "small.rules").start(1)
    assert state.question is not None
    assert state.question.names == ("take",)
    assert "must wait" in text


def test_a_step_whose_reactions_ask_cannot_be_supposed(tmp_path: Path) -> None:
    rest = """step gain: add 1 to coins[me]
when paid:
    add 1 to seen
    must wait
define paid: seen < coins[ann]
define better: (coins[me] > 3) given gain"""
    with pytest.raises(RulesError) as caught:
        load(small(tmp_path, "if better: must take", rest))
    assert {found.code for found in caught.value.diagnostics if found.severity == "error"} == {"E0423"}


HIDDEN = """when lucky:
    add 1 to seen
    DUTY take
define lucky: seen < rounds and no c in hand[ann] where c.owner is ben"""


def test_a_question_that_depends_on_a_secret_is_reported(tmp_path: Path) -> None:
    with pytest.raises(RulesError) as caught:
        load(small(tmp_path, "must wait", HIDDEN.replace("DUTY", "may")))
    assert "E0602" in {found.code for found in caught.value.diagnostics}


def test_a_secret_question_reveals_nothing(tmp_path: Path) -> None:
    rest = """when lucky(p: Player):
    add 1 to seen
    each player from p to p: may secretly choose c from hand[me]
define lucky(p: Player): seen < rounds and p is ann"""
    game = load(small(tmp_path, "must wait", rest))
    assert not leaks(game, range(4))
