"""Wherever a person reads that a rule failed, nobody is told by it a value that their seat may not know."""

import json
from pathlib import Path

import pytest

from cli.play.hot_reload import reload
from cli.play.table import PlaySession
from dsl.text.span import Source
from interpreter.play.game import State, load
from interpreter.play.saves.files import PERSON
from interpreter.play.scenes.starting import game_at
from tests.cli.terminal import plain
from web.messages import Play
from web.session import Session
from web.table import Table
from web.workshop.one_thread import WATCHING, TableInOneThread

SUMS = """\
game "Sums" for 2 players ann, ben:
    "Ann writes a number down, which Ben adds."

== components ==

type Size is 6..9
note kept: 0..9 = 0, seen by ann
note total: 0..3 = 0, seen by nobody

== phases ==

phase writing, turns from ann, over when kept > 0:
    must write

phase adding, turns from ben to ben:
    must add_up or wait

phase adding_more, turns from ben to ben:
    must add_up or wait

action write(secret n: Size):
    "write a number"
    set kept to n

action add_up:
    "add"
    set total to total + kept

action wait:
    "wait"

== scoring ==

winner total is 3
"""
"""A rule fails by the number that Ann has written down, which Ben does not see."""
VALUE, UNSEEN = "is outside the range", "a rule failed here, by what not every seat may know"
PEOPLE = {"ann": PERSON, "ben": PERSON}


@pytest.fixture
def sums(own_folder: Path) -> Path:
    path = own_folder / "sums.rules"
    path.write_text(SUMS, encoding="utf-8")
    return path


def written(sums: Path) -> State:
    state = load(sums).in_words().start(1)
    state.push("write(9)")
    return state


def failing_later(sums: Path) -> None:
    """Change the rules so that `wait`, which has been made, fails."""
    sums.write_text(SUMS.replace('"wait"\n', '"wait"\n    set total to total + kept\n'), encoding="utf-8")


def assert_untold(text: str) -> None:
    assert UNSEEN in text and VALUE not in text and "kept is 7" not in text and "number 7" not in text


# ---- the command


@pytest.mark.parametrize(
    ("kind", "typed"),
    [("random", ["add_up"]), ("human", ["", "write(9)", "", "", "add_up"])],
    ids=["one person", "two at one keyboard"],
)
def test_at_the_prompt_and_in_what_looks_at_the_save(run, sums, kind, typed):
    game = ("play", sums, "--plain", "--seed", "1", "--save", "a.json")
    assert_untold(run(*game, "--seat", f"ann={kind}", "--seat", "ben=human", typed=typed).output)
    for form in ((), ("--format", "json"), ("--html", "page.html")):
        shown = run("trace", "a.json", "--as", "ben", *form).output
        assert VALUE not in shown + Path("page.html").read_text("utf-8") if "--html" in form else VALUE not in shown
    for words in (["why", "a.json", "add_up"], ["why", "a.json", "total + kept"], ["know", "a.json"],
                  ["hint", "a.json", "50"], ["position", "a.json"]):  # fmt: skip
        assert VALUE not in run(*words, "--as", "ben").output
    assert VALUE in run("trace", "a.json", "--all").output


def test_everything_may_be_told_where_no_person_plays(run, sums):
    sums.write_text(SUMS.replace("must add_up or wait", "must add_up"), encoding="utf-8")
    assert VALUE in run("play", sums, "--plain", "--seat", "all=random").output
    assert VALUE in run("simulate", sums, "--games", "5").output


def test_in_full_screen(terminal, sums):
    sums.write_text(SUMS.replace("must add_up or wait", "must add_up"), encoding="utf-8")
    one = terminal("play", sums, "--seat", "ann=human", "--seat", "ben=random", "--save", "a.json", columns=100)
    one.until("Enter answer")
    one.type("1\r")
    assert_untold(plain(one.until("look inside")))


def test_of_a_save_under_rules_that_fail_now(run, sums):
    typed = ["", "write(9)", "", "", "wait"]
    run("play", sums, "--plain", "--seed", "1", "--save", "a.json", "--seat", "all=human", typed=typed)
    failing_later(sums)
    seat = ("--as", "ben")
    for words in (["play", "--resume", "a.json", "--plain", "--rules", "new"], ["trace", "a.json", *seat],
                  ["why", "a.json", "total", *seat], ["know", "a.json", *seat], ["hint", "a.json", *seat],
                  ["position", "a.json", *seat]):  # fmt: skip
        assert_untold(run(*words).output)


@pytest.mark.parametrize(("kinds", "is_told"), [(PEOPLE, False), ({"ann": "random", "ben": "random"}, True)])
def test_of_rules_read_again_during_play(own_folder, sums, kinds, is_told):
    state = written(sums)
    state.push("wait")
    session = PlaySession(state, kinds, 1, own_folder / "a.json")
    failing_later(sums)
    assert (VALUE in reload(session).error) is is_told
    session.opened = True
    assert VALUE in reload(session).error


@pytest.mark.parametrize("of_rules", [True, False], ids=["not of these rules", "not reached"])
def test_of_the_position_in_which_a_game_begins(run, own_folder, sums, of_rules):
    begun = "given kept is 7\nwhen phase adding from ben\n"
    Path("begun.txt").write_text(begun, encoding="utf-8")
    game = ("play", sums, "--from", "begun.txt", "--plain", "--save", "a.json", "--seat", "all=human")
    run(*game, typed=["", "wait"])
    session = PlaySession(game_at(load(sums), Source("begun", begun)).start(1), PEOPLE, 1, own_folder / "b.json")
    turn = "phase adding, turns from ben to ben:\n"
    changed = ("kept: 0..9", "kept: 0..5") if of_rules else (turn, f"{turn}    set total to total + kept\n")
    sums.write_text(SUMS.replace(*changed), encoding="utf-8")
    again = reload(session)
    assert not again.diagnostics
    assert_untold(again.error)
    assert_untold(run("trace", "a.json", "--as", "ben").output)
    assert_untold(run("play", "--resume", "a.json", "--plain", "--rules", "new").output)


