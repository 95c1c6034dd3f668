"""What the check says of secrets that leak is so: in play a seat can tell what it may not know, and else it cannot."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import dsl.checker
from dsl.diagnostics import RulesError
from interpreter.loading.rules import load_rules
from interpreter.play.game import Game, load
from tests.interpreter.watching import each_leak, leaks

SEEDS, SEEDS_IN_THE_LONG_RUN = range(2), range(6)

GAME = """game "Cards" for 2 players ann, ben

== components ==

type Rank with worth: 1..3:
    low     1
    middle  2
    high    3
piece Card: 4 for each owner: Player, rank: Rank in deck
zone deck holds stack of Card, seen by nobody, owner seen by all
zone hand[p: Player] holds Card, owner seen by all, rank seen by p
zone laid[p: Player] holds Card
zone gone holds Card
note rounds: 0..9 = 0
note score[p: Player]: 0..99 = 0
note memory: Rank or none = none, seen by nobody
table "Players" for each p in Player:
    "Player": p
    COLUMN

== setup ==

shuffle deck
for each p in Player: move 3 from deck to hand[p]

== phases ==

phase playing, turns from ann, over when rounds is 4:
    add 1 to rounds
    TURN
    must wait

action wait:
    "wait"

ACTION

== scoring ==

define highs(p: Player): count c in hand[p] where c.rank is high
winner highest count hand[me]
"""

PLAIN = 'action go:\n    "go"'
LEAKS = {
    "a requirement": (
        "E0606",
        "must take",
        'action take(r: Rank):\n    "take {r}"\n    require hand[left(me)] of r is not empty because "none there"\n'
        "    move 1 of r from hand[left(me)] to gone",
    ),
    "a requirement of a step, by way of a definition": (
        "E0606",
        "must go",
        'action go:\n    "go"\n    pay(left(me))\n\n'
        'step pay(who: Player):\n    require highs(who) > 0 because "nothing high"\n    add 1 to score[me]',
    ),
    "what an argument is taken from": (
        "E0606",
        "must mark",
        'action mark(r in {c.rank for c in hand[left(me)]}):\n    "mark {r}"\n    add 1 to score[me]',
    ),
    "an argument that the rules give": ("E0606", "must go(top(deck).rank)", 'action go(r: Rank):\n    "go on"'),
    "a choice": ("E0606", "must choose r from Rank where hand[left(me)] of r is not empty\n    set memory to r", PLAIN),
    "a choice from what is counted": (
        "E0606",
        "must choose n from {highs(left(me)), 9}\n    add n to score[me]",
        PLAIN,
    ),
    "a label about oneself": ("E0607", "must go", 'action go:\n    "go with {highs(me)}"'),
    "a label about the deck": ("E0607", "must go", 'action go:\n    "go with {top(deck).rank}"'),
    "a label about how many there are of a kind": ("E0607", "must go", 'action go:\n    "go with {hand[me] of high}"'),
    "the reason of an addition": ("E0607", 'add 1 to score[me] because "{highs(me)} high"\n    must go', PLAIN),
}
LEAKING_COLUMNS = {
    "a sum": '"Worth": sum c.rank.worth for c in hand[p]',
    "a definition": '"High": highs(p)',
    "what is noted of each card": '"Hand": c in hand[p] as c.rank',
    "what is gone through": '"Ranks": r in Rank where hand[p] of r is not empty as 1',
    "cards picked out": '"High": hand[p] of high',
}
BEYOND_SAMPLES = {
    "a reason": (
        "E0607",
        "must go",
        'action go:\n    "go"\n    require count hand[me] > 0 because "the other has {highs(left(me))}"',
    ),
    "an open question": ("E0602", "may go", 'action go:\n    "go"\n    require highs(me) > 0 because "nothing high"'),
    "an open question over an argument": (
        "E0602",
        "may go",
        'action go(secret c in {d in hand[me] where d is high}):\n    "go"\n    move c to gone',
    ),
    "an open question in a secret case": ("E0602", "if highs(me) > 1: may go", PLAIN),
    "an open choice": ("E0602", "may choose c from {d in hand[me] where d is high}\n    move c to gone", PLAIN),
    "a secret argument that is told later": (
        "E0607",
        "must go",
        'action go(secret n: 1..3):\n    "go"\n    add n to score[me]\n    add 1 to score[me] because "{n} was said"',
    ),
    "what a loop passes on from name to name": (
        "E0606",
        "let a = 0\n    let b = 0\n    let c = 0\n    up to 3 times:\n        set a to b\n        set b to c\n"
        "        set c to highs(left(me))\n    must go(a)",
        'action go(n: 0..99):\n    "go on"',
    ),
    "a note that remembers a secret": (
        "E0606",
        "set memory to top(deck).rank\n    must go",
        'action go(r: Rank):\n    "go {r}"\n    require r is not memory because "not that one"',
    ),
}
HONEST = {
    "how many there are": (
        "must go",
        'action go:\n    "go on with {count hand[left(me)]}"\n'
        '    require hand[left(me)] is not empty because "{count hand[left(me)]}"',
    ),
    "what all see of a card": (
        "must go",
        'action go:\n    "go on with {count c in hand[left(me)] where c.owner is me}"\n'
        '    require hand[left(me)] of ann is not empty because "none of ann"',
    ),
    "one's own cards": (
        "must lay\n    may secretly lay",
        'action lay(r: Rank):\n    "lay {r}"\n    require hand[me] of r is not empty because "only {highs(me)} high"\n'
        "    move 1 of r from hand[me] to laid[me]",
    ),
    "a card that is laid open by the move that names it": (
        "must lay",
        'action lay(c in hand[me]):\n    "lay {c}, worth {c.rank.worth}"\n    move c to laid[me]\n'
        '    add 1 to score[me] because "{c.rank}"',
    ),
    "a secret argument in a label": (
        "must drop",
        'action drop(secret c in hand[me]):\n    "drop {c}, worth {c.rank.worth}"\n    move c to deck',
    ),
    "a card by itself": ("must go", 'action go:\n    "go with {hand[me]} and {top(deck)}"'),
    "what happens": (
        "must guess",
        'action guess(r: Rank):\n    "guess {r}"\n'
        "    if hand[left(me)] of r is not empty: move 1 of r from hand[left(me)] to laid[me]",
    ),
    "a seat that turns out to be oneself": (
        "must go",
        'action go(p: Player):\n    "go"\n    require p is me and highs(p) < 3 because "not high"',
    ),
    "a note that remembers what was told": (
        "must go\n    must again",
        'action go(r: Rank):\n    "go {r}"\n    set memory to r\n\n'
        'action again(r: Rank):\n    "again"\n    require r is memory because "again {memory}"',
    ),
    "a secret that the rules have made known": (
        "add highs(me) to score[me]\n    must go",
        'action go:\n    "go with {score[me]}"\n    require score[left(me)] < 90 because "{score[left(me)]}"',
    ),
    "a choice among cards one sees": ("must choose c from {d in hand[me] where d is high}\n    move c to gone", PLAIN),
}
OPEN_COLUMN = '"Cards": hand[p]'
OPEN_COLUMNS = [
    OPEN_COLUMN,
    '"Of ann": count hand[p] of ann',
    '"High": c in laid[p] as c.rank.worth',
    '"Own": highs(me)',
]


def written(folder: Path, turn: str, action: str, column: str = OPEN_COLUMN) -> Path:
    path = folder / "cards.rules"
    path.write_text(GAME.replace("TURN", turn).replace("ACTION", action).replace("COLUMN", column), encoding="utf-8")
    return path


def unchecked(path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    """The game as if nothing looked for leaks."""
    stages = [(name, stage) for name, stage in dsl.checker.STRICT_STAGES if name != "leaks"]
    assert len(stages) < len(dsl.checker.STRICT_STAGES)
    monkeypatch.setattr(dsl.checker, "STRICT_STAGES", stages)
    return load(path)


def found(path: Path) -> set[tuple[str, str]]:
    """The codes of what the check says about secrets, with how sure it is."""
    try:
        findings = load_rules(path).warnings
    except RulesError as error:
        findings = error.diagnostics
    return {(finding.code, finding.severity) for finding in findings if finding.code.startswith("E06")}


@pytest.mark.parametrize("name", LEAKS)
def test_rules_that_leak_are_refused_and_do_leak(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, turn, action = LEAKS[name]
    path = written(tmp_path, turn, action)
    assert found(path) == {(code, "error")}
    assert any(each_leak(unchecked(path, monkeypatch), SEEDS_IN_THE_LONG_RUN))


@pytest.mark.parametrize("name", LEAKING_COLUMNS)
def test_a_table_that_leaks_is_refused_and_does_leak(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, "must go", PLAIN, LEAKING_COLUMNS[name])
    assert found(path) == {("E0601", "error")}
    assert any(each_leak(unchecked(path, monkeypatch), SEEDS_IN_THE_LONG_RUN))


def test_a_table_that_shows_what_a_note_remembers_is_refused(tmp_path: Path) -> None:
    """Nobody sees the note itself, and the rules write to it only after the table is declared."""
    assert found(written(tmp_path, "set memory to top(deck).rank\n    must go", PLAIN, '"Memory": memory')) == {
        ("E0601", "error")
    }
    assert found(written(tmp_path, "set memory to low\n    must go", PLAIN, '"Memory": memory')) == set()


@pytest.mark.parametrize("name", BEYOND_SAMPLES)
def test_leaks_that_samples_do_not_show_are_refused_as_well(name: str, tmp_path: Path) -> None:
    """What is noted, said in secret or asked at all is the same in every sample."""
    code, turn, action = BEYOND_SAMPLES[name]
    assert found(written(tmp_path, turn, action)) == {(code, "error")}


@pytest.mark.parametrize("name", HONEST)
def test_rules_that_do_not_leak_are_accepted_and_do_not(name: str, tmp_path: Path, long_run: bool) -> None:
    path = written(tmp_path, *HONEST[name])
    assert found(path) == set()
    assert leaks(load(path), SEEDS_IN_THE_LONG_RUN if long_run else SEEDS) == []


@pytest.mark.parametrize("column", OPEN_COLUMNS)
def test_a_table_of_visible_values_is_accepted(column: str, tmp_path: Path, long_run: bool) -> None:
    path = written(tmp_path, "must lay", HONEST["one's own cards"][1], column)
    assert found(path) == set()
    assert leaks(load(path), SEEDS_IN_THE_LONG_RUN if long_run else SEEDS) == []


@pytest.mark.parametrize(
    ("viewers", "mine", "others"),
    [
        ("p", set(), {("E0607", "error")}),
        ("{p}", set(), {("E0607", "error")}),
        ("all", set(), set()),
        ("nobody", {("E0606", "error")}, {("E0607", "error")}),
        ("(all if generous else {p})", set(), {("E0607", "warning")}),
        ("{left(p)}", {("E0606", "error")}, {("E0607", "error")}),
        ("Player - {p}", {("E0606", "error")}, {("E0607", "error")}),
        ("{q in Player where side(q) is side(p)}", set(), {("E0607", "warning")}),
        ("{q in Player where side(q) is 1}", {("E0606", "warning")}, {("E0607", "warning")}),
        ("lookers(p)", set(), {("E0607", "warning")}),
        ("curious", {("E0606", "warning")}, {("E0607", "warning")}),
    ],
)
def test_who_sees_a_piece_decides_who_may_be_shown_it(
    viewers: str, mine: set[tuple[str, str]], others: set[tuple[str, str]], tmp_path: Path
) -> None:
    """Errors where somebody surely does not see it, warnings where that depends on options or the position."""
    more = (
        "option generous: Truth = false\n\n== components ==\n\nnote curious: several Player = {}\n"
        "define side(p: Player): (1 if p is ann else 2)\n"
        "define lookers(p: Player):\n    all     if generous\n    {p}     otherwise"
    )
    actions = {
        "E0606": 'action go:\n    "go"\n    require highs(me) < 9 because "high"',
        "E0607": 'action go:\n    "go with {highs(me)}"',
    }
    for code, wanted in (("E0606", mine), ("E0607", others)):
        path = written(tmp_path, "must go", actions[code])
        text = path.read_text(encoding="utf-8")
        text = text.replace("== components ==", more).replace("rank seen by p", f"rank seen by {viewers}")
        path.write_text(text, encoding="utf-8")
        assert found(path) == wanted


def test_rules_made_to_be_slow_are_checked_in_time(tmp_path: Path) -> None:
    """Thirty definitions and thirty steps that each ask the next one twice, of other seats and with other secrets."""
    steps = range(30)
    notes = [f"note n{n}: 0..9 = 0, seen by left(ann)" for n in steps]
    asked = [f"define f{n}(p: Player, x: 0..99): f{n + 1}(p, x + n{n}) + f{n + 1}(left(p), x)" for n in steps]
    done = [f"step s{n}(p: Player, x: 0..99):\n    s{n + 1}(p, x + n{n})\n    s{n + 1}(left(p), x)" for n in steps]
    ends = ["define f30(p: Player, x: 0..99): x + highs(p)", "step s30(p: Player, x: 0..99): add x to score[p]"]
    action = 'action go:\n    "go"\n    require f0(me, score[me]) > 0 because "so"\n    s0(me, score[me])'
    path = written(tmp_path, "must go", "\n".join([action, *notes, *asked, *done, *ends]))
    began = time.process_time()
    assert ("E0606", "error") in found(path)
    assert time.process_time() - began < 20
