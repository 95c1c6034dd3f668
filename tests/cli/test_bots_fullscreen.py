"""Bots in full screen: the table stays in use while one thinks, and nothing is lost by leaving."""

from __future__ import annotations

import pytest

from cli.play.file_watcher import Watcher
from dsl.text.folders import shipped_folder
from interpreter.errors import BotError
from interpreter.loading.rules import files_of
from interpreter.play.saves.files import read_save, resume
from tests.cli.at_table import at_table, session_of
from tests.cli.conftest import read
from tests.cli.terminal import plain
from tests.cli.viewing import at_once

LEFT = "\x1b[?1049l"
LEFT_WORDS = "saved; resume with: regelwerk play --resume a"
SLOW = {"nought": "slow"}


@pytest.fixture(autouse=True)
def installed(own_bots):
    """Every test has the bots."""


def moves(table):
    return [made.notation for made in table.state.history]


async def until_asked(table):
    """Wait until the person is asked again."""
    for _ in range(400):
        if table.app.narrowing is not None:
            await table.settle()
            return
        await table.pilot.pause(0.05)
    raise AssertionError(table.text)


async def begin(table):
    """Make a move, after which the slow bot thinks."""
    await table.pilot.press("1", "enter")
    await table.until("nought is thinking (slow)")


@at_once
async def test_who_is_thinking_and_for_how_long():
    async with at_table(session_of("tic_tac_toe", seats=SLOW)) as table:
        await begin(table)
        await table.until("nought is thinking (slow), 1 s; Enter: move now")
        assert moves(table) == ["put(a1)"]
        await table.pilot.press("enter")
        await until_asked(table)
        assert moves(table) == ["put(a1)", "put(c3)"]
        assert "cross, you must" in table.text


@at_once
async def test_the_table_stays_in_use():
    async with at_table(session_of("tic_tac_toe", seats=SLOW)) as table:
        await begin(table)
        await table.pilot.press("f5")
        await table.until("three in a row")
        await table.pilot.press("escape", *"log", "enter")
        await table.until("so far")
        await table.pilot.press("escape", "f3")
        await table.until("a3  b3  c3")
        assert moves(table) == ["put(a1)"]
        await table.pilot.press("enter")
        await until_asked(table)


@at_once
async def test_what_is_entered_while_a_bot_thinks_answers_the_next_question():
    async with at_table(session_of("tic_tac_toe", seats=SLOW)) as table:
        await begin(table)
        await table.pilot.press("3", "enter")
        await table.until("nobody has to decide now; `3` is kept, Esc drops it")
        assert moves(table) == ["put(a1)"]
        await table.pilot.press("enter")
        await table.until("cross  mark a2")
        assert moves(table) == ["put(a1)", "put(c3)", "put(a2)"]


@at_once
async def test_what_was_entered_ahead_is_dropped():
    """By Esc, and after a line that is not understood, as those that follow were meant for another question."""
    async with at_table(session_of("tic_tac_toe", seats=SLOW)) as table:
        await begin(table)
        await table.pilot.press("3", "enter", "escape", "enter")
        await until_asked(table)
        assert moves(table) == ["put(a1)", "put(c3)"]
        await table.pilot.press("2", "enter")
        await table.until("nought is thinking (slow)")
        await table.pilot.press(*"nonsense", "enter", "3", "enter", "enter")
        await table.until("there is no move `nonsense`")
        await table.settle()
        assert table.app.line.value == "nonsense"
        assert len(moves(table)) == 4


@at_once
async def test_escape_takes_back_nothing_of_the_bot():
    async with at_table(session_of("tic_tac_toe", seats=SLOW)) as table:
        await begin(table)
        await table.pilot.press("escape")
        await table.until("Enter makes the bot move now")
        assert moves(table) == ["put(a1)"]


@at_once
async def test_undo_while_a_bot_thinks():
    async with at_table(session_of("tic_tac_toe", seats=SLOW)) as table:
        await begin(table)
        await table.pilot.press(*"undo", "enter")
        await until_asked(table)
        assert moves(table) == []
        await table.pilot.press("2", "enter")
        await table.until("nought is thinking")
        await table.pilot.press("enter")
        await until_asked(table)
        assert moves(table) == ["put(b1)", "put(c3)"]


