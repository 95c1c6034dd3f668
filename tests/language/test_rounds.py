"""Rounds: phases that are repeated, their numbers, and notes that begin anew in each."""

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
from interpreter.play.trace.events import Event
from interpreter.play.trace.origins import why
from tests.interpreter.lockstep import same_with_passes_and_without
from tests.interpreter.machine.comparing import compared
from tests.support.resampling import resampled

DEALS = Path(__file__).parent / "rules" / "rounds.rules"


@pytest.fixture(scope="module")
def deals() -> Game:
    return load(DEALS, 2, {"goal": "30"})


def in_deal(game: Game, number: int, seed: int = 4) -> State:
    """A random game up to the second trick of a deal."""
    state, rng = game.start(seed), random.Random(seed)
    while state.view(None).rounds != {"deal": number, "trick": 2}:
        state.push(rng.choice([move for move in state.legal_moves if move.name != "sink"]))
    return state


def test_the_examples_hold() -> None:
    results = run_examples(DEALS)
    assert len(results) == 6
    assert [failure for result in results for failure in result.failures] == []


def test_the_view_tells_the_rounds_in_progress(deals: Game) -> None:
    state = deals.start(seed=1)
    view = state.view("ann")
    assert (view.phase, view.rounds) == ("bidding", {"deal": 1})
    assert view.notes["round(deal)"] == 1 and view.notes["round(trick)"] == 0
    assert view.as_data()["rounds"] == {"deal": 1}
    for _ in range(2):
        state.push("agree")
    assert (state.view("ben").phase, state.view("ben").rounds) == ("trick", {"deal": 1, "trick": 1})


def test_a_finished_game_has_no_rounds_in_progress(deals: Game) -> None:
    state = in_deal(deals, 3)
    state.push("sink")
    view = state.view(None)
    assert view.over and view.rounds == {} and view.notes["round(deal)"] == 3


def test_the_log_and_the_trace_tell_when_a_round_begins(deals: Game) -> None:
    state = in_deal(deals, 2)
    told = [line for entry in state.log("ann") for line in entry.details if "round" in line]
    assert told == [
        "deal, round 1", "trick, round 1", "trick, round 2", "trick, round 3", "deal, round 2", "trick, round 1",
        "trick, round 2",
    ]  # fmt: skip
    timeline = Timeline(state, "ben")
    events = [event for ply in range(timeline.plies + 1) for event in timeline.events(ply)]
    assert [event.text for event in events if event.kind == "turn" and "round" in event.text] == told
    changed = [event for event in events if "round(deal)" in event.what]
    assert [(event.text, event.span.line) for event in changed if event.span] == [
        ("deal, round 1", 33), ("deal, round 2", 33),
    ]  # fmt: skip


def test_what_happens_in_a_round_is_nested_in_it(deals: Game) -> None:
    timeline = Timeline(in_deal(deals, 2), None)
    found = list[list[str]]()
    for ply in range(timeline.plies + 1):
        above = list[Event]()
        for event in timeline.events(ply):
            above = [*(outer for outer in above if outer.depth < event.depth), event]
            if event.kind == "rule" and event.text == "phase dealing":
                found.append([outer.text for outer in above][-3:-1])
    assert found[0] == ["phase deal", "deal, round 1"] and found[1][-1] == "deal, round 2"


def test_why_explains_the_number_of_a_round(deals: Game) -> None:
    state = in_deal(deals, 2)
    found = why(state, "round(deal)", "ben")
    assert found.headline == "round(deal) is 2"
    assert [origin.change for origin in found.origins] == ["deal, round 1", "deal, round 2"]


def test_a_game_goes_on_in_the_middle_of_the_seventh_round(tmp_path: Path) -> None:
    state = in_deal(load(DEALS, 3, {"goal": "30"}), 7)
    path = tmp_path / "a.save"
    write_save(path, state, SaveMeta(dict.fromkeys(state.game.seats, "human")), durable=False)
    again = resume(read_save(path))
    assert again.key() == state.key() and again.legal_moves == state.legal_moves
    assert again.view(None) == state.view(None) and again.log("ben") == state.log("ben")


