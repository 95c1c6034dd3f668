"""What would be too large, or never come to an end, is told with its place; nothing in a file is code, or leads out."""

from __future__ import annotations

import gc
import os
import re
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import interpreter.analysis.backends
import interpreter.analysis.divergence
import interpreter.analysis.playouts
from cli.main import app
from dsl import ast
from dsl.checker import check
from dsl.checker.board_path import leads_out
from dsl.diagnostics import RulesError
from dsl.syntax import parse
from dsl.text.span import Source
from interpreter.analysis.divergence import compare_playouts
from interpreter.analysis.playouts import attempts, playouts
from interpreter.analysis.results import Playout
from interpreter.errors import PlayError, UsageError
from interpreter.play.game import State, load
from interpreter.watchdog import watchdog
from tests.support.long_run import one_in

FOLDER = Path(__file__).parent
HEAD = 'game "X" for 2 players red, blue\n== components ==\nnote n: 0..999 = 0\n'
GO = 'action go:\n    "go"\n    add 1 to n\n'
PHASE = "phase playing, turns from red, over when n > 20:\n"

PATIENCE = 0.25
"""Seconds of processor time for one call into the rules, of which those of these games need a sixth, or have no end."""


def game(more: str = "", setup: str = "", phase: str = "", rules: str = "", label: str = "go") -> str:
    """A small game with something in it."""
    parts = [HEAD, more, "\n== setup ==\n" * bool(setup), setup, "\n== phases ==\n", PHASE, phase, "    must go\n"]
    return "".join([*parts, GO.replace('"go"', f'"{label}"'), rules, "\n== scoring ==\nwinner highest n\n"])


def started(text: str, folder: Path) -> State:
    path = folder / "x.rules"
    path.write_text(text, encoding="utf-8", newline="")
    with watchdog(PATIENCE, 256 * 1024**2):
        state = load(path).start(1)
        for _ in range(3):
            move = state.legal_moves[0]
            assert move.label
            state.push(move)
    return state


def doubling(first: str, following: str, count: int = 60) -> str:
    """Definitions or steps each of which asks the one before twice."""
    return first + "".join(following.format(now=number + 1, before=number) for number in range(count))


LOOPS = "".join(f"{' ' * (4 + a)}for each a{a} in 0..1:\n" for a in range(25)) + " " * 40 + "must go\n"
TOO_LARGE = {
    "pieces": game("piece C: 1 for each a: 0..999, b: 0..999, c: 0..999 in z\nzone z holds C\n"),
    "of each": game("piece C: 999999 * 999999 in z\nzone z holds C\n"),
    "places": game("zone z[a: 0..99, b: 0..99, c: 0..99] holds C\npiece C: 1 in y\nzone y holds C\n"),
    "together": game("".join(f"note m{number}[a: 0..4999, b: 0..9]: 0..1 = 0\n" for number in range(3))),
    "moves": game(rules='action big(a: 0..99, b: 0..99, c: 0..99):\n    "x"\n    add 1 to n\n', phase="    must big\n"),
    "numbers": game(setup=f"set n to {'9' * 5000}\n"),
    "a type": game(f"type T is {', '.join(f'a{number}' for number in range(5000))}\n"),
    "nested": game(phase=f"    if {'(1 + ' * 300}n{')' * 300} > 1: must go\n"),
    "loops": game(phase=LOOPS),
}  # fmt: skip


@pytest.mark.parametrize("name", TOO_LARGE)
def test_what_is_too_large_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(RulesError) as caught:
        started(TOO_LARGE[name], tmp_path)
    assert all(finding.severity == "warning" or finding.code.startswith("E") for finding in caught.value.diagnostics)


STEPS = doubling("step s0: set n to 1\n", "step s{now}:\n    s{before}\n    s{before}\n")
DEFINES = doubling("define d0(x: 0..9): n + x\n", "define d{now}(x: 0..9): d{before}(x) + d{before}(9 - x)\n")
SQUARES = "let a0 = 999999\n" + doubling("", "let a{now} = a{before} * a{before}\n", 50)
HANDFUL = 'action take(cs in handfuls(z, 0, 61)):\n    "x"\n    move cs to z\n'
SOME = "".join(f"some a{number} in 0..7 where " for number in range(20)) + " + ".join(f"a{n}" for n in range(20))