@at_once
async def test_changed_rules_while_a_bot_thinks(own_folder):
    text = (shipped_folder() / "tic_tac_toe.rules").read_text(encoding="utf-8")
    path = own_folder / "mine.rules"
    path.write_text(text, encoding="utf-8")
    session = session_of(path, seats=SLOW)
    watcher = Watcher(files_of(session.game.rules))
    async with at_table(session, watcher=watcher) as table:
        await begin(table)
        path.write_text(text + "\nnonsense\n", encoding="utf-8")
        await table.until("the game continues under the old rules")
        await table.pilot.press("escape")
        path.write_text(text.replace("three in a row", "3 in a row"), encoding="utf-8")
        await table.until("the rules were reloaded")
        await table.until("nought is thinking")
        await table.pilot.press("enter")
        await until_asked(table)
        assert moves(table) == ["put(a1)", "put(c3)"]


@at_once
async def test_a_bot_that_fails_ends_the_screen():
    with pytest.raises(BotError, match="the bot `broken` of nought failed: KeyError"):
        async with at_table(session_of("tic_tac_toe", seats={"nought": "broken"})) as table:
            await table.press("=1")
            for _ in range(100):
                await table.pilot.pause(0.05)


@at_once
async def test_a_secret_question_names_nobody(own_folder):
    """Where a seat must not know who is asked, the screen does not say who thinks, and the table stays as it was."""
    (own_folder / "bids.rules").write_text(SECRET, encoding="utf-8")
    async with at_table(session_of(own_folder / "bids.rules", seats={"blue": "slow"})) as table:
        await table.pilot.press("1", "enter")
        await table.until("play continues, 1 s")
        assert "blue is thinking" not in table.text
        assert "turn of blue" not in table.text


SECRET = """\
game "Bids" for 2 players red, blue

== components ==

piece Coin: 5 in chest
zone chest holds Coin
note bid[p: Player]: 0..3 = 0, seen by p

table "Bids" for each p in Player:
    "Player": p

== phases ==

phase bidding, turns from red, over when chest is empty:
    must secretly offer

action offer(secret n: 1..3):
    "offer {n}"
    set bid[me] to n
    move 1 from chest to out

zone out holds Coin

== scoring ==

winner highest bid[me]
"""


# ---- on a real terminal


def thinking(terminal, own_bots, bot="slow"):
    one = terminal("play", "tic_tac_toe", "--bots", bot, "--save", "a.json", **own_bots)
    one.until("cross, you must")
    one.type("1\r")
    one.until(f"is thinking ({bot})")
    return one


@pytest.mark.parametrize("bot", ["slow", "deaf"])
def test_ctrl_c_while_a_bot_thinks(terminal, own_folder, own_bots, bot):
    one = thinking(terminal, own_bots, bot)
    one.type("\x03")
    one.until(LEFT_WORDS)
    assert one.end() == 130
    assert "Traceback" not in one.raw
    assert LEFT_WORDS in plain(one.raw.split(LEFT)[-1])
    assert [move["move"] for move in read(own_folder / "a.json")["moves"]] == ["put(a1)"]


def test_stopping_while_a_bot_thinks(terminal, own_folder, own_bots):
    one = thinking(terminal, own_bots)
    one.type("quit\r")
    assert one.end() == 0
    assert len(read(own_folder / "a.json")["moves"]) == 1


def test_the_viewer_and_back_while_a_bot_thinks(terminal, own_folder, own_bots):
    one = thinking(terminal, own_bots)
    one.type("trace\r")
    one.until("decision 1 of 1")
    one.type("q")
    one.until("is thinking (slow)")
    one.type("\r")
    one.until("cross, you must")
    one.type("quit\r")
    assert one.end() == 0
    assert len(read(own_folder / "a.json")["moves"]) == 2


def test_a_bot_that_fails_is_reported_below_the_screen(terminal, own_folder, own_bots):
    one = terminal("play", "tic_tac_toe", "--bots", "broken", "--save", "a.json", **own_bots)
    one.until("cross, you must")
    one.type("1\r")
    assert one.end() == 1
    after = plain(one.raw.split(LEFT)[-1])
    assert "the bot `broken` of nought failed: KeyError: 'nought' (bots_for_tests.py:" in after.replace("\r\n", "")
    assert "saved; resume with: regelwerk play --resume a" in after
    assert "Traceback" not in one.raw


def test_a_whole_game_against_mcts(terminal, own_folder, own_bots):
    one = terminal("play", "tic_tac_toe", "--bots", "mcts:50", "--save", "a.json", **own_bots)
    one.until("cross, you must")
    while "the game is over" not in plain(one.raw):
        one.type("1\r")
        one.read(0.5)
    one.type("\x11")
    assert one.end() == 0
    assert resume(read_save(own_folder / "a.json")).over
