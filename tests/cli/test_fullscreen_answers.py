"""The input line of the full screen on a real terminal: whatever came before, the next answer is the one that is typed.

Each test ends with an answer that makes a move only if nothing else is in the line.
"""

import time

import pytest

from tests.cli.conftest import PEBBLES, QUIET, read
from tests.cli.terminal import PATIENCE, plain

CTRL_N, CTRL_P, END, F1 = "\x0e", "\x10", "\x1b[F", "\x1bOP"
DELETE = "\x7f"
PASTED = "\x1b[200~{}\x1b[201~"


@pytest.fixture
def table(terminal):
    """A game in full screen in which a person has to decide."""
    one = terminal("play", PEBBLES, "--seed", QUIET, "--save", "a.json", columns=100, lines=30)
    one.until("Enter answer")
    return one


def assert_answers(one, folder, keys="build"):
    """Answer with a move that is possible at the first decision, whose last keys are given, and see that it is made."""
    one.type(f"{keys}\r")
    end = time.monotonic() + PATIENCE
    while not (moves := read(folder / "a.json")["moves"]):
        assert time.monotonic() < end, plain(one.raw[-3000:])
        one.read(0.1)
    assert moves[0]["move"] == "build"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nonsense", "there is no move `nonsense`"),
        ("99", "are numbered 1 to"),
        ("build(7)", "there is no move `build(7)`"),
        ("log none", "`log` expects a number"),
        ("undo", "you have made no decision yet"),
        ("back", "there is no pick to take back"),
        ("hint nonsense", "nonsense"),
        ("save", "saved in a.json"),
    ],
)
def test_the_next_answer_is_not_spoilt_by_one_that_was_rejected(table, own_folder, text, message):
    table.type(f"{text}\r")
    table.until(message)
    assert_answers(table, own_folder)


@pytest.mark.parametrize("keys", ["why build\r", "?\r", "preview build\r", F1])
def test_the_next_answer_is_not_spoilt_by_a_dialog(table, own_folder, keys):
    table.type(keys)
    table.until("Esc closes")
    assert_answers(table, own_folder, "qbuild")  # typed at once: keys after the one that closes it are not lost


def test_what_is_pasted_replaces_a_rejected_answer(table, own_folder):
    table.type("nonsense\r")
    table.until("there is no move `nonsense`")
    table.type(PASTED.format("buil"))
    table.type("d" + DELETE)
    assert_answers(table, own_folder, "d")


def test_a_rejected_answer_can_be_corrected(table, own_folder):
    table.type("biuld\r")
    table.until("there is no move `biuld`")
    table.type(END + DELETE * 4 + "ui")
    assert_answers(table, own_folder, "ld")


def test_what_was_typed_before_comes_back(table, own_folder):
    table.type("nonsense\r")
    table.until("there is no move `nonsense`")
    table.type("build(7)\r")
    table.until("there is no move `build(7)`")
    table.type(CTRL_P * 5 + CTRL_N * 5)  # beyond the first line and the last one
    assert_answers(table, own_folder)


def test_what_was_typed_before_can_be_corrected(table, own_folder):
    table.type("build(7)\r")
    table.until("there is no move `build(7)`")
    table.type("log none\r")
    table.until("`log` expects a number")
    table.type(CTRL_P * 2)
    assert_answers(table, own_folder, DELETE * 3)


def test_every_pasted_line_follows_after_enter(table, own_folder):
    table.type(PASTED.format("names\rlog none\r\rbuild\r"))
    table.until("2 more lines were pasted; each follows after Enter")
    table.type("\r")
    table.until("1 more line was pasted; it follows after Enter")
    table.type("\r")
    table.until("`log` expects a number")
    assert_answers(table, own_folder, "")


def test_every_pasted_line_is_answered_at_the_prompt(terminal, own_folder):
    one = terminal("play", PEBBLES, "--seed", QUIET, "--save", "a.json", "--plain")
    one.until("red> ")
    one.type(PASTED.format("log none\nbuild") + "\r")
    one.until("`log` expects a number")
    assert_answers(one, own_folder, "")