@pytest.mark.parametrize("seed", range(4))
def test_a_round_can_be_taken_back(deals: Game, seed: int) -> None:
    state, keys, rng = deals.start(seed), list[tuple[str, object]](), random.Random(seed)
    while not state.over:
        keys.append((state.key(), state.view("ann")))
        state.push(rng.choice(state.legal_moves))
    while keys:
        state.pop()
        assert (state.key(), state.view("ann")) == keys.pop()


def test_games_are_the_same_with_passes_and_without(deals: Game) -> None:
    same_with_passes_and_without(deals, range(6))


def test_random_games_are_the_same_however_they_are_played(deals: Game) -> None:
    assert compared(deals, 0, 30)["games"] == 30


# ---------------------------------------------------------------- small games

COUNTING = """game "Counting" for 2 players ann, ben

== components ==

note n: 0..99 = 0
note m: 0..99 = 0
note of_seat[p: Player, k: 0..2]: 0..9 = k, anew in outer
note a: Truth = false
note b: Truth = false

== phases ==

{phases}

action go(x: 0..3):
    set of_seat[me, 1] to 9
    add x to n
step count_on: add 1 to m

== scoring ==

winner highest n
"""


def counting(folder: Path, phases: str) -> Game:
    """The game with other phases."""
    path = folder / "counting.rules"
    path.write_text(COUNTING.format(phases=phases), encoding="utf-8")
    return load(path)


def test_rounds_without_a_decision_are_a_fault(tmp_path: Path) -> None:
    phases = "phase outer, repeated until n is 90:\n    phase inner:\n        set m to 1\n"
    with pytest.raises(PlayError, match="repeat endlessly: nobody decides anything") as fault:
        counting(tmp_path, phases).start(1)
    assert fault.value.location.endswith("counting.rules:13:1")


def test_a_repeated_phase_can_hold_statements(tmp_path: Path) -> None:
    game = counting(tmp_path, "phase outer, repeated until n >= 4:\n    count_on\n    each player from ann: must go")
    state = game.start(1)
    for _ in range(4):
        state.push("go(1)")
    assert state.over and state.view(None).notes["m"] == 2


def test_every_entry_of_a_note_is_reset(tmp_path: Path) -> None:
    state = counting(tmp_path, "phase outer, repeated until n >= 4:\n    each player from ann: must go").start(1)
    state.push("go(1)")
    assert [state.view(None).notes[f"of_seat[{seat}, 1]"] for seat in ("ann", "ben")] == [9, 1]
    state.push("go(1)")
    notes = state.view(None).notes
    assert [notes[f"of_seat[{seat}, {k}]"] for seat in ("ann", "ben") for k in range(3)] == [0, 1, 2] * 2


NESTED = """phase outer, repeated until n >= 9, over as soon as a:
    phase inner, over as soon as b:
        must go
        if n >= 4: set a to true
    phase counted:
        count_on
phase ending:
    set b to true
    add 10 to m
"""


def test_a_phase_left_from_within_leaves_those_inside_it_as_well(tmp_path: Path) -> None:
    """What would have ended an inner phase means nothing later."""
    state = counting(tmp_path, NESTED).start(1)
    state.push("go(3)")
    assert state.view(None).rounds == {"outer": 2}
    state.push("go(1)")
    assert state.over and state.view(None).notes["m"] == 11


def test_ending_the_game_ends_all_rounds(tmp_path: Path) -> None:
    phases = "phase outer, repeated until m is 5:\n    count_on\n    must go\n    if n > 0: end game"
    state = counting(tmp_path, phases).start(1)
    state.push("go(0)")
    state.push("go(1)")
    assert state.over and state.view(None).notes["m"] == 2


def test_a_reaction_follows_the_number_of_the_round(tmp_path: Path) -> None:
    phases = "phase outer, repeated until n >= 4, over as soon as round(outer) is 3:\n    must go\n"
    phases += "when late: set m to 7\ndefine late: round(outer) is 2 and m is 0"
    state = counting(tmp_path, phases).start(1)
    state.push("go(1)")
    assert state.view(None).notes["m"] == 7 and not state.over
    state.push("go(1)")
    assert state.over and state.view(None).notes["round(outer)"] == 3


