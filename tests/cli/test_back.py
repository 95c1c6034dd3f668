"""`back` while several are chosen one by one: in a pipe, on a terminal, with bots and persons, after a resume."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.play.saves.files import read_save, resume
from tests.cli.conftest import read
from tests.cli.terminal import CLEARED, plain

PICKS = """game "Picks" for 2 players red, green

== components ==

type Rank is ace, king, queen, jack
piece Card: 2 for each rank: Rank in box
zone box holds Card
zone hand[p: Player] holds Card, seen by p
zone laid[p: Player] holds Card
note reached: Truth = false

== setup ==

for each p in Player with r in Rank: move 1 of r from box to hand[p]

== phases ==

phase main:
    each player from red: lay_down
    each player from red: lay_down

step lay_down:
    must choose 2 to 3 cards from hand[me]
    move cards to laid[me]
    must pause or stop

action pause:
    set reached to false
action stop:
    set reached to true

== scoring ==

winner highest count laid[me]
"""


@pytest.fixture
def picks(own_folder: Path) -> str:
    (own_folder / "picks.rules").write_text(PICKS, encoding="utf-8")
    return "picks.rules"


def moves(own_folder: Path, seat: str = "red") -> list[str]:
    return [made["move"] for made in read(own_folder / "a.json")["moves"] if made["player"] == seat]


def test_back_takes_back_one_pick_after_the_other(run, own_folder, picks):
    typed = ["king", "queen", "back", "back", "ace", "jack", "pause", "quit"]
    shown = run("play", picks, "--seed", 1, "--save", "a.json", typed=typed).output
    assert moves(own_folder)[:4] == ["choose(ace)", "choose(jack)", "done", "pause"]
    assert read(own_folder / "a.json")["notes"] == []
    assert "(1 so far, 2 to 3 in all; `back` takes one back)" in shown
    assert shown.count("(0 so far, 2 to 3 in all):") >= 2
    assert "agree" not in shown and "taken back" not in shown


def test_log_and_save_are_as_if_nothing_had_been_taken_back(run, own_folder, picks):
    run("play", picks, "--seed", 1, "--save", "a.json", typed=["king", "back", "ace", "queen", "go on", "pause"])
    run("play", picks, "--seed", 1, "--save", "b.json", typed=["ace", "queen", "go on", "pause"])
    one, other = read(own_folder / "a.json"), read(own_folder / "b.json")
    assert one["moves"] == other["moves"] and one["notes"] == other["notes"]
    logs = [resume(read_save(own_folder / name)).log("green") for name in ("a.json", "b.json")]
    assert logs[0] == logs[1]


@pytest.mark.parametrize(
    "before, made",
    [([], []), (["king", "back"], []), (["king", "queen", "go on"], ["choose(king)", "choose(queen)", "done"])],
)
def test_without_a_pick_there_is_nothing_to_take_back(run, own_folder, picks, before, made):
    shown = run("play", picks, "--seed", 1, "--save", "a.json", typed=[*before, "back", "quit"]).output
    assert "there is no pick to take back" in shown
    assert moves(own_folder) == made


def test_undo_still_asks_and_is_noted(run, own_folder, picks):
    run("play", picks, "--seed", 1, "--save", "a.json", typed=["king", "undo", "quit"])
    assert moves(own_folder) == []
    assert [note["kind"] for note in read(own_folder / "a.json")["notes"]] == ["undo"]


def test_back_goes_on_after_a_resume(run, own_folder, picks):
    run("play", picks, "--seed", 1, "--save", "a.json", typed=["king", "quit"])
    assert moves(own_folder) == ["choose(king)"]
    run("play", "--resume", "a.json", typed=["back", "ace", "quit"])
    assert moves(own_folder) == ["choose(ace)"]


def test_nobody_else_is_asked_where_persons_share_the_keyboard(run, own_folder, picks):
    typed = ["", "king", "back", "ace", "jack", "pause", "", "", "king", "back", "ace", "king", "go on", "quit"]
    shown = run("play", picks, "--seed", 1, "--seat", "all=human", "--save", "a.json", typed=typed).output
    assert "agree" not in shown
    assert moves(own_folder) == ["choose(ace)", "choose(jack)", "done", "pause"]
    assert moves(own_folder, "green") == ["choose(ace)", "choose(king)", "done"]
    to_green = shown.rpartition("pass the keyboard to green")[2].partition("green> ")[0]
    assert to_green.count("red  choose card") == 2


def test_a_move_that_begins_like_the_command(run, picks, own_folder):
    text = PICKS.replace("action stop:\n", 'action stop:\n    "back to the start"\n')
    (own_folder / "named.rules").write_text(text, encoding="utf-8")
    run("play", "named.rules", "--seed", 1, "--save", "a.json", typed=["ace", "king", "go on", "back to", "quit"])
    assert moves(own_folder)[:4] == ["choose(ace)", "choose(king)", "done", "stop"]


def test_help_names_it(run, picks):
    shown = run("play", picks, "--seed", 1, typed=["?", "quit"]).output
    assert "one answer back, or the last of several picks" in shown


def test_back_on_a_terminal(terminal, own_folder, picks):
    one = terminal("play", "--plain", picks, "--seed", 1, "--seat", "all=human", "--save", "a.json")
    one.until("red, press Enter ")
    one.enter("", "red> ")
    assert "1 so far, 2 to 3 in all; `back` takes one back" in plain(one.enter("king", "red> "))
    shown = one.enter("back", "red> ")
    assert CLEARED not in shown
    assert "0 so far, 2 to 3 in all):" in plain(shown)
    one.enter("ace", "red> ")
    one.enter("queen", "red> ")
    one.enter("go on", "red> ")
    one.enter("quit", "--resume a.json")
    assert one.end() == 0
    assert moves(own_folder) == ["choose(ace)", "choose(queen)", "done"]
