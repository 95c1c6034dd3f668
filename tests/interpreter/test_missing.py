"""A rule that needs a value where there is none says which one is missing; reactions without end say which they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.errors import ExpressionError, PlayError
from interpreter.play.game import load
from interpreter.seat.explain.query import evaluate_query

RULES = """game "Missing" for 2 players ann, ben

== components ==

type Colour is red, blue
type Cell from grid(3, 3)
type Side from beside(Cell)
type Way from directions(Cell)
piece Stone: 2 for each colour: Colour in bag
zone bag holds Stone
zone slot holds one Stone
zone at[c: Colour] holds one Stone
zone line holds row of Stone
zone pile[p: Player] holds stack of Stone
note leader: Player or nobody = nobody
note chosen[p: Player]: Colour or none = none
note n: 0..99 = 0
die first_die: 1, 2, 3
die pair[c: Colour]: 1, 2, 3
die shade: red, blue

== phases ==

phase main, turns from ann, over when n is 99:
    must go

action go:
    "go"
    add 1 to n
    let site = top(pile[me])
    STATEMENT

define other(c: Colour or none): (c if n > 90 else none)
define needs(c: Colour): (2 if c is red else 3)

== scoring ==

winner highest n
"""
MISSING = {
    "set n to first_die": "`first_die` has not been rolled",
    "set n to first_die + 1": "`first_die` has not been rolled",
    "if first_die > 1: end game": "`first_die` has not been rolled",
    "set n to pair[red] + pair[blue]": "`pair[red]` has not been rolled",
    "add pair[blue] to n": "`pair[blue]` has not been rolled",
    "move first_die from bag to line": "`first_die` has not been rolled",
    "move 1 of shade from bag to line": "`shade` has not been rolled",
    "set chosen[leader] to red": "`leader` is none",
    "set n to needs(chosen[me])": "`chosen[me]` is none",
    "set n to needs(other(red))": "`other(red)` is none",
    "set n to needs(slot.colour)": "`slot` is empty",
    "set n to needs(at[red].colour)": "`at[red]` is empty",
    "set n to needs(first(line).colour)": "there is no `first(line)`: `line` is empty",
    "set n to needs(top(pile[left(me)]).colour)": "there is no `top(pile[left(me)])`: `pile[left(me)]` is empty",
    "set n to needs(nth(2, line).colour)": "there is no `nth(2, line)`: `line` has too few members",
    "set n to needs(site.colour)": "`site` is none",
    "set n to needs((the s in bag where s is red and s is blue).colour)":
        "nothing matches `the s in bag where s is red and s is blue`",
    "set n to needs(the c in Colour where chosen[me] is c)": "nothing matches `the c in Colour where chosen[me] is c`",
    "each player from leader: add 1 to n": "`leader` is none",
}  # fmt: skip


def written(folder: Path, statement: str, more: str = "") -> Path:
    path = folder / "missing.rules"
    text = RULES.replace("STATEMENT", statement).replace("\n== scoring", f"\n{more}\n== scoring")
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("statement", MISSING)
def test_a_missing_value_is_named_where_it_is_needed(statement: str, tmp_path: Path) -> None:
    state = load(written(tmp_path, statement)).start(1)
    with pytest.raises(PlayError) as caught:
        state.push("go")
    assert caught.value.message == MISSING[statement]
    assert caught.value.location.rsplit(":", 2)[1] == str(RULES.split("STATEMENT")[0].count("\n") + 1)


@pytest.mark.parametrize("asked_for", ["first_die + 1", "needs(slot.colour)", "needs(chosen[ann])"])
def test_a_missing_value_is_named_in_answers(asked_for: str, tmp_path: Path) -> None:
    state = load(written(tmp_path, "add 1 to n")).start(1)
    with pytest.raises(PlayError) as caught:
        evaluate_query(state.program, state.cells, asked_for, None)
    assert caught.value.message in MISSING.values() or caught.value.message == "`chosen[ann]` is none"
    with pytest.raises(ExpressionError):
        evaluate_query(state.program, state.cells, "first_die +", None)


CHAINS = {
    "alone": ("when a: set n to n\ndefine a: n > 0\n", "`a` → `a`"),
    "two": (
        "when a: set leader to ann\ndefine a: leader is ben or leader is nobody and n > 0\n"
        "when b: set leader to ben\ndefine b: leader is ann and n > 0\n",
        "`a` → `b` → `a`",
    ),
    "arguments": (
        "when full(c: Colour): set chosen[ann] to (blue if c is red else red)\n"
        "define full(c: Colour): n > 0 and (chosen[ann] is c or chosen[ann] is none and c is red)\n",
        "`full(red)` → `full(blue)` → `full(red)`",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CHAINS)
def test_endless_reactions_are_reported_as_a_chain(name: str, tmp_path: Path) -> None:
    rules, chain = CHAINS[name]
    state = load(written(tmp_path, "add 1 to n", rules)).start(1)
    with pytest.raises(PlayError) as caught:
        state.push("go")
    said, _, told = caught.value.message.partition(": ")
    assert said == "reactions trigger each other endlessly"
    assert sorted(told.split(" → ")[1:]) == sorted(chain.split(" → ")[1:])
    assert told.split(" → ")[0] == told.split(" → ")[-1]


def test_many_reactions_that_end_are_no_error(tmp_path: Path) -> None:
    state = load(written(tmp_path, "add 1 to n", "when a: add 1 to n\ndefine a: n > 0 and n < 90\n")).start(1)
    state.push("go")
    assert evaluate_query(state.program, state.cells, "n", None).value == "91"
