"""Interrupts: steps that say before or after which rules they are done; in both engines, traced, kept secret."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from dsl.diagnostics import Diagnostic, RulesError
from interpreter.authoring.coverage.subjects import subjects
from interpreter.authoring.examples.suite import run_examples
from interpreter.authoring.rulebook.building import rulebook_of
from interpreter.authoring.rulebook.markdown import markdown_of
from interpreter.loading.rules import load_rules
from interpreter.play.game import load
from interpreter.play.trace import Timeline
from interpreter.seat.explain.rules_summary import rules_summary
from tests.interpreter.lockstep import same_with_passes_and_without
from tests.interpreter.watching import leaks

INTERRUPTS = Path(__file__).parent / "rules" / "interrupts.rules"

SMALL = """game "Small" for 2 players ann, ben

== components ==

type Rank is low, high
piece Card: 6 for each rank: Rank in deck
zone deck holds stack of Card, seen by nobody
zone hand[p: Player] holds Card, seen by p
zone gone holds Card
note coins[p: Player]: 0..99 = 0
note rounds: 0..20 = 0

== setup ==

shuffle deck
for each p in Player: move 3 from deck to hand[p]

== phases ==

phase main, turns from ann, over when rounds is 6:
    add 1 to rounds
    must take or wait
    must wait

action wait:
    "wait"
action take:
    gain
step gain:
    add 1 to coins[me]
REST

== scoring ==

winner highest coins[me]
"""


def small(folder: Path, rest: str) -> Path:
    path = folder / "small.rules"
    path.write_text(SMALL.replace("REST", rest), encoding="utf-8")
    return path


def reported(folder: Path, rest: str) -> list[Diagnostic]:
    """The errors and warnings of the small game with more rules."""
    try:
        return list(load_rules(small(folder, rest)).warnings)
    except RulesError as error:
        return list(error.diagnostics)


def test_the_examples_hold() -> None:
    results = run_examples(INTERRUPTS)
    assert len(results) == 3
    assert [failure for result in results for failure in result.failures] == []


@pytest.mark.parametrize("players", [2, 4])
def test_games_are_the_same_with_passes_and_without(players: int) -> None:
    same_with_passes_and_without(load(INTERRUPTS, players), range(4))


def test_everything_can_be_undone_and_done_again() -> None:
    game = load(INTERRUPTS, 3)
    state, rng = game.start(7), random.Random(7)
    while not state.over:
        state.push(rng.choice(state.legal_moves))
    keys, made = [], [record.notation for record in state.history]
    while state.ply:
        keys.append(state.key())
        state.pop()
    assert state.key() == game.start(7).key()
    for notation in made:
        state.push(notation)
        assert state.key() == keys.pop()


def test_a_trace_shows_interrupts_where_they_are_written() -> None:
    state, rng = load(INTERRUPTS, 3).start(3), random.Random(1)
    while not state.over:
        state.push(rng.choice(state.legal_moves))
    lines = INTERRUPTS.read_text("utf-8").splitlines()
    events = [event for _, event in Timeline(state).all_events() if event.kind in ("rule", "statement")]
    assert {"step refusals", "step claims", "step taxes"} <= {event.text for event in events}
    for event in events:
        if event.span is not None and event.kind == "statement":
            assert lines[event.span.line - 1].find(event.text.split(" (")[0].removesuffix(":")) >= 0, event.text
            assert event.text not in ("play", "wait", "claim", "use(copper)"), "no line says this"


def test_nothing_leaks_by_an_interrupt_that_everybody_is_asked_for(tmp_path: Path) -> None:
    rest = """step answers, after take or wait: each player from me: must show or keep
action show:
    require some c in hand[me] where c.rank is high     because "you have none"
    move (the c in hand[me] with highest count {c} where c.rank is high) to gone
action keep:
    "keep\""""
    assert not leaks(load(small(tmp_path, rest)), range(2))
    assert not leaks(load(INTERRUPTS, 2), range(1), 1)


SHOWING = """step answers, after CUED: each player from left(me) to right(me): DUTY show
action show:
    require some c in hand[me] where c.rank is high     because "you have none"
    move (the c in hand[me] with highest count {c} where c.rank is high) to gone"""


def test_an_open_interrupt_that_depends_on_a_secret_is_reported(tmp_path: Path) -> None:
    found = reported(tmp_path, SHOWING.replace("DUTY", "may").replace("CUED", "take"))
    assert {one.code for one in found} == {"E0602"}
    assert {one.span.text for one in found} <= {"may show", "show"}


def test_what_follows_a_secret_interrupt_may_give_it_away(tmp_path: Path) -> None:
    """Before `gain`, the coin is seen at once if nobody is asked; after `take`, another seat is asked openly."""
    for cue in ("before gain", "after take"):
        rest = SHOWING.replace("DUTY", "may secretly").replace("after CUED", cue)
        assert [one.code for one in reported(tmp_path, rest)] == ["E0614"]
        assert leaks(load(small(tmp_path, rest)), range(1), 2)


def test_requirements_of_an_interrupt_bind_the_action(tmp_path: Path) -> None:
    state = load(small(tmp_path, 'step once, before take: require coins[me] < 1 because "one is enough"')).start(1)
    for notation in ("take", "wait", "wait", "wait"):
        state.push(notation)
    assert state.player == "ann"
    assert [move.notation for move in state.legal_moves] == ["wait"]
    assert "one is enough" in str(state.why("take"))


