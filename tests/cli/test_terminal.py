"""`play` on a real terminal: colours, clearing, sizes, Ctrl-C, a kill."""

import time

import pytest

from interpreter.play.saves.files import read_save, resume
from tests.cli.conftest import PEBBLES, QUIET, read
from tests.cli.terminal import CLEARED, plain


def play(terminal, *words, **flags):
    return terminal("play", "--plain", PEBBLES, "--seed", QUIET, "--save", "a.json", *words, **flags)


def test_colours_and_no_colours(terminal):
    shown = play(terminal).until("red> ")
    assert "\x1b[" in shown
    assert "38;5" in shown or "\x1b[1;91m" in shown
    bare = terminal("play", "--plain", PEBBLES, "--seed", 53, NO_COLOR="1").until("red> ")
    assert "38;5" not in bare
    assert "[91m" not in bare
    assert plain(bare).count("Players") == 1


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
def test_lines_fit_the_terminal(terminal, columns):
    one = play(terminal, "--players", 3, columns=columns)
    shown = one.until("red> ") + one.enter("throw", "red> ") + one.enter("?", "red> ") + one.enter("why 1", "red> ")
    for line in plain(shown).splitlines():
        assert len(line) <= columns or "saved after" in line, line


def test_a_resized_terminal_is_noticed(terminal):
    one = play(terminal, "--players", 3, columns=120)
    assert any(len(line) > 100 for line in plain(one.until("red> ")).splitlines())
    one.resize(50, 24)
    assert all(len(line) <= 50 for line in plain(one.enter("view", "red> ")).splitlines())


def test_ctrl_c_leaves_a_save_and_says_where(terminal, own_folder):
    one = play(terminal)
    one.until("red> ")
    one.enter("build", "red> ")
    one.interrupt()
    shown = plain(one.until("--resume a.json"))
    assert "Traceback" not in shown
    assert one.end() == 130
    assert read(own_folder / "a.json")["moves"][0]["move"] == "build"


def test_ctrl_c_at_any_moment_of_the_start(terminal):
    """What Python itself says before it has come to the command is none of ours."""
    for pause in (0.05, 0.15, 0.25, 0.35, 0.5):
        one = terminal("play", "--plain", PEBBLES, "--seed", 53, fresh=True)
        time.sleep(pause)
        one.interrupt()
        starting = ("Fatal Python error: init_import_site", "Could not import runpy module")
        assert one.end() in (130, -2) or any(text in one.raw for text in starting), one.raw
        assert "/cli/" not in one.raw, one.raw


def test_end_of_input_leaves_a_save(terminal):
    one = play(terminal)
    one.until("red> ")
    one.type("\x04")
    one.until("--resume a.json")
    assert one.end() == 0


def test_a_kill_loses_nothing(terminal, own_folder):
    one = play(terminal, "--players", 3, "--option", "turns=many")
    one.until("red> ")
    for number, move in enumerate(("build", "throw", "grab"), start=1):
        one.enter(move, "red> ")
        assert [made["move"] for made in read(own_folder / "a.json")["moves"] if made["player"] == "red"][-1] == move
        assert sum(made["player"] == "red" for made in read(own_folder / "a.json")["moves"]) >= number
    key = resume(read_save(own_folder / "a.json")).key()
    one.kill()
    assert resume(read_save(own_folder / "a.json")).key() == key
    again = terminal("play", "--plain", "--resume", "a.json")
    assert "resumed" in again.until("red> ")


def test_between_two_persons_the_screen_is_cleared(terminal):
    one = play(terminal, "--seat", "all=human")
    first = one.until("red, press Enter ")
    assert CLEARED not in first
    one.enter("", "red> ")
    one.enter("build", "press Enter when you have seen this ")
    handed = one.enter("", "green, press Enter ")
    assert handed.rindex(CLEARED) < handed.index("pass the keyboard to")
    assert "\x1b[3J" in handed
    assert "Hand:" not in plain(handed)
    shown = one.enter("", "green> ")
    assert CLEARED in shown
    assert "You: Hand:" in plain(shown)


def test_before_others_are_asked_about_an_undo_the_screen_is_cleared(terminal):
    one = play(terminal, "--seat", "all=human")
    one.until("red, press Enter ")
    one.enter("", "red> ")
    for before, seat in (("red", "green"), ("green", "red")):
        one.enter("build", f"{before}, press Enter when you have seen this ")
        one.enter("", f"{seat}, press Enter ")
        one.enter("", f"{seat}> ")
    shown = one.enter("undo", "green, do you agree? [y/N] ")
    assert shown.index(CLEARED) < shown.index("red asks to go back")
    assert "Hand:" not in plain(shown)
    one.enter("y", "red, press Enter ")
    assert "took back the last decision; green agreed" in plain(one.enter("", "red> "))


def test_one_person_is_not_asked_to_pass_the_keyboard(terminal):
    one = play(terminal)
    shown = one.until("red> ") + one.enter("build", "red> ")
    assert CLEARED not in shown
    assert "pass the keyboard" not in plain(shown)


def test_a_progress_bar_goes_away(terminal):
    one = terminal("simulate", PEBBLES, "-n", 400, "-j", 2)
    shown = one.until("wins were shared")
    assert "400" in plain(shown)
    assert one.end() == 0


def test_ctrl_c_in_a_simulation(terminal):
    one = terminal("simulate", PEBBLES, "-n", 5_000_000, "-j", 2)
    one.until("/5000000")
    one.interrupt()
    assert one.end() == 130
    assert "interrupted" in one.raw
    assert "Traceback" not in one.raw, one.raw


def test_a_killed_simulation_leaves_no_process_behind(terminal):
    one = terminal("simulate", PEBBLES, "-n", 5_000_000, "-j", 2)
    one.until("/5000000")
    one.process.kill()
    assert one.end() == -9
