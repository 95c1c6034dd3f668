"""`--board FILE`: every verb on a board that a player brings, what is said of boards, what is wrong with one."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from cli.json_output import schema
from interpreter.play.saves.model import schema as save_schema
from tests.cli.conftest import GAMES, PEBBLES, read
from tests.support.json_schemas import validate

HOPS, NEAR, FAR = GAMES / "hops.rules", GAMES / "boards" / "near.json", GAMES / "boards" / "far.json"
VERBS = [("play", "--seat", "all=random"), ("check",), ("test",), ("simulate", "-n", 3)]


@pytest.fixture
def here(own_folder: Path) -> Path:
    """The game with its board in the current folder, and a board of one's own beside them."""
    shutil.copytree(GAMES, own_folder, dirs_exist_ok=True)
    shutil.copy(FAR, own_folder / "mine.json")
    return own_folder


def documents(kind: str, text: str) -> dict:
    document = json.loads(text)
    validate(document, schema(kind))
    return document


# ---- playing on it


def test_play(run, here):
    result = run("play", "hops", "--board", "mine.json", "--save", "a.json", "--seed", 1, typed=["1", "quit"])
    assert result.exit_code == 0
    assert " board: Far isles (mine.json), a reconstruction. Drawn from memory.\n" in result.output
    assert result.output.count("reconstruction") == 1
    assert "hop to oak" in result.output
    assert read(here / "a.json")["board"] == str(here / "mine.json")
    validate(read(here / "a.json"), save_schema())


def test_play_on_the_board_of_the_rules(run, here):
    result = run("play", "hops", "--seat", "all=random", "--save", "a.json")
    assert " board: Near isles\n" in result.output
    assert "board" not in read(here / "a.json")
    assert " board" not in run("play", PEBBLES, "--seat", "all=random").output


def test_resume_and_trace(run, here, tmp_path):
    run("play", "hops", "--board", "mine.json", "--save", "a.json", "--seed", 1, typed=["1", "quit"])
    again = run("play", "--resume", "a.json", "--save", "b.json", typed=["1", "1"])
    assert again.exit_code == 0
    assert "Hops, resumed" in again.output
    assert "Far isles (mine.json)" in again.output
    assert "the game is over" in again.output
    trace = run("trace", "b.json", "--plain")
    assert trace.exit_code == 0
    assert "at: ay → oak" in trace.output


def test_resume_when_the_board_has_gone_or_changed(run, here):
    run("play", "hops", "--board", "mine.json", "--save", "a.json", "--seed", 1, typed=["1", "quit"])
    board = here / "mine.json"
    text = board.read_text()
    board.write_text(text.replace('"ends": ["ay", "oak"]', '"ends": ["ay", "yew"]'))
    for words in (("play", "--resume", "a.json"), ("trace", "a.json")):
        result = run(*words)
        assert result.exit_code == 1
        assert "the rules have changed since the save was written; move 1, `hop(oak)` by red" in result.output
    board.write_text("{}")
    result = run("play", "--resume", "a.json")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "error[E0702]" in result.output
    board.unlink()
    result = run("play", "--resume", "a.json")
    assert result.exit_code == 1
    assert f"\nerror: the save of Hops was played on the board {board}, which does not exist;" in result.output


def test_simulate_is_the_same_in_any_number_of_processes(run, here):
    words = ("simulate", "hops", "-n", 60, "--board", "mine.json", "--format", "json")
    one, two = (run(*words, "-j", jobs) for jobs in (1, 2))
    assert one.exit_code == 0
    assert one.output == two.output
    document = documents("simulate", one.output)
    assert document["board"] == "Far isles"
    other = documents("simulate", run("simulate", "hops", "-n", 60, "--format", "json").output)
    assert other["board"] == "Near isles"
    assert other["seats"] != document["seats"]
    assert "board Far isles" in run("simulate", "hops", "-n", 2, "--board", "mine.json").output


def test_examples_are_run_on_it(run, here):
    text = NEAR.read_text().replace('"height": 2', '"height": 3')
    (here / "near2.json").write_text(text)
    result = run("test", "hops", "--board", "near2.json")
    assert (result.exit_code, result.output) == (0, "1 of 1 examples passed in 1 file\n")
    result = run("test", "hops", "--board", "mine.json")
    assert result.exit_code == 1
    assert "error[E0201]: there is no `bee`" in result.output
    assert "mine.json:3:11: this board has no such place" in result.output


# ---- checking it


def test_check(run, here):
    result = run("check", "hops", "--board", "mine.json")
    assert (result.exit_code, result.output) == (0, "no problems in 1 file\n")


