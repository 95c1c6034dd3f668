"""What a loop iterates over is settled when it begins: its sets, and its condition."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.authoring.examples.suite import run_examples
from interpreter.play.game import Game, load
from tests.interpreter.engines import same_in_every_engine

RULES = """game "Loops" for 2 players ann, ben

== components ==

type Face is one, two, three
type Cell from grid(3, 2)
piece Die: 2 for each face: Face in column
zone column holds row of Die
zone box holds Die
zone pool holds Die
note marks: several Cell = {a1, b1}
note n: 0..99 = 0

== phases ==

phase clearing, turns from ann, over when n > 40:
    must clear or pair or fill or ask or spread or spread_while_free or stay

action clear:
    "clear"
    for each d in column where count {e in column where e.face is d.face} > 1: move d to box
    add 6 to n

action pair:
    "pair"
    for each d in column with e in column where d.face is e.face and d before e:
        move d to box
        move e to pool
    add 7 to n

action fill:
    "fill"
    for each d in column:
        if count pool < 3: move d to pool
    add 8 to n

action ask:
    "ask"
    for each c in Cell where c is in marks:
        may choose d from column
        if d is not none: move d to box
        set marks to {}
        add 1 to n
    add 9 to n

# A reaction marks the rest of the row as soon as one of its cells is marked.
when begun(r: 1..2): set marks to marks + {x in Cell where x.row is r}
define begun(r: 1..2): (some x in marks where x.row is r) and some x in Cell where x.row is r and x is not in marks

action spread:
    "spread"
    for each c in Cell where c is not in marks:
        add c to marks
        add 1 to n

action spread_while_free:
    "spread while free"
    for each c in Cell:
        if c is not in marks:
            add c to marks
            add 1 to n

action stay:
    "stay"
    for each d in box + pool where count column < 2: move d to column
    set marks to {x in Cell where x.row is 2}
    add 1 to n

== scoring ==

winner n > 40

== examples ==

example "every equal one is cleared, the last of each face too":
    when phase clearing
    when ann: clear
    then count column is 0
    and count box is 6

example "all pairs that exist when the loop begins":
    when phase clearing
    when ann: pair
    then count box is 3
    and count pool is 3

example "an `if` tests again":
    when phase clearing
    when ann: fill
    then count pool is 3

example "also where the loop asks":
    when phase clearing
    when ann: ask
    when ann: done
    when ann: done
    then marks is empty
    and n is 11

example "what a reaction changes during the loop is not tested again":
    given marks is {}
    when phase clearing
    when ann: spread
    then n is 6

example "with `if` it is":
    given marks is {}
    when phase clearing
    when ann: spread_while_free
    then n is 2
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    rules = tmp_path / "loops.rules"
    rules.write_text(RULES, encoding="utf-8")
    return rules


def test_the_examples_hold(path: Path) -> None:
    results = run_examples(path)
    assert len(results) == 6
    assert [failure for result in results for failure in result.failures] == []


def test_every_engine_plays_it_the_same(path: Path) -> None:
    same_in_every_engine(load(path))


ORDERS = """
game "Orders" for 1 to 4 players ann, ben, cleo, dora
== components ==
note reversed: Truth = false
note turned: 0..9 = 0
== phases ==
phase main:
    {round}
action go:
    add 1 to turned
action turn:
    set reversed to not reversed
== scoring ==
winner turned is 0
"""


@pytest.mark.parametrize(
    ("loop", "players", "seats"),
    [
        ("each player from ben: must go", 4, "ben cleo dora ann"),
        ("each player from ben backwards: must go", 4, "ben ann dora cleo"),
        ("each player from ben backwards: must go", 2, "ben ann"),
        ("each player from ann backwards: must go", 1, "ann"),
        ("each player from cleo to ann backwards: must go", 4, "cleo ben ann"),
        ("each player from ann to cleo backwards: must go", 4, "ann dora cleo"),
        ("each player from cleo to cleo backwards: must go", 4, "cleo"),
        ("each player from cleo backwards where me is not ann: must go", 4, "cleo ben dora"),
        ("each player from ben backwards if not reversed: must turn", 4, "ben ann dora cleo"),
        ("each player from ben to dora backwards if reversed: must turn", 4, "ben cleo dora"),
        ("each player from ann backwards at once: must go", 3, "ann cleo ben"),
    ],
)
def test_seats_in_either_direction(tmp_path: Path, loop: str, players: int, seats: str) -> None:
    path = tmp_path / "orders.rules"
    path.write_text(ORDERS.format(round=loop).replace("at once: must go", "at once:\n        must go"))
    assert seats_asked(load(path, players)) == seats.split()


@pytest.mark.parametrize(
    ("turns", "moves", "seats"),
    [
        ("turns from ben backwards, over when turned is 5", "go", "ben ann cleo ben ann"),
        ("turns from ben to cleo backwards", "go", "ben ann cleo"),
        ("turns from ben to cleo backwards if reversed", "turn", "ben cleo"),
        ("turns from ben backwards if reversed, over when turned is 3", "turn go", "ben ann cleo ann ben ann"),
    ],
)
def test_turns_in_either_direction(tmp_path: Path, turns: str, moves: str, seats: str) -> None:
    path = tmp_path / "orders.rules"
    path.write_text(ORDERS.format(round="must go or turn").replace("phase main:", f"phase main, {turns}:"))
    assert seats_asked(load(path, 3), *moves.split()) == seats.split()


def seats_asked(game: Game, *moves: str) -> list[str]:
    """Who decides, one after another, where the moves are made again and again."""
    state, asked = game.start(), []
    while state.player is not None:
        asked.append(state.player)
        state.push(moves[(len(asked) - 1) % len(moves)] if moves else state.legal_moves[0])
    return asked
