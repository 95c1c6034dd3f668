"""Effects that follow the declared order of hidden pieces: only what is reported depends on it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from interpreter.play.game import Game, load
from tests.interpreter.generated import follows_the_order
from tests.interpreter.watching import leaks

RULES = """game "Order" for 2 to 3 players ann, ben, cid

== components ==

type Rank is one, two, three, four
type Suit is red, blue
piece Card: 1 for each rank: Rank, suit: Suit in deck
piece Chip: 3 in bank
zone deck holds stack of Card, seen by nobody
zone nest holds Card, rank seen by nobody, suit seen by all
zone tray holds Card, rank seen by nobody, suit seen by all
zone hand[p: Player] holds Card, seen by p, suit seen by all
zone brow[p: Player] holds Card, rank seen by Player - {p}, suit seen by all
zone line holds row of Card, rank seen by nobody, suit seen by all
zone street holds row of Card
zone bank holds Chip
zone on[c: Card] holds Chip
note latest: Card or none = none
note ranked: Rank or none = none
note chosen: several Card = {}
note mark[c: Card]: 0..9 = 0
note tally: 0..99 = 0
note rounds: 0..9 = 0

== setup ==

shuffle deck
move 3 from deck to nest
move 1 from deck to line
for each p in Player:
    move 1 from deck to hand[p]
    move 1 from deck to brow[p]

== phases ==

phase main, turns from ann, over when rounds is 3:
    add 1 to rounds
    must act

action act:
    BODY

step lay(c: Card):
    move c to line
step count_in(c: Card):
    add mark[c] + 1 to tally

== scoring ==

winner highest tally
"""

FOLLOWS = {
    "take": ("E0610", "move 1 from nest to tray"),
    "take of a kind": ("E0610", "move 1 of red from nest to tray"),
    "take from a hand": ("E0610", "move 1 from nest to hand[me]"),
    "lay": ("E0611", "move nest to line"),
    "lay a set": ("E0611", "move nest of red + hand[left(me)] to line"),
    "lay what was seen before": ("E0611", "move street + nest to line"),
    "the last": ("E0612", "for each c in nest: set latest to c"),
    "the last of a brow": ("E0612", "for each c in nest + brow[left(me)]: set latest to c"),
    "the first": ("E0612", "for each c in nest where latest is none: set latest to c"),
    "one by one": ("E0612", "for each c in nest: move c to line"),
    "one by one in a step": ("E0612", "for each c in nest: lay(c)"),
    "a number that grows": ("E0612", "for each c in nest:\n        add 1 to tally\n        set mark[c] to tally"),
    "as long as": ("E0612", "for each c in nest:\n        if count tray < 2: move c to tray"),
    "with the first chips": ("E0612", "for each c in nest + line: move 1 from bank to on[c]"),
    "the next": (
        "E0612",
        "for each c in nest:\n        if latest is not none: set mark[latest] to 2\n        set latest to c",
    ),
}
"""What is reported."""

ANY_ORDER = {
    "all of them": "move nest to tray",
    "one that is chosen": "must choose c from line\n    move c to tray",
    "from the top": "move 2 from deck to tray",
    "by a row": "move line of red to tray",
    "a row to a row": "move line to street",
    "shuffled next": "move nest to line\n    shuffle line",
    "to an open row": "move nest to street",
    "equal pieces": "move 2 from bank to on[first(line)]",
    "to sets and numbers": "for each c in nest:\n        add c to chosen\n        add 1 to tally",
    "conditions of its own": "for each c in nest:\n        if mark[c] is 0: set mark[c] to 2",
    "from heap to heap": "for each c in nest where mark[c] is 0: move c to tray",
    "a row piece by piece": "for each c in line: set latest to c",
    "the same for all": "for each c in nest: set ranked to two",
    "steps": "for each c in nest: count_in(c)",
    "not of pieces": "for each p in Player: set ranked to (one if p is me else two)",
}
"""What is not."""


def game(folder: Path, body: str) -> Game:
    path = folder / "order.rules"
    path.write_text(RULES.replace("BODY", body), encoding="utf-8")
    return load(path, players=2)


def order_in(game: Game) -> list[str]:
    return [finding.code for finding in game.rules.warnings if finding.code in ("E0610", "E0611", "E0612")]


def differences(game: Game, seeds: range) -> Iterator[str]:
    """What depends on the order in random games."""
    for seed in seeds:
        state, rng = game.start(seed), random.Random(seed)
        while state.player is not None:
            notation = rng.choice(state.legal_moves).notation
            for seat in game.seats:
                for at in range(4):
                    if found := follows_the_order(state, seat, notation, seed + at):
                        yield found
            state.push(notation)


@pytest.mark.parametrize("name", FOLLOWS)
def test_what_is_reported_depends_on_the_order(name: str, tmp_path: Path) -> None:
    code, body = FOLLOWS[name]
    played = game(tmp_path, body)
    assert set(order_in(played)) == {code}
    assert any(differences(played, range(6)))


@pytest.mark.parametrize("name", ANY_ORDER)
def test_nothing_else_depends_on_the_order(name: str, tmp_path: Path, long_run: bool) -> None:
    played = game(tmp_path, ANY_ORDER[name])
    assert order_in(played) == []
    assert list(differences(played, range(6 if long_run else 2))) == []


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("move nest to line\n    move line to street\n    shuffle line", ["E0611"]),
        ("move nest to line\n    move 1 from line to street\n    shuffle line", ["E0611"]),
        ("move nest to line\n    shuffle line\n    move 1 from line to street", []),
        ("move line to street\n    move nest to line\n    shuffle line", []),
    ],
)
def test_pieces_moved_on_before_the_shuffle_keep_their_order(body: str, found: list[str], tmp_path: Path) -> None:
    assert order_in(game(tmp_path, body)) == found


def test_pieces_moved_repeatedly_in_a_loop_are_not_logged_in_its_order(tmp_path: Path) -> None:
    played = game(tmp_path, "for each c in nest:\n        move 1 from bank to on[c]\n        move on[c] to bank")
    assert leaks(played, range(5)) == []
    state = played.start(1)
    state.push("act")
    told = state.log("ann")[-1].details[0]
    assert told == f"chip: bank → {' → '.join(sorted(told.split(' → ')[1:-1], reverse=True))} → bank"
    assert told.count("on[") == 3
