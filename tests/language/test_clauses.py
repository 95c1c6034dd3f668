"""Rules written once for each value: moves, requirements, traces, saves, variants, and the same games either way."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from dsl.diagnostics import RulesError
from interpreter.authoring.examples.suite import run_examples
from interpreter.loading.rules import load_rules
from interpreter.play.game import Game, State, load
from interpreter.play.trace import Timeline
from tests.interpreter.lockstep import same_with_passes_and_without

FOLDER = Path(__file__).parent / "rules"
CLAUSES, DECK = FOLDER / "clauses.rules", FOLDER / "deck_building.rules"


def written_out(text: str) -> str:
    """The rules of `clauses.rules` with an `if` for each value, as they had to be written without clauses."""
    before, clauses = text.split("step use(wood", 1)
    clauses, after = ("step use(wood" + clauses).split("action deal(buy", 1)
    del clauses
    step = """step use(kind: Kind, more: 0..3):
    if kind is wood:
        add 1 + more to coins[me]
    else if kind is gain(n):
        add n + more to coins[me]
    else if kind is storm:
        add -1 to coins[me]
        add 1 + more to coins[me]
    else: add more to coins[left(me)]

"""
    play_card = """    move c to played
    use(c.kind, 1)
"""
    required = """    require c.kind is not storm or coins[me] > 0 because "there is nothing to lose"
    require coins[me] + (n if c.kind is gain(n) else 0) < 90 because "more would be too many"
"""
    before = before.replace(play_card, required + play_card).replace("must deal(trade)", "must deal")
    deal = """action deal(t: Trade):
    require t is trade because "not now"
    set trade to (sell if trade is buy else buy)
"""
    return f"{before}{step}{deal}\naction pass{after.split('action pass', 1)[1].split('== examples')[0]}"


def single(text: str) -> str:
    """The rules of `clauses.rules` with an action `deal` that has no parameters of its own."""
    before, rest = text.split("action deal(buy", 1)
    deal = """action deal(buy):
    set trade to sell
action deal(t: Trade), otherwise:
    set trade to buy
