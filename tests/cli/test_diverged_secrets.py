"""A move that changed rules no longer allow may be secret: each seat is told of it what it may know."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from cli.play.hot_reload import reload
from cli.render.ending import divergence
from interpreter.play.saves.files import DivergedError, Note, SaveMeta, read_save, resume, write_save
from regelwerk import State, load
from tests.cli.test_course import session_of

RULES = """
game "Bids" for 2 players ann, ben

== components ==

piece Coin: 9 for each owner: Player in purse[owner]
zone purse[p: Player] holds Coin
zone cup[p: Player] holds Coin, seen by p
note offered: 0..9 = 0

== phases ==

phase bidding, turns from ann, over when offered > 2:
    may secretly peep
    must bid

action peep: add 1 to offered
action bid(secret n: 1..5):
    move n from purse[me] to cup[me]
    add 1 to offered

== scoring ==

winner highest count cup[me]
"""
OPEN = RULES.replace(", seen by p", "").replace("secret n", "n").replace("may secretly", "may")
MOVES = ("done", "bid(3)", "done", "bid(4)")
"""Seat by seat: what ann declines in secret ben does not notice, so that the move that fails is his second for ann."""


def saved(folder: Path, rules: str, seats: dict[str, str], notes: Sequence[Note] = ()) -> Path:
    path = folder / "bids.rules"
    path.write_text(rules, encoding="utf-8")
    state = load(path).start(seed=1)
    for move in MOVES:
        state.push(move)
    write_save(folder / "bids.json", state, SaveMeta(seats, notes))
    return folder / "bids.json"


def told(fault: DivergedError, people: Sequence[str]) -> str:
    """What the people at the keyboard read."""
    console = Console(width=120, file=StringIO())
    with console.capture() as capture:
        console.print(*divergence(fault.state, fault.divergence, people, 120))
    return f"{fault}\n{capture.get()}"


@pytest.mark.parametrize(
    ("people", "rules", "opened", "tells"),
    [
        (("ann",), RULES, False, False),
        (("ann", "ben"), RULES, False, False),
        (("ben",), RULES, False, True),
        ((), RULES, False, True),
        (("ann",), RULES, True, True),
        (("ann",), OPEN, False, True),
    ],
    ids=["another seat", "both", "its seat", "bots", "opened", "an open game"],
)
def test_who_reads_the_move_of_a_save(
    tmp_path: Path, people: tuple[str, ...], rules: str, opened: bool, tells: bool
) -> None:
    kinds = {seat: "human" if seat in people else "random" for seat in ("ann", "ben")}
    notes = [Note(2, "opened", None, "opened")] if opened else []
    save = saved(tmp_path, rules, kinds, notes)
    (tmp_path / "bids.rules").write_text(changed(rules), encoding="utf-8")
    with pytest.raises(DivergedError) as raised:
        resume(read_save(save))
    text = told(raised.value, people)
    assert ("bid(4)" in text) is tells and ("four" in text) is tells
    if not tells:
        number = 2 if people == ("ann",) else 1
        assert f"what was decided after move {number} is no longer legal" in text


def changed(rules: str) -> str:
    return rules.replace("    move n", '    require n is not 4   because "four"\n    move n')


def test_rules_that_open_a_game_tell_no_secrets_of_before(tmp_path: Path) -> None:
    save = saved(tmp_path, RULES, {"ann": "human", "ben": "random"})
    (tmp_path / "bids.rules").write_text(changed(OPEN), encoding="utf-8")
    with pytest.raises(DivergedError) as raised:
        resume(read_save(save))
    assert "bid(4)" not in told(raised.value, ("ann",))


@pytest.mark.parametrize(("person", "tells"), [("ann", False), ("ben", True)])
def test_who_reads_the_move_at_the_table(tmp_path: Path, person: str, tells: bool) -> None:
    path = tmp_path / "bids.rules"
    path.write_text(RULES, encoding="utf-8")
    session = session_of(str(path), 2, seats={person: "human"})
    state: State = session.state
    for move in MOVES:
        state.push(move)
    path.write_text(changed(RULES), encoding="utf-8")
    reloaded = reload(session)
    assert reloaded.state is not None
    assert reloaded.divergence is not None
    assert (reloaded.divergence.move == "bid(4)") is tells
    assert ("bid(4)" in reloaded.divergence.reason) is tells