ENDLESS = {
    "loops": game(setup="up to 999999 times:\n    up to 999999 times:\n        set n to 1\n"),
    "what is gone through": game(setup="for each a in 0..4095:\n    for each b in 0..4095:\n        set n to 1\n"),
    "definitions": game(phase="    if d60(3) > 3: must go\n", rules=DEFINES),
    "steps": game(phase="    s60\n", rules=STEPS),
    "quantifiers": game(phase=f"    if {SOME} > 900: must go\n"),
    "numbers": game(setup=f"{SQUARES}if a50 > 5: set n to 1\n"),
    "turns": game().replace("    must go\n", "    set n to 1\n"),
    "handfuls": game("piece C: 1 for each a: 0..60 in z\nzone z holds C\n", phase="    must take\n", rules=HANDFUL),
    "places on pieces": game("piece C: 500 in y\nzone y holds C\nnote z[a: C, b: C]: 0..1 = 0\n"),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_what_does_not_end_is_ended(name: str, tmp_path: Path) -> None:
    with pytest.raises(PlayError) as caught:
        started(ENDLESS[name], tmp_path)
    assert "x.rules:" in caught.value.location and "\n" not in caught.value.message


@pytest.mark.parametrize("name", one_in(2, ENDLESS))
def test_what_does_not_end_is_ended_in_random_games(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Prepared random games are interrupted, and the game is played anew, which ends with the error of its rules.

    Loops that change nothing may be run to their end in time, so that the game is over.
    """
    monkeypatch.setattr(interpreter.analysis.backends, "WORTH_PREPARING", 0)
    path = tmp_path / "x.rules"
    path.write_text(ENDLESS[name], encoding="utf-8")
    with watchdog(PATIENCE, 256 * 1024**2):
        try:
            (found,) = attempts(load(path), 1)
        except PlayError as fault:
            assert "x.rules:" in fault.location
            return
    if isinstance(found, Playout):
        assert name == "what is gone through"
    else:
        assert "x.rules:" in found.location


def test_no_fault_is_lost_for_good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python ignores what is raised in a callback of the garbage collection, and in this one the first fault is."""
    lost: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lost.append)

    def until_lost(*_: object) -> None:
        while not lost:
            pass

    path = tmp_path / "x.rules"
    path.write_text(ENDLESS["what is gone through"], encoding="utf-8")
    rules = load(path)
    assert rules.program
    gc.callbacks.append(until_lost)
    try:
        with watchdog(PATIENCE), pytest.raises(PlayError, match="took"):
            rules.start(1)
    finally:
        gc.callbacks.remove(until_lost)
    assert lost


def test_the_decision_that_began_it_is_reported(tmp_path: Path) -> None:
    text = game(phase="    if n is 2: s60\n", rules=STEPS)
    with pytest.raises(PlayError, match=r"after 1 decision$"):
        started(text, tmp_path)


def test_what_takes_too_long_to_compile_is_told(tmp_path: Path) -> None:
    label = " ".join(["{s}"] * 3000)
    text = game("type A is 0..4095\nnote s: several A = {}\n", setup="set s to {a for a in A}\n", label=label)
    with pytest.raises((UsageError, PlayError), match=f"took longer than {PATIENCE} seconds"):
        started(text, tmp_path)


NAMES = (
    "lambda",
    "def",
    "class",
    "None",
    "True",
    "S",
    "J",
    "OVER",
    "exec",
    "__import__",
    "f_x",
    "_x_1",
    "PROGRAM",
    "bits",
)


def test_no_name_means_anything_in_python(tmp_path: Path) -> None:
    defines = "".join(f"define {name}: n + {number}\n" for number, name in enumerate(NAMES))
    zones = "".join(f"zone z{name}[p: Player] holds C\n" for name in NAMES)
    locals_ = "".join(
        f"    let l{name} = {name}\n    if l{name} is not n + {number}: end game\n" for number, name in enumerate(NAMES)
    )
    state = started(game(f"piece C: 3 in zS[red]\n{zones}", phase=locals_, rules=defines), tmp_path)
    assert not state.over


def test_no_two_names_become_one(tmp_path: Path) -> None:
    text = game(
        "piece C: 1 for each b_c: 0..1 in a\npiece D: 1 for each c: 0..1 in a_b\n"
        "zone a holds C, seen by nobody\nzone a_b holds D, seen by all\n"
        "type T with b_c: 1..9:\n    one  3\ntype T_b with c: 1..9:\n    two  4\n",
        phase="    let f_x = 3\n    x\n    x_quiet\n    if f_x + x_3 + one.b_c + two.c is not 16: end game\n",
        rules="define x_3: 6\nstep x: add 0 to n\nstep x_quiet: add 0 to n\n",
    )
    state = started(text, tmp_path)
    assert not state.over
    program = state.program
    assert program.seen_by("a", "b_c", state.cells, (), 0) == 0
    assert program.seen_by("a_b", "c", state.cells, (), 2) == 0b11


@pytest.mark.parametrize("words", ["\\'\\", "''' + exec('x') + '''", "%s {n} \\n \\x41", "[red]x[/red]", "<b>&amp;"])
def test_texts_are_only_texts(words: str, tmp_path: Path) -> None:
    state = started(game(label=words), tmp_path)
    assert state.legal_moves[0].label == words.replace("{n}", "3")


@pytest.mark.parametrize("sign", ["\x1b[31m", "\x07", "\x9b31m", "\u202e", "\u2066", "\x08", "\x7f"])
@pytest.mark.parametrize("place", ["go", "X", "note"])
def test_no_text_speaks_to_the_terminal(sign: str, place: str, tmp_path: Path) -> None:
    (tmp_path / "x.rules").write_text(game().replace(place, place + sign, 1), encoding="utf-8")
    result = CliRunner().invoke(app, ["check", str(tmp_path / "x.rules")])
    assert result.exit_code == 1 and "E0103" in result.output and sign not in result.output


def with_board(path: str) -> str:
    return game(f'board "{path}"\ntype Field from board.fields\n')


BOARD = '{"format": 1, "name": "B", "fields": [{"id": "a"}]}'


@pytest.mark.parametrize(
    "path", ["../b.json", "/etc/passwd", "in/../../b.json", "C:/b.json", "..\\b.json", "//host/b.json"]
)
def test_a_board_lies_in_the_folder_of_its_game(path: str, tmp_path: Path) -> None:
    (tmp_path / "b.json").write_text(BOARD)
    (tmp_path / "games").mkdir()
    assert leads_out(path)
    with pytest.raises(RulesError, match="outside the game's folder"):
        started(with_board(path), tmp_path / "games")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders")
def test_a_board_is_a_file(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    (folder / "in").mkdir(parents=True)
    (tmp_path / "b.json").write_text(BOARD)
    (folder / "in" / "b.json").write_text(BOARD)
    (folder / "link.json").symlink_to(tmp_path / "b.json")
    (folder / "near.json").symlink_to(folder / "in" / "b.json")
    (folder / "round.json").symlink_to(folder / "round.json")
    os.mkfifo(folder / "pipe.json")
    for name, wrong in {
        "link": "leads outside",
        "pipe": "not a regular file",
        "in": "folder",
        "round": "cannot be resolved",
    }.items():
        with pytest.raises(RulesError, match=wrong):
            started(with_board(name if name == "in" else f"{name}.json"), folder)
    for name in ("in/b", "near"):
        assert started(with_board(f"{name}.json"), folder).game.board is not None


def test_nothing_is_written(tmp_path: Path) -> None:
    started(game(), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["x.rules"]


def test_none_is_no_member_of_a_set(tmp_path: Path) -> None:
    text = game(
        "type T is a, b\nnote s: several T = {}\n", setup="set s to {none, b}\nadd none to s\nset n to count s\n"
    )
    assert started(text, tmp_path).legal_moves[0].notation == "go"


def test_a_game_that_random_moves_do_not_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreter.analysis.playouts, "MAX_DECISIONS", 500)
    monkeypatch.setattr(interpreter.analysis.divergence, "MAX_DECISIONS", 500)
    path = tmp_path / "x.rules"
    path.write_text(game().replace("over when n > 20", "over when n is 999").replace("add 1 to n", "set n to 1"))
    with pytest.raises(PlayError, match="not over after 500 random decisions"):
        list(playouts(load(path), 1))
    (pair,) = compare_playouts(load(path), load(path), 1)
    assert [one.side for one in pair.failures] == ["a", "b"]
    assert all("not over after 500 random decisions" in one.failed.message for one in pair.failures)


def test_no_number_is_quoted_as_another_one() -> None:
    """Whichever number of a game has too many digits, that is what is said of it."""
    text = (FOLDER / "accepted" / "odd.rules").read_text("utf-8")
    bare = re.sub(r'"[^"\n]*"|#[^\n]*|\[[A-Z]+-[^\]\n]*\]', lambda left_out: " " * len(left_out.group()), text)
    numbers = list(re.finditer(r"(?<![\w.])\d+\b|(?<=\.\.)\d+\b", bare))
    assert len(numbers) > 50
    for number in numbers[::3]:
        tree, found = parse(Source("x.rules", f"{text[: number.start()]}{9:9<23}{text[number.end() :]}"))
        if isinstance(tree, ast.GameFile) and not found:  # the faces of a die
            found = check(tree)[1]
        assert {"E0305", "E0344"} & {each.code for each in found}, number
        assert not any("000000000" in part for each in found for part in (each.message, *each.helps)), found