"""
    return f"{before}{deal}\naction pass{rest.split('action pass', 1)[1].split('== examples')[0]}"


def moves(state: State) -> list[str]:
    return [move.notation for move in state.legal_moves]


def at_random(game: Game, seed: int) -> State:
    state, rng = game.start(seed), random.Random(seed)
    while not state.over:
        state.push(rng.choice(state.legal_moves))
    return state


@pytest.mark.parametrize(("path", "count"), [(CLAUSES, 5), (DECK, 4)], ids=["clauses", "deck building"])
def test_the_examples_hold(path: Path, count: int) -> None:
    results = run_examples(path)
    assert len(results) == count
    assert [failure for result in results for failure in result.failures] == []


@pytest.mark.parametrize("path", [CLAUSES, DECK], ids=["clauses", "deck building"])
def test_games_are_the_same_with_passes_and_without(path: Path) -> None:
    game = load(path)
    same_with_passes_and_without(game, range(4))


@pytest.mark.parametrize("seed", range(6))
def test_clauses_are_what_an_if_for_each_value_is(tmp_path: Path, seed: int) -> None:
    text = CLAUSES.read_text("utf-8")
    (tmp_path / "a.rules").write_text(single(text), encoding="utf-8")
    (tmp_path / "b.rules").write_text(written_out(text), encoding="utf-8")
    one, other, rng = (
        load(tmp_path / "a.rules").start(seed),
        load(tmp_path / "b.rules").start(seed),
        random.Random(seed),
    )
    while not one.over:
        assert moves(one) == moves(other)
        move = rng.choice(moves(one))
        one.push(move)
        other.push(move)
        assert [one.evaluate(f"coins[{p}]") for p in one.game.seats] == [
            other.evaluate(f"coins[{p}]") for p in one.game.seats
        ]
    assert other.over


def test_moves_name_the_value_and_the_other_arguments() -> None:
    state = load(CLAUSES).start(3)
    while state.question is None or state.question.names != ("deal", "pass"):
        state.push(state.legal_moves[0])
    move = state.legal_moves[0]
    assert move.name == "deal"
    assert move.notation.startswith("deal(buy, [")
    assert move.arguments["value"] == "buy"
    assert move.label.startswith("lay off ")
    assert state.why("deal", **{name: str(value) for name, value in move.arguments.items()}).legal
    assert state.why(move.notation).legal
    asked = state.why("deal(sell, wood)")
    assert not asked.legal
    assert any("coins[me] > 1" in reason.text or "you have only" in reason.text for reason in asked.reasons)
    assert "`deal(buy)` takes (cards)" in state.why("deal(buy)").headline


def test_a_clause_explains_why_a_move_is_not_possible() -> None:
    state = load(CLAUSES).start(1)
    held = str(state.evaluate("hand[ann]"))
    assert "storm" in held
    asked = state.why("play(storm)")
    assert not asked.legal
    assert [reason.text for reason in asked.reasons if not reason.holds] == ["there is nothing to lose"]
    assert [reason.text for reason in state.why("play(wood)").reasons][1:] == []


@pytest.mark.parametrize("path", [CLAUSES, DECK], ids=["clauses", "deck building"])
def test_everything_can_be_undone(path: Path) -> None:
    game = load(path)
    state = at_random(game, 5)
    while state.ply:
        state.pop()
    assert state.key() == game.start(5).key()


def test_a_trace_shows_the_clause_and_not_how_it_is_chosen() -> None:
    game = load(DECK)
    state = at_random(game, 2)
    timeline = Timeline(state)
    texts = [event.text for _, event in timeline.all_events()]
    assert any(text.startswith("step use(") for text in texts)
    assert not any(text.startswith(("step use ", "if kind", "step use(kind")) or text == "step use" for text in texts)
    for seat in game.seats:
        Timeline(state, seat)


def test_a_variant_changes_single_clauses() -> None:
    results = run_examples(CLAUSES, variants=["rich"])
    assert [failure for result in results for failure in result.failures] == []
    state = load(CLAUSES, variants=["rich"]).start(1)
    assert "you would be poor" in " ".join(reason.text for reason in state.why("play(storm)").reasons)
    done = subprocess.run(
        [sys.executable, "-m", "cli.main", "diff", str(CLAUSES), str(FOLDER / "variants" / "rich.rules")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    changed = [line.strip() for line in done.stdout.splitlines() if line.startswith((" changed", " added", " removed"))]
    assert changed == [
        "changed step `use(wood)`", "changed step `use(storm)`", "removed step `use(otherwise)`",
        "changed action `deal(sell)`", "changed action `deal(otherwise)`", "added step `use(swap)`",
    ]  # fmt: skip


def test_a_new_value_needs_a_clause(tmp_path: Path) -> None:
    (tmp_path / "clauses.rules").write_text(CLAUSES.read_text("utf-8"), encoding="utf-8")
    (tmp_path / "variants").mkdir()
    (tmp_path / "variants" / "more.rules").write_text(
        'variant "More" of clauses:\n    replace type Trade is buy, sell, wait, lend\n'
        "    remove action deal(otherwise)\n    add action deal(wait):\n        set trade to buy\n", encoding="utf-8",
    )  # fmt: skip
    with pytest.raises(RulesError) as caught:
        load_rules(tmp_path / "clauses.rules", variants=["more"])
    assert [found.code for found in caught.value.diagnostics] == ["E0427"]
    assert "`deal` has no clause for `lend`" in str(caught.value)


def test_what_a_secret_value_does_is_hidden(tmp_path: Path) -> None:
    """Which clause is at work tells the value: who does not see it is shown only the effects that all see."""
    text = CLAUSES.read_text("utf-8").split("== examples ==")[0]
    text = text.replace("zone played holds Card", "zone played holds Card, seen by nobody")
    text = text.replace("action play(c in", "action play(secret c in")
    (tmp_path / "secret.rules").write_text(text, encoding="utf-8")
    game = load(tmp_path / "secret.rules")
    state = at_random(game, 4)
    seen = [event.text for _, event in Timeline(state, "ben").all_events()]
    own = [event.text for _, event in Timeline(state).all_events()]
    assert any("use(gain)" in text for text in own)
    assert not any(text.startswith("step use(") for text in seen if "ann" in text)


NO_VALUE = """game "No value" for 1 player ann