def test_a_reaction_to_a_new_round_can_ask(tmp_path: Path) -> None:
    """Before anything else of the round happens, and once more with the notes that have begun anew."""
    phases = "phase outer, repeated until round(outer) is 3:\n    must go\n"
    phases += "when late:\n    set m to round(outer)\n    each player from ben to ben: must choose x from {1, 2}\n"
    phases += "define late: m < round(outer)"
    game = counting(tmp_path, phases)
    same_with_passes_and_without(game, range(4))
    state = game.start(1)
    for number in (1, 2, 3):
        assert state.player == "ben" and state.view(None).rounds == {"outer": number}
        state.push(state.legal_moves[1])
        state.push("go(1)")
    assert state.over


def test_a_condition_that_nothing_changes_is_reported(tmp_path: Path) -> None:
    game = counting(tmp_path, "phase outer, repeated until b:\n    count_on\n    must go\n    if n > 0: end game")
    assert [found.message for found in game.rules.warnings if found.code == "E0507"] == [
        "no statement ever changes whether `outer` is over"
    ]
    counted = counting(tmp_path, "phase outer, repeated until round(outer) is 3:\n    must go")
    assert not [found for found in counted.rules.warnings if found.code == "E0507"]


def test_a_note_may_be_called_round(tmp_path: Path) -> None:
    text = COUNTING.format(phases="phase outer, repeated until round(outer) + round is 4:\n    must go")
    path = tmp_path / "named.rules"
    path.write_text(text.replace("note n:", "note round: 0..9 = 2\nnote n:"), encoding="utf-8")
    state = load(path).start(1)
    state.push("go(0)")
    state.push("go(0)")
    assert state.over


def test_a_variant_can_repeat_a_phase_or_no_longer(tmp_path: Path) -> None:
    counting(tmp_path, "phase outer, repeated until n >= 4:\n    must go")
    folder = tmp_path / "variants"
    folder.mkdir()
    once = 'variant "once" of counting:\n    replace phase outer:\n        must go\n'
    (folder / "once.rules").write_text(once, encoding="utf-8")
    state = load(tmp_path / "counting.rules", variants=["once"]).start(1)
    state.push("go(0)")
    assert state.over
    gone = 'variant "gone" of counting:\n    remove phase outer\n    add phase other:\n        must go\n'
    (folder / "gone.rules").write_text(gone, encoding="utf-8")
    with pytest.raises(RulesError, match="there is no phase `outer`"):
        load(tmp_path / "counting.rules", variants=["gone"])


MARKED = """game "Marked" for 2 players ann, ben

== components ==

piece Card: 1 for each n: 1..9 in deck
zone deck holds stack of Card, seen by nobody
zone hand[p: Player] holds Card, seen by p
note marked[c: Card]: Truth = false, anew in deal

== setup ==

shuffle deck

== phases ==

phase deal, repeated until round(deal) is 3:
    each player from ann: move 3 from deck to hand[me]
    must mark
    must go_on

action mark:
    for each c in hand[ann] + hand[ben]: set marked[c] to true
action go_on:
    "go on"

== scoring ==

winner marked[the c in Card] is false
"""


@pytest.mark.parametrize("seed", range(8))
def test_notes_about_hidden_pieces_are_reset_in_no_order(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "marked.rules"
    path.write_text(MARKED, encoding="utf-8")
    state = load(path).start(seed)
    state.push("mark")
    other = resampled(state, "ann", seed)
    for each in (state, other):
        each.push("go_on")
    told = [[line for line in each.log("ann")[-1].details if "marked" in line] for each in (state, other)]
    assert told[0] == told[1] and told[0].count("marked[card]: true → false") == 3
    traced = [[event.text for event in Timeline(each, "ann").events(2)] for each in (state, other)]
    assert [[text for text in texts if "marked" in text] for texts in traced] == told
