"""Loops in which pieces chase each other are found, others are not, and the correction that is offered works."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl import ast
from dsl.checker import check
from dsl.diagnostics import Diagnostic
from dsl.syntax import parse
from dsl.text.span import Source
from interpreter.authoring.examples.suite import run_examples

GAME = """game "Passing" for 3 players ann, ben, cy

== components ==

type Rank is one, two, three
type Team with opposite: Team:
    north  south
    south  north
type Place is 1..5
type Cell from grid(3, 3)
type Way from directions(Cell)
piece Card: 9 for each rank: Rank in deck
piece Coin: 9 in bank
piece Man: 3 in box
zone deck holds stack of Card
zone hand[p: Player] holds Card
zone other[p: Player] holds Card
zone pool[p: Player, r: Rank] holds Card
zone side[t: Team] holds Card
zone row[n: Place] holds Card
zone man[c: Cell] holds one Man
zone box holds Man
zone bank holds Coin
zone purse[p: Player] holds Coin
note receiver: Player = ann

== phases ==

phase main, turns from ann, over when deck is empty:
    pass_on

step pass_on:
    move 1 from deck to hand[me]
    BODY

step give(p: Player, q: Player): move hand[p] to hand[q]
step gather(p: Player): give(p, receiver)

define across(p: Player): left(p)

== scoring ==

winner highest count hand[me]

== examples ==

example "all hands are passed":
    given count deck is 0
    and hand[ann] is [one]
    and hand[ben] is [2 two]
    and hand[cy] is [three]
    when ann: pass_on
    then hand[ben] is [one]
    and hand[cy] is [2 two]
    and hand[ann] is [three]
"""


def warned(body: str) -> tuple[str, list[Diagnostic]]:
    text = GAME.replace("BODY", body.replace("\n", "\n    "))
    tree, unread = parse(Source("passing.rules", text))
    assert isinstance(tree, ast.GameFile), unread
    found = check(tree)[1]
    assert not [one.draw() for one in found if one.severity == "error"]
    return text, [one for one in found if one.code == "E0509"]


CHASING = [
    "for each p in Player: move hand[p] to hand[left(p)]",
    "for each p in Player: move hand[p] to hand[right(p)]",
    "for each p in Player: move hand[left(p)] to hand[p]",
    "for each p in Player: move hand[p] to hand[across(p)]",
    "for each p in Player: move hand[p] of one to hand[left(p)]",
    "for each p in Player where hand[p] is not empty: move hand[p] to hand[left(p)]",
    "for each p in {ann, cy}: move hand[p] to hand[left(p)]",
    "for each p in Player:\n    for each c in hand[p] where c is one: move c to hand[left(p)]",
    "for each p in Player:\n    let c = the d in hand[p] where d is one\n    move c to hand[left(p)]",
    "for each p in Player:\n    move hand[p] to other[p]\n    move other[p] to hand[left(p)]",
    "for each p in Player: give(p, left(p))",
    "each player from me: move hand[me] to hand[left(me)]",
    "for each p in Player with r in Rank: move pool[p, r] to pool[left(p), r]",
    "for each t in Team: move side[t] to side[t.opposite]",
    "for each n in Place where n < 5: move row[n] to row[n + 1]",
    "for each c in Cell where c.row < 3: move man[c] to man[next(c, north)]",
]
STILL = [
    "for each p in Player: move hand[p] to other[left(p)]",
    "for each p in Player with c in hand[p]: move c to hand[left(p)]",
    "for each p in Player: move hand[p] to hand[p]",
    "for each p in Player: move hand[p] to hand[receiver]",
    "for each p in Player: move hand[p] to hand[ben]",
    "for each p in Player: gather(p)",
    "for each p in Player: move hand[p] to hand[left(me)]",
    "for each p in Player where p is not me: move 1 of one from hand[me] to hand[p]",
    "for each p in Player: move 1 from purse[p] to purse[left(p)]",
    "for each n in Place where n > 1: move row[n] to row[n - 1]",
    "for each c in Cell where c.row > 1: move man[c] to man[next(c, south)]",
    "for each p in Player: move pool[p, one] to pool[p, two]",
    "each player from me: move hand[me] to hand[ann]",
    "move hand[me] to hand[left(me)]",
]


@pytest.mark.parametrize("body", CHASING)
def test_pieces_that_chase_each_other(body: str) -> None:
    (found,) = warned(body)[1]
    assert found.severity == "warning"
    assert "in one iteration are moved on from" in found.message
    assert found.helps


@pytest.mark.parametrize("body", STILL)
def test_loops_that_do_as_they_say(body: str) -> None:
    assert [found.draw() for found in warned(body)[1]] == []


def test_the_way_out_passes_all_hands_at_once(tmp_path: Path) -> None:
    wrong, (found,) = warned("for each p in Player: move hand[p] to hand[left(p)]")
    right = found.replacements[0].result
    assert "for each p in Player at once: move" in right
    for name, text, passed in (("wrong.rules", wrong, False), ("right.rules", right, True)):
        (tmp_path / name).write_text(text, encoding="utf-8")
        (result,) = run_examples(tmp_path / name)
        assert result.passed is passed, result.failures