# ---- the table in the browser


@pytest.mark.parametrize("follows", ["add_up or wait", "add_up"], ids=["by a choice", "by itself"])
def test_at_a_table_in_the_browser(sums, follows):
    sums.write_text(SUMS.replace("add_up or wait", follows), encoding="utf-8")
    table = Table(load(sums).in_words().start(1), PEOPLE)
    table.begin()
    reply = None
    for seat, notation in (("ann", "write(9)"), ("ben", "add_up")):
        if reply is None or reply.kind == "done":
            reply = Session(table, seat).answer(Play(kind="play", id="1", number=table.known(seat), notation=notation))
    assert_untold(reply.reason)


def test_on_the_pages_of_a_table_where_a_bot_fails(sums):
    sums.write_text(SUMS.replace("must add_up or wait", "must add_up"), "utf-8")
    sent = []
    table = Table(written(sums), {"ann": PERSON, "ben": "random"})
    here = TableInOneThread("sums", table, lambda line, text: sent.append((line, json.loads(text))))
    for line, token in enumerate(("ann", WATCHING)):
        here.join(line, token, "en")
    here.step()
    notes = [message["text"] for _, message in sent if message["kind"] == "note"]
    assert len(notes) == 2
    for note in notes:
        assert_untold(note)


# ---- what all know: a rule fails by a number that everybody has seen

ADDING = """\
action add_up:
    "add"
    set total to total + kept
"""
NOTES = (
    "note total: 0..3 = 0, seen by nobody",
    "note total: 0..3 = 0\nnote pile: 0..3 = 0, seen by nobody\ndie d: 4, 5, 6, 3",
)


def told(sums: Path, effect: str, asked: str = "must add_up or wait", parameter: str = "n: 1..9") -> str:
    """What is said if Ben adds 9 at a table in the browser."""
    rules = SUMS.replace(*NOTES).replace("must add_up or wait", asked)
    rules = rules.replace(ADDING, f'action add_up({parameter}):\n    "add"\n{effect}')
    sums.write_text(rules, encoding="utf-8")
    table = Table(written(sums), PEOPLE)
    for seat, notation in (("ben", "add_up(9)"), ("ann", "wait")):
        message = Play(kind="play", id="1", number=table.known(seat), notation=notation)
        reply = Session(table, seat).answer(message)
        if reply.kind != "done":
            break
    return reply.reason


@pytest.mark.parametrize(
    "effect",
    [
        "    set total to total + n\n",
        "    if total < 3:\n        set total to 1\n    add n to total\n",
        "    set pile to n\n",  # nobody sees the note, but everybody knows what would be written there
    ],
)
def test_a_fault_by_what_all_know_is_told(sums, effect):
    assert VALUE in told(sums, effect)


@pytest.mark.parametrize(
    ("effect", "more"),
    [
        ("    set pile to kept\n", {}),
        ("    add n to pile\n", {}),
        ("    if kept > 5:\n        set pile to n\n", {}),
        ("    for each k in 1..9:\n        if k is kept:\n            set pile to k\n", {}),
        ("    set pile to kept - kept + n\n", {}),  # it cannot be seen that it does not depend on the secret
        ("    roll d\n    set pile to d\n", {}),
        ("    set pile to n\n", {"parameter": "secret n: 1..9"}),
        ("    set pile to n\n", {"asked": "may secretly add_up or wait"}),
        ("    set pile to n\n", {"asked": "each player from ben at once: must add_up or wait"}),
    ],
)
def test_a_fault_that_may_depend_on_a_secret_is_not_told(sums, effect, more):
    assert UNSEEN in told(sums, effect, **more)


@pytest.mark.parametrize("kind", ["random", "human"])
def test_what_all_know_is_told_at_the_prompt_and_in_the_trace(run, sums, kind):
    told(sums, "    set total to total + n\n")
    typed = ["add_up(9)"] if kind == "random" else ["", "write(9)", "", "", "add_up(9)"]
    game = ("play", sums, "--plain", "--seed", "1", "--save", "a.json", "--seat", f"ann={kind}", "--seat", "ben=human")
    assert VALUE in run(*game, typed=typed).output
    assert VALUE in run("trace", "a.json", "--as", "ben").output


@pytest.mark.parametrize(
    ("note", "price", "is_told"),
    [
        ("favourite: Colour or none = none", "price[favourite]", True),
        ("favourite: Colour or none = none, seen by nobody", "price[favourite]", False),
        ("favourite[p: Player]: Colour or none = none, seen by p", "price[favourite[me]]", False),
        ("favourite[p: Player]: Colour or none = none, seen by all", "price[favourite[me]]", True),
    ],
)
def test_a_table_that_fails_by_what_all_know(run, sums, note, price, is_told):
    notes = f"type Colour is red, blue\nnote {note}\nnote price[c: Colour]: 0..9 = 1\n"
    table = f'table "Prices":\n    "Kept": count {{p in Player where p is ann}}\n    "To pay": {price}\n'
    sums.write_text(SUMS.replace("note kept", f"{notes}note kept").replace("== phases", f"{table}\n== phases"), "utf-8")
    text = run("play", sums, "--plain", "--seat", "ann=human", "--seat", "ben=random").output
    assert ("is none" in text, UNSEEN in text) == (is_told, not is_told)
