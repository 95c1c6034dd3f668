"""A value asked only where all may see it is no secret; asked where they may not, it is one, and leaks in play."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.loading.rules import load_rules
from interpreter.play.game import Game, load
from tests.interpreter.test_leaks import found, unchecked
from tests.interpreter.watching import each_leak, leaks

SEEDS, SEEDS_IN_THE_LONG_RUN = range(1), range(6)


def leak_in_play(game: Game) -> bool:
    """True if random games give something away."""
    return any(each_leak(game, range(12)))


GAME = """game "Guarded" for 2 players ann, ben

== components ==

type Rank with worth: 1..3:
    low     1
    middle  2
    high    3
type Stage is betting, showdown
piece Card: 7 for each rank: Rank in deck
zone deck holds stack of Card, seen by nobody
zone hand[p: Player] holds Card, seen by p
zone dealt[p: Player] holds Card, seen by (all if revealed else {p})
zone staged[p: Player] holds Card, seen by ({p} if stage is betting else Player)
zone shared holds Card, seen by viewers
zone bank holds row of Card, seen by (all if revealed or it is first(bank) else {})
zone pile holds stack of Card, seen by (all if it is top(pile) else {})
zone turned[p: Player] holds row of Card, seen by (all if flipped[it] else {})
zone watched[p: Player] holds row of Card, seen by known[it]
zone tray[p: Player] holds Card, seen by (all if it is in shown else {p})
zone laid holds Card
note revealed: Truth = false
note stage: Stage = betting
note reveals: 0..9 = 0
note flipped[c: Card]: Truth = false
note shown: several Card = {}
note known[c: Card]: several Player = {}
note score[p: Player]: 0..999 = 0
note rounds: 0..9 = 0

define viewers:
    all     if reveals >= 1
    {}      otherwise
define total(p: Player): sum c.rank.worth for c in dealt[p]
define bank_total: sum c.rank.worth for c in bank
define uppermost: top(pile)
define shown_total(p: Player):
    total(p)    if revealed
    0           otherwise

table "Rows" for each p in Player:
    "Player": p
    COLUMN

== setup ==

shuffle deck
for each p in Player:
    move 1 from deck to hand[p]
    move 1 from deck to dealt[p]
    move 1 from deck to staged[p]
    move 1 from deck to turned[p]
    move 1 from deck to watched[p]
    move 1 from deck to tray[p]
move 2 from deck to bank
move 1 from deck to shared
move 2 from deck to pile
set flipped[first(turned[ann])] to true
for each c in tray[ben]: add c to shown
add ann to known[first(watched[ann])]

== phases ==

phase playing, turns from ann, over when rounds is 5:
    add 1 to rounds
    TURN
    must wait or reveal or hide

action wait:
    "wait"

action reveal:
    "reveal"
    add 1 to reveals
    set revealed to true
    set stage to showdown

action hide:
    "hide"
    set reveals to 0
    set revealed to false
    set stage to betting

action go:
    "go"

ACTION

== scoring ==