def test_check_tells_what_does_not_fit_with_both_places(run, here):
    (here / "mine.json").write_text(FAR.read_text().replace('"height": 8', '"height": "high"'))
    result = run("check", "hops", "--board", "mine.json")
    assert result.exit_code == 1
    assert "error[E0754]: `high` is not a value of `height` of `oak`" in result.output
    assert "hops.rules:13:" in result.output
    assert "mine.json:9:67: in the board file" in result.output
    found = documents("check", run("check", "hops", "--board", "mine.json", "--format", "json").output)["files"][0]
    assert [one["code"] for one in found["diagnostics"]] == ["E0754"]
    assert found["diagnostics"][0]["labels"][0]["place"]["file"] == "mine.json"


def test_check_a_board_of_another_game(run, here):
    board = {"format": 1, "name": "Else", "meadows": [{"id": "m"}]}
    (here / "mine.json").write_text(json.dumps(board))
    result = run("check", "hops", "--board", "mine.json")
    assert result.exit_code == 1
    assert result.output.count("error[E0752]: the board has no `tides`") == 3
    assert result.output.count("mine.json:1:23: on this board") == 3
    assert result.output.endswith("3 errors in 1 file\n")


# ---- what is said of boards


def test_games_tells_of_the_board(run, here):
    listed = run("games", "hops").output
    assert "  board    Near isles\n" in listed
    text = (here / "hops.rules").read_text().replace("near.json", "far.json").replace("== examples ==", "")
    (here / "far.rules").write_text(text[: text.index("example ")])
    result = run("games", "far")
    assert result.exit_code == 0
    assert "  board    Far isles, a reconstruction\n           Drawn from memory.\n" in result.output
    assert "pebbles" not in result.output


def test_games_by_name_and_path_as_json(run, here):
    (here / "sub").mkdir()
    shutil.copytree(GAMES, here / "sub", dirs_exist_ok=True)
    found = documents("games", run("games", "hops", "pebbles", "sub/hops.rules", "--format", "json").output)["games"]
    assert [(game["name"], game["origin"]) for game in found] == [
        ("hops", "here"),
        ("pebbles", "here"),
        ("hops", "path"),
    ]
    near = {"name": "Near isles", "reconstruction": False, "note": None}
    assert [game["board"] for game in found] == [near, None, near]


def test_games_of_a_name_nobody_knows(run, here):
    result = run("games", "hosp")
    assert (result.exit_code, result.output) == (2, "error: there is no game `hosp`; did you mean hops?\n")


# ---- what can be wrong


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb[0])
@pytest.mark.parametrize(
    ("content", "code", "said"),
    [
        (None, 2, "error: there is no board `bad.json`"),
        ("folder", 2, "error: `bad.json` is a folder, not a board"),
        (b"", 1, "error[E0701]"),
        (b"nonsense", 1, "error[E0701]"),
        (b"\xff\xfe\x00", 1, "error[E0101]"),
        (b"[" * 100_000, 1, "error[E0701]"),
        (b"[]", 1, "error[E0702]"),
        (b" " * 2_100_000, 1, "error[E0102]"),
        (b'{"format": 1, "name": "Empty"}', 1, "error[E0752]: the board has no `tides`"),
    ],
    ids=["missing", "folder", "empty", "no JSON", "no text", "deep", "other JSON", "large", "lacking"],
)
def test_a_bad_board_is_a_clear_message(run, here, verb, content, code, said):
    path = here / "bad.json"
    if content == "folder":
        path.mkdir()
    elif content is not None:
        path.write_bytes(content)
    result = run(verb[0], "hops", *verb[1:], "--board", "bad.json")
    assert result.exit_code == code
    assert said in result.output
    assert "bad.json" in result.output


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb[0])
def test_a_game_without_a_board(run, here, verb):
    result = run(verb[0], "pebbles", *verb[1:], "--board", "mine.json")
    assert result.exit_code == 1
    assert "error[E0751]: this game has no board" in result.output
    assert "pebbles.rules:3:1" in result.output


def test_where_it_has_no_place(run, here):
    result = run("play", "--resume", "a.json", "--board", "mine.json")
    assert (result.exit_code, "--board cannot be changed with --resume" in result.output) == (2, True)
    result = run("check", "mine.json", "--board", "mine.json")
    assert (result.exit_code, "--board needs a rules file" in result.output) == (2, True)


def test_a_place_that_the_chosen_side_does_not_have(run, here):
    result = run("play", "hops", "--option", "tide=high", "--option", "begin=ay")
    assert result.exit_code == 2
    assert result.output == "error: option `begin` must be bee, cod or random when `tide` is high, not `ay`\n"


def test_a_file_name_that_is_no_text(run, here):
    odd = here / "x\udcff.json"
    shutil.copy(FAR, odd)
    result = run("play", "hops", "--board", odd, "--seat", "all=random", "--save", "a.json")
    assert result.exit_code == 0
    assert "was played on the board" in run("trace", "a.json").output