== components ==

type Kind is oak, elm
note k: Kind or none = {start}
note n: 0..9 = 0

== phases ==

phase growing, turns from ann, over when n is 9:
    must {offer}

action go:
    "go"
    set n to 9
action skill(oak):
    "grow an oak"
    set n to 9
action skill(elm):
    "grow an elm"
    set n to 9

== scoring ==

winner n > 3
"""


@pytest.mark.parametrize(
    ("offer", "start", "legal"),
    [
        ("go or skill(k)", "none", ["go"]),
        ("go or skill(k)", "elm", ["go", "skill(elm)"]),
        ("skill(k) else go", "none", ["go"]),
        ("skill(k) else go", "oak", ["skill(oak)"]),
    ],
)
def test_without_a_value_others_are_offered(tmp_path: Path, offer: str, start: str, legal: list[str]) -> None:
    path = tmp_path / "none.rules"
    path.write_text(NO_VALUE.format(start=start, offer=offer), encoding="utf-8")
    assert [str(move) for move in load(path).start(1).legal_moves] == legal


COMPUTED = """game "Computed" for 2 players ann, ben

== components ==

type Kind is boat, mill, draw(1..2)
note kind[p: Player]: Kind = boat
note latest: Kind or none = none
note total: 0..99 = 0

== phases ==

phase main, turns from ann, over when total > 9:
    may go or skill(kind[me]) up to 3 times
    must skill(latest) or skill(kind[left(me)]) else go

action go:
    "go"
    set kind[me] to (mill if kind[me] is boat else draw(2))
    add 1 to total
action skill(boat):
    "row"
    add 2 to total
action skill(draw(n), more: 1..2):
    "draw {n} and {more}"
    set latest to mill
    add n to total
action skill(k: Kind), otherwise:
    "work"
    set kind[me] to boat
    set latest to none
    add 1 to total

== scoring ==

winner highest total
"""


def computed(folder: Path) -> State:
    (folder / "computed.rules").write_text(COMPUTED, encoding="utf-8")
    return load(folder / "computed.rules").start(seed=1)


def test_the_clause_for_a_computed_value_is_determined_each_time(tmp_path: Path) -> None:
    state = computed(tmp_path)
    asked = []
    for move in ("go", "go", "skill(draw(2), 1)"):
        asked.append([str(each) for each in state.legal_moves])
        state.push(move)
    assert asked == [
        ["go", "skill(boat)", "done"],
        ["go", "skill(mill)", "done"],
        ["go", "skill(draw(2), 1)", "skill(draw(2), 2)", "done"],
    ]


def test_a_decision_offers_the_clauses_for_several_values(tmp_path: Path) -> None:
    state = computed(tmp_path)
    for move in ("go", "go", "skill(draw(2), 1)"):
        state.push(move)
    assert [str(each) for each in state.legal_moves] == ["skill(mill)", "skill(boat)"]
    state.push("skill(boat)")
    state.push("done")
    assert [str(each) for each in state.legal_moves] == ["skill(mill)", "skill(draw(2), 1)", "skill(draw(2), 2)"]
    assert state.why("skill(boat)").headline == "`skill(boat)` is not offered now: you must skill or go"


def test_games_with_computed_values_are_the_same_with_passes_and_without(tmp_path: Path) -> None:
    game = computed(tmp_path).game
    same_with_passes_and_without(game, range(4))