winner highest count hand[me]
"""

COLUMNS = {
    "an if": '"Total": (total(p) if revealed else 0)',
    "an else": '"Total": (0 if not revealed else total(p))',
    "an and": '"High": revealed and total(p) > 2',
    "an or": '"Low": not revealed or total(p) < 3',
    "cases of a definition": '"Total": shown_total(p)',
    "who looks, or all": '"Total": (total(p) if p is me or revealed else 0)',
    "a value of a note": '"Staged": (sum c.rank.worth for c in staged[p] if stage is showdown else 0)',
    "not another value of a note": '"Staged": (sum c.rank.worth for c in staged[p] if stage is not betting else 0)',
    "the else of a value": '"Staged": (0 if stage is betting else sum c.rank.worth for c in staged[p])',
    "a number": '"Shared": (sum c.rank.worth for c in shared if reveals > 0 else 0)',
    "the top of a pile": '"Top": top(pile).rank',
    "the top of a pile by a definition": '"Top": uppermost.rank',
    "one piece or all": '"Bank": (bank_total if revealed else first(bank).rank.worth)',
    "each piece": '"Turned": sum c.rank.worth for c in turned[p] where flipped[c]',
    "each piece of a set": '"Turned": count {c in turned[p] where flipped[c]} of high',
    "each piece of a note": '"Tray": count c in tray[p] where c is in shown and c is high',
    "the piece": '"Turned": (the c in turned[p] where flipped[c]).rank',
    "each piece that is known": '"Known": count c in watched[p] where me is in known[c] and c is high',
    "a condition of another column": '"Total": q in Player where revealed as total(q)',
}
LEAKING_COLUMNS = {
    "the wrong way round": ("error", '"Total": (0 if revealed else total(p))'),
    "another condition": ("warning", '"Total": (total(p) if rounds > 1 else 0)'),
    "an or": ("error", '"High": revealed or total(p) > 2'),
    "cases in the wrong order": ("warning", '"Staged": (sum c.rank.worth for c in staged[p] if rounds is 2 else 0)'),
    "the wrong value": ("warning", '"Staged": (0 if stage is showdown else sum c.rank.worth for c in staged[p])'),
    "the wrong number": ("warning", '"Shared": (sum c.rank.worth for c in shared if reveals < 2 else 0)'),
    "another seat": ("warning", '"Total": (total(left(p)) if p is me or revealed else 0)'),
    "the bottom": ("warning", '"Bottom": bottom(pile).rank'),
    "the whole pile": ("warning", '"High": count pile of high'),
    "another piece": ("warning", '"Bank": last(bank).rank'),
    "pieces not turned": ("error", '"Turned": sum c.rank.worth for c in turned[p] where not flipped[c]'),
    "pieces not in a note": ("error", '"Tray": count c in tray[p] where c is not in shown and c is high'),
    "another piece that is turned": (
        "warning",
        '"Turned": count c in turned[p] where flipped[first(turned[ann])] and c is high',
    ),
    "pieces another one knows": ("warning", '"Known": count c in watched[p] where ann is in known[c] and c is high'),
    "one known, another looked at": (
        "warning",
        '"Known": count c in watched[ann] where me is in known[c] and first(watched[ben]) is high',
    ),
}

RAISED = "    add 1 to score[me]"
TURNS = {
    "a requirement of the top": (
        "must go\n    must play",
        'action play:\n    "play on {top(pile).rank}"\n'
        '    require top(pile).rank is not high because "{top(pile).rank} is high"\n' + RAISED,
    ),
    "an open question about the top": ("if top(pile) is high: may go", ""),
    "a name for the top": ("let t = top(pile)\n    if t.rank is high: may go", ""),
    "a step about the top": ("mark(top(pile))", "step mark(c: Card):\n    if c is high: may go"),
    "what has been moved to the top": (
        "must lay",
        'action lay(c in hand[me]):\n    "lay {c}, a {c.rank}"\n    move c to pile\n'
        '    add 1 to score[me] because "{c.rank}"',
    ),
    "a requirement before it": (
        "must go or call",
        'action call:\n    "call with {total(left(me))}"\n    require revealed because "not yet"\n'
        '    require total(left(me)) < 3 because "the other has {total(left(me))}"\n' + RAISED,
    ),
    "a requirement of two parts": (
        "may call",
        'action call:\n    "call"\n    require revealed and bank_total > 3 because "no"\n' + RAISED,
    ),
    "a statement around it": ("if revealed:\n        if bank_total > 3: may go", ""),
    "the else of a statement": ("if not revealed: must go\n    else:\n        if bank_total > 3: may go", ""),
    "a name for the condition": ("let all_open = revealed\n    if all_open and bank_total > 3: may go", ""),
    "a name for a value": (
        "let now = stage\n    if now is showdown and count staged[left(me)] of high > 0: may go",
        "",
    ),
    "a note that has just been set": ("set revealed to true\n    if bank_total > 3: may go", ""),
    "a piece that has just been turned": (
        "set flipped[first(turned[ben])] to true\n    if first(turned[ben]) is high: may go",
        "",
    ),
    "a loop": ('for each p in Player where revealed: add 1 to score[p] because "{total(p)}"', ""),
    "a choice among turned pieces": ("may choose c from {d in turned[me] where flipped[d] and d is high}", ""),
    "a piece that is named as others see it": (
        "must drop",
        'action drop(c in hand[me]):\n    "drop {c}"\n    move c to deck',
    ),
    "a piece that is not named": ("must drop", "action drop(c in hand[me]):\n    move c to deck"),
    "a piece laid open by a step": (
        "must lay",
        'action lay(c in hand[me]):\n    "lay {c.rank}"\n    put(c)\n\nstep put(c: Card):\n'
        "    if rounds > 2: move c to laid\n    else: move c to pile",
    ),
    "a piece shown and kept": (
        "must show",
        'action show(c in hand[me]):\n    "show {c.rank}"\n    move c to laid\n    move c to hand[me]',
    ),
    "a secret piece": ("must drop", 'action drop(secret c in hand[me]):\n    "drop {c.rank}"\n    move c to deck'),
}
LEAKING_TURNS = {
    "a requirement of the bottom": (
        ("E0606", "warning"),
        "must go or play",
        'action play:\n    "play"\n    require bottom(pile).rank is not high because "no"\n' + RAISED,
    ),
    "a name for what was the top": (
        ("E0602", "warning"),
        "let t = top(pile)\n    move 1 from deck to pile\n    if t.rank is high: may go",
        "",
    ),
    "a step about what was the top": (
        ("E0602", "warning"),
        "mark(top(pile))",
        "step mark(c: Card):\n    move 1 from deck to pile\n    if c is high: may go",
    ),
    "no requirement before it": (
        ("E0606", "warning"),
        "must go or call",
        'action call:\n    "call"\n    require total(left(me)) < 3 because "no"\n' + RAISED,
    ),
    "a requirement after it": (
        ("E0606", "warning"),
        "must go or call",
        'action call:\n    "call"\n    require total(left(me)) < 3 because "no"\n'
        '    require rounds > 1 because "not yet"\n' + RAISED,
    ),
    "a statement around it that is no longer true": (
        ("E0602", "warning"),
        "if revealed:\n        set revealed to false\n        if bank_total > 5: may go",
        "",
    ),
    "a decision in between": (
        ("E0602", "warning"),
        "if revealed:\n        must go or hide\n        if bank_total > 5: may go",
        "",
    ),
    "a decision that is asked again": (
        ("E0606", "warning"),
        "if revealed: must hide or call up to 3 times",
        'action call:\n    "call"\n    require total(left(me)) < 3 because "no"\n' + RAISED,
    ),
    "a label that says what a piece is": (
        ("E0603", "warning"),
        "must drop",
        'action drop(c in hand[me]):\n    "drop {c.rank}"\n    move c to deck',
    ),
    "a label that says what some pieces are": (
        ("E0603", "warning"),
        "must drop",
        'action drop(cs in handfuls(hand[me], 1, 1)):\n    "drop {count cs of high}"\n    move cs to deck\n'
        "    shuffle deck",
    ),
    "a label about a piece that may stay hidden": (
        ("E0603", "warning"),
        "must drop",
        'action drop(c in hand[me]):\n    "drop {c.rank}"\n    if rounds > 2: move c to laid\n    else: move c to deck',
    ),
    "a name for a condition that was true": (
        ("E0602", "warning"),
        "let was_open = revealed\n    must go or hide\n    if was_open and bank_total > 3: may go",
        "",
    ),
    "a piece turned back": (
        ("E0602", "error"),
        "set flipped[first(turned[ben])] to false\n    if first(turned[ben]) is high: may go",
        "",
    ),
}


def written(folder: Path, turn: str, action: str, column: str) -> Path:
    path = folder / "guarded.rules"
    text = GAME.replace("TURN", turn).replace("ACTION", action).replace("COLUMN", column)
    path.write_text(text, encoding="utf-8")
    return path


def test_the_help_names_the_missing_condition(tmp_path: Path) -> None:
    path = written(tmp_path, "must go", "", LEAKING_COLUMNS["another condition"][1])
    (finding,) = [finding for finding in load_rules(path).warnings if finding.code == "E0601"]
    assert "read it only where it is visible: test `revealed` first, as `seen by` does" in finding.draw()


@pytest.mark.parametrize("name", COLUMNS)
def test_a_guarded_column_is_accepted_and_reveals_nothing(name: str, tmp_path: Path, long_run: bool) -> None:
    path = written(tmp_path, "must go", "", COLUMNS[name])
    assert found(path) == set()
    assert leaks(load(path), SEEDS_IN_THE_LONG_RUN if long_run else SEEDS) == []


@pytest.mark.parametrize("name", LEAKING_COLUMNS)
def test_a_column_that_is_not_guarded_is_reported_and_leaks(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    severity, column = LEAKING_COLUMNS[name]
    path = written(tmp_path, "must go", "", column)
    assert found(path) == {("E0601", severity)}
    assert leak_in_play(unchecked(path, monkeypatch))


def test_a_game_that_tests_first_is_accepted_and_reveals_nothing() -> None:
    path = Path(__file__).parent / "rules" / "asked_first.rules"
    assert found(path) == set()
    assert [leaks(load(path, players), range(2)) for players in (2, 3)] == [[], []]


@pytest.mark.parametrize("name", TURNS)
def test_guarded_secrets_are_accepted_and_reveal_nothing(name: str, tmp_path: Path, long_run: bool) -> None:
    path = written(tmp_path, *TURNS[name], '"Hand": hand[p]')
    assert found(path) == set()
    assert leaks(load(path), SEEDS_IN_THE_LONG_RUN if long_run else SEEDS) == []


@pytest.mark.parametrize("name", LEAKING_TURNS)
def test_unguarded_secrets_are_reported(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    finding, turn, action = LEAKING_TURNS[name]
    path = written(tmp_path, turn, action, '"Hand": hand[p]')
    assert found(path) == {finding}
    if finding[0] == "E0606":  # that a question is put is the same in every sample
        assert leak_in_play(unchecked(path, monkeypatch))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("a label that says what a piece is", True),
        ("a label about a piece that may stay hidden", True),
        ("a piece that is named as others see it", False),
        ("a piece that is not named", False),
        ("a secret piece", False),
    ],
)
def test_labels_are_read_by_others(name: str, told: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    turn, action = LEAKING_TURNS[name][1:] if told else TURNS[name]
    state = unchecked(written(tmp_path, turn, action, '"Hand": hand[p]'), monkeypatch).start(1)
    state.push(state.legal_moves[0].notation)
    assert any(rank in state.log("ben")[-1].text for rank in ("low", "middle", "high")) is told


def test_why_omits_hidden_requirements_after_one_that_fails(tmp_path: Path) -> None:
    """They may ask for what is hidden as long as the first one does not hold."""
    turn, action = TURNS["a requirement before it"]
    state = load(written(tmp_path, turn, action, '"Hand": hand[p]')).start(1)
    _, *required = state.why("call").reasons
    assert [reason.text for reason in required] == ["not yet"]
    state.push("go")
    state.push("reveal")
    _, first, second = state.why("call").reasons
    assert first.holds and "total(left(me))" in dict(second.values)