def test_a_supposed_step_asks_nobody(tmp_path: Path) -> None:
    rest = "step answers, after gain: may wait\ndefine better: (coins[me] > 3) given gain\nwhen rich: add 1 to rounds"
    rest += "\ndefine rich: better and rounds < 3"
    (found,) = [one for one in reported(tmp_path, rest) if one.code == "E0423"]
    assert [label.span.text for label in found.labels] == ["gain"]


def test_nobody_is_asked_about_a_choice_at_once(tmp_path: Path) -> None:
    rest = "step both: each player from me at once: must take\nstep answers, after take: may wait\nwhen rich: both"
    rest += "\ndefine rich: rounds is 1"
    (found,) = [one for one in reported(tmp_path, rest) if one.severity == "error"]
    assert found.code == "E0436"
    assert [(label.span.text, label.text) for label in found.labels] == [("take", "`answers` interrupts it, and asks")]


WRONG = {
    "step s, after tak: may wait": ("E0201", "tak", "did you mean `take`?"),
    "step s, after main: may wait": ("E0431", "main", "do it where the phase begins or ends: write `s` in its block"),
    "step s, after coins: may wait": ("E0431", "coins", None),
    "step s, after take or take: may wait": ("E0431", "take", "name it once"),
    "step s, after s: may wait": ("E0431", "s", "repeat with `up to N times while …:`"),
    "step s(n: 1..2), after take: may wait": (
        "E0431", "n: 1..2", "note in the rule what it needs, and read the note in it",
    ),
    "step s, after take: gain\nstep t, after gain: s": ("E0414", None, None),
    "when take: may wait": ("E0407", "take", "what happens with every `take` is a step: `step NAME, after take: …`"),
}  # fmt: skip


@pytest.mark.parametrize("rest", WRONG)
def test_a_mistake_is_reported_once_where_it_is(tmp_path: Path, rest: str) -> None:
    code, text, advice = WRONG[rest]
    (found,) = [one for one in reported(tmp_path, rest) if one.severity == "error"]
    assert found.code == code
    assert text is None or found.span.text == text
    assert advice is None or advice in found.helps


VARIANT = """variant "More" of small:
    add action jump: add 2 to coins[me]
    in phase main:
        add jump to must take or wait
    in step s:
        CHANGES
"""


def with_variant(folder: Path, changes: str) -> Path:
    """The small game with an interrupt, beside a variant that changes it."""
    path = small(folder, "step s, before wait, after take: add 1 to coins[left(me)]")
    (folder / "variants").mkdir()
    (folder / "variants" / "more.rules").write_text(VARIANT.replace("CHANGES", changes), encoding="utf-8")
    return path


def test_a_variant_changes_when_an_interrupt_is_done(tmp_path: Path) -> None:
    changes = "add after jump or gain\n        remove after take\n        remove before wait"
    state = load(with_variant(tmp_path, changes), variants=["more"]).start(1)
    for notation in ("jump", "wait", "take", "wait"):
        state.push(notation)
    coins = {p: state.evaluate(f"coins[{p}]") for p in ("ann", "ben")}
    assert coins == {"ann": 3, "ben": 2}


WRONG_CHANGES = {
    "add after take": "E0805",
    "remove after wait": "E0801",
    "add before jumb": "E0201",
    "add before wait or jump": "E0805",
}


@pytest.mark.parametrize("changes", WRONG_CHANGES)
def test_a_variant_is_told_what_does_not_fit(tmp_path: Path, changes: str) -> None:
    with pytest.raises(RulesError) as caught:
        load(with_variant(tmp_path, changes), variants=["more"])
    assert [found.code for found in caught.value.diagnostics if found.severity == "error"] == [WRONG_CHANGES[changes]]


def test_coverage_counts_each_rule_that_does_an_interrupt(tmp_path: Path) -> None:
    rest = "step s, after take or never: add 1 to coins[me]\nstep never: add 1 to coins[me]"
    rules = load_rules(small(tmp_path, rest))
    parts = {subject.name: [(part.text, part.span.text) for part in subject.parts] for subject in subjects(rules.model)}
    assert ("s", "take") in parts["take"]
    assert ("s", "never") in parts["never"]


def test_the_summary_says_once_who_may_interrupt_when() -> None:
    game = load(INTERRUPTS, 2)
    phases = {phase.name: phase for phase in rules_summary(game.rules.model, game.words).phases}
    assert phases["claims"].ends == ("after play or wait",)
    assert phases["claims"].decisions == ("may claim",)
    assert phases["cards at any time"].ends == ("after refill", "before flood")
    assert phases["main"].decisions == ("must play or wait", "must bid")
    assert "taxes" not in phases  # it asks nobody


def test_the_rulebook_says_once_when_an_interrupt_is_done() -> None:
    book = markdown_of(rulebook_of(load_rules(INTERRUPTS), 2))
    lines = [line for line in book.splitlines() if line]
    start = lines.index("### Claims")
    assert lines[start + 1 : start + 4] == [
        "**When:**",
        "- [After “play”.](#rule-play)",
        "- [After “wait”.](#rule-wait)",
    ]
    assert not [line for line in lines if "Now: claims" in line]
