"""Statements mean the same whether or not a decision is made inside them, where a rule suspends and resumes."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.play.game import Game, State, load
from interpreter.play.trace import Timeline
from tests.interpreter.engines import same_in_every_engine

RULES = """game "Asked inside" for 3 players ann, ben, cleo

== components ==

type Spot is home, field(1..3)
note spot[p: Player]: Spot = home
note n[p: Player]: 0..999 = 0
note total: 0..999 = 0
note rounds: 0..999 = 0
note left_over: 0..999 = 0
note noticed: 0..999 = 0
note turns_left: 0..9 = 6

== phases ==

phase main, turns from ann, over when turns_left is 0, over as soon as total > MOST:
    must go
    add 1 to left_over

action go:
    "go"
    add -1 to turns_left
    let start = total
    up to 4 times while total < start + 9:
        add 1 to rounds
        each player from left(me) where n[me] < 40:
            let own = remainder(n[me], 4)
            for each k in {1, 2} where k + own < 5:
                visit(k)
                add k + own to total
            if spot[me] is field(f):
                ASK
                add x + f to n[me]
                if f > 1: add own to n[left(me)]
                else: visit(f)
            else: add own to left_over
    set left_over to left_over + start

step visit(k: 1..3):
    let old = n[me]
    up to 2 times:
        ASK
        add x + k to n[me]
    if old > 3: set spot[me] to field(k)
    if spot[me] is not home: move_on(old)

step move_on(old: 0..999):
    each player from me to left(me):
        ASK
        add x to n[me]
    if old > 30: set spot[me] to home

define many: total > 20 * (noticed + 1)
when many:
    add 1 to noticed
    each player from left(me) to left(me):
        REACT
        add x to n[me]

== scoring ==

winner highest n[me]
"""

ASKED, SETTLED = "must choose x from {1}", "let x = 1"


def game(folder: Path, inside: str, in_reactions: str, most: int = 120) -> Game:
    path = folder / "asked.rules"
    text = RULES.replace("ASK", inside).replace("REACT", in_reactions).replace("MOST", str(most))
    path.write_text(text, encoding="utf-8")
    return load(path)


def played(state: State) -> State:
    """The only legal move is made until the game is over."""
    while state.player is not None:
        (move,) = state.legal_moves
        state.push(move)
    return state


def happened(state: State, *kinds: str) -> list[tuple[str, str]]:
    """The events of these kinds in the trace, in order."""
    return [(event.kind, event.text) for _, event in Timeline(state).all_events() if event.kind in kinds]


def without_x(state: State) -> list[tuple[tuple[str, str], ...]]:
    """The names in scope where rules begin and rounds of loops, apart from the one that is chosen or settled."""
    events = [event for _, event in Timeline(state).all_events() if event.kind in ("rule", "round")]
    return [tuple(pair for pair in event.values if pair[0] != "x") for event in events]


@pytest.mark.parametrize("most", [120, 31])
def test_the_same_happens_with_decisions_inside_and_without(tmp_path: Path, most: int) -> None:
    """31: the phase ends in the middle of the loops."""
    plain = played(game(tmp_path, SETTLED, SETTLED, most).start(1))
    kinds = ("change", "condition", "rule", "round", "end")
    for inside, in_reactions in ((ASKED, ASKED), (ASKED, SETTLED), (SETTLED, ASKED)):
        state = played(game(tmp_path, inside, in_reactions, most).start(1))
        assert state.ply > plain.ply
        assert state.view(None).notes == plain.view(None).notes
        assert happened(state, *kinds) == happened(plain, *kinds)
        assert without_x(state) == without_x(plain)


@pytest.mark.parametrize("inside", [ASKED, SETTLED])
def test_every_engine_plays_it(tmp_path: Path, inside: str) -> None:
    same_in_every_engine(game(tmp_path, inside, SETTLED), seeds=2, random_games=4, steps=30)


def test_a_game_can_be_taken_back_to_its_beginning(tmp_path: Path) -> None:
    state = game(tmp_path, ASKED, ASKED).start(1)
    keys = [state.key()]
    while state.player is not None:
        state.push(state.legal_moves[0])
        keys.append(state.key())
    assert len(set(keys)) == len(keys)
    while state.ply:
        assert state.key() == keys.pop()
        state.pop()
